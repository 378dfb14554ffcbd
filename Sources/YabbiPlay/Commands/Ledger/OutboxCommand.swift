import AdCore
import AdRuntime
import CurlTransport
import PlayConsole
import PlayReport
import SQLiteLedger

/// Lists, delivers or removes the beacons of a ledger.
struct OutboxCommand: Command {
    enum Action: Equatable, Sendable {
        /// Lists the beacons in some states. Nil stands for all states.
        case list(states: Set<String>?)
        /// Delivers pending beacons. No attempt starts after the time limit.
        case flush(within: Duration)
        /// Removes the beacons in some states whose outcome is older than the age.
        case prune(Set<SQLiteLedger.FinalState>, olderThan: Duration?)
    }

    private enum Word: String, CaseIterable {
        case list, flush, prune
    }

    static let name = "outbox"
    static let usage = "outbox <list|flush|prune>"
    static let summary = "List, deliver or remove the beacons of a ledger."
    static let discussion = [about]
    static let exitCodes: [ExitCode] = [.done, .usage, .beacons]
    static let exitCodeMeanings: [ExitCode: String] = [
        .beacons: "Beacons are pending (except in list and prune), unconfirmed or dead."
    ]
    static let operand = Operand.choice(Word.allCases.map(\.rawValue))
    static let options: [any OptionDeclaration] = [
        OutputOptions.json, timeout, LedgerOptions.existing, states, all, age,
    ]

    static let timeout = Option(
        "--timeout",
        .other("<seconds>"),
        "With flush: no new attempt starts after this time. (default: 10)",
        OptionValue.seconds
    )
    static let states = Option(
        "--state",
        .words(OutboxText.states, placeholder: "<state>,<state>"),
        "With list: only these states: recorded, inFlight, delivered, unconfirmed, dead. Repeatable.",
        isRepeatable: true,
        OutboxCommand.states
    )
    static let all = Flag("--all", "With prune: also remove dead and unconfirmed beacons.")
    static let age = Option(
        "--older-than",
        .other("<days>"),
        "With prune: only beacons whose outcome is older.",
        OptionValue.days
    )

