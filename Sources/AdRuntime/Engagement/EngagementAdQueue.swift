import AdCore
import SystemSupport

/// Ads on their way from a session to whoever takes them: in order, bounded, and none that is over.
final class EngagementAdQueue: Sendable {
    private struct State {
        var ads: [Ad] = []
        var waiting: [UInt64: OneShot<Void>] = [:]
        var last: UInt64 = 0
        var isOver = false
    }

    private let state = Locked(State())
    private let most: Int

    /// A queue for so many ads.
    init(most: Int) { self.most = most }

    /// How many can be shown.
    var count: Int { self.state.withLock { $0.ads }.count { $0.isLoaded } }

    /// Puts an ad in; returns those that found no room, the oldest first.
    func put(_ ad: Ad) -> [Ad] {
        // Whatever lets go of an ad does so outside the lock: its end is heard by others.
        let (pushed, before, waiting) = self.state.withLock { state -> ([Ad], [Ad], [OneShot<Void>]) in
            guard !state.isOver else { return ([ad], [], []) }
            state.ads.append(ad)
            let before = state.ads
            // What is over needs no room.
            if state.ads.count > self.most { state.ads.removeAll { !$0.isLoaded } }
            let surplus = max(0, state.ads.count - self.most)
            let pushed = Array(state.ads.prefix(surplus))
            state.ads.removeFirst(surplus)
            defer { state.waiting = [:] }
            return (pushed, before, Array(state.waiting.values))
        }
        for one in waiting { one.resolve(()) }
        return withExtendedLifetime(before) { pushed }
    }

    /// The next ad that can be shown; nil where none will come, or the task was cancelled.
    func next() async -> Ad? {
        while !Task.isCancelled {
            let bell = OneShot<Void>()
            let (ad, before, number) = self.state.withLock { state -> (Ad?, [Ad], UInt64?) in
                let before = state.ads
                while !state.ads.isEmpty {
                    let ad = state.ads.removeFirst()
                    if ad.isLoaded { return (ad, before, nil) }
                }
                guard !state.isOver else { return (nil, before, nil) }
                state.last += 1
                state.waiting[state.last] = bell
                return (nil, before, state.last)
            }
            withExtendedLifetime(before) {}
            guard let number else { return ad }
            await withTaskCancellationHandler {
                await bell.value
            } onCancel: {
                bell.resolve(())
            }
            self.state.withLock { _ = $0.waiting.removeValue(forKey: number) }
        }
        return nil
    }

    /// Nothing comes any more; what is in goes.
    func finish() {
        let (ads, waiting) = self.state.withLock { state -> ([Ad], [OneShot<Void>]) in
            defer { state = State(isOver: true) }
            return (state.ads, Array(state.waiting.values))
        }
        for one in waiting { one.resolve(()) }
        for ad in ads { ad.destroy() }
    }
}
