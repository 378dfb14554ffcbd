import AdCore
import SystemSupport

/// A condition that a scripted user waits for.
enum StageCondition: Sendable {
    /// No tap is about to get an outcome.
    case tapsSettled
    /// Nothing is pending any more, so the app can close the ad.
    case readyToClose
    /// The ad is collapsed.
    case collapsed
    /// The press on a control was reported.
    case reported(StageControl)
}

/// The tasks that wait for conditions of one stage.
final class StageWaiters: Sendable {
    private typealias Waiter = (condition: StageCondition, continuation: CheckedContinuation<Void, Never>)

    private struct State {
        var next = 0
        var waiting: [Int: Waiter] = [:]
    }

    private let state = Locked(State())

    /// Adds a task; returns a number to end its wait.
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

    /// Ends all waits whose condition is met.
    func resume(where isMet: (StageCondition) -> Bool) {
        let ready = self.state.withLock { state in
            let ready = state.waiting.filter { isMet($0.value.condition) }
            for number in ready.keys { state.waiting[number] = nil }
            return ready.values.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }
}
