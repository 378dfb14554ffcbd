import AdCore
import LedgerSupport
import LibC
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("Deleted and replaced files")
struct MovedTests {
    @Test(
        "a file that is deleted while in use is created again with all its beacons",
        arguments: [["", "-wal", "-shm", "-lock"], ["", "-wal", "-shm"], [""]]
    )
    func deleted(_ endings: [String]) async throws {
        try await TestLedger.with { test in
            let ledger = test.ledger
            _ = try await ledger.record(TestLedger.beacons(["a", "b", "c"]), at: TestLedger.at(0))
            let claim = try await ledger.claim(ClaimRequest(limit: 2, each: 2, at: TestLedger.at(1)))
            try await ledger.settle(claim.beacons[0], as: .delivered, at: TestLedger.at(2))
            let numbers = try await ledger.entries().map(\.number)
            for ending in endings { unlink(test.file + ending) }

            let recording = try await ledger.record(
                [TestLedger.beacon("d"), TestLedger.beacon("a")],
                at: TestLedger.at(3)
            )
            #expect(recording.new.map(\.text) == ["d"])
            #expect(recording.issues.map(\.code) == ["ledger.moved"])
            #expect(recording.issues.first?.message.contains("3 beacons were carried over") ?? false)
            let states = try await ledger.states()
            #expect(states["a"] == .delivered)
            #expect(states["b"] == .inFlight(until: TestLedger.at(61)))
            #expect(states["c"] == .pending(nextTry: TestLedger.at(0), reason: nil))
            #expect(try await ledger.entries().prefix(3).map(\.number) == numbers)
            // A claim stays valid.
            try await ledger.settle(claim.beacons[1], as: .delivered, at: TestLedger.at(4))
            #expect(try await ledger.claim(ClaimRequest(limit: 9, each: 9, at: TestLedger.at(5))).keys == ["c", "d"])
            await ledger.close()
            let again = test.another()
            #expect(try await again.entries().count == 4)
            await again.close()
        }
    }

