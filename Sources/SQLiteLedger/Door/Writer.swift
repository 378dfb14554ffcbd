import AdCore
import SystemSupport

/// The ledger's work: takes what waits, does it in one transaction, and answers.
///
/// Everything here runs on the ledger's thread.
final class Writer {
    private let queue: LedgerQueue
    private let opener: Opener
    private var store: Store? { self.opener.store }
    /// What is being forgotten, a piece at a time.
    private var chores: [PruneJob] = []
    private var isPruning = false
    /// What was said not to be written down, of which nobody knows whether it was: a disk that fails may keep some of it.
    private var ghosts: [BeaconKey] = []
    private static let mostGhosts = 10_000

    /// The most beacons of one transaction, unless a single operation has more.
    static let group = 4_096
    /// How often an operation follows a file that is taken away.
    private static let mostMoves = 10

    private struct PruneJob {
        var states: [StateCode]
        let before: WallTime?
        let reply: Reply<Int>
        var count = 0
    }

    init(_ queue: LedgerQueue, _ opener: sending Opener) {
        self.queue = queue
        self.opener = opener
    }

    /// Runs the writer to its end on a thread of its own; false where the system gives none.
    ///
    /// SQLite resolves up to 200 symbolic links with one frame of more than 4 KB for each (`SQLITE_MAX_SYMLINK`,
    /// `unixFullPathname`): a smaller stack than a megabyte overflows on a path of links that leads nowhere.
    static func start(_ writer: sending Writer) -> Bool {
        DedicatedThread.start("yabbi-ledger", stack: 2 << 20) { writer.run() }
    }

    /// Works until the queue is closed and empty, then closes the file.
    private func run() {
        while true {
            let isIdle = self.chores.isEmpty && !self.isPruning
            let orders = self.queue.next(upTo: Writer.group, waits: isIdle)
            if let orders, !orders.isEmpty { self.serve(orders) }
            if orders == nil, isIdle { break }
            // Where much came in at once as much must go, or there would be more and more.
            let added = orders?.reduce(0) { $0 + $1.weight } ?? 0
            var pieces = 1 + added / Store.piece
            repeat {
                self.upkeep()
                pieces -= 1
            } while pieces > 0 && self.isPruning
        }
        self.opener.close()
        for order in self.queue.finish() { order.fail(SQLiteLedger.isClosed(self.opener.path.file)) }
    }

    // MARK: Serving

    private func serve(_ orders: [Operation]) {
        let file = self.opener.path.file
        var group: [Operation] = []
        for order in orders {
            guard case .forget(let states, let before, let reply) = order else {
                group.append(order)
                continue
            }
            let codes = SQLiteLedger.End.allCases.filter { states.contains($0) }.map(\.code)
            self.chores.append(PruneJob(states: codes, before: before, reply: reply))
        }
        guard group.count > 1 else {
            if let order = group.first { self.serveAlone(order) }
            return
        }
        do throws(Fault) {
            let store = try self.opener.ready()
            let answers = try self.together(group, on: store)
            for answer in answers { self.tell(answer) }
        } catch {
            // Who holds the file holds it from each of them.
            if error.isBusy {
                for order in group { order.fail(error.error(file)) }
                return
            }
            for order in group { self.serveAlone(order) }
        }
    }

    /// Does operations in one transaction; where one fails, none is done.
    private func together(_ orders: [Operation], on store: Store) throws(Fault) -> [Answer] {
        func all() throws(Fault) -> [Answer] {
            var answers: [Answer] = []
            answers.reserveCapacity(orders.count)
            for order in orders { answers.append(try order.carryOut(on: store)) }
            return answers
        }
        guard orders.contains(where: \.isWriting) else { return try all() }
        if !self.ghosts.isEmpty {
            try store.transaction { () throws(Fault) in try store.bury(self.ghosts) }
            self.ghosts = []
        }
        var new: [BeaconKey] = []
        do throws(Fault) {
            return try store.transaction { () throws(Fault) in
                let answers = try all()
                for case .recorded(let keys, _) in answers { new += keys }
                return answers
            }
        } catch {
            // Whoever is told that it failed sends it by other means.
            if error.isFailingDisk { self.ghosts += new.prefix(Writer.mostGhosts - self.ghosts.count) }
            throw error
        }
    }

    /// Does an operation by itself, again where the file was damaged or full and could be helped.
    private func serveAlone(_ order: Operation) {
        var tried: Set<Remedy> = []
        var moves = 0
        while true {
            do throws(Fault) {
                let store = try self.opener.ready()
                let answers = try self.together([order], on: store)
                for answer in answers { self.tell(answer) }
                return
            } catch {
                // Nothing was done yet: the next try follows the file.
                if error.isLeft, moves < Writer.mostMoves {
                    moves += 1
                    continue
                }
                do throws(Fault) {
                    if try self.remedy(error, of: order, &tried) { continue }
                    throw error
                } catch {
                    order.fail(error.error(self.opener.path.file))
                    if error.spoilsConnection { self.opener.drop() }
                    return
                }
            }
        }
    }