    let action: Action
    let ledger: String
    let isJSON: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        guard let word = arguments.operands.first.flatMap(Word.init) else {
            throw UsageError("missing argument <list|flush|prune>")
        }
        guard let ledger = try arguments.value(LedgerOptions.existing) else {
            throw UsageError("outbox \(word.rawValue) requires --ledger <file>, a ledger or its folder")
        }
        self.ledger = ledger
        self.isJSON = arguments.has(OutputOptions.json)
        let states = try arguments.values(Self.states)
        let age = try arguments.value(Self.age)
        if !states.isEmpty, word != .list { throw UsageError("--state is for outbox list") }
        if arguments.has(Self.all), word != .prune { throw UsageError("--all is for outbox prune") }
        if age != nil, word != .prune { throw UsageError("--older-than is for outbox prune") }
        switch word {
        case .list: self.action = .list(states: states.isEmpty ? nil : states.reduce(into: []) { $0.formUnion($1) })
        case .flush: self.action = .flush(within: try arguments.value(Self.timeout) ?? .seconds(10))
        case .prune:
            let ends: Set<SQLiteLedger.FinalState> =
                arguments.has(Self.all) ? [.delivered, .unconfirmed, .dead] : [.delivered]
            self.action = .prune(ends, olderThan: age)
        }
    }

    private static func states(_ text: String, _ name: String) throws(UsageError) -> Set<String> {
        let states = text.split(separator: ",").map(\.trimmed)
        let known = OutboxText.states.joined(separator: ", ")
        guard !states.isEmpty else { throw UsageError("the value of \(name) is empty; expected some of \(known)") }
        for state in states where !OutboxText.states.contains(state) {
            let hint = OptionValue.hint(for: state, among: OutboxText.states)
            throw OptionValue.invalid(state, for: name, expected: "some of \(known)\(hint)")
        }
        return Set(states)
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        let ledger = try await LedgerFile.existing(self.ledger)
        let code: Result<ExitCode, PlayError>
        do throws(LedgerError) {
            switch self.action {
            case .list(let states): code = .success(try await self.list(ledger, states, console))
            case .prune(let ends, let age): code = .success(try await self.prune(ledger, ends, age, console))
            case .flush(let time): code = try await self.flush(ledger, within: time, console)
            }
        } catch {
            code = .failure(PlayError(.usage, error.message))
        }
        await ledger.close()
        return try code.get()
    }

    private static let about = """
        list prints each beacon with its state, attempts, next attempt and last error. flush tries every pending beacon once,
        ignoring backoff, and waits at most 15 s for requests in flight. prune removes delivered beacons; with --all also
        dead and unconfirmed ones, but never pending ones. A removed beacon is no longer protected against duplicates.

        The ledger may be in use by an app or another run; each beacon is claimed by one process at a time.
        """

    // MARK: list

    private func list(
        _ ledger: SQLiteLedger,
        _ states: Set<String>?,
        _ console: any Console
    ) async throws(LedgerError) -> ExitCode {
        let text = OutboxText(style: Style(isColored: console.isColored), now: SystemClock().wallTime)
        var counts = OutboxCounts()
        var isFirst = true
        var last = Int64.min
        // In pages, because a ledger may contain hundreds of thousands of beacons.
        while console.loss == nil {
            let page = try await ledger.entries(after: last, limit: 500)
            guard let end = page.last else { break }
            last = end.number
            for entry in page where states?.contains(entry.standing.name) ?? true {
                counts.add(entry)
                if self.isJSON {
                    console.out(OutboxText.json(entry))
                } else {
                    if isFirst { console.out(text.header) }
                    isFirst = false
                    for line in text.lines(entry) { console.out(line) }
                }
            }
        }
        if !self.isJSON {
            console.out(counts.line)
            let summary = try await ledger.summary()
            for line in OutboxCounts.omissions(dropped: summary.dropped, unlisted: summary.unlisted) {
                console.out(line)
            }
        }
        return counts.code(waitingCounts: false)
    }

    // MARK: prune

    private func prune(
        _ ledger: SQLiteLedger,
        _ ends: Set<SQLiteLedger.FinalState>,
        _ age: Duration?,
        _ console: any Console
    ) async throws(LedgerError) -> ExitCode {
        let before = age.map { SystemClock().wallTime + (.zero - $0) }
        let forgotten = try await ledger.deleteSettled(ends, before: before)
        let counts = OutboxCounts(try await ledger.summary())
        console.out(
            self.isJSON
                ? counts.json("pruned", [.init("forgotten", .int(forgotten))])
                : "\(forgotten) removed; remaining: \(counts.line)"
        )
        return counts.code(waitingCounts: false)
    }

    // MARK: flush

    private func flush(
        _ ledger: SQLiteLedger,
        within time: Duration,
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
        try await beacons.flush(within: time)
        progress?.end()
        let counts = OutboxCounts(try await ledger.summary())
        console.out(self.isJSON ? counts.json("flushed") : counts.line)
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
            switch record.event {
            case .beaconDelivered, .beaconUnconfirmed, .beaconDead: self.progress?.step(record.event.name)
            default: break
            }
            let line = EventLine(record)
            self.console.out(self.isJSON ? line.json : line.line(Style(isColored: self.console.isColored)))
        }

        func observe(_ notice: IgnoredInput) {}
    }
}

extension OutboxCounts {
    init(_ summary: LedgerSummary) {
        self.init(
            waiting: summary.waiting + summary.inFlight,
            delivered: summary.delivered,
            unconfirmed: summary.unconfirmed,
            dead: summary.dead
        )
    }

    mutating func add(_ entry: LedgerEntry) {
        switch entry.standing {
        case .recorded, .inFlight: self.waiting += 1
        case .delivered: self.delivered += 1
        case .unconfirmed: self.unconfirmed += 1
        case .dead: self.dead += 1
        }
    }
}
