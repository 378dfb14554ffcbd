/// Commands from any thread for one consuming thread that sleeps while there are none.
///
/// How the consumer sleeps is its own business (in `poll`, in a library's call, on a condition): it announces its sleep
/// with `prepareToSleep`, and the first command after that calls the waker.
package final class CommandInbox<Command: Sendable>: Sendable {
    private struct State {
        var commands: [Command] = []
        var isClosed = false
        var isAsleep = false
    }

    private let state = Locked(State())
    /// A lock of its own: the consumer must not wake up only to find the state locked by the thread that woke it.
    private let waker: Locked<(@Sendable () -> Void)?>

    /// An open inbox; the waker ends the consumer's sleep, the present one or the next.
    package init(waker: (@Sendable () -> Void)? = nil) { self.waker = Locked(waker) }

    // MARK: Producers

    /// Adds a command; returns false where the inbox is closed.
    @discardableResult
    package func append(_ command: Command) -> Bool { self.update { $0.commands.append(command) } }

    /// Refuses commands from now on, and wakes the consumer.
    package func close() { self.update { $0.isClosed = true } }

    @discardableResult
    private func update(_ change: (inout State) -> Void) -> Bool {
        let (isAccepted, wakes) = self.state.withLock { state -> (Bool, Bool) in
            guard !state.isClosed else { return (false, false) }
            change(&state)
            defer { state.isAsleep = false }
            return (true, state.isAsleep)
        }
        if wakes { self.waker.withLock { $0?() } }
        return isAccepted
    }

    // MARK: The consumer

    /// Sets what ends the consumer's sleep; with nil nothing is called any more, once this returns.
    package func setWaker(_ waker: (@Sendable () -> Void)?) { self.waker.withLock { $0 = waker } }

    /// Removes all commands, and says whether more may come.
    package func drain() -> (commands: [Command], isClosed: Bool) {
        self.drain { commands in
            defer { commands.removeAll() }
            return commands
        }
    }

    /// Removes those of the commands that `pick` removes, and says whether more may come.
    package func drain<Picked>(_ pick: (inout [Command]) -> Picked) -> (commands: Picked, isClosed: Bool) {
        self.state.withLock { state in (pick(&state.commands), state.isClosed) }
    }

    /// Whether the consumer may sleep; from then on the next command, or the close, calls the waker.
    ///
    /// It may not where there is something to do, or the inbox was closed.
    package func prepareToSleep() -> Bool {
        self.state.withLock { state in
            state.isAsleep = state.commands.isEmpty && !state.isClosed
            return state.isAsleep
        }
    }
}
