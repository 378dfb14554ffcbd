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
        OutputOptions.json, timeout, LedgerOptions.existing, hits, logs, logFormat, late, all,
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
    static let logs = Option(
        "--log",
        .file,
        "Instead of --hits: an access log of nginx, Apache or a CDN, CSV or JSON lines. Repeatable.",
        isRepeatable: true,
        OptionValue.path("file")
    )
    static let logFormat = Option(
        "--log-format",
        .other("<format>"),
        "The format of the lines of --log, as in nginx's log_format.",
        otherwise: "recognized",
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
    /// What the server received.
    enum Source: Equatable, Sendable {
        /// The hits of a sandbox: a file, a URL, or `-` for the standard input.
        case hits(String)
        /// Access logs, and their format if it is not to be recognized.
        case logs([String], format: String?)
    }

    let source: Source
    let timeout: Duration
    let lateAfter: Duration
    let listsAll: Bool
    let isJSON: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        let ledger = try LedgerOptions.required(arguments, by: Self.name)
        let (hits, logs) = (try arguments.value(Self.hits), try arguments.values(Self.logs))
        let pattern = try arguments.value(Self.logFormat)
        switch (hits, logs.isEmpty) {
        case (let hits?, true): self.source = .hits(hits)
        case (nil, false): self.source = .logs(logs, format: pattern)
        case (_?, false): throw UsageError("--log can't be combined with --hits; compare one after the other")
        case (nil, true):
            throw UsageError("missing --hits <file|url> or --log <file>; name what the server received")
        }
        if hits != nil {
            try arguments.refuse([Self.logFormat], "is the format of --log, but --hits was given; remove it")
        }
        if !(hits.map { InputOptions.isURL($0) } ?? false) {
            try arguments.refuse([Self.timeout], "is for fetching the hits, but --hits is no URL; remove it")
        }
        self.ledger = ledger
        self.timeout = try arguments.value(Self.timeout)
        self.lateAfter = try arguments.value(Self.late)
        self.listsAll = arguments.has(Self.all)
        self.isJSON = arguments.has(OutputOptions.json)
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        try await self.run(on: console, reading: LedgerReading.lines)
    }

    func run(on console: any Console, reading ledger: LedgerReader) async throws(PlayError) -> ExitCode {
        let reconciliation: Reconciliation
        switch self.source {
        case .hits(let hits):
            // The ledger is read first, so that a beacon recorded meanwhile is unmatched and not lost.
            let lines = try await ledger(self.ledger)
            let list = try await HitsReading.hits(hits, within: self.timeout)
            reconciliation = Reconciliation(lines, against: list, lateAfter: self.lateAfter)
            self.printDetails(of: reconciliation, on: console)
        case .logs(let paths, let format):
            reconciliation = try await self.compare(with: paths, format, on: console)
        }
        if self.isJSON {
            console.out(reconciliation.json)
        } else {
            let style = Style(isColored: console.isColored)
            for line in reconciliation.lines(style) { console.out(line) }
        }
        return reconciliation.isClean ? .done : .beacons
    }

    private func printDetails(of reconciliation: Reconciliation, on console: any Console) {
        let style = Style(isColored: console.isColored)
        let lines =
            self.isJSON
            ? reconciliation.jsonDetails(all: self.listsAll) : reconciliation.details(all: self.listsAll, style)
        for line in lines where console.loss == nil { console.out(line) }
    }

    private func compare(
        with paths: [String],
        _ format: String?,
        on console: any Console
    ) async throws(PlayError) -> Reconciliation {
        func usage<Value>(_ body: () throws(UsageError) -> Value) throws(PlayError) -> Value {
            do throws(UsageError) {
                return try body()
            } catch {
                throw PlayError(.usage, error.message)
            }
        }
        let comparison = try usage { () throws(UsageError) in
            try LogComparison(paths, pattern: format, lateAfter: self.lateAfter)
        }
        try await LedgerReading.forEach(of: self.ledger) { line throws(UsageError) in try comparison.add(line) }
        let problems = try usage { () throws(UsageError) in try comparison.read() }
        for problem in problems { console.err("yabbi-play: \(problem)") }
        let whole = try usage { () throws(UsageError) in
            try comparison.finish { part in if self.isJSON { self.printDetails(of: part, on: console) } }
        }
        if !self.isJSON { self.printDetails(of: whole, on: console) }
        let how = comparison.matchesByKey ? "their keys" : "their URLs"
        console.err(
            "yabbi-play: requests were matched by \(how); \(comparison.others) of the log are for other paths"
        )
        return whole
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
        Both must cover the same period: a reset server has lost its earlier hits. A beacon that was recorded before or after
        the time of a log, or less than --late before its end, is elsewhere if the log does not have it.

        --log reads logs of any size in bounded memory. Requests are matched with beacons by Idempotency-Key if the log
        has it ($http_idempotency_key in nginx), otherwise by path and query, and by the host if the log has it. Of
        several beacons with one URL, delivered ones get its requests first, and dead ones last. A status from 200 to 399
        counts. For compressed logs use gunzip first.
        """
}
