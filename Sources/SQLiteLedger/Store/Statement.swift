import CSQLite

/// One prepared statement, kept as long as its connection.
final class Statement {
    private let raw: OpaquePointer
    private let database: OpaquePointer
    /// The first value that could not be bound; it is told when the statement is run.
    private var refusal = SQLITE_OK

    init(_ sql: String, on database: OpaquePointer) throws(Fault) {
        var raw: OpaquePointer?
        let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &raw, nil)
        guard code == SQLITE_OK, let raw else { throw Fault(of: database, code: code) }
        self.raw = raw
        self.database = database
    }

    deinit { sqlite3_finalize(self.raw) }

    // MARK: In; places are counted from 1

    func bind(_ value: Int64, at place: Int32) { self.note(sqlite3_bind_int64(self.raw, place, value)) }

    func bind(_ value: Int, at place: Int32) { self.bind(Int64(value), at: place) }

    func bindNull(at place: Int32) { self.note(sqlite3_bind_null(self.raw, place)) }

    /// Binds a copy of a text, or NULL.
    func bind(_ text: String?, at place: Int32) {
        guard var text else { return self.bindNull(at: place) }
        text.withUTF8 { bytes in
            // An empty text has no address of its own, and SQLite would take that for NULL.
            let address = bytes.baseAddress.map { UnsafeRawPointer($0) } ?? Statement.nowhere
            self.note(yabbi_bind_text_copy(self.raw, place, address, UInt64(bytes.count)))
        }
    }

    /// Binds a text that stays where it is until the statement is reset.
    func bind(text bytes: UnsafeRawBufferPointer, at place: Int32) {
        let address = bytes.baseAddress ?? Statement.nowhere
        self.note(yabbi_bind_text(self.raw, place, address, UInt64(bytes.count)))
    }

    /// Binds bytes that stay where they are until the statement is reset.
    func bind(blob bytes: UnsafeRawBufferPointer, at place: Int32) {
        guard let address = bytes.baseAddress, !bytes.isEmpty else {
            return self.note(sqlite3_bind_zeroblob(self.raw, place, 0))
        }
        self.note(yabbi_bind_blob(self.raw, place, address, UInt64(bytes.count)))
    }

    /// Binds what stands in a column of another statement, which must not be stepped before this one is reset.
    func bind(column: Int32, of other: Statement, at place: Int32) {
        self.note(sqlite3_bind_value(self.raw, place, sqlite3_column_value(other.raw, column)))
    }

    private func note(_ code: Int32) {
        if code != SQLITE_OK, self.refusal == SQLITE_OK { self.refusal = code }
    }

    // SQLite reads nothing from it; it is only not NULL.
    nonisolated(unsafe) private static let nowhere = UnsafeRawPointer(
        UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    )

    // MARK: Running

    /// Goes to the next row; false where there is none, and the statement is reset then.
    func step() throws(Fault) -> Bool {
        if self.refusal != SQLITE_OK {
            let code = self.refusal
            self.reset()
            throw Fault(of: nil, code: code)
        }
        let code = sqlite3_step(self.raw)
        if code == SQLITE_ROW { return true }
        let fault = code == SQLITE_DONE ? nil : Fault(of: self.database, code: code)
        self.reset()
        if let fault { throw fault }
        return false
    }

    /// Runs to the end and passes over what comes out.
    func run() throws(Fault) {
        while try self.step() {}
    }

    /// Takes the whole number in the first column of the first row; nil where there is no row, or no number.
    func number() throws(Fault) -> Int64? {
        guard try self.step() else { return nil }
        defer { self.reset() }
        return self.int(0)
    }

    /// Makes it ready to run again; what was bound stays bound, but must not be relied on.
    func reset() {
        sqlite3_reset(self.raw)
        self.refusal = SQLITE_OK
    }

    // MARK: Out; columns are counted from 0

    /// A whole number, or nil where there stands something else.
    func int(_ column: Int32) -> Int64? {
        sqlite3_column_type(self.raw, column) == SQLITE_INTEGER ? sqlite3_column_int64(self.raw, column) : nil
    }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(self.raw, column) == SQLITE_NULL }

    /// A text, or nil where there stands something else, or what is no UTF-8.
    func text(_ column: Int32) -> String? {
        guard sqlite3_column_type(self.raw, column) == SQLITE_TEXT else { return nil }
        let address = sqlite3_column_text(self.raw, column)
        return String(exactly: UnsafeBufferPointer(start: address, count: Int(sqlite3_column_bytes(self.raw, column))))
    }

    /// Gives bytes to a closure; nil where there stands something else.
    func withBlob<R>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> R?) -> R? {
        guard sqlite3_column_type(self.raw, column) == SQLITE_BLOB else { return nil }
        let address = sqlite3_column_blob(self.raw, column)
        let count = sqlite3_column_bytes(self.raw, column)
        return body(UnsafeRawBufferPointer(start: address, count: Int(count)))
    }

    /// How many steps of SQLite's machine it has taken so far.
    var effort: Int64 { Int64(sqlite3_stmt_status(self.raw, SQLITE_STMTSTATUS_VM_STEP, 0)) }
}

extension String {
    /// The text that these bytes are, or nil where they are no UTF-8; nothing is repaired.
    init?(exactly bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
