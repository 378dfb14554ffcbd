/// Reads the file of beacons that the command line names.
enum LedgerReading {
    /// Every beacon in the ledger, oldest first.
    static func lines(of path: String) async throws(PlayError) -> [LedgerLine] {
        throw PlayError(
            .usage,
            "\(path) can't be read: this yabbi-play keeps its ledger in memory and knows no file of it"
        )
    }
}
