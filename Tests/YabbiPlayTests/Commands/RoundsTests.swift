import AdCore
import AdRuntime
import SystemLock
import Testing

@testable import YabbiPlay

@Suite("Many rounds")
struct RoundsTests {
    @Test("a ledger is not read through after each round, but where a beacon's end is not known")
    func entries() async throws {
        let settled = CountingLedger(isForgetful: false)
        #expect(try await self.run(settled) == .done)
        #expect(settled.readings == 0)
        let open = CountingLedger(isForgetful: true)
        #expect(try await self.run(open) == .beacons)
        #expect(open.readings == 3)
    }

    @Test(
        "an ad that comes alone finds the app uncovered, one that comes beside others as it is",
        arguments: [true, false]
    )
    func surroundings(isAlone: Bool) async throws {
        let console = BufferConsole()
        let settings = try Settings(parsing: ["show", "--unit", "banner-320x50", "--clock", "virtual", "--json"])
        let play = try Play(settings, console, source: nil, transport: try Commands.transport())
        play.board.post(.covered(true))
        var rounds = Rounds(play, script: settings.script)
        rounds.isAlone = isAlone
        await rounds.round(try play.wish(), shows: true)
        #expect(console.events.contains("shown") && console.events.contains("view") == isAlone)
    }

    private func run(_ ledger: CountingLedger) async throws -> ExitCode {
        let settings = try Settings(parsing: [
            "show", "--unit", "banner-320x50", "--clock", "virtual", "--repeat", "3", "--timeout", "1",
        ])
        let transport = try Commands.transport()
        let play = try Play(settings, BufferConsole(), source: nil, transport: transport, ledger: ledger)
        let wish = try play.wish()
        var rounds = Rounds(play, script: settings.script)
        for _ in 0..<3 { await rounds.round(wish, shows: true) }
        return rounds.worst
    }
}

/// A ledger that counts how often it is read through; a forgetful one hands no beacon out.
private final class CountingLedger: BeaconLedger {
    private let ledger = MemoryLedger()
    private let isForgetful: Bool
    private let count = Locked(0)

    init(isForgetful: Bool) { self.isForgetful = isForgetful }

    var readings: Int { self.count.withLock { $0 } }

    func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> Recording {
        try await self.ledger.record(beacons, at: now)
    }

    func claim(_ terms: ClaimTerms) async throws(LedgerError) -> Claim {
        self.isForgetful ? Claim([], next: nil) : try await self.ledger.claim(terms)
    }

    func settle(_ claimed: ClaimedBeacon, as outcome: Delivery, at now: WallTime) async throws(LedgerError) {
        try await self.ledger.settle(claimed, as: outcome, at: now)
    }

    func nextDue() async throws(LedgerError) -> WallTime? { self.isForgetful ? nil : try await self.ledger.nextDue() }

    func hasten(at now: WallTime) async throws(LedgerError) -> Int { try await self.ledger.hasten(at: now) }

    func entries(after number: Int64, limit: Int) async throws(LedgerError) -> [LedgerEntry] {
        self.count.withLock { $0 += 1 }
        return try await self.ledger.entries(after: number, limit: limit)
    }
}
