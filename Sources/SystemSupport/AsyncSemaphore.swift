/// Admits a limited number of tasks at a time; the others wait in the order in which they arrived.
package final class AsyncSemaphore: Sendable {
    private struct State {
        var available: Int
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var lastNumber = 0
    }

    private let state: Locked<State>

    /// A semaphore that admits `limit` tasks at a time.
    package init(_ limit: Int) { self.state = Locked(State(available: limit)) }

    /// Waits for a permit; nil if the task is cancelled first.
    package func acquire() async -> Permit? {
        let number = self.state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let decided: Bool? = self.state.withLock { state in
                    if Task.isCancelled { return false }
                    guard state.available > 0 else {
                        state.waiting.append((number, continuation))
                        return nil
                    }
                    state.available -= 1
                    return true
                }
                if let decided { continuation.resume(returning: decided) }
            }
        } onCancel: {
            let continuation = self.state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
            }
            continuation?.resume(returning: false)
        }
        return isAdmitted ? Permit(self) : nil
    }

    /// How many tasks wait.
    package var waitingCount: Int { self.state.withLock(\.waiting.count) }

    private func releaseOne() {
        let next = self.state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.available += 1
                return CheckedContinuation<Bool, Never>?.none
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }

    /// The right to go on, given back by `release` or when the last reference to it goes.
    package final class Permit: Sendable {
        private let semaphore: Locked<AsyncSemaphore?>

        fileprivate init(_ semaphore: AsyncSemaphore) { self.semaphore = Locked(semaphore) }

        deinit { self.release() }

        /// Gives the permit back; calling it again does nothing.
        package func release() {
            let semaphore = self.semaphore.withLock { semaphore in
                defer { semaphore = nil }
                return semaphore
            }
            semaphore?.releaseOne()
        }
    }
}
