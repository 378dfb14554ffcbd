import SystemSupport

/// An operation of a ledger's queue.
package protocol LedgerOperation: Sendable {
    /// Its share of the maximum weight of a group.
    var weight: Int { get }
}

/// The queue of operations between the calling tasks and a ledger's thread.
package final class LedgerQueue<Operation: LedgerOperation>: Sendable {
    /// The result of appending an operation.
    package enum AppendResult { case accepted, acceptedFirst, closed }

    private let inbox: CommandInbox<Operation>
    private let signal = ThreadSignal()
    /// Whether the thread was started; the first operation starts it.
    private let isStarted = Locked(false)
    /// Resolved when the thread ends.
    private let end = OneShot<Void>()

    /// Creates an empty queue.
    package init() { self.inbox = CommandInbox { [signal] in signal.set() } }

    /// Appends an operation; the caller starts the thread if it is the first one.
    package func append(_ operation: Operation) -> AppendResult {
        // Set before the append: a concurrent `closeAndWait` must wait for this operation.
        let isFirst = self.isStarted.withLock { isStarted in
            defer { isStarted = true }
            return !isStarted
        }
        guard self.inbox.append(operation) else {
            if isFirst { self.end.set(()) }
            return .closed
        }
        return isFirst ? .acceptedFirst : .accepted
    }

    /// Removes as many operations as fit into one group, at least one.
    ///
    /// - Parameters:
    ///   - weight: The maximum weight of a group.
    ///   - waits: Whether to block until there is an operation.
    /// - Returns: An empty array if the queue is empty; nil if it is closed and empty.
    package func next(upTo weight: Int, waits: Bool) -> [Operation]? {
        while true {
            let (group, isClosed) = self.inbox.drain { $0.removeGroup(upTo: weight) }
            if !group.isEmpty { return group }
            if isClosed { return nil }
            guard waits else { return [] }
            if self.inbox.prepareToSleep() { self.signal.wait() }
        }
    }

    /// Refuses new operations; the pending ones are still executed.
    package func close() { self.inbox.close() }

    /// Closes the queue, and returns after the last operation when the file is closed.
    package func closeAndWait() async {
        self.close()
        guard self.isStarted.withLock({ $0 }) else { return }
        await self.end.value
    }

    /// Marks the thread as ended, and returns the operations that were not executed.
    package func finish() -> [Operation] {
        self.inbox.close()
        self.end.set(())
        return self.inbox.drain().commands
    }
}

extension Array where Element: LedgerOperation {
    fileprivate mutating func removeGroup(upTo weight: Int) -> [Element] {
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
