package import AdCore
import SystemSupport

/// The ads of a lab: those that run, and some that have ended.
package final class Lab: Sendable {
    private struct State {
        var ads: [LabAd] = []
        var last = 0
        var isOver = false
    }

    /// How many ads run at once.
    package static let maxRunning = 8
    /// How many ended ads are kept, and the bytes of all.
    static let maxEnded = 40
    static let maxBytes = 400 << 20
    /// After how long an ad is ended that no page follows.
    static let idleTime = Duration.seconds(600)
    /// How long an ad without a page is left alone when there are too many.
    static let graceTime = Duration.seconds(2)

    let host: any LabHost
    private let wallTime: @Sendable () -> WallTime
    private let state = Locked(State())

    package init(_ host: any LabHost, wallTime: @escaping @Sendable () -> WallTime) {
        self.host = host
        self.wallTime = wallTime
    }

    /// All ads, the newest first.
    package var ads: [LabAd] { self.state.withLock { $0.ads.reversed() } }

    func ad(_ id: String) -> LabAd? { self.state.withLock { $0.ads.first { $0.id == id } } }

    /// Starts an ad.
    ///
    /// If too many run, the one that no page has followed for the longest time is ended first.
    package func start(_ order: LabOrder, ordered: AdJSON) throws(LabError) -> LabAd {
        let running = self.ads.filter { !$0.hasEnded }
        if running.count >= Lab.maxRunning {
            // A page follows a new ad within a second.
            let idle = running.filter { $0.isIdle(for: Lab.graceTime, at: .now) }.min { $0.lastSeen < $1.lastSeen }
            guard let idle else {
                throw LabError("\(Lab.maxRunning) ads run already; close one of them", status: 429)
            }
            idle.run?.end()
        }
        let ad: LabAd? = self.state.withLock { state in
            guard !state.isOver else { return nil }
            state.last += 1
            let ad = LabAd(id: "a\(state.last)", order, ordered: ordered, startedAt: self.wallTime())
            state.ads.append(ad)
            return ad
        }
        guard let ad else { throw LabError("the lab has ended; start yabbi-play lab again", status: 503) }
        do throws(LabError) {
            ad.attach(try self.host.start(order, reportingTo: ad))
        } catch {
            self.state.withLock { $0.ads.removeAll { $0 === ad } }
            throw error
        }
        self.forgetOldest()
        return ad
    }

    /// Removes the oldest ended ads beyond the limits.
    private func forgetOldest() {
        let ads = self.state.withLock { $0.ads }
        var ended = ads.filter(\.hasEnded)
        var bytes = ads.reduce(0) { $0 + $1.bytes }
        while let oldest = ended.first, ended.count > Lab.maxEnded || bytes > Lab.maxBytes {
            bytes -= oldest.bytes
            ended.removeFirst()
            self.state.withLock { $0.ads.removeAll { $0 === oldest } }
            oldest.detach()
        }
    }

    /// Ends the ads that no page has watched for a while.
    package func endIdle(at now: ContinuousClock.Instant) {
        for ad in self.ads where !ad.hasEnded && ad.isIdle(for: Lab.idleTime, at: now) { ad.run?.end() }
    }

    /// Ends all ads, and starts no more.
    package func end() {
        self.state.withLock { $0.isOver = true }
        for ad in self.ads where !ad.hasEnded { ad.run?.end() }
    }
}
