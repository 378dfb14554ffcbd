/// The file of beacons.
enum LedgerOptions {
    /// Of commands that show ads.
    static let kept = Option(
        "--ledger",
        .file,
        "keep the beacons in this file: they survive the process, and are sent by the next one",
        OptionValue.path("file")
    )
    /// Of commands that look at a ledger.
    static let existing = Option(
        "--ledger",
        .file,
        "the file in which beacons are kept, or its folder",
        OptionValue.path("file")
    )

    /// Virtual time would make the ledger days older in a moment, and give up what a server is owed.
    static let needsRealTime =
        "--ledger keeps what a real server is owed, and that takes real time; leave out --clock virtual"
}
