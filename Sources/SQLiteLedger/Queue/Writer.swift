import AdCore
import SystemSupport

/// Executes the queued operations, several in one transaction, and resumes their callers.
///
/// Runs on the ledger's thread.
final class Writer {
    private let queue: LedgerQueue<Operation>
    private let opener: Opener
    private var store: Store? { self.opener.store }
    /// Deletions in progress, one batch at a time.
    private var pruneJobs: [PruneJob] = []
    private var isPruning = false
    /// What the last commit wrote if it failed with a disk error, but may be on the disk all the same.
    ///
    /// It is taken back before anything else is written, so there is never a second one.
    private var unsure: UnsureCommit?

    /// The maximum weight of one transaction; a single heavier operation gets its own.
    static let groupLimit = 4_096
    /// How often one operation is tried again after its file was moved.
    private static let maxMoves = 10

    private struct PruneJob {
        var states: [StateCode]
        let before: WallTime?
        let reply: Reply<Int>
        var count = 0
    }

    init(_ queue: LedgerQueue<Operation>, _ opener: sending Opener) {
        self.queue = queue
        self.opener = opener
    }

    /// Runs the writer on a thread of its own; false if the thread can't be created.
    ///
    /// SQLite resolves up to 200 symbolic links recursively, with more than 4 KB of stack for each
    /// (`SQLITE_MAX_SYMLINK`, `unixFullPathname`): a stack smaller than a megabyte overflows on a long chain of links.
    static func start(_ writer: sending Writer) -> Bool {
        DedicatedThread.start("yabbi-ledger", stack: 2 << 20) { writer.run() }
    }

    /// Executes operations until the queue is closed and empty, then closes the file.
    private func run() {
        while true {
            let isIdle = self.pruneJobs.isEmpty && !self.isPruning
            let operations = self.queue.next(upTo: Writer.groupLimit, waits: isIdle)
            if let operations, !operations.isEmpty { self.execute(operations) }
            if operations == nil, isIdle { break }
            // Prune at least as many rows as were added, so that the file doesn't outgrow its limits.
            let added = operations?.reduce(0) { $0 + $1.weight } ?? 0
            var batches = 1 + added / Store.batchSize
            repeat {
                self.maintain()
                batches -= 1
            } while batches > 0 && self.isPruning
        }
        self.opener.close()
        for operation in self.queue.finish() { operation.fail(SQLiteLedger.isClosed(self.opener.path.file)) }
    }

    // MARK: Operations

    private func execute(_ operations: [Operation]) {
        let file = self.opener.path.file
        var group: [Operation] = []
        for operation in operations {
            guard case .delete(let states, let before, let reply) = operation else {
                group.append(operation)
                continue
            }
            let codes = SQLiteLedger.FinalState.allCases.filter { states.contains($0) }.map(\.code)
            self.pruneJobs.append(PruneJob(states: codes, before: before, reply: reply))
        }
        guard group.count > 1 else {
            if let operation = group.first { self.executeAlone(operation) }
            return
        }
        do throws(StoreError) {
            let store = try self.opener.readyStore()
            let replies = try self.transact(group, on: store)
            for reply in replies { self.send(reply) }
        } catch {
            // The lock is held by another process; trying the operations one by one would wait for each.
            if error.isBusy {
                for operation in group { operation.fail(error.ledgerError(for: file)) }
                return
            }
            for operation in group { self.executeAlone(operation) }
        }
    }

    /// Executes operations in one transaction: all or none.
    private func transact(_ operations: [Operation], on store: Store) throws(StoreError) -> [PendingReply] {
        func all() throws(StoreError) -> [PendingReply] {
            var replies: [PendingReply] = []
            replies.reserveCapacity(operations.count)
            for operation in operations { replies.append(try operation.execute(on: store)) }
            return replies
        }
        guard operations.contains(where: \.isWriting) else { return try all() }
        if let unsure {
            try store.transaction { () throws(StoreError) in try store.undo(unsure) }
            self.unsure = nil
        }
        var written: [PendingReply] = []
        do throws(StoreError) {
            return try store.transaction { () throws(StoreError) in
                written = try all()
                return written
            }
        } catch {
            // The callers send these beacons by other means; they must not be sent from here too.
            if error.isFailingDisk {
                let unsure = UnsureCommit(operations, written)
                self.unsure = unsure.recorded.isEmpty ? nil : unsure
            }
            throw error
        }
    }

    /// Executes one operation in its own transaction, and tries again after a repair of a damaged or full file.
    private func executeAlone(_ operation: Operation) {
        var operation = operation
        var tried: Set<Remedy> = []
        var moves = 0
        while true {
            do throws(StoreError) {
                let store = try self.opener.readyStore()
                let replies = try self.transact([operation], on: store)
                for reply in replies { self.send(reply) }
                return
            } catch {
                // Nothing was written; the next try opens the file at the path.
                if error.isMoved, moves < Writer.maxMoves {
                    moves += 1
                    continue
                }
                var failure = error
                do throws(StoreError) {
                    if try self.remedy(error, of: operation, &tried) { continue }
                } catch {
                    failure = error
                }
                // What is claimed together with a record or an outcome must not prevent it. After a disk error these fail,
                // too: the connection may be broken, and the caller has them in memory.
                if !failure.isBusy, !failure.isFailingDisk {
                    let wasClaiming = operation.dropClaim()
                    if wasClaiming { continue }
                }
                operation.fail(failure.ledgerError(for: self.opener.path.file))
                if failure.spoilsConnection { self.opener.closeBroken() }
                return
            }
        }
    }

