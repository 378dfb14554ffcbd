import AdCore

extension Store {
    private static let columns = """
        state, billing, moment, attempts, in_doubt, recorded, key, ad, event, provider, method, verdict, doubt, url, \
        headers, secrets, reason, body
        """

    /// Takes over everything that another file holds and this one does not, as far as it can be read.
    ///
    /// Where both know a beacon, what has ended stays ended, and what is in flight stays so: the file that is there now may
    /// be an older copy. Where `isDoubtful`, what waited may have been sent by somebody who carried it elsewhere.
    func carry(from old: Store, isDoubtful: Bool = false) -> (count: Int, fault: Fault?) {
        var count = 0
        var unread: Fault?
        do throws(Fault) {
            try self.transaction { () throws(Fault) in
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
                    if isDoubtful, read.int(0) == StateCode.waiting.rawValue { write.bind(1, at: 5) }
                    guard last < .max else {
                        throw .told(LedgerError("the ledger has no number left for a beacon; begin a new file"))
                    }
                    let number = max(last + 1, read.int(18) ?? 0)
                    let queue = try self.carriedQueue(read.text(19))
                    write.bind(number, at: 19)
                    write.bind(queue, at: 20)
                    try write.run()
                    guard self.connection.changes > 0 else { continue }
                    last = number
                    count += 1
                    if queue != 0 { try self.refresh(queue) }
                }
                try self.countAfterCarrying()
            }
            return (count, unread)
        } catch {
            return (0, error)
        }
    }

    /// Keeps everybody from writing to this file until it is left; false where it can't be written in any case.
    func holdForLeaving() throws(Fault) -> Bool {
        do throws(Fault) {
            try self.connection.run("BEGIN IMMEDIATE")
            return true
        } catch {
            if error.isBusy { throw error }
            return false
        }
    }

    /// Lets go of the file; where everything in it was carried over, that and where to is written into it.
    func leave(to place: FileIdentity?) {
        // Who can't write it down does without: what is carried over twice is there once.
        if let place {
            for (name, number) in zip(Store.leftNames, place.numbers) {
                try? self.connection.run("INSERT OR REPLACE INTO tally (name, value) VALUES ('\(name)', \(number))")
            }
            try? self.connection.run("COMMIT")
        }
        if self.connection.isInTransaction { try? self.connection.run("ROLLBACK") }
    }

    /// Where everything in this file was carried to already; nil where it was not.
    func carriedTo() throws(Fault) -> [Int64]? {
        var numbers: [Int64] = []
        for name in Store.leftNames {
            let tally = try self[.tally]
            tally.bind(name, at: 1)
            if let number = try tally.number() { numbers.append(number) }
        }
        return numbers.count == Store.leftNames.count ? numbers : nil
    }

    /// Makes a file that was left, and lies at its place again, one like all others.
    func comeBack() throws(Fault) {
        guard try self.carriedTo() != nil else { return }
        for name in Store.leftNames { try self.connection.run("DELETE FROM tally WHERE name = '\(name)'") }
    }

    private static let leftNames = ["left.device", "left.node"]

    /// Goes to the next row; where the file can't be read any further, what was read before is kept.
    private func next(of read: Statement, _ unread: inout Fault?) throws(Fault) -> Bool {
        do throws(Fault) {
            return try read.step()
        } catch {
            unread = error
            return false
        }
    }

    /// The queue of an origin, made where it is missing; 0 for none.
    func carriedQueue(_ origin: String?) throws(Fault) -> Int64 {
        guard let origin else { return 0 }
        if let found = try self.findQueue(origin) { return found.id }
        let insert = try self[.insertQueue]
        insert.bind(origin, at: 1)
        insert.bindNull(at: 2)
        try insert.run()
        return self.connection.lastRow
    }
}
