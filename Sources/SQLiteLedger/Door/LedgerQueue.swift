import AdCore
import SystemSupport

/// The operations of tasks to the ledger's thread.
final class LedgerQueue: Sendable {
    /// What became of an operation that was appended.
    enum Reception { case accepted, firstEver, closed }

    private let inbox: CommandInbox<Operation>
    private let signal = ThreadSignal()
    /// Whether the thread was started, which the first operation does.
    private let isStarted = Locked(false)
    /// Resolved when the thread has ended.
    private let end = OneShot<Void>()

    init() { self.inbox = CommandInbox { [signal] in signal.set() } }

    /// Appends an operation; whoever appends the first one has to start the thread.
    func append(_ operation: Operation) -> Reception {
        // Before the operation is in: whoever closes meanwhile has to wait for it.
        let isFirst = self.isStarted.withLock { isStarted in
            defer { isStarted = true }
            return !isStarted
        }
        guard self.inbox.append(operation) else {
            if isFirst { self.end.resolve(()) }
            return .closed
        }
        return isFirst ? .firstEver : .accepted
    }

    /// Removes as many waiting operations as fit into one group, and at least one.
    ///
    /// - Parameters:
    ///   - weight: What fits into a group.
    ///   - waits: Whether to sleep until there is an operation.
    /// - Returns: Nothing where nothing waits at the moment; nil where nothing will ever wait again.
    func next(upTo weight: Int, waits: Bool) -> [Operation]? {
        while true {
            let (group, isClosed) = self.inbox.drain { $0.removeGroup(upTo: weight) }
            if !group.isEmpty { return group }
            if isClosed { return nil }
            guard waits else { return [] }
            if self.inbox.prepareToSleep() { self.signal.wait() }
        }
    }

    /// Refuses operations from now on; those that wait are still carried out.
    func close() { self.inbox.close() }

    /// Closes, and returns when everything is done and the file is closed.
    func closeAndWait() async {
        self.close()
        guard self.isStarted.withLock({ $0 }) else { return }
        await self.end.value
    }

    /// Says that the thread has ended; returns the operations that it did not carry out.
    func finish() -> [Operation] {
        self.inbox.close()
        self.end.resolve(())
        return self.inbox.drain().commands
    }
}

extension [Operation] {
    fileprivate mutating func removeGroup(upTo weight: Int) -> [Operation] {
        var count = 0
        var sum = 0
        for operation in self {
            sum += operation.weight
            guard count == 0 || sum <= weight else { break }
            count += 1
        }
        defer { self.removeFirst(count) }
        return Array(self[..<count])
    }
}
