import AdCore
import CSQLite

/// The open file with its prepared statements, transactions and caches.
///
/// Runs on the ledger's thread.
final class Store {
    let connection: Connection
    let limits: LedgerLimits
    /// The path and identity of the opened file; nothing is written after another file took its path.
    var location: (path: String, identity: FileIdentity)?
    /// Why the file can't be written; nil if it can.
    var refusal: StoreError?
    private var statements: [Statement?]

    /// The number of rows, counted incrementally; changes of other processes are included from time to time.
    var counts = Counts()
    private var countsBefore = Counts()
    private var countedVersion: Int64?

    /// The data version for which `lastNumber` and `cachedQueues` are valid.
    private var knownVersion: UInt32?
    /// The last used number, if known.
    var lastNumber: Int64?
    /// The highest number of a beacon that was recorded or listed through this store.
    private(set) var highestNumber: Int64 = 0
    /// The highest number of the files that this one replaced: new numbers are higher, so that a reader that continues
    /// after a number of an earlier file misses nothing.
    private var replacedNumber: Int64 = 0
    /// The cached queues by origin; cleared by every operation except recording.
    var cachedQueues: [OriginKey: CachedQueue] = [:]
    /// The last recorded headers and their encoded form.
    var encoded = EncodedHeaders()
    /// The texts that are bound while a beacon is inserted.
    let bindBuffer = BindBuffer()

    /// The time of the last complete sweep, by its caller's clock.
    var lastSweep: WallTime?
    private var lastSweepBefore: WallTime?
    /// The last queue that the sweep has checked; 0 to start from the first.
    var sweptQueue: Int64 = 0
    /// The numbers up to which no pending row is left to prune, without and with billing.
    var cursors: [Int64] = [0, 0]
    /// The bytes written since the pages were last counted.
    var writtenSinceCount = 0
    /// Whether the size limit is nearly reached.
    var isNearlyFull = false
    /// Whether rows are being pruned after their limit was exceeded.
    var isPruningRows = false
    var isPruningSettled = false
    let pageSize: Int
    let maxPages: Int64

    /// The number of commits.
    private(set) var commits = 0

    struct Counts: Equatable {
        var rows = 0
        var settled = 0
        /// Rows dropped before delivery, not reported yet.
        var dropped = 0
        /// Unconfirmed or dead billing rows dropped, not reported yet.
        var unlisted = 0
    }

    init(_ connection: Connection, limits: LedgerLimits) throws(StoreError) {
        self.connection = connection
        self.limits = limits
        self.statements = Array(repeating: nil, count: SQL.allCases.count)
        let size = try connection.number("PRAGMA page_size")
        self.pageSize = Int(max(512, size))
        self.maxPages = max(64, Int64(limits.bytes / self.pageSize))
        try self.limitPages(to: self.maxPages)
        try self.recount()
    }

    /// The prepared statement, prepared at its first use.
    subscript(_ sql: SQL) -> Statement {
        get throws(StoreError) {
            if let statement = self.statements[sql.rawValue] { return statement }
            let statement = try self.connection.prepared(sql.text)
            self.statements[sql.rawValue] = statement
            return statement
        }
    }

    // MARK: Transactions

    func begin() throws(StoreError) {
        if let refusal { throw refusal }
        try self[.begin].run()
        self.countsBefore = self.counts
        self.lastSweepBefore = self.lastSweep
        // Checked under the write lock: a process that carries the beacons over held it before, or waits for it.
        if let location, FileIdentity(location.path) != location.identity {
            self.rollBack()
            throw .moved
        }
        // Under the write lock no process appends: a short log was truncated from outside, and must not be overwritten.
        if self.connection.isLogTruncated {
            self.rollBack()
            throw .truncatedLog
        }
        // The caches are valid if no other connection has written since the last transaction.
        if self.connection.dataVersion != self.knownVersion { self.clearCaches() }
    }

    func commit() throws(StoreError) {
        try self[.commit].run()
        self.knownVersion = self.connection.dataVersion
        self.commits += 1
        if let lastNumber { self.updateHighestNumber(lastNumber) }
    }

    /// Rolls back to the state at `begin`.
    func rollBack() {
        // Some errors already rolled back the transaction.
        if self.connection.isInTransaction { try? self[.rollback].run() }
        self.counts = self.countsBefore
        self.lastSweep = self.lastSweepBefore
        self.knownVersion = nil
    }

    private func clearCaches() {
        self.lastNumber = nil
        self.cachedQueues.removeAll(keepingCapacity: true)
    }

    /// Runs a closure in a transaction of its own.
    func transaction<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        try self.begin()
        do throws(StoreError) {
            let result = try body()
            try self.commit()
            return result
        } catch {
            self.rollBack()
            throw error
        }
    }

    /// Makes new numbers higher than those of an earlier file.
    ///
    /// A number in the upper half of the range comes from a tampered file, and would leave too few.
    func continueNumbers(after number: Int64) {
        if number < .max / 2 { self.replacedNumber = max(self.replacedNumber, number) }
        self.highestNumber = max(self.highestNumber, self.replacedNumber)
    }

    /// The last used number; new ones are higher.
    func numberInUse() throws(StoreError) -> Int64 { max(self.replacedNumber, try self[.lastNumber].number() ?? 0) }

    /// Updates the highest number that was recorded or listed.
    func updateHighestNumber(_ number: Int64) { self.highestNumber = max(self.highestNumber, number) }

    // MARK: Counting

    /// Counts the rows if another connection has changed the file since the last count.
    func recountIfChanged() throws(StoreError) {
        guard try self[.version].number() != self.countedVersion else { return }
        try self.recount()
    }

    /// Counts the rows.
    func recount() throws(StoreError) {
        var counts = Counts()
        counts.dropped = self.counts.dropped
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

    /// The number of pages in use.
    func usedPages() throws(StoreError) -> Int64 {
        (try self[.pages].number() ?? 0) - (try self[.freePages].number() ?? 0)
    }

    /// Sets the maximum number of pages of the file.
    func limitPages(to limit: Int64) throws(StoreError) { try self.connection.run("PRAGMA max_page_count = \(limit)") }

    /// The number of virtual machine steps of all statements.
    var stepCount: Int64 { self.statements.reduce(0) { $0 + ($1?.stepCount ?? 0) } }
}
