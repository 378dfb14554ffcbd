import AdCore
import SystemLock

/// What the hand of a scripted user waits for at a stage.
enum StageMoment: Sendable {
    /// No press of the user may have an outcome in the next moment, which an alarm of the machine bounds.
    case tapsSettled
    /// The app may take the ad away: what was open is decided.
    case left
    /// The ad is no larger than its own place.
    case collapsed
    /// The user's press on a control was reported.
    case reported(StageControl)
}

/// The tasks that wait for a moment of one stage.
final class StageWaiters: Sendable {
    private typealias Waiter = (moment: StageMoment, continuation: CheckedContinuation<Void, Never>)

    private struct State {
        var next = 0
        var waiting: [Int: Waiter] = [:]
    }

    private let state = Locked(State())

    /// Adds a task, and returns the number by which its wait can be ended.
    func add(_ moment: StageMoment, _ continuation: CheckedContinuation<Void, Never>) -> Int {
        self.state.withLock { state in
            state.next += 1
            state.waiting[state.next] = (moment, continuation)
            return state.next
        }
    }

    /// Ends one wait.
    func end(_ number: Int) {
        self.state.withLock { $0.waiting.removeValue(forKey: number) }?.continuation.resume()
    }

    /// Ends the wait of everybody whose moment has come.
    func wake(_ hasCome: (StageMoment) -> Bool) {
        let ready = self.state.withLock { state in
            let ready = state.waiting.filter { hasCome($0.value.moment) }
            for number in ready.keys { state.waiting[number] = nil }
            return ready.values.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }
}
