import AdCore
import AdRuntime
import CurlTransport
import PlayConsole
import PlayText
import SQLiteLedger

/// Delivers the pending beacons of a ledger.
struct OutboxFlush: Command {
    static let name = "flush"
    static let summary = "Delivers the pending beacons of a ledger."
    static let options: [any OptionDeclaration] = [OutputOptions.json, timeout, LedgerOptions.existing]

    static let timeout = Option(
        "--timeout",
        .other("<seconds>"),
        "No new attempt starts after this time.",
        OptionValue.seconds
    ).default("10")

    let ledger: String
    let isJSON: Bool
    /// No attempt starts after this time.
    let timeout: Duration

    init(_ arguments: Arguments) throws(UsageError) {
        self.ledger = try LedgerOptions.required(arguments, by: "outbox flush")
        self.isJSON = arguments.has(OutputOptions.json)
        self.timeout = try arguments.value(Self.timeout)
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        try await OutboxCommand.withLedger(self.ledger, carriesOver: true) { ledger async throws(LedgerError) in
            try await self.flush(ledger, console)
        }
    }

    private func flush(
        _ ledger: any StoredLedger,
        _ console: any Console
    ) async throws(LedgerError) -> Result<ExitCode, PlayError> {
        let transport: any Transport
        do throws(PlayError) {
            transport = try CurlTransport.forCommand()
        } catch {
            return .failure(error)
        }
        let line = ProgressLine("beacons", of: OutboxCounts(try await ledger.summary()).waiting)
        let progress = Progress(line, on: console, isSilent: self.isJSON)
        defer { progress?.end() }
        var limits = BeaconScheduler.Limits()
        limits.triesOnce = true
        let beacons = BeaconDispatcher(
            ledger: ledger,
            transport: transport,
            clock: SystemClock(),
            limits: limits,
            random: { .random(in: .min ... .max) },
            observer: OutcomePrinter(console: console, isJSON: self.isJSON, progress: progress)
        )
        let start = SystemClock().wallTime
        // First, because what is carried over is postponed meanwhile.
        await ledger.carryOver(at: start)
        _ = try await ledger.makeAllDue(at: start)
        try await beacons.flush(within: self.timeout)
        if let reason = ledger.keptReason {
            console.err("yabbi-play: beacons of this computer are still in its files: \(reason); run it again")
        }
        progress?.end()
        let counts = OutboxCounts(try await ledger.summary())
        console.out(self.isJSON ? counts.json("flushed") : counts.line)
        guard ledger.keptReason == nil else { return .success(.beacons) }
        guard !self.isJSON, counts.waiting > 0 else { return .success(counts.code(waitingCounts: true)) }
        // A failed attempt moves the due time to the future.
        if let due = try await ledger.nextDue(), due <= start {
            console.out("the time limit was reached; run it again, or use a longer --timeout")
        }
        console.out("pending beacons are retried by the next run that uses the ledger; see yabbi-play outbox list")
        return .success(counts.code(waitingCounts: true))
    }

    /// Prints the outcome of each beacon.
    private struct OutcomePrinter: AdObserver {
        let console: any Console
        let isJSON: Bool
        let progress: Progress?

        func observe(_ record: AdRecord) {
            if record.event.beaconOutcome != nil { self.progress?.step(record.event.name) }
            let line = EventLine(record)
            self.console.out(self.isJSON ? line.json : line.line(Style(isColored: self.console.isColored)))
        }

        func observe(_ input: IgnoredInput) {}
    }
}