    /// What may help an operation that failed; each is tried once.
    private enum Remedy { case repair, emptyLog, prune }

    /// Helps; false where nothing helps that was not tried before.
    private func remedy(_ fault: Fault, of order: Operation, _ tried: inout Set<Remedy>) throws(Fault) -> Bool {
        if fault.isCorruption, tried.insert(.repair).inserted { return try self.opener.repair(fault) }
        guard fault.isDiskFull, let store else { return false }
        // What the log holds twice is room: it is brought into the file, and then begun again.
        if self.opener.path.hasLog, tried.insert(.emptyLog).inserted, (try? store.connection.emptyLog()) ?? false {
            return true
        }
        guard fault.isFull else { return false }
        let isOutgrown = try self.isOutgrown(store, by: order)
        // Otherwise it is the disk that is full, and dropping rows would free none of it.
        guard isOutgrown || tried.contains(.prune) else { return false }
        guard tried.insert(.prune).inserted, try store.makeRoom() else {
            throw .outgrown(bytes: store.limits.bytes)
        }
        return true
    }

    /// Whether it was the file's limit that was met, and not the disk's.
    private func isOutgrown(_ store: Store, by order: Operation) throws(Fault) -> Bool {
        let size =
            if case .record(let beacons, _, _) = order { beacons.reduce(0) { $0 + $1.roughSize } } else { 0 }
        let needed = 64 + Int64(2 * size / store.pageSize)
        return try store.usedPages() + needed >= store.mostPages
    }

    private func tell(_ answer: Answer) {
        switch answer {
        case .other(let tell): tell()
        case .opened(let reply): reply.resume(returning: .success(self.issues()))
        case .recorded(let new, let reply):
            reply.resume(returning: .success(RecordResult(new: new, issues: self.issues())))
        }
    }

    /// What happened since somebody was last told.
    private func issues() -> [AdIssue] {
        var issues = self.opener.takeIssues()
        if let store, store.counts.lost > 0 {
            let lost = store.counts.lost
            store.counts.lost = 0
            issues.append(
                AdIssue(
                    "ledger.dropped",
                    at: .whole,
                    """
                    the ledger \(self.opener.path.file) was full, and \(lost) beacons that were still to be sent were \
                    dropped; allow it more in its limits, or find out why nothing is delivered
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
                    """
                    the ledger \(self.opener.path.file) was full, and \(unlisted) beacons on which money depends are no longer \
                    listed as unconfirmed or dead; settle what is listed, and prune it, or allow it more in its limits
                    """
                )
            )
        }
        return issues
    }

    // MARK: Between the groups

    private func upkeep() {
        guard let store else {
            for chore in self.chores { self.startChore(chore) }
            return
        }
        do throws(Fault) {
            try store.watchPages()
            self.isPruning = try store.isOverfull || self.isPruning ? store.prune() : false
        } catch {
            // Nobody waits for it; what is wrong is met, and told, by the next operation.
            self.isPruning = false
        }
        if !self.chores.isEmpty { self.forgetPiece(store) }
    }

    /// Opens the file for whoever came to forget before anything else was done.
    private func startChore(_ chore: PruneJob) {
        do throws(Fault) {
            _ = try self.opener.ready()
        } catch {
            self.chores.removeFirst()
            chore.reply.resume(returning: .failure(error.error(self.opener.path.file)))
        }
    }

    private func forgetPiece(_ store: Store) {
        var chore = self.chores.removeFirst()
        guard let state = chore.states.first else {
            chore.reply.resume(returning: .success(chore.count))
            return
        }
        do throws(Fault) {
            let count = try store.forget(state, before: chore.before)
            chore.count += count
            if count < Store.piece { chore.states.removeFirst() }
            self.chores.insert(chore, at: 0)
        } catch {
            // The next piece follows the file.
            if error.isLeft, (try? self.opener.ready()) != nil {
                self.chores.insert(chore, at: 0)
                return
            }
            if error.isCorruption { _ = try? self.opener.repair(error) }
            chore.reply.resume(returning: .failure(error.error(self.opener.path.file)))
        }
    }
}

extension SQLiteLedger.End {
    var code: StateCode {
        switch self {
        case .delivered: .delivered
        case .unconfirmed: .unconfirmed
        case .dead: .dead
        }
    }
}

extension Beacon {
    /// About how many bytes its row takes.
    var roughSize: Int {
        let headers = self.call.headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        return 160 + 2 * self.key.text.utf8.count + self.call.address.text.utf8.count + headers
            + (self.call.body?.count ?? 0)
    }
}
