import AdCore
import LibC
import SQLiteLedger
import SandboxSSP
import TestSupport
import Testing

@testable import YabbiPlay

/// Kills the command again and again while it shows ads, and draws up the books in the end.
///
/// `YABBI_KILLS=200 swift test --no-parallel --filter KillTests` is the long form; `YABBI_SEED=n` repeats its moments.
@Suite(
    "Whatever moment the process dies at",
    .enabled(if: ChildCommand.path != nil, "yabbi-play was not built beside the tests")
)
struct KillTests {
    private static let rounds = KillTests.number("YABBI_KILLS") ?? 12
    private static let seed = KillTests.number("YABBI_SEED").map { UInt64($0) } ?? .random(in: 0 ... .max)

    private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

    @Test("no view is counted twice, and what is missing is on the list of what could not be confirmed")
    func assumeDelivered() async throws {
        let books = try await self.books(resends: false)
        for entry in books.entries {
            let count = books.counted[entry.beacon.key.text, default: 0]
            let words = "seed \(Self.seed), \(entry.beacon.key), \(entry.state)"
            switch entry.state {
            case .delivered: #expect(count == 1, "\(words)")
            case .unconfirmed: #expect(count <= 1, "\(words)")
            case .recorded, .inFlight, .dead: Issue.record("\(words): it has no end that it may have")
            }
        }
        #expect(books.entries.contains { $0.state == .delivered })
    }

    @Test("where the server takes each key once, none is missing and none is billed twice")
    func resend() async throws {
        let books = try await self.books(resends: true)
        for entry in books.entries {
            #expect(entry.state == .delivered, "seed \(Self.seed), \(entry.beacon.key)")
            #expect(books.counted[entry.beacon.key.text, default: 0] >= 1, "seed \(Self.seed), \(entry.beacon.key)")
        }
        #expect(books.bill.billed == books.entries.count)
        #expect(books.bill.unkeyed == 0)
        let keys = books.bill.lines.filter(\.isBilled).compactMap(\.key)
        #expect(Set(keys).count == keys.count)
    }

    private struct Books {
        let entries: [LedgerEntry]
        /// How often the server took each key.
        let counted: [String: Int]
        let bill: Sandbox.Bill
    }

    /// Lives and dies, and then delivers what is left.
    private func books(resends: Bool) async throws -> Books {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let sandbox = try Sandbox.bundled()
        defer { sandbox.stop() }
        let random = SeededRandom(seed: Self.seed)
        let ledger = folder.path + "/beacons.sqlite"
        var output = ""

        for _ in 0..<Self.rounds {
            try sandbox.setFaults(["/t/": KillTests.faults(random)])
            let child = try #require(
                ChildCommand(KillTests.show(sandbox, ledger, resends: resends, random), in: folder)
            )
            child.kill(after: UInt32(random.next() % 400_000))
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
        // What was told as recorded is in the ledger, whatever came afterwards; and nothing was sent that was not.
        let told = ChildCommand.lines(output).filter { $0["event"]?.string == "beaconRecorded" }
            .compactMap { $0["key"]?.string }
        #expect(!told.isEmpty)
        #expect(told.allSatisfy(known.contains), "seed \(Self.seed)")
        let hits = sandbox.hits().filter { $0.path.hasPrefix("/t/") }
        #expect(hits.allSatisfy { $0.key.map(known.contains) ?? false }, "seed \(Self.seed)")
        #expect(sandbox.droppedHits == 0)
        var counted: [String: Int] = [:]
        for hit in hits where hit.isCounted { counted[hit.key ?? "", default: 0] += 1 }
        let states = Dictionary(grouping: entries, by: \.state.name).mapValues(\.count)
        print("seed \(Self.seed): \(Self.rounds) deaths, \(states), \(hits.count) calls")
        return Books(entries: entries, counted: counted, bill: sandbox.bill())
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
        // A video tells dozens of things at once; its time has to be jumped over.
        if random.next() % 3 == 0 {
            words += ["--unit", "video-inline", "--format", "interstitial", "--clock", "virtual"]
        } else {
            words += ["--unit", "banner-320x50", "--do", "click@1ms,close@2ms"]
        }
        return resends ? words + ["--resend"] : words
    }

    /// Half the answers go well; what is refused is sent again, and what is dropped is a doubt.
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
