import AdCore

extension Store {
    private static let columns = """
        state, billing, moment, attempts, in_doubt, recorded, key, ad, event, provider, method, verdict, doubt, url, \
        headers, secrets, reason, body
        """

    /// Copies the beacons of another file that this one lacks, as far as they can be read.
    ///
    /// For a beacon in both files the later state wins: the file at the path can be an older copy. With
    /// `markingInterrupted`, pending beacons are marked as interrupted, because another process may have carried them
    /// elsewhere and sent them.
    func carryOver(from old: Store, markingInterrupted: Bool = false) -> (count: Int, error: StoreError?) {
        var count = 0
        var unread: StoreError?
        do throws(StoreError) {
            try self.transaction { () throws(StoreError) in
                let read = try old.connection.prepared(
                    """
                    SELECT \(Store.columns), beacon.id, origin, queue.due FROM beacon
                    LEFT JOIN queue ON queue.id = beacon.queue ORDER BY beacon.id
                    """
                )
                let write = try self.connection.prepared(
                    """
                    INSERT INTO beacon (\(Store.columns), id, queue)
                    VALUES (\((1...20).map { "?\($0)" }.joined(separator: ", ")))
                    ON CONFLICT (key) DO UPDATE SET state = excluded.state, moment = excluded.moment,
                        queue = excluded.queue, attempts = excluded.attempts, reason = excluded.reason,
                        in_doubt = excluded.in_doubt
                        WHERE beacon.state < 2 AND excluded.state > 1
                        OR beacon.state = 0 AND excluded.state = 1 AND excluded.attempts > beacon.attempts
                    """
                )
                var last = try self[.lastNumber].number() ?? 0
                while try self.next(of: read, &unread) {
                    for column in 0..<18 as Range<Int32> { write.bind(column: column, of: read, at: column + 1) }
                    if markingInterrupted, read.int(0) == StateCode.pending.rawValue { write.bind(1, at: 5) }
                    guard last < .max else {
                        throw .described(LedgerError("the ledger has no beacon number left; use a new file"))
                    }
                    let number = max(last + 1, read.int(18) ?? 0)
                    let queue = try self.queueID(for: read.text(19))
                    write.bind(number, at: 19)
                    write.bind(queue, at: 20)
                    try write.run()
                    guard self.connection.changes > 0 else { continue }
                    last = number
                    count += 1
                    if queue != 0 { try self.refresh(queue) }
                }
                try self.carryViewsOver(from: old, &unread)
                try self.recount()
            }
            return (count, unread)
        } catch {
            return (0, error)
        }
    }

    private func carryViewsOver(from old: Store, _ unread: inout StoreError?) throws(StoreError) {
        let read = try old.connection.prepared(
            "SELECT ad, moment, session, placement, campaign, advertiser FROM counted_view ORDER BY id"
        )
        while try self.next(of: read, &unread) {
            let insert = try self[.insertView]
            for column in 0..<6 as Range<Int32> { insert.bind(column: column, of: read, at: column + 1) }
            try insert.run()
        }
    }

    /// Holds the write lock of a file that was moved; false if it can't be written anyway.
    func lockForCarryingOver() throws(StoreError) -> Bool {
        do throws(StoreError) {
            try self.connection.run("BEGIN IMMEDIATE")
            return true
        } catch {
            if error.isBusy { throw error }
            return false
        }
    }

    /// Releases the write lock; if all beacons were carried over, writes the identity of the new file into this one.
    func unlock(carriedTo newFile: FileIdentity?) {
        // Without this mark the beacons may be carried over twice, which changes nothing: keys are unique.
        if let newFile {
            for (name, number) in zip(Store.carriedNames, newFile.numbers) {
                try? self.connection.run("INSERT OR REPLACE INTO tally (name, value) VALUES ('\(name)', \(number))")
            }
            try? self.connection.run("COMMIT")
        }
        if self.connection.isInTransaction { try? self.connection.run("ROLLBACK") }
    }

    /// The identity of the file that the beacons were carried over to; nil if they were not.
    func carriedTo() throws(StoreError) -> [Int64]? {
        var numbers: [Int64] = []
        for name in Store.carriedNames {
            let tally = try self[.tally]
            tally.bind(name, at: 1)
            if let number = try tally.number() { numbers.append(number) }
        }
        return numbers.count == Store.carriedNames.count ? numbers : nil
    }

    /// Removes the mark of a file that is at its path again.
    func clearCarriedMark() throws(StoreError) {
        guard try self.carriedTo() != nil else { return }
        for name in Store.carriedNames { try self.connection.run("DELETE FROM tally WHERE name = '\(name)'") }
    }

    private static let carriedNames = ["left.device", "left.node"]

    /// Steps to the next row; ends at the first unreadable one, and the rows before it are kept.
    private func next(of read: Statement, _ unread: inout StoreError?) throws(StoreError) -> Bool {
        do throws(StoreError) {
            return try read.step()
        } catch {
            unread = error
            return false
        }
    }

    /// The ID of an origin's queue, which is created if missing; 0 for no origin.
    func queueID(for origin: String?) throws(StoreError) -> Int64 {
        guard let origin else { return 0 }
        if let found = try self.findQueue(origin) { return found.id }
        let insert = try self[.insertQueue]
        insert.bind(origin, at: 1)
        insert.bindNull(at: 2)
        try insert.run()
        return self.connection.lastRow
    }
}
