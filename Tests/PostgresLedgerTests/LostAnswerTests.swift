import AdCore
import LedgerSupport
import LibC
import PostgresClient
import PostgresSupport
import SQLiteLedger
import TestSupport
import Testing

@testable import PostgresLedger

@Suite("Answers of the server that are lost", .disabled(if: isServerMissing, missingServer))
struct LostAnswerTests {
    @Test("a recording whose answer is lost is repeated, and its keys count as new")
    func recording() async throws {
        try await ServerTest.with { test in
            let ledger = try test.host()
            _ = try await ledger.record([ServerTest.beacon("before")], at: ServerTest.now)
            test.proxy.set(.losingAnswers)
            async let recording = ledger.record(ServerTest.beacons(["before", "a", "b"]), at: ServerTest.now)
            try await ServerTest.wait { test.proxy.lostAnswers > 0 }
            test.proxy.set(.open)
            #expect(try await recording.new.map(\.text) == ["a", "b"])
            #expect(try await ledger.entries().map(\.beacon.key.text) == ["before", "a", "b"])
            await ledger.close()
        }
    }

    @Test("what a claim took whose answer is lost is given back, and is not in doubt")
    func claim() async throws {
        try await ServerTest.with { test in
            let ledger = try test.host()
            _ = try await ledger.record(ServerTest.beacons(["a", "b"]), at: ServerTest.now)
            test.proxy.set(.losingAnswers)
            async let lost = ledger.claim(ClaimRequest(limit: 1, at: ServerTest.now))
            try await ServerTest.wait { test.proxy.lostAnswers > 0 }
            test.proxy.set(.open)
            let claim = try await lost
            #expect(claim.beacons.count == 1)
            #expect(claim.beacons.allSatisfy { $0.attempt == 1 && !$0.wasInterrupted })
            #expect(try test.number("SELECT count(*) FROM yabbi.beacon WHERE state = 1") == 1)
            #expect(try test.number("SELECT count(*) FROM yabbi.beacon WHERE in_doubt") == 0)
            await ledger.close()
        }
    }

    @Test("a claim that is lost for good is given back when the ledger closes, or with its next operation")
    func lostClaim() async throws {
        try await ServerTest.with { test in
            let ledger = try test.host()
            _ = try await ledger.record([ServerTest.beacon("a")], at: ServerTest.now)
            test.proxy.set(.losingAnswers)
            async let claim = ledger.claim(ClaimRequest(limit: 1, at: ServerTest.now))
            try await ServerTest.wait { test.proxy.lostAnswers > 0 }
            test.proxy.set(.closed)
            #expect(try await claim.beacons.isEmpty)
            #expect(try test.number("SELECT count(*) FROM yabbi.beacon WHERE state = 1") == 1)
            test.proxy.set(.open)
            try await ServerTest.wait {
                try await ledger.claim(ClaimRequest(limit: 1, at: ServerTest.now)).keys == ["a"]
            }
            #expect(try test.number("SELECT max(attempts) FROM yabbi.beacon") == 1)
            await ledger.close()
        }
    }

    @Test("an outcome whose answer is lost is recorded once")
    func outcome() async throws {
        try await ServerTest.with { test in
            let ledger = try test.host()
            _ = try await ledger.record([ServerTest.beacon("a")], at: ServerTest.now)
            let claimed = try #require(try await ledger.claim(ClaimRequest(limit: 1, at: ServerTest.now)).beacons.first)
            test.proxy.set(.losingAnswers)
            let retry = DeliveryOutcome.retry(at: ServerTest.now + .seconds(3_600), reason: "503")
            async let settling: Void = ledger.settle(claimed, as: retry, at: ServerTest.now)
            try await ServerTest.wait { test.proxy.lostAnswers > 0 }
            test.proxy.set(.open)
            try await settling
            let entry = try #require(try await ledger.entries().first)
            #expect(entry.attempts == 1 && entry.state.name == "recorded" && !entry.wasInterrupted)
            await ledger.close()
        }
    }

    @Test("a beacon that the server may have recorded is held, and is not delivered from this host")
    func held() async throws {
        try await ServerTest.with { test in
            let ledger = try test.host()
            _ = try await ledger.open()
            test.proxy.set(.losingAnswers)
            async let recording = ledger.record([ServerTest.own("a")], at: ServerTest.now)
            try await ServerTest.wait { test.proxy.lostAnswers > 0 }
            test.proxy.set(.closed)
            let result = try await recording
            #expect(result.new.count == 1)
            #expect(result.issues.map(\.code) == ["ledger.away"])
            // The server has it, so this host must not send it.
            #expect(try test.number("SELECT count(*) FROM yabbi.beacon") == 1)
            #expect(try await ledger.claim(ClaimRequest(limit: 9, at: ServerTest.now)).beacons.isEmpty)
            test.proxy.set(.open)
            try await ServerTest.wait {
                try await ledger.claim(ClaimRequest(limit: 9, at: ServerTest.now)).beacons.count == 1
            }
            #expect(try test.number("SELECT count(*) FROM yabbi.beacon") == 1)
            await ledger.close()
        }
    }

    @Test("a beacon that only memory could keep is recorded once, though this host's files prevent its carry-over")
    func memory() async throws {
        try await ServerTest.with { test in
            // A folder in place of the file.
            mkdir("\(test.folder.path)/host", 0o755)
            mkdir("\(test.folder.path)/host/held.sqlite", 0o755)
            let ledger = try test.host()
            _ = try await ledger.open()
            test.proxy.set(.losingAnswers)
            async let recording = ledger.record([ServerTest.own("a")], at: ServerTest.now)
            try await ServerTest.wait { test.proxy.lostAnswers > 0 }
            test.proxy.set(.closed)
            let messages = try await recording.issues.map(\.message)
            #expect(messages.contains { $0.contains("in memory until the server is back") }, "\(messages)")
            test.proxy.set(.open)
            try await ServerTest.wait {
                _ = try await ledger.record([], at: ServerTest.now)
                return ledger.keptReason?.contains("held.sqlite") ?? false
            }
            // It was delivered and pruned.
            try test.raw().runScript("DELETE FROM yabbi.beacon")
            rmdir("\(test.folder.path)/host/held.sqlite")
            try await ServerTest.wait {
                _ = try await ledger.record([], at: ServerTest.now)
                return ledger.keptReason == nil
            }
            #expect(try test.number("SELECT count(*) FROM yabbi.beacon") == 0)
            await ledger.close()
        }
    }
}
