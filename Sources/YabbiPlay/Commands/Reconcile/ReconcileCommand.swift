/// Holds a ledger against what a server saw.
enum ReconcileCommand {
    /// Reads one beacon after the other from the file of a ledger.
    typealias LedgerReader = @Sendable (String) async throws(PlayError) -> [LedgerLine]

    static func run(
        _ settings: Settings,
        _ console: any Console,
        ledger: LedgerReader = LedgerReading.lines
    ) async throws(PlayError) -> ExitCode {
        guard let path = settings.ledger, let source = settings.hits else {
            preconditionFailure("The command line is checked for both before anything runs.")
        }
        // The ledger first: where both go on meanwhile, what is not in it yet is unknown rather than lost.
        let lines = try await ledger(path)
        let hits = try await HitsReading.hits(source, settings)
        let reconciliation = Reconciliation(lines, against: hits, lateAfter: settings.lateAfter)
        let style = Style(isColoured: console.isColoured)
        if settings.isJSON {
            for line in reconciliation.jsonDetails(all: settings.listsAll) where console.loss == nil {
                console.out(line)
            }
            console.out(reconciliation.json)
        } else {
            for line in reconciliation.details(all: settings.listsAll, style) { console.out(line) }
            for line in reconciliation.lines(style) { console.out(line) }
        }
        return reconciliation.isClean ? .done : .beacons
    }
}
