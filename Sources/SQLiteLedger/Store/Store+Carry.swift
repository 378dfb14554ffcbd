import AdCore

extension Store {
    private static let columns = """
        state, billing, moment, attempts, in_doubt, recorded, key, ad, event, provider, method, verdict, doubt, url, \
        headers, secrets, reason, body
        """

    /// Takes over everything that another file holds and this one does not, as far as it can be read.
    ///
    /// Where both know a beacon, what has ended stays ended: the file that is there now may be an older copy.
    func carry(from old: Store) -> (count: Int, fault: Fault?) {
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
                    ON CONFLICT (key) DO UPDATE SET state = excluded.state, moment = excluded.moment, queue = 0,
                        attempts = excluded.attempts, reason = excluded.reason, in_doubt = 0
                        WHERE beacon.state < 2 AND excluded.state > 1
                    """
                )
                var last = try self[.lastNumber].number() ?? 0
                while try self.next(of: read, &unread) {
                    for column in 0..<18 as Range<Int32> { write.bind(column: column, of: read, at: column + 1) }
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

    /// Goes to the next row; where the file can't be read any further, what was read before is kept.
    private func next(of read: Statement, _ unread: inout Fault?) throws(Fault) -> Bool {
        do throws(Fault) {
            return try read.step()
        } catch {
            unread = error
            return false
        }
    }

    private func carriedQueue(_ origin: String?) throws(Fault) -> Int64 {
        guard let origin else { return 0 }
        if let found = try self.findQueue(origin) { return found.id }
        let insert = try self[.insertQueue]
        insert.bind(origin, at: 1)
        insert.bindNull(at: 2)
        try insert.run()
        return self.connection.lastRow
    }
}
