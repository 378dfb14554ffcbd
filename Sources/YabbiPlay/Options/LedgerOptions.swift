import PlayConsole

/// The option that names the ledger.
enum LedgerOptions {
    /// For commands that record beacons.
    static let writable = Option(
        "--ledger",
        .file,
        "Keep beacons in this file, so that the next run delivers what is pending.",
        OptionValue.path("file")
    )
    /// For commands that read a ledger.
    static let existing = Option(
        "--ledger",
        .file,
        "The ledger file, or the beacon folder of an app.",
        OptionValue.path("file")
    )

    /// The ledger of a command that requires one.
    static func required(_ arguments: Arguments, by command: String) throws(UsageError) -> String {
        if let ledger = try arguments.value(self.existing) { return ledger }
        throw UsageError("\(command) requires --ledger <file>, a ledger or its folder")
    }

    /// Virtual time would use up the retries of a beacon in a moment.
    static let needsRealTime =
        "--ledger with a real server needs real time; remove --clock virtual"
}
