package import AdCore
import CSQLite

/// The baseline of a benchmark: inserts the same bytes of the same beacons into a plain table.
///
/// The table has a unique key and an index on the due time, in a file of its own with the ledger's settings. Statements
/// and row bytes are prepared before the measurement starts.
package enum BaselineInserts {
    /// A row's values: the texts and blobs concatenated, with the end offset of each.
    private struct Row {
        var bytes: [UInt8] = []
        var ends: [Int] = []
        var numbers: [Int64] = []

        mutating func add(_ part: some Collection<UInt8>) {
            self.bytes += part
            self.ends.append(self.bytes.count)
        }
    }

    /// Inserts beacons in transactions of a given size, and measures the duration.
    ///
    /// - Parameters:
    ///   - beacons: Beacons whose keys are not in the file yet.
    ///   - file: The path of the file; it is created if it doesn't exist.
    ///   - group: The number of beacons per transaction.
    ///   - now: The time at which they are due.
    /// - Returns: The duration of all transactions.
    /// - Throws: `LedgerError` if the file can't be created or written.
    package static func measure(
        _ beacons: [Beacon],
        file: String,
        group: Int,
        at now: WallTime
    ) throws(LedgerError) -> Duration {
        do throws(StoreError) {
            return try self.run(beacons, file: file, group: max(1, group), at: now)
        } catch {
            throw error.ledgerError(for: file)
        }
    }

    private static func run(
        _ beacons: [Beacon],
        file: String,
        group: Int,
        at now: WallTime
    ) throws(StoreError) -> Duration {
        try LedgerPath(file: file).makeFolder()
        try LedgerPath(file: file).make()
        let connection = try Connection(file, lockTimeout: .seconds(5))
        try connection.disableUntrustedFeatures()
        try connection.prepareForWriting()
        try connection.run(
            """
            CREATE TABLE IF NOT EXISTS bare (id INTEGER PRIMARY KEY, due INTEGER, recorded INTEGER, billing INTEGER,
                method INTEGER, verdict INTEGER, doubt INTEGER, key TEXT UNIQUE, ad TEXT, event TEXT, provider TEXT,
                url TEXT, headers BLOB, secrets BLOB, body BLOB) STRICT;
            CREATE INDEX IF NOT EXISTS bare_due ON bare (due);
            """
        )
        let begin = try connection.prepared(SQL.begin.text)
        let commit = try connection.prepared(SQL.commit.text)
        let insert = try connection.prepared(
            """
            INSERT INTO bare (due, recorded, billing, method, verdict, doubt, key, ad, event, provider, url, headers,
                secrets, body) VALUES (?1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
            """
        )
        let rows = beacons.map { self.row($0, at: now) }

        let start = ContinuousClock.now
        var index = 0
        while index < rows.count {
            try begin.run()
            let end = min(index + group, rows.count)
            while index < end {
                try self.insert(rows[index], by: insert)
                index += 1
            }
            try commit.run()
        }
        return ContinuousClock.now - start
    }

    private static func row(_ beacon: Beacon, at now: WallTime) -> Row {
        let call = beacon.call
        var row = Row()
        row.numbers = [
            now.milliseconds, call.isBilling ? 1 : 0, call.method.code, call.successRule.code, call.guarantee.code,
        ]
        row.add(beacon.key.text.utf8)
        row.add(beacon.key.ad.rawValue.utf8)
        row.add(beacon.key.event.rawValue.utf8)
        row.add(beacon.provider.rawValue.utf8)
        row.add(call.address.text.utf8)
        row.add(FieldBytes.encode(call.headers))
        row.add(FieldBytes.encode(call.secrets))
        row.add(call.body ?? [])
        return row
    }

    private static func insert(_ row: Row, by insert: Statement) throws(StoreError) {
        var place: Int32 = 1
        for number in row.numbers {
            insert.bind(number, at: place)
            place += 1
        }
        let outcome = row.bytes.withUnsafeBytes { bytes -> Result<Void, StoreError> in
            var begin = 0
            for (index, end) in row.ends.enumerated() {
                let part = UnsafeRawBufferPointer(rebasing: bytes[begin..<end])
                if index < 5 {
                    insert.bind(text: part, at: place)
                } else if part.isEmpty {
                    insert.bindNull(at: place)
                } else {
                    insert.bind(blob: part, at: place)
                }
                begin = end
                place += 1
            }
            return Result { () throws(StoreError) in try insert.run() }
        }
        try outcome.get()
    }
}
