import AdCore
import PlayConsole
import PlayReport

/// Compares a ledger with what a server received.
struct ReconcileCommand: Command {
    /// Reads the beacons of a ledger's file.
    typealias LedgerReader = @Sendable (String) async throws(PlayError) -> [LedgerLine]

    static let name = "reconcile"
    static let summary =
        "compare a ledger of beacons with what a server received: matched, late, lost, duplicates, each with its cause"
    static let notes = [verdicts]
    static let options: [any OptionDeclaration] = [
        OutputOptions.json, timeout, LedgerOptions.existing, hits, late, all,
    ]

    static let timeout = Option(
        "--timeout",
        .other("S"),
        "how long the server may take to tell its hits; 10",
        OptionValue.seconds
    )
    static let hits = Option(
        "--hits",
        .file(placeholder: "FILE|URL"),
        "what the server received: the answer of GET /sandbox/hits, the address of a sandbox, or - for standard input",
        OptionValue.text
    )
    static let late = Option(
        "--late",
        .other("S"),
        "how long after it was recorded a beacon is late; 60 by default",
        OptionValue.seconds
    )
    static let all = Flag("--all", "list also what matched")

    /// How long after it was recorded a beacon is late, by default.
    static let usualLateness = Duration.seconds(60)

    let ledger: String
    /// Where the hits are: a file, an address, or `-` for the standard input.
    let hits: String
    let timeout: Duration
    let lateAfter: Duration
    let listsAll: Bool
    let isJSON: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        guard let ledger = try arguments.value(LedgerOptions.existing) else {
            throw UsageError("say which ledger to reconcile: --ledger FILE")
        }
        guard let hits = try arguments.value(Self.hits) else {
            throw UsageError("say what to compare the ledger with: --hits FILE, or the address of a sandbox")
        }
        self.ledger = ledger
        self.hits = hits
        self.timeout = try arguments.value(Self.timeout) ?? .seconds(10)
        self.lateAfter = try arguments.value(Self.late) ?? Self.usualLateness
        self.listsAll = arguments.has(Self.all)
        self.isJSON = arguments.has(OutputOptions.json)
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        try await self.run(on: console, reading: LedgerReading.lines)
    }

    func run(on console: any Console, reading ledger: LedgerReader) async throws(PlayError) -> ExitCode {
        // The ledger first: a beacon that is recorded later is unknown in the result, not lost.
        let lines = try await ledger(self.ledger)
        let hits = try await HitsReading.hits(self.hits, within: self.timeout)
        let reconciliation = Reconciliation(lines, against: hits, lateAfter: self.lateAfter)
        let style = Style(isColoured: console.isColoured)
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
        Each beacon is exactly one of these. A call counts when the server took it, even where its answer was lost.
          matched      delivered, and counted once
          late         the same, more than --late after it was recorded
          lost         delivered by the ledger's word, and never counted
          elsewhere    delivered by the ledger's word, to a server of which none of the hits is: ask that one
          doubled      counted more than once; a server that honours Idempotency-Key bills it once all the same
          repeated     sent again under one key, by --resend: its server is said to take each key once
          unconfirmed  in doubt by the ledger's word; the cause says whether it arrived
          dead         given up
          pending      neither sent to its end nor given up
          unknown      arrived, and recorded by nobody: without a key, or with one that is not in the ledger
        Both must speak of the same time: a server that was reset since has forgotten what it counted before.
        """
}
