import CSQLite

/// The SQLite library that is loaded at run time.
package enum LedgerLibrary {
    /// The version, for example `3.40.1`.
    package static var version: String { String(cString: sqlite3_libversion()) }

    /// Whether the version is at least 3.37, which introduced STRICT tables.
    package static var isNewEnough: Bool { sqlite3_libversion_number() >= 3_037_000 }
}
