import CPostgres

/// The rows that a statement has returned, or the number of rows that it changed.
package final class PostgresRows {
    private let raw: OpaquePointer
    /// The number of rows.
    package let count: Int

    init(_ raw: OpaquePointer) {
        self.raw = raw
        self.count = Int(PQntuples(raw))
    }

    deinit { PQclear(self.raw) }

    /// The number of rows that were inserted, changed or deleted.
    package var changes: Int { Int(String(cString: PQcmdTuples(self.raw))) ?? 0 }

    /// The rows in their order.
    package var rows: [PostgresRow] { (0..<self.count).map { PostgresRow(rows: self, index: Int32($0)) } }

    /// The first row.
    package var first: PostgresRow? { self.count > 0 ? PostgresRow(rows: self, index: 0) : nil }

    fileprivate func bytes(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer? {
        guard PQgetisnull(self.raw, row, column) == 0 else { return nil }
        let count = PQgetlength(self.raw, row, column)
        return UnsafeRawBufferPointer(start: PQgetvalue(self.raw, row, column), count: Int(count))
    }
}

/// A row of a result; columns are numbered from 0.
package struct PostgresRow {
    let rows: PostgresRows
    let index: Int32

    /// Whether a column is NULL.
    package func isNull(_ column: Int32) -> Bool { self.rows.bytes(self.index, column) == nil }

    /// An integer of two, four or eight bytes, or a Boolean value; nil for NULL and other sizes.
    package func int(_ column: Int32) -> Int64? {
        guard let bytes = self.rows.bytes(self.index, column), [1, 2, 4, 8].contains(bytes.count) else { return nil }
        var number = Int64(Int8(bitPattern: bytes[0]))
        for byte in bytes.dropFirst() { number = number << 8 | Int64(byte) }
        return number
    }

    /// A text; nil for NULL and for invalid UTF-8.
    package func text(_ column: Int32) -> String? {
        guard let bytes = self.rows.bytes(self.index, column) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }

    /// Calls a closure with the bytes of a column; nil for NULL.
    package func withBlob<R>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> R?) -> R? {
        self.rows.bytes(self.index, column).flatMap(body)
    }
}
