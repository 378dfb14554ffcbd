/// Commands from any thread for one consuming thread that sleeps while there are none.
///
/// The consumer may sleep in `poll`, in a library's call or on a condition variable: it announces its sleep
/// with `prepareToSleep`, and the first command after that calls the waker.
public final class CommandInbox<Command: Sendable>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var commands: [Command] = []
        @usableFromInline var isClosed = false
        @usableFromInline var isAsleep = false

        @inlinable
        init() {}
    }

    @usableFromInline let state = Locked(State())
    /// A separate lock, so that the woken consumer does not wait for the state's lock, which the waking thread holds.
    @usableFromInline let waker: Locked<(@Sendable () -> Void)?>

    /// Creates an inbox; the waker ends the consumer's current or next sleep.
    package init(waker: (@Sendable () -> Void)? = nil) { self.waker = Locked(waker) }

    // MARK: Producers

    /// Adds a command; returns false if the inbox is closed.
    @discardableResult
    @inlinable
    package func append(_ command: Command) -> Bool { self.update { $0.commands.append(command) } }

    /// Refuses commands from now on, and wakes the consumer.
    @inlinable
    package func close() { self.update { $0.isClosed = true } }

    @discardableResult
    @inlinable
    func update(_ change: (inout State) -> Void) -> Bool {
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

    /// Sets the waker, which ends the consumer's sleep; with nil no waker runs after this returns.
    package func setWaker(_ waker: (@Sendable () -> Void)?) { self.waker.withLock { $0 = waker } }

    /// Removes all commands, and returns whether the inbox is closed.
    @inlinable
    package func drain() -> (commands: [Command], isClosed: Bool) {
        self.drain { commands in
            defer { commands.removeAll() }
            return commands
        }
    }

    /// Removes the commands that `pick` removes, and returns whether the inbox is closed.
    @inlinable
    package func drain<Picked>(_ pick: (inout [Command]) -> Picked) -> (commands: Picked, isClosed: Bool) {
        self.state.withLock { state in (pick(&state.commands), state.isClosed) }
    }

    /// Returns whether the consumer may sleep; if so, the next command or `close()` calls the waker.
    ///
    /// It may not sleep if there are commands or the inbox is closed.
    @inlinable
    package func prepareToSleep() -> Bool {
        self.state.withLock { state in
            state.isAsleep = state.commands.isEmpty && !state.isClosed
            return state.isAsleep
        }
    }
}
