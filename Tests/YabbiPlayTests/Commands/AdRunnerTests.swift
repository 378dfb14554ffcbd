import AdCore
import AdRuntime
import CurlTransport
import PlaySupport
import SystemSupport
import Testing

@testable import PlayConsole
@testable import PlayStages
@testable import YabbiPlay

@Suite("Repeated runs")
struct AdRunnerTests {
    @Test("the ledger is read only for beacons without a known outcome")
    func entries() async throws {
        let settled = CountingLedger(claimsNothing: false)
        #expect(try await self.run(settled) == .done)
        #expect(settled.readings == 0)
        let unsettled = CountingLedger(claimsNothing: true)
        #expect(try await self.run(unsettled) == .beacons)
        #expect(unsettled.readings == 3)
    }

    @Test(
        "an ad alone on screen resets the covered app, an ad beside others does not",
        arguments: [true, false]
    )
    func surroundings(isAlone: Bool) async throws {
        let console = BufferConsole()
        let show = try ShowCommand(parsing: ["--unit", "banner-320x50", "--clock", "virtual", "--json"])
        let (context, request) = try await show.prepared(on: console)
        context.signals.post(.covered(true))
        var runner = AdRunner(context, script: show.script)
        runner.isAlone = isAlone
        await runner.run(request, shows: true)
        #expect(console.events.contains("shown") && console.events.contains("view") == isAlone)
    }

    private func run(_ ledger: CountingLedger) async throws -> ExitCode {
        let show = try ShowCommand(parsing: [
            "--unit", "banner-320x50", "--clock", "virtual", "--repeat", "3", "--timeout", "1",
        ])
        let (context, request) = try await show.prepared(on: BufferConsole(), ledger: ledger)
        var runner = AdRunner(context, script: show.script)
        for _ in 0..<3 { await runner.run(request, shows: true) }
        return runner.totals.worst
    }
}

extension ShowCommand {
    /// The context of a run of this command, and its request.
    fileprivate func prepared(
        on console: any Console,
        ledger: any BeaconLedger = MemoryLedger()
    ) async throws -> (RunContext, AdRequest) {
        let context = try await self.context(on: console, ledger: ledger)
        guard case .placement(let query) = self.run.query else { throw UsageError("no placement") }
        return (context, try context.request(for: query))
    }
}

extension ShowCommand {
    /// The run and the script of a command without `--dry-run`.
    private var shown: (run: LoadRun, script: UserScript) {
        guard case .show(let run, let script) = self.action else { preconditionFailure("a dry run shows nothing") }
        return (run, script)
    }

    var run: LoadRun { self.shown.run }
    var script: UserScript { self.shown.script }

    /// The context of a run of this command.
    func context(
        on console: any Console,
        ledger: any BeaconLedger = MemoryLedger()
    ) async throws -> RunContext {
        let transport = try CurlTransport.forCommand()
        let origin = try await self.run.query.origin(seed: nil, within: .seconds(10), by: transport)
        let plan = self.run.plan(for: Self.name)
        return try RunContext(plan, origin, console, transport: transport, ledger: ledger)
    }
}

/// A ledger that counts how often its entries are read, and optionally lets no beacon be claimed.
private final class CountingLedger: BeaconLedger {
    private let ledger = MemoryLedger()
    private let claimsNothing: Bool
    private let count = Locked(0)

    init(claimsNothing: Bool) { self.claimsNothing = claimsNothing }

    var readings: Int { self.count.withLock { $0 } }

    func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> RecordResult {
        try await self.ledger.record(beacons, at: now)
    }

    func claim(_ rules: ClaimRequest) async throws(LedgerError) -> BeaconClaim {
        self.claimsNothing ? BeaconClaim([], next: nil) : try await self.ledger.claim(rules)
    }

    func settle(_ claimed: ClaimedBeacon, as outcome: DeliveryOutcome, at now: WallTime) async throws(LedgerError) {
        try await self.ledger.settle(claimed, as: outcome, at: now)
    }

    func nextDue() async throws(LedgerError) -> WallTime? { self.claimsNothing ? nil : try await self.ledger.nextDue() }

    func makeAllDue(at now: WallTime) async throws(LedgerError) -> Int { try await self.ledger.makeAllDue(at: now) }

    func entries(after number: Int64, limit: Int) async throws(LedgerError) -> [LedgerEntry] {
        self.count.withLock { $0 += 1 }
        return try await self.ledger.entries(after: number, limit: limit)
    }
}