    @Test("a deleted folder is created again")
    func folder() async throws {
        let outer = try #require(TemporaryFolder())
        defer { outer.remove() }
        let ledger = SQLiteLedger(folder: "\(outer.path)/inner")
        _ = try await ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
        outer.remove()
        #expect(
            try await ledger.record([TestLedger.beacon("b")], at: TestLedger.at(1)).issues.map(\.code) == [
                "ledger.moved"
            ]
        )
        #expect(try await ledger.entries().map(\.beacon.key.text) == ["a", "b"])
        await ledger.close()
    }

    @Test("a ledger that replaces the file gets the beacons of the first one")
    func replaced() async throws {
        try await TestLedger.with { test in
            let other = try #require(TemporaryFolder())
            defer { other.remove() }
            let second = SQLiteLedger(folder: other.path)
            _ = try await second.record(TestLedger.beacons(["x", "a"], to: "x.example"), at: TestLedger.at(0))
            await second.close()
            _ = try await test.ledger.record(TestLedger.beacons(["a", "b"]), at: TestLedger.at(0))
            rename("\(other.path)/beacons.sqlite", test.file)
            let recording = try await test.ledger.record([TestLedger.beacon("c")], at: TestLedger.at(3))
            #expect(recording.issues.map(\.code) == ["ledger.moved"])
            #expect(recording.issues.first?.message.contains("1 beacons were carried over") ?? false)
            #expect(try await test.ledger.entries().map(\.beacon.key.text) == ["x", "a", "b", "c"])
            #expect(
                try await test.ledger.claim(ClaimRequest(limit: 9, each: 9, at: TestLedger.at(5))).beacons.count == 4
            )
        }
    }

    @Test("an older copy that replaces the file brings back no beacon that was sent since")
    func olderCopy() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record(TestLedger.beacons(["a", "b"]), at: TestLedger.at(0))
            await test.ledger.close()
            let copy = test.folder.bytes("beacons.sqlite")
            let ledger = test.another()
            let claim = try await ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(1)))
            #expect(claim.keys == ["a"])
            try await ledger.settle(claim.beacons[0], as: .delivered, at: TestLedger.at(2))
            test.folder.overwrite(copy, "copy")
            rename("\(test.folder.path)/copy", test.file)
            #expect(try await ledger.claim(ClaimRequest(limit: 9, each: 9, at: TestLedger.at(3))).keys == ["b"])
            #expect(try await ledger.states()["a"] == .delivered)
            await ledger.close()
        }
    }

    @Test("a garbage file that replaces the file is set aside, and a new one gets the beacons of the first")
    func rubbish() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record(TestLedger.beacons(["a", "b"]), at: TestLedger.at(0))
            test.folder.overwrite([UInt8](repeating: 3, count: 9_000), "rubbish")
            rename("\(test.folder.path)/rubbish", test.file)
            let recording = try await test.ledger.record([TestLedger.beacon("c")], at: TestLedger.at(3))
            #expect(recording.issues.map(\.code) == ["ledger.setAside", "ledger.moved"])
            #expect(try await test.ledger.entries().map(\.beacon.key.text) == ["a", "b", "c"])
        }
    }

    @Test("a deleted log loses nothing")
    func log() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record(TestLedger.beacons(["a", "b"]), at: TestLedger.at(0))
            unlink(test.file + "-wal")
            var codes: [String] = []
            let deadline = ContinuousClock.now + .seconds(5)
            var number = 0
            while codes.isEmpty, ContinuousClock.now < deadline {
                number += 1
                codes = try await test.ledger.record([TestLedger.beacon("c\(number)")], at: TestLedger.at(3)).issues
                    .map(\.code)
            }
            #expect(codes == ["ledger.moved"])
            await test.ledger.close()
            let again = test.another()
            #expect(try await again.entries().count == 2 + number)
            await again.close()
        }
    }

    @Test("two ledgers whose file is deleted share the new one")
    func together() async throws {
        try await TestLedger.with { test in
            let other = test.another()
            _ = try await test.ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
            _ = try await other.record([TestLedger.beacon("b")], at: TestLedger.at(0))
            for ending in ["", "-wal", "-shm"] { unlink(test.file + ending) }
            _ = try await test.ledger.record([TestLedger.beacon("c")], at: TestLedger.at(1))
            _ = try await other.record([TestLedger.beacon("d")], at: TestLedger.at(1))
            #expect(try await test.ledger.entries().map(\.beacon.key.text) == ["a", "b", "c", "d"])
            #expect(try await other.entries().count == 4)
            await other.close()
        }
    }

    @Test("a file that is deleted while two ledgers claim gives each beacon to one of them")
    func deletedWhileClaiming() async throws {
        for round in 0..<10 {
            let test = try TestLedger()
            defer { test.folder.remove() }
            let ledgers = [test.ledger, test.another()]
            _ = try await ledgers[0].record((0..<400).map { TestLedger.beacon("k\($0)") }, at: TestLedger.at(0))
            _ = try await ledgers[1].open()
            // Both are claiming when it is deleted: the first ledger deletes it after so many claims.
            let moment = 20 + 30 * round
            let claimed = await withTaskGroup(of: [String].self, returning: [String].self) { group in
                for (index, ledger) in ledgers.enumerated() {
                    group.addTask {
                        var keys: [String] = []
                        while let claim = try? await ledger.claim(ClaimRequest(limit: 2, each: 2, at: TestLedger.at(1)))
                        {
                            if claim.beacons.isEmpty { break }
                            keys += claim.beacons.filter { !$0.wasInterrupted }.map(\.beacon.key.text)
                            if index == 0, keys.count == moment / 2 * 2 { unlink(test.file) }
                        }
                        return keys
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            #expect(claimed.count == 400, "round \(round)")
            #expect(Set(claimed).count == 400, "round \(round)")
            for ledger in ledgers { await ledger.close() }
        }
    }

    @Test("a carried-over and deleted beacon does not come back from a file that another ledger still has open")
    func carriedOnce() async throws {
        try await TestLedger.with { test in
            let other = test.another()
            _ = try await test.ledger.record(TestLedger.beacons(["a", "b"]), at: TestLedger.at(0))
            _ = try await other.open()
            unlink(test.file)
            let claim = try await test.ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(1)))
            try await test.ledger.settle(claim.beacons[0], as: .delivered, at: TestLedger.at(2))
            #expect(try await test.ledger.deleteSettled([.delivered]) == 1)
            #expect(try await other.entries().map(\.beacon.key.text) == ["b"])
            await other.close()
        }
    }

    @Test("a ledger that becomes the only one later keeps its claims")
    func ownLeases() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
            #expect(try await test.ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(1))).keys == ["a"])
            await test.another().close()
            test.folder.overwrite(test.folder.bytes("beacons.sqlite"), "copy")
            test.folder.overwrite(test.folder.bytes("beacons.sqlite-wal"), "copy-wal")
            for ending in ["-lock", "-wal", "-shm", ""] { unlink(test.file + ending) }
            rename("\(test.folder.path)/copy-wal", test.file + "-wal")
            rename("\(test.folder.path)/copy", test.file)
            #expect(try await test.ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(2))).beacons.isEmpty)
        }
    }
}
