import SystemLock

/// Lets only so many in at a time; the others wait in the order in which they came.
final class Lanes: Sendable {
    private struct State {
        var free: Int
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var last = 0
    }

    private let state: Locked<State>

    init(_ count: Int) { self.state = Locked(State(free: count)) }

    /// Waits for a lane; nil where the task is cancelled meanwhile.
    func enter() async -> Lane? {
        let number = self.state.withLock { state in
            state.last += 1
            return state.last
        }
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now: Bool? = self.state.withLock { state in
                    if Task.isCancelled { return false }
                    guard state.free > 0 else {
                        state.waiting.append((number, continuation))
                        return nil
                    }
                    state.free -= 1
                    return true
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            let continuation = self.state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
            }
            continuation?.resume(returning: false)
        }
        return isIn ? Lane(self) : nil
    }

    /// How many wait.
    var waiting: Int { self.state.withLock(\.waiting.count) }

    fileprivate func free() {
        let next = self.state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return CheckedContinuation<Bool, Never>?.none
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}

/// A place among those that are let in; it is free again when it is left, or when nobody holds it any more.
final class Lane: Sendable {
    private let lanes: Locked<Lanes?>

    fileprivate init(_ lanes: Lanes) { self.lanes = Locked(lanes) }

    deinit { self.leave() }

    func leave() {
        let lanes = self.lanes.withLock { lanes in
            defer { lanes = nil }
            return lanes
        }
        lanes?.free()
    }
}