    /// A remedy for a failed operation; each is tried once.
    private enum Remedy { case repair, truncateLog, prune }

    /// Applies the next remedy for an error; false if there is none left.
    private func remedy(_ error: StoreError, of operation: Operation, _ tried: inout Set<Remedy>) throws(StoreError)
        -> Bool
    {
        if error.isCorruption, tried.insert(.repair).inserted { return try self.opener.repair(error) }
        guard error.isDiskFull, let store else { return false }
        // A checkpoint frees the space of pages that are in the log and in the file.
        if self.opener.path.hasLog, tried.insert(.truncateLog).inserted, (try? store.connection.truncateLog()) ?? false
        {
            return true
        }
        guard error.isFull else { return false }
        let isSizeLimitReached = try self.isSizeLimitReached(store, by: operation)
        // Otherwise the disk is full, and deleting rows frees nothing on it.
        guard isSizeLimitReached || tried.contains(.prune) else { return false }
        guard tried.insert(.prune).inserted, try store.makeRoom() else {
            throw .sizeLimitReached(bytes: store.limits.bytes)
        }
        return true
    }

    /// Whether the ledger's own size limit was reached, not the disk's.
    private func isSizeLimitReached(_ store: Store, by operation: Operation) throws(StoreError) -> Bool {
        let size =
            if case .record(let beacons, _, _, _) = operation { beacons.reduce(0) { $0 + $1.roughSize } } else { 0 }
        let needed = 64 + Int64(2 * size / store.pageSize)
        return try store.usedPages() + needed >= store.maxPages
    }

    private func send(_ pending: PendingReply) {
        switch pending {
        case .other(let resume): resume()
        case .claimed(let claim, let reply): reply.resume(returning: .success(claim))
        case .settled(let claim, let reply): reply.resume(returning: .success(claim))
        case .opened(let reply): reply.resume(returning: .success(self.issues()))
        case .recorded(let new, let claim, let reply):
            reply.resume(returning: .success((RecordResult(new: new, issues: self.issues()), claim)))
        }
    }

    /// The issues since the last report.
    private func issues() -> [AdIssue] {
        var issues = self.opener.drainIssues()
        if let store, store.counts.dropped > 0 {
            let dropped = store.counts.dropped
            store.counts.dropped = 0
            issues.append(
                AdIssue(
                    "ledger.dropped",
                    at: .whole,
                    """
                    the ledger \(self.opener.path.file) was full, and \(dropped) unsent beacons were dropped; \
                    raise its limits, or find out why nothing is delivered
                    """
                )
            )
        }
        if let store, store.counts.unlisted > 0 {
            let unlisted = store.counts.unlisted
            store.counts.unlisted = 0
            issues.append(
                AdIssue(
                    "ledger.unlisted",
                    at: .whole,
                    self.opener.limits.reportsRemovedDeliveries
                        ? """
                        the ledger \(self.opener.path.file) was full before its beacons were carried over, and \
                        \(unlisted) that were delivered or may have been are in no ledger; raise its limits
                        """
                        : """
                        the ledger \(self.opener.path.file) was full, and \(unlisted) billing beacons are no longer \
                        listed as unconfirmed or dead; review and prune the listed ones, or raise its limits
                        """
                )
            )
        }
        return issues
    }

    // MARK: Maintenance between the groups

    private func maintain() {
        guard let store else {
            for job in self.pruneJobs { self.openForPruneJob(job) }
            return
        }
        do throws(StoreError) {
            try store.checkPages()
            self.isPruning = try store.isOverfull || self.isPruning ? store.prune() : false
        } catch {
            // No caller waits for this; the next operation meets and reports the same error.
            self.isPruning = false
        }
        if !self.pruneJobs.isEmpty { self.runNextBatch(store) }
    }

    /// Opens the file for a deletion that is the first operation.
    private func openForPruneJob(_ job: PruneJob) {
        do throws(StoreError) {
            _ = try self.opener.readyStore()
        } catch {
            self.pruneJobs.removeFirst()
            job.reply.resume(returning: .failure(error.ledgerError(for: self.opener.path.file)))
        }
    }

    private func runNextBatch(_ store: Store) {
        var job = self.pruneJobs.removeFirst()
        guard let state = job.states.first else {
            job.reply.resume(returning: .success(job.count))
            return
        }
        do throws(StoreError) {
            let count = try store.deleteSettled(state, before: job.before)
            job.count += count
            if count < Store.batchSize { job.states.removeFirst() }
            self.pruneJobs.insert(job, at: 0)
        } catch {
            // The file was moved; the next batch is deleted from the new one.
            if error.isMoved, (try? self.opener.readyStore()) != nil {
                self.pruneJobs.insert(job, at: 0)
                return
            }
            if error.isCorruption { _ = try? self.opener.repair(error) }
            job.reply.resume(returning: .failure(error.ledgerError(for: self.opener.path.file)))
        }
    }
}

extension LedgerEntry.FinalState {
    /// The state as it is stored.
    package var code: StateCode {
        switch self {
        case .delivered: .delivered
        case .unconfirmed: .unconfirmed
        case .dead: .dead
        }
    }
}

extension Beacon {
    /// The approximate size of the beacon's row, in bytes.
    var roughSize: Int {
        let headers = self.call.headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        return 160 + 2 * self.key.text.utf8.count + self.call.address.text.utf8.count + headers
            + (self.call.body?.count ?? 0)
    }
}
