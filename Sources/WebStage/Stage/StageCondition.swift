import AdCore
import SystemSupport

/// What a scripted user waits for.
enum StageCondition: Sendable {
    /// No press of the user may have an outcome in the next moment, which an alarm of the machine bounds.
    case tapsSettled
    /// The app may take the ad away: what was undecided is decided.
    case left
    /// The ad is no larger than its own place.
    case collapsed
    /// The user's press on a control was reported.
    case reported(StageControl)
}

/// The tasks that wait for a condition of one stage.
final class StageWaiters: Sendable {
    private typealias Waiter = (condition: StageCondition, continuation: CheckedContinuation<Void, Never>)

    private struct State {
        var next = 0
        var waiting: [Int: Waiter] = [:]
    }

    private let state = Locked(State())

    /// Adds a task, and returns the number by which its wait can be ended.
    func add(_ condition: StageCondition, _ continuation: CheckedContinuation<Void, Never>) -> Int {
        self.state.withLock { state in
            state.next += 1
            state.waiting[state.next] = (condition, continuation)
            return state.next
        }
    }

    /// Ends one wait.
    func end(_ number: Int) {
        self.state.withLock { $0.waiting.removeValue(forKey: number) }?.continuation.resume()
    }

    /// Ends the waits whose condition is met.
    func wake(_ isMet: (StageCondition) -> Bool) {
        let ready = self.state.withLock { state in
            let ready = state.waiting.filter { isMet($0.value.condition) }
            for number in ready.keys { state.waiting[number] = nil }
            return ready.values.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }
}
