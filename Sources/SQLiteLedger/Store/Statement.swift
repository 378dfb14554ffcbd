import CSQLite

/// A prepared statement; its connection must outlive it.
final class Statement {
    private let raw: OpaquePointer
    private let database: OpaquePointer
    /// The first failed binding; thrown when the statement runs.
    private var bindError = SQLITE_OK

    init(_ sql: String, on database: OpaquePointer) throws(StoreError) {
        var raw: OpaquePointer?
        let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &raw, nil)
        guard code == SQLITE_OK, let raw else { throw StoreError(of: database, code: code) }
        self.raw = raw
        self.database = database
    }

    deinit { sqlite3_finalize(self.raw) }

    // MARK: Parameters, numbered from 1

    func bind(_ value: Int64, at index: Int32) { self.keepError(sqlite3_bind_int64(self.raw, index, value)) }

    func bind(_ value: Int, at index: Int32) { self.bind(Int64(value), at: index) }

    func bindNull(at index: Int32) { self.keepError(sqlite3_bind_null(self.raw, index)) }

    /// Binds a copy of a text, or NULL.
    func bind(_ text: String?, at index: Int32) {
        guard var text else { return self.bindNull(at: index) }
        text.withUTF8 { bytes in
            // SQLite binds NULL for a null pointer, which an empty text can have.
            let address = bytes.baseAddress.map { UnsafeRawPointer($0) } ?? Statement.placeholder
            self.keepError(yabbi_bind_text_copy(self.raw, index, address, UInt64(bytes.count)))
        }
    }

    /// Binds a text without a copy; its bytes must stay in place until the statement is reset.
    func bind(text bytes: UnsafeRawBufferPointer, at index: Int32) {
        let address = bytes.baseAddress ?? Statement.placeholder
        self.keepError(yabbi_bind_text(self.raw, index, address, UInt64(bytes.count)))
    }

    /// Binds bytes without a copy; they must stay in place until the statement is reset.
    func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32) {
        guard let address = bytes.baseAddress, !bytes.isEmpty else {
            return self.keepError(sqlite3_bind_zeroblob(self.raw, index, 0))
        }
        self.keepError(yabbi_bind_blob(self.raw, index, address, UInt64(bytes.count)))
    }

    /// Binds the value of another statement's column; that statement must not be stepped before this one is reset.
    func bind(column: Int32, of other: Statement, at index: Int32) {
        self.keepError(sqlite3_bind_value(self.raw, index, sqlite3_column_value(other.raw, column)))
    }

    private func keepError(_ code: Int32) {
        if code != SQLITE_OK, self.bindError == SQLITE_OK { self.bindError = code }
    }

    // A non-null address for empty texts; SQLite reads nothing from it.
    nonisolated(unsafe) private static let placeholder = UnsafeRawPointer(
        UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    )

    // MARK: Running

    /// Steps to the next row; false, and the statement is reset, if there is none.
    func step() throws(StoreError) -> Bool {
        if self.bindError != SQLITE_OK {
            let code = self.bindError
            self.reset()
            throw StoreError(of: nil, code: code)
        }
        let code = sqlite3_step(self.raw)
        if code == SQLITE_ROW { return true }
        let error = code == SQLITE_DONE ? nil : StoreError(of: self.database, code: code)
        self.reset()
        if let error { throw error }
        return false
    }

    /// Runs the statement and ignores its rows.
    func run() throws(StoreError) {
        while try self.step() {}
    }

    /// The integer in the first column of the first row; nil if there is no row or no integer.
    func number() throws(StoreError) -> Int64? {
        guard try self.step() else { return nil }
        defer { self.reset() }
        return self.int(0)
    }

    /// Resets the statement for another run; the bound values must be bound again.
    func reset() {
        sqlite3_reset(self.raw)
        self.bindError = SQLITE_OK
    }

    // MARK: Columns, numbered from 0

    /// An integer column; nil for another type.
    func int(_ column: Int32) -> Int64? {
        sqlite3_column_type(self.raw, column) == SQLITE_INTEGER ? sqlite3_column_int64(self.raw, column) : nil
    }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(self.raw, column) == SQLITE_NULL }

    /// A text column; nil for another type or invalid UTF-8.
    func text(_ column: Int32) -> String? {
        guard sqlite3_column_type(self.raw, column) == SQLITE_TEXT else { return nil }
        let address = sqlite3_column_text(self.raw, column)
        return String(exactly: UnsafeBufferPointer(start: address, count: Int(sqlite3_column_bytes(self.raw, column))))
    }

    /// Calls a closure with the bytes of a blob column; nil for another type.
    func withBlob<R>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> R?) -> R? {
        guard sqlite3_column_type(self.raw, column) == SQLITE_BLOB else { return nil }
        let address = sqlite3_column_blob(self.raw, column)
        let count = sqlite3_column_bytes(self.raw, column)
        return body(UnsafeRawBufferPointer(start: address, count: Int(count)))
    }

    /// The number of virtual machine steps executed so far.
    var stepCount: Int64 { Int64(sqlite3_stmt_status(self.raw, SQLITE_STMTSTATUS_VM_STEP, 0)) }
}

extension String {
    /// The text of these bytes; nil if they are not valid UTF-8.
    init?(exactly bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
