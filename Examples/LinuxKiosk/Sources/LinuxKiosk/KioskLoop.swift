import AdCore
import AdProviders

/// Decides what a kiosk does next: which placement is shown, for how long, and how long it waits before.
///
/// Times are durations since the kiosk was started. The loop has no clock and no network, so tests move its time.
struct KioskLoop: Sendable {
    /// What the kiosk shows.
    struct Plan: Equatable, Sendable {
        /// The placements, which have their turns.
        var placements: [YabbiPlacement]
        /// How long an ad without a video is on screen.
        var showTime = Duration.seconds(10)
        /// How long a video may be on screen; it is closed before if it has ended.
        var videoTime = Duration.seconds(120)
        /// The pause after an ad.
        var pause = Duration.seconds(1)
        /// The number of ads after which the kiosk ends; nil for no end.
        var count: Int?
        /// The time after which the kiosk ends; nil for no end.
        var time: Duration?
    }

    /// What the kiosk does next.
    enum Step: Equatable, Sendable {
        /// Load an ad, and show it.
        case show(YabbiPlacement)
        /// Wait for this time.
        case wait(Duration)
        /// End.
        case end
    }

    /// The first wait after a failure; it doubles with each further failure.
    static let firstWait = Duration.seconds(1)
    /// The longest wait after failures.
    static let longestWait = Duration.seconds(60)

    let plan: Plan
    /// The number of ads that were shown and had an impression.
    private(set) var shown = 0
    /// The number of failures since the last ad that was shown.
    private(set) var failures = 0
    private var turn = 0
    private var ready = Duration.zero

    init(_ plan: Plan) { self.plan = plan }

    /// What to do now.
    func next(at now: Duration) -> Step {
        if let count = self.plan.count, self.shown >= count { return .end }
        if let time = self.plan.time, now >= time { return .end }
        guard now < self.ready else { return .show(self.plan.placements[self.turn]) }
        return .wait(min(self.ready, self.plan.time ?? self.ready) - now)
    }

    /// An ad was on screen until now, and had its impression.
    mutating func adEnded(at now: Duration) {
        self.shown += 1
        self.failures = 0
        self.advance(to: now + self.plan.pause)
    }

    /// A load or a show has failed, there was no ad, or nothing of it was seen.
    ///
    /// The next placement has its turn, so that a broken creative does not stop the kiosk.
    ///
    /// - Parameters:
    ///   - error: The failure; nil for an ad without an impression.
    ///   - now: The time.
    ///   - jitter: A random number from 0 to 1, so that kiosks that failed together don't retry together.
    mutating func failed(_ error: AdError?, at now: Duration, jitter: Double) {
        self.failures += 1
        let doubled = KioskLoop.firstWait * (1 << min(self.failures - 1, 10))
        // What is wrong with the request itself will be wrong again.
        let isHopeless = [.invalidRequest, .unauthorized].contains(error?.code)
        let wait = isHopeless ? KioskLoop.longestWait : min(doubled, KioskLoop.longestWait)
        self.advance(to: now + wait * (1 - jitter / 2))
    }

    /// How long an ad with this creative may be on screen.
    func time(for creative: Creative?, at now: Duration) -> Duration {
        let limit = if case .video = creative { self.plan.videoTime } else { self.plan.showTime }
        return self.plan.time.map { max(.zero, min(limit, $0 - now)) } ?? limit
    }

    /// Whether an ad with this creative is over by this event, before its time.
    func ends(_ creative: Creative?, by event: AdEvent) -> Bool {
        switch (event, creative) {
        case (.closeAvailable(.crashed), _), (.closeAvailable(.failed), _): true
        case (.closeAvailable(.completed), .video), (.closeAvailable(.endCard), .video): true
        case (.quartile(100, let spot), .video(let video)): spot == video.spots.count - video.fallbackCount - 1
        default: false
        }
    }

    private mutating func advance(to ready: Duration) {
        self.turn = (self.turn + 1) % self.plan.placements.count
        self.ready = ready
    }
}
