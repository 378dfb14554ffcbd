import CSQLite

/// The SQLite that is there at run time.
package enum LedgerLibrary {
    /// Its version, as in `3.40.1`.
    package static var version: String { String(cString: sqlite3_libversion()) }

    /// Whether a ledger can be opened with it.
    package static var isNewEnough: Bool { sqlite3_libversion_number() >= 3_037_000 }
}
