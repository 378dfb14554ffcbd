import AdCore
import PlayConsole
import PlayReconcile

/// Compares a ledger with the requests that a server received.
struct ReconcileCommand: Command {
    /// Reads the beacons of a ledger's file.
    typealias LedgerReader = @Sendable (String) async throws(PlayError) -> [LedgerLine]

    static let name = "reconcile"
    static let summary =
        "Compare a ledger of beacons with the requests that a server received."
    static let discussion = [verdicts]
    static let exitCodes: [ExitCode] = [.done, .usage, .beacons]
    static let options: [any OptionDeclaration] = [
        OutputOptions.json, timeout, LedgerOptions.existing, hits, late, all,
    ]

    static let timeout = Option(
        "--timeout",
        .other("<seconds>"),
        "The time limit for fetching the hits.",
        OptionValue.seconds
    ).default("10")
    static let hits = Option(
        "--hits",
        .file(placeholder: "<file|url>"),
        "The response of GET /sandbox/hits: a file, the URL of a sandbox, or - for standard input.",
        OptionValue.text
    )
    static let late = Option(
        "--late",
        .other("<seconds>"),
        "The age at which a received beacon counts as late.",
        OptionValue.seconds
    ).default("\(defaultLateness.seconds)")
    static let all = Flag("--all", "Also list matched beacons.")

    /// The default age at which a received beacon counts as late.
    static let defaultLateness = Duration.seconds(60)

    let ledger: String
    /// The hits: a file, a URL, or `-` for the standard input.
    let hits: String
    let timeout: Duration
    let lateAfter: Duration
    let listsAll: Bool
    let isJSON: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        let ledger = try LedgerOptions.required(arguments, by: Self.name)
        guard let hits = try arguments.value(Self.hits) else {
            throw UsageError("missing --hits <file|url>; name a list of hits, or the URL of a sandbox")
        }
        if !InputOptions.isURL(hits) {
            try arguments.refuse([Self.timeout], "is for fetching the hits, but --hits is no URL; remove it")
        }
        self.ledger = ledger
        self.hits = hits
        self.timeout = try arguments.value(Self.timeout)
        self.lateAfter = try arguments.value(Self.late)
        self.listsAll = arguments.has(Self.all)
        self.isJSON = arguments.has(OutputOptions.json)
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        try await self.run(on: console, reading: LedgerReading.lines)
    }

    func run(on console: any Console, reading ledger: LedgerReader) async throws(PlayError) -> ExitCode {
        // The ledger is read first, so that a beacon recorded meanwhile is unmatched and not lost.
        let lines = try await ledger(self.ledger)
        let hits = try await HitsReading.hits(self.hits, within: self.timeout)
        let reconciliation = Reconciliation(lines, against: hits, lateAfter: self.lateAfter)
        let style = Style(isColored: console.isColored)
        if self.isJSON {
            for line in reconciliation.jsonDetails(all: self.listsAll) where console.loss == nil { console.out(line) }
            console.out(reconciliation.json)
        } else {
            for line in reconciliation.details(all: self.listsAll, style) { console.out(line) }
            for line in reconciliation.lines(style) { console.out(line) }
        }
        return reconciliation.isClean ? .done : .beacons
    }

    private static let verdicts = """
        Each beacon has one of these outcomes. A request counts when the server accepted it, even if its response was lost.
          matched      Delivered, and counted once.
          late         Delivered, and counted once, later than --late after it was recorded.
          lost         Delivered according to the ledger, but not counted.
          elsewhere    Delivered according to the ledger, to a server whose hits are not in the list.
          duplicate    Counted more than once. A server that honors Idempotency-Key bills it once (doubled in --json).
          repeated     Sent again with the same key by --resend.
          unconfirmed  Unconfirmed in the ledger; the cause says whether it arrived.
          dead         Given up.
          pending      Still to be delivered.
          unmatched    Received, but not in the ledger (unknown in --json).
        Both must cover the same period: a reset server has lost its earlier hits.
        """
}
