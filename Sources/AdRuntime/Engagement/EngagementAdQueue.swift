import AdCore
import SystemSupport

/// The ads of a session that the app has not received yet: in order, limited in number, without ended ones.
final class EngagementAdQueue: Sendable {
    private struct State {
        var ads: [Ad] = []
        var waiting: [UInt64: OneShot<Void>] = [:]
        var last: UInt64 = 0
        var isOver = false
    }

    private let state = Locked(State())
    private let limit: Int

    /// Creates a queue for so many ads.
    init(limit: Int) { self.limit = limit }

    /// How many ads can be shown.
    var count: Int { self.state.withLock { $0.ads }.count { $0.isLoaded } }

    /// Appends an ad; returns the oldest ads that exceed the limit, for the caller to destroy.
    func append(_ ad: Ad) -> [Ad] {
        // Ads are released outside the lock, because their deinitializers run other code.
        let (evicted, before, waiting) = self.state.withLock { state -> ([Ad], [Ad], [OneShot<Void>]) in
            guard !state.isOver else { return ([ad], [], []) }
            state.ads.append(ad)
            let before = state.ads
            // Ended ads are removed first.
            if state.ads.count > self.limit { state.ads.removeAll { !$0.isLoaded } }
            let surplus = max(0, state.ads.count - self.limit)
            let evicted = Array(state.ads.prefix(surplus))
            state.ads.removeFirst(surplus)
            defer { state.waiting = [:] }
            return (evicted, before, Array(state.waiting.values))
        }
        for one in waiting { one.set(()) }
        return withExtendedLifetime(before) { evicted }
    }

    /// Removes and returns the next ad that can be shown; nil when the queue is finished or the task is cancelled.
    func next() async -> Ad? {
        while !Task.isCancelled {
            let arrival = OneShot<Void>()
            let (ad, before, number) = self.state.withLock { state -> (Ad?, [Ad], UInt64?) in
                let before = state.ads
                while !state.ads.isEmpty {
                    let ad = state.ads.removeFirst()
                    if ad.isLoaded { return (ad, before, nil) }
                }
                guard !state.isOver else { return (nil, before, nil) }
                state.last += 1
                state.waiting[state.last] = arrival
                return (nil, before, state.last)
            }
            withExtendedLifetime(before) {}
            guard let number else { return ad }
            await withTaskCancellationHandler {
                await arrival.value
            } onCancel: {
                arrival.set(())
            }
            self.state.withLock { _ = $0.waiting.removeValue(forKey: number) }
        }
        return nil
    }

    /// Finishes the queue and destroys the ads in it.
    func finish() {
        let (ads, waiting) = self.state.withLock { state -> ([Ad], [OneShot<Void>]) in
            defer { state = State(isOver: true) }
            return (state.ads, Array(state.waiting.values))
        }
        for one in waiting { one.set(()) }
        for ad in ads { ad.destroy() }
    }
}
