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

/// The waits for conditions of one stage.
final class StageWaiters: Sendable {
    private struct Wait {
        let condition: StageCondition
        let isOver: OneShot<Void>
    }

    private let waits = Locked<[Wait]>([])

    /// Adds a wait; it is over when it is resolved.
    func add(_ condition: StageCondition) -> OneShot<Void> {
        let isOver = OneShot<Void>()
        self.waits.withLock { $0.append(Wait(condition: condition, isOver: isOver)) }
        return isOver
    }

    /// Ends all waits whose condition is met.
    func resume(where isMet: (StageCondition) -> Bool) {
        let met = self.waits.withLock { waits in
            let met = waits.filter { isMet($0.condition) }
            waits.removeAll { wait in wait.isOver.isSet || met.contains { $0.isOver === wait.isOver } }
            return met
        }
        for wait in met { wait.isOver.set(()) }
    }
}
