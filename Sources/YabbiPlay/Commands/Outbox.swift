import AdCore
import AdRuntime
import SQLiteLedger

/// The beacons that a ledger keeps: looked at, tried, forgotten.
enum Outbox {
    static func run(_ settings: Settings, _ console: any Console) async throws(PlayError) -> ExitCode {
        guard let act = settings.outboxAct, let name = settings.ledger else {
            preconditionFailure("The command line was checked.")
        }
        let ledger = try await LedgerFile.existing(name)
        let code: Result<ExitCode, PlayError>
        do throws(LedgerError) {
            switch act {
            case .list: code = .success(try await self.list(ledger, settings, console))
            case .prune: code = .success(try await self.prune(ledger, settings, console))
            case .flush: code = try await self.flush(ledger, settings, console)
            }
        } catch {
            code = .failure(PlayError(.usage, error.message))
        }
        await ledger.close()
        return try code.get()
    }

    // MARK: list

    private static func list(
        _ ledger: SQLiteLedger,
        _ settings: Settings,
        _ console: any Console
    ) async throws(LedgerError) -> ExitCode {
        let text = OutboxText(style: Style(isColoured: console.isColoured), now: SystemClock().wallTime)
        var counts = OutboxCounts()
        var isFirst = true
        var last = Int64.min
        // Page by page: a ledger may hold hundreds of thousands.
        while console.loss == nil {
            let page = try await ledger.entries(after: last, limit: 500)
            guard let end = page.last else { break }
            last = end.number
            for entry in page where settings.states?.contains(entry.standing.name) ?? true {
                counts.add(entry)
                if settings.isJSON {
                    console.out(OutboxText.json(entry))
                } else {
                    if isFirst { console.out(text.header) }
                    isFirst = false
                    for line in text.lines(entry) { console.out(line) }
                }
            }
        }
        if !settings.isJSON {
            console.out(counts.line)
            let summary = try await ledger.summary()
            for line in OutboxCounts.gaps(dropped: summary.dropped, unlisted: summary.unlisted) { console.out(line) }
        }
        return counts.code(waitingCounts: false)
    }

    // MARK: prune

    private static func prune(
        _ ledger: SQLiteLedger,
        _ settings: Settings,
        _ console: any Console
    ) async throws(LedgerError) -> ExitCode {
        let states: Set<SQLiteLedger.End> = settings.forgetsAll ? [.delivered, .unconfirmed, .dead] : [.delivered]
        let before = settings.age.map { SystemClock().wallTime + (.zero - $0) }
        let forgotten = try await ledger.forget(states, settledBefore: before)
        let counts = OutboxCounts(try await ledger.summary())
        console.out(
            settings.isJSON
                ? counts.json("pruned", [.init("forgotten", .int(forgotten))])
                : "\(forgotten) forgotten; what is left: \(counts.line)"
        )
        return counts.code(waitingCounts: false)
    }

    // MARK: flush

    private static func flush(
        _ ledger: SQLiteLedger,
        _ settings: Settings,
        _ console: any Console
    ) async throws(LedgerError) -> Result<ExitCode, PlayError> {
        let transport: any Transport
        do throws(PlayError) {
            transport = try Commands.transport()
        } catch {
            return .failure(error)
        }
        let line = ProgressLine("beacons", of: OutboxCounts(try await ledger.summary()).waiting)
        let progress = Progress(line, on: console, isSilent: settings.isJSON)
        defer { progress?.end() }
        var limits = Courier.Limits()
        limits.triesOnce = true
        let beacons = BeaconDispatcher(
            ledger: ledger,
            transport: transport,
            clock: SystemClock(),
            limits: limits,
            random: { .random(in: .min ... .max) },
            observer: Teller(console: console, isJSON: settings.isJSON, progress: progress)
        )
        let start = SystemClock().wallTime
        try await beacons.flush(within: settings.timeout)
        progress?.end()
        let counts = OutboxCounts(try await ledger.summary())
        console.out(settings.isJSON ? counts.json("flushed") : counts.line)
        guard !settings.isJSON, counts.waiting > 0 else { return .success(counts.code(waitingCounts: true)) }
        // What was tried in vain is due later.
        if let due = try await ledger.nextDue(), due <= start {
            console.out("not everything was tried in time; run this again, or give it longer by --timeout")
        }
        console.out("what is pending is tried again later, by whoever uses the ledger; yabbi-play outbox list says why")
        return .success(counts.code(waitingCounts: true))
    }

    /// Says what becomes of each beacon, and remembers nothing: there may be very many.
    private struct Teller: AdObserver {
        let console: any Console
        let isJSON: Bool
        let progress: Progress?

        func observe(_ record: AdRecord) {
            switch record.event {
            case .beaconDelivered, .beaconUnconfirmed, .beaconDead: self.progress?.step(record.event.name)
            default: break
            }
            let text = EventText(style: Style(isColoured: self.console.isColoured))
            self.console.out(self.isJSON ? EventJSON.line(record) : text.line(record))
        }

        func observe(_ notice: AdNotice) {}
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
