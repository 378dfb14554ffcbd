import AdCore
import LedgerSupport
import LibC
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("Views that frequency caps count")
struct ViewStoreTests {
    private static let ad = CappedAd(placement: "main", campaign: "c1", advertiser: "a1")

    private static func view(_ name: String, _ seconds: Int64, _ of: CappedAd = ad) -> CountedView {
        CountedView(AdID(name), of: of, at: TestLedger.at(seconds), session: "s")
    }

    private static func names(_ views: [CountedView]) -> [String] { views.map(\.ad.rawValue) }

    private static func now(_ seconds: Int64) -> FrequencyLog.Now {
        FrequencyLog.Now(Moment(.seconds(seconds)), wall: TestLedger.at(seconds), minutesAhead: 0)
    }

    @Test("a view is stored once, and read back as it was")
    func once() async throws {
        try await TestLedger.with { test in
            let bare = Self.view("b", 2, CappedAd(placement: "main"))
            #expect(try await test.ledger.record(Self.view("a", 1)))
            #expect(try await test.ledger.record(bare))
            #expect(try await test.ledger.record(Self.view("a", 3)) == false)
            let views = try await test.ledger.views(since: TestLedger.at(0), limit: 9, at: TestLedger.at(3))
            #expect(views == [Self.view("a", 1), bare])
        }
    }

    @Test("views from a time on are read, the newest of too many")
    func newest() async throws {
        try await TestLedger.with { test in
            for second in [4, 1, 3, 2] as [Int64] { _ = try await test.ledger.record(Self.view("\(second)", second)) }
            func names(since start: Int64, _ limit: Int) async throws -> [String] {
                Self.names(
                    try await test.ledger.views(since: TestLedger.at(start), limit: limit, at: TestLedger.at(5))
                )
            }
            #expect(try await names(since: 0, 9) == ["1", "2", "3", "4"])
            #expect(try await names(since: 3, 9) == ["3", "4"])
            #expect(try await names(since: 0, 2) == ["3", "4"])
            #expect(try await names(since: 0, -1).isEmpty)
        }
    }

    @Test("several ledgers over one file store each view once, and each sees all of them")
    func together() async throws {
        try await TestLedger.with { test in
            let ledgers = [test.ledger, test.another(), test.another()]
            let tasks = (0..<90).map { number in
                // Each view is recorded by two ledgers.
                Task { try await ledgers[number % 3].record(Self.view("\(number / 2)", Int64(number / 2))) }
            }
            var new = 0
            for task in tasks { new += try await task.value ? 1 : 0 }
            #expect(new == 45)
            for ledger in ledgers {
                let views = try await ledger.views(since: TestLedger.at(0), limit: 99, at: TestLedger.at(60))
                #expect(Self.names(views) == (0..<45).map { "\($0)" })
            }
            for ledger in ledgers.dropFirst() { await ledger.close() }
        }
    }

    @Test("a restart does not reset a cap, and another process counts the same views")
    func restart() async throws {
        try await TestLedger.with { test in
            let cap = FrequencyCap(2, of: .campaign, in: .hour)
            var log = FrequencyLog([cap], session: "s")
            for (name, second) in [("a", 0), ("b", 10)] as [(String, Int64)] {
                #expect(log.reached(by: Self.ad, at: Self.now(second)) == nil)
                log.record(AdID(name), of: Self.ad, at: Self.now(second))
                _ = try await test.ledger.record(Self.view(name, second))
            }
            await test.ledger.close()
            let ledger = test.another()
            for session in ["t", "u"] {
                var later = FrequencyLog([cap], session: session)
                let now = Self.now(20)
                let views = try await ledger.views(since: later.start(at: now), limit: 99, at: now.wall)
                later.merge(views, at: now)
                #expect(later.reached(by: Self.ad, at: now)?.until == TestLedger.at(3_600))
                #expect(later.reached(by: Self.ad, at: Self.now(3_600)) == nil)
            }
            await ledger.close()
        }
    }

    @Test("views of the future are dated now, when views are read and when one is recorded")
    func future() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record(Self.view("a", 1_000_000))
            let read = try await test.ledger.views(since: TestLedger.at(0), limit: 9, at: TestLedger.at(5))
            #expect(read == [Self.view("a", 5)])
            // A minute is no wrong clock.
            _ = try await test.ledger.record(Self.view("b", 60))
            _ = try await test.ledger.record(Self.view("c", 0))
            let views = try await test.ledger.views(since: TestLedger.at(0), limit: 9, at: TestLedger.at(0))
            #expect(views == [Self.view("c", 0), Self.view("a", 5), Self.view("b", 60)])
        }
    }

    @Test("views older than two days and the oldest of too many are removed")
    func removed() async throws {
        try await TestLedger.with { test in
            for (name, second) in [("a", 0), ("b", 1), ("c", 172_801)] as [(String, Int64)] {
                _ = try await test.ledger.record(Self.view(name, second))
            }
            #expect(try test.raw().number("SELECT group_concat(ad) = 'b,c' FROM counted_view") == 1)
            try test.raw().run("UPDATE counted_view SET id = id + 20000 WHERE ad = 'c'")
            _ = try await test.ledger.record(Self.view("d", 172_801))
            #expect(try test.raw().number("SELECT group_concat(ad) = 'c,d' FROM counted_view") == 1)
        }
    }

    @Test("the views of a deleted file are carried over")
    func carriedOver() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record(Self.view("a", 1))
            for ending in ["", "-wal", "-shm"] { unlink(test.file + ending) }
            _ = try await test.ledger.record(Self.view("b", 2))
            let views = try await test.ledger.views(since: TestLedger.at(0), limit: 9, at: TestLedger.at(2))
            #expect(Self.names(views) == ["a", "b"])
        }
    }

    @Test("a file without a table of views gets one, and keeps its beacons")
    func migrated() async throws {
        try await TestLedger.with { test in
            try LedgerPath(file: test.file).make()
            do {
                let old = try Connection(test.file, lockTimeout: .seconds(1))
                try Schema.migrate(old, file: test.file, upTo: 2)
                try old.run(
                    """
                    INSERT INTO beacon (id, state, billing, moment, queue, recorded, key, ad, event, provider, method,
                        verdict, doubt, url) VALUES
                        (1, 2, 0, 6, 0, 5, 'b', 'ad', 'view', 'test', 1, 1, 1, 'https://t.example/b');
                    """
                )
            }
            #expect(try await test.ledger.record(Self.view("a", 1)))
            #expect(try await test.ledger.entries().map(\.beacon.key.text) == ["b"])
            #expect(try test.raw().number("PRAGMA user_version") == Int64(Schema.steps.count))
        }
    }

    @Test("a closed ledger throws")
    func refused() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record(Self.view("a", 1))
            await test.ledger.close()
            await #expect(throws: LedgerError.self) { _ = try await test.ledger.record(Self.view("b", 2)) }
            await #expect(throws: LedgerError.self) {
                _ = try await test.ledger.views(since: TestLedger.at(0), limit: 9, at: TestLedger.at(2))
            }
        }
    }
}
