import AdCore
import SQLiteLedger
import SandboxSSP
import TestSupport
import Testing

@testable import YabbiPlay

/// Kills the command repeatedly while it shows ads, and then compares the ledger with the server's hits.
///
/// `YABBI_LONG=1 Scripts/test.sh KillTests` is the long form. `YABBI_SEED=n` repeats a run.
@Suite(
    "A process killed at any moment",
    .enabled(if: ChildCommand.path != nil, "yabbi-play was not built beside the tests")
)
struct KillTests {
    private static let rounds = LongForm.either(200, short: 12)
    private static let seed = TestSeed.chosen ?? .random(in: 0 ... .max)

    @Test("no view is counted twice, and missing ones are listed as unconfirmed")
    func assumeDelivered() async throws {
        let results = try await self.results(resends: false)
        for entry in results.entries {
            let count = results.counted[entry.beacon.key.text, default: 0]
            let words = "seed \(Self.seed), \(entry.beacon.key), \(entry.state)"
            switch entry.state {
            case .delivered: #expect(count == 1, "\(words)")
            case .unconfirmed: #expect(count <= 1, "\(words)")
            case .pending, .inFlight, .dead: Issue.record("\(words): not an allowed final state")
            }
        }
        #expect(results.entries.contains { $0.state == .delivered })
    }

    @Test("with --resend no view is missing and none is billed twice")
    func resend() async throws {
        let results = try await self.results(resends: true)
        for entry in results.entries {
            #expect(entry.state == .delivered, "seed \(Self.seed), \(entry.beacon.key)")
            #expect(results.counted[entry.beacon.key.text, default: 0] >= 1, "seed \(Self.seed), \(entry.beacon.key)")
        }
        #expect(results.bill.billed == results.entries.count)
        #expect(results.bill.unkeyed == 0)
        let keys = results.bill.lines.filter(\.isBilled).compactMap(\.key)
        #expect(Set(keys).count == keys.count)
    }

    private struct Results {
        let entries: [LedgerEntry]
        /// How often the server counted each key.
        let counted: [String: Int]
        let bill: Sandbox.Bill
    }

    /// Starts and kills the command repeatedly, and then delivers the pending beacons.
    private func results(resends: Bool) async throws -> Results {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let sandbox = try Sandbox.bundled()
        defer { sandbox.stop() }
        let random = SeededRandom(seed: Self.seed)
        let ledger = folder.path + "/beacons.sqlite"
        var output = ""
        // The latest kill, in microseconds after the start: on a slow computer too, some processes have delivered beacons.
        var latest: UInt64 = 400_000

        for round in 0..<Self.rounds {
            try sandbox.setFaults(["/t/": KillTests.faults(random)])
            let start = ContinuousClock.now
            let child = try #require(
                ChildCommand(KillTests.show(sandbox, ledger, resends: resends, random), in: folder)
            )
            if round == 0 {
                #expect(child.hasPrinted("beaconDelivered", within: 60))
                latest = max(latest, 2 * UInt64((ContinuousClock.now - start) / .microseconds(1)))
            }
            child.kill(after: UInt32(random.next() % latest))
            output = child.output
        }
        try sandbox.setFaults(["/t/": []])
        let flush = try #require(ChildCommand(["outbox", "flush", "--ledger", ledger, "--timeout", "60"], in: folder))
        let code = flush.wait()
        #expect(code == 0 || code == 7 && !resends, "seed \(Self.seed): the flush ended with \(code ?? -1)")

        let reading = SQLiteLedger(file: ledger, access: .existing)
        let entries = try await reading.entries()
        await reading.close()
        let known = Set(entries.map(\.beacon.key.text))
        // Each beacon reported as recorded is in the ledger, and only beacons in the ledger were sent.
        let reported = ChildCommand.lines(output).filter { $0["event"]?.string == "beaconRecorded" }
            .compactMap { $0["key"]?.string }
        #expect(!reported.isEmpty)
        #expect(reported.allSatisfy(known.contains), "seed \(Self.seed)")
        let hits = sandbox.hits().filter { $0.path.hasPrefix("/t/") }
        #expect(hits.allSatisfy { $0.key.map(known.contains) ?? false }, "seed \(Self.seed)")
        #expect(sandbox.droppedHits == 0)
        var counted: [String: Int] = [:]
        for hit in hits where hit.isCounted { counted[hit.key ?? "", default: 0] += 1 }
        let states = Dictionary(grouping: entries, by: \.state.name).mapValues(\.count)
        print("seed \(Self.seed): \(Self.rounds) kills, \(states), \(hits.count) hits")
        return Results(entries: entries, counted: counted, bill: sandbox.bill())
    }

    private static func show(
        _ sandbox: Sandbox,
        _ ledger: String,
        resends: Bool,
        _ random: SeededRandom
    ) -> [String] {
        var words = ["show", "--json", "--stage", "none", "--repeat", "1000", "--timeout", "5", "--ledger", ledger]
        let path = random.next() % 2 == 0 ? "/yabbi/load" : "/openrtb2/auction"
        words += ["--provider", path.hasPrefix("/y") ? "yabbi" : "openrtb"]
        words += ["--endpoint", "http://127.0.0.1:\(sandbox.port)\(path)"]
        // A video has dozens of trackers. Virtual time skips its duration.
        if random.next() % 3 == 0 {
            words += ["--unit", "video-inline", "--format", "interstitial", "--clock", "virtual"]
        } else {
            words += ["--unit", "banner-320x50", "--do", "click@1ms,close@2ms"]
        }
        return resends ? words + ["--resend"] : words
    }

    /// Two thirds of the responses succeed, after a delay.
    ///
    /// Refused beacons are retried, dropped ones are unconfirmed.
    private static func faults(_ random: SeededRandom) -> [Sandbox.Fault] {
        (0..<200).map { _ in
            switch random.next() % 12 {
            case 0: Sandbox.Fault(.status(503))
            case 1: Sandbox.Fault(.dropBeforeReply)
            case 2: Sandbox.Fault(.truncate)
            case 3: Sandbox.Fault(.garbage)
            default: Sandbox.Fault(.delay(milliseconds: Int(random.next() % 20)))
            }
        }
    }
}
