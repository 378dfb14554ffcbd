import AdCore
import CSQLite

/// The open file: its statements, its transactions, and what is known of it between them.
///
/// Everything here runs on the ledger's thread.
final class Store {
    let connection: Connection
    let limits: LedgerLimits
    /// Where the file was opened, and which it was; nothing is written any more once another one lies there.
    var place: (path: String, identity: FileIdentity)?
    /// What keeps everything from being written; nil where it can be.
    var refusal: Fault?
    private var statements: [Statement?]

    /// How many rows there are, kept by counting along; other processes' changes are counted in now and then.
    var counts = Counts()
    private var countsBefore = Counts()
    private var countedVersion: Int64?

    /// Which version of the file the next two belong to.
    private var knownVersion: UInt32?
    /// The last number that was given away, where it is known.
    var lastNumber: Int64?
    /// The highest number of a beacon that was written or listed here.
    private(set) var highestNumber: Int64 = 0
    /// The highest number in the files in whose place this one came: new numbers lie above it, so that reading on from a
    /// number of an earlier file misses nothing.
    private var replacedNumber: Int64 = 0
    /// Queues that were looked up, by whom they are for; known as long as nothing else is done than recording.
    var queues: [Site: QueueSlot] = [:]
    /// The last headers that were written, and their bytes.
    var encoded = EncodedHeaders()
    /// The bytes that are bound while a beacon is written.
    let scratch = Scratch()

    /// When the sweep was last done, by the calendar of whoever asked.
    var lastSweep: WallTime?
    private var lastSweepBefore: WallTime?
    /// The last queue that the sweep has looked through; 0 where it begins anew.
    var sweptQueue: Int64 = 0
    /// Up to which number nothing waits that may be dropped, without billing and with.
    var cursors: [Int64] = [0, 0]
    /// How much was written since the pages were last counted.
    var writtenSinceCount = 0
    /// Whether the pages are nearly used up.
    var isNearlyFull = false
    /// Whether there were more rows than there may be, and there are not yet enough less.
    var isPruningRows = false
    var isPruningSettled = false
    let pageSize: Int
    let mostPages: Int64

    /// How often something was committed.
    private(set) var commits = 0

    struct Counts: Equatable {
        var rows = 0
        var settled = 0
        /// Rows that were dropped undelivered, and of which nobody was told yet.
        var lost = 0
        /// Rows that were dropped although money depended on them and they were listed as unconfirmed or dead; untold yet.
        var unlisted = 0
    }

    init(_ connection: Connection, limits: LedgerLimits) throws(Fault) {
        self.connection = connection
        self.limits = limits
        self.statements = Array(repeating: nil, count: SQL.allCases.count)
        let size = try connection.number("PRAGMA page_size")
        self.pageSize = Int(max(512, size))
        self.mostPages = max(64, Int64(limits.bytes / self.pageSize))
        try self.limitPages(to: self.mostPages)
        try self.count()
    }

    /// The statement, made ready at its first use.
    subscript(_ sql: SQL) -> Statement {
        get throws(Fault) {
            if let statement = self.statements[sql.rawValue] { return statement }
            let statement = try self.connection.prepared(sql.text)
            self.statements[sql.rawValue] = statement
            return statement
        }
    }

    // MARK: Transactions

    func begin() throws(Fault) {
        if let refusal { throw refusal }
        try self[.begin].run()
        self.countsBefore = self.counts
        self.lastSweepBefore = self.lastSweep
        // Only now: whoever carries the beacons over has waited for this lock, or has had it before.
        if let place, FileIdentity(place.path) != place.identity {
            self.rollBack()
            throw .left
        }
        // No other process writes now: what the log lacks was taken from outside, and must not be written over.
        if self.connection.isLogCut {
            self.rollBack()
            throw .cutLog
        }
        // The transaction holds the lock: what nobody has changed since the last one is still true.
        if self.connection.dataVersion != self.knownVersion { self.forgetWhatMayChange() }
    }

    func commit() throws(Fault) {
        try self[.commit].run()
        self.knownVersion = self.connection.dataVersion
        self.commits += 1
        if let lastNumber { self.noteNumber(lastNumber) }
    }

    /// Takes back what was done since `begin`.
    func rollBack() {
        // Some failures roll back by themselves, and then there is nothing to take back.
        if self.connection.isInTransaction { try? self[.rollback].run() }
        self.counts = self.countsBefore
        self.lastSweep = self.lastSweepBefore
        self.knownVersion = nil
    }

    private func forgetWhatMayChange() {
        self.lastNumber = nil
        self.queues.removeAll(keepingCapacity: true)
    }

    /// Does something in a transaction of its own.
    func transaction<R>(_ body: () throws(Fault) -> R) throws(Fault) -> R {
        try self.begin()
        do throws(Fault) {
            let result = try body()
            try self.commit()
            return result
        } catch {
            self.rollBack()
            throw error
        }
    }

    /// Keeps new numbers above those of an earlier file.
    ///
    /// A number from the upper half of all that there are is not of this ledger's making, and would leave too few.
    func continueNumbers(after number: Int64) {
        if number < .max / 2 { self.replacedNumber = max(self.replacedNumber, number) }
        self.highestNumber = max(self.highestNumber, self.replacedNumber)
    }

    /// The last number in use; new ones lie above it.
    func numberInUse() throws(Fault) -> Int64 { max(self.replacedNumber, try self[.lastNumber].number() ?? 0) }

    /// Remembers that a number was written or listed.
    func noteNumber(_ number: Int64) { self.highestNumber = max(self.highestNumber, number) }

    // MARK: Counting

    /// Counts the rows, where somebody else has changed the file since the last time.
    func countAgain() throws(Fault) {
        guard try self[.version].number() != self.countedVersion else { return }
        try self.count()
    }

    /// Counts the rows after some were added in another way than by recording.
    func countAfterCarrying() throws(Fault) { try self.count() }

    private func count() throws(Fault) {
        var counts = Counts()
        counts.lost = self.counts.lost
        counts.unlisted = self.counts.unlisted
        let statement = try self[.counts]
        while try statement.step() {
            let count = Int(statement.int(1) ?? 0)
            counts.rows += count
            if let state = statement.int(0), state >= StateCode.delivered.rawValue { counts.settled += count }
        }
        self.counts = counts
        self.countedVersion = try self[.version].number()
    }

    /// How many pages of the file the rows take.
    func usedPages() throws(Fault) -> Int64 { (try self[.pages].number() ?? 0) - (try self[.freePages].number() ?? 0) }

    /// Lets the file grow up to so many pages.
    func limitPages(to most: Int64) throws(Fault) { try self.connection.run("PRAGMA max_page_count = \(most)") }

    /// How many steps of SQLite's machine all statements together have taken.
    var effort: Int64 { self.statements.reduce(0) { $0 + ($1?.effort ?? 0) } }

}
