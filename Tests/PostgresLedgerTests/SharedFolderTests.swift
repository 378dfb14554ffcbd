import AdCore
import LedgerSupport
import LibC
import PostgresSupport
import SQLiteLedger
import TestSupport
import Testing

@testable import PostgresLedger

@Suite("Files that processes of a host share", .disabled(if: isServerMissing, missingServer))
struct SharedFolderTests {
    @Test("what was delivered while the server was away is kept for its book, however much it is")
    func kept() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let local = LocalLedgers(folder: folder.path, limits: LedgerLimits(rows: 400, settled: 10))
        let beacons = (0..<200).map { ServerTest.own("ad\($0)", to: "t\($0).example") }
        _ = try await local.record(beacons, isUncertain: false, at: ServerTest.now)
        let claim = try await local.own.claim(ClaimRequest(limit: 200, each: 200, at: ServerTest.now))
        #expect(claim.beacons.count == 200)
        for one in claim.beacons { try await local.own.settle(one, as: .delivered, at: ServerTest.now) }
        #expect(try await local.own.summary().delivered == 200)
        await local.close()
    }

    @Test("delivered beacons that no longer fit into the files are an issue")
    func overfull() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let local = LocalLedgers(folder: folder.path, limits: LedgerLimits(rows: 40))
        var messages: [String] = []
        for round in 0..<6 {
            let beacons = (0..<20).map { ServerTest.own("ad\(round)-\($0)", to: "t\($0).example") }
            messages += try await local.record(beacons, isUncertain: false, at: ServerTest.now).issues.map(\.message)
            let claim = try await local.own.claim(ClaimRequest(limit: 20, each: 20, at: ServerTest.now))
            for one in claim.beacons { try await local.own.settle(one, as: .delivered, at: ServerTest.now) }
        }
        #expect(messages.contains { $0.contains("was full before its beacons were carried over") }, "\(messages)")
        await local.close()
    }

    @Test("a beacon that another process sends while it is carried over stays with that process")
    func sentMeanwhile() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let (first, second) = (Self.files(folder), Self.files(folder))
        let (now, until) = (ServerTest.now, ServerTest.now + .seconds(18_000))
        _ = try await first.record(["a", "b"].map { ServerTest.own($0) }, isUncertain: false, at: now)
        let keys = try await first.own.postpone(2, until: until).map(\.beacon.key)
        // The second one does not know that the server is back.
        #expect(try await second.own.makeAllDue(at: now) == 2)
        #expect(try await second.own.claim(ClaimRequest(limit: 1, at: now)).beacons.count == 1)
        #expect(try await first.own.removePostponed(keys, until: until) == Set(keys))
        let again = try await first.own.postpone(2, until: until).map(\.beacon.key)
        #expect(again.count == 1)
        #expect(try await first.own.removePostponed(again, until: until).isEmpty)
        #expect(try await second.own.entries().count == 1)
        for files in [first, second] { await files.close() }
    }

    private static func files(_ folder: TemporaryFolder) -> LocalLedgers {
        LocalLedgers(folder: folder.path, limits: LedgerLimits())
    }

    @Test("a beacon is found where it is, and what only the server may have needs the server")
    func foundAnywhere() async throws {
        try await ServerTest.with { test in
            let ledger = try test.host()
            let beacons = ["a", "b", "c"].map { ServerTest.own($0) }
            _ = try await ledger.record([beacons[0]], at: ServerTest.now)
            test.proxy.set(.closed)
            _ = try await ledger.record([beacons[1]], at: ServerTest.now)
            #expect(try await ledger.entries(of: [beacons[1].key]).map(\.beacon.key) == [beacons[1].key])
            await #expect(throws: LedgerError.self) { try await ledger.entries(of: Set(beacons.map(\.key))) }
            test.proxy.set(.open)
            try await ServerTest.wait {
                _ = try await ledger.record([], at: ServerTest.now)
                return ledger.keptReason == nil
            }
            let found = try await ledger.entries(of: Set(beacons.map(\.key))).map(\.beacon.key)
            #expect(Set(found) == Set(beacons.prefix(2).map(\.key)))
            await ledger.close()
        }
    }

    @Test("one process at a time carries over, and the others do it when it has ended")
    func locked() async throws {
        try await ServerTest.with { test in
            let ledger = try test.host()
            test.proxy.set(.closed)
            _ = try await ledger.record([ServerTest.own("a")], at: ServerTest.now)
            let files = LocalLedgers(folder: "\(test.folder.path)/host", limits: LedgerLimits())
            let lock = try #require(try FolderLock(of: files))
            #expect(try FolderLock(of: files) == nil)
            // Which of the files has a beacon is not certain now, so that none is sent.
            #expect(try await ledger.claim(ClaimRequest(limit: 9, at: ServerTest.now)).beacons.isEmpty)
            test.proxy.set(.open)
            try await ServerTest.wait {
                _ = try await ledger.record([], at: ServerTest.now)
                return ledger.keptReason?.contains("another process") ?? false
            }
            #expect(try test.number("SELECT count(*) FROM yabbi.beacon") == 0)
            lock.end()
            try await ServerTest.wait {
                _ = try await ledger.record([], at: ServerTest.now)
                return ledger.keptReason == nil
            }
            #expect(try test.number("SELECT count(*) FROM yabbi.beacon") == 1)
            await files.close()
            await ledger.close()
        }
    }

    @Test("a carry-over that this host's own files prevent is reported once, and is tried again after a pause")
    func prevented() async throws {
        try await ServerTest.with { test in
            let ledger = try test.host()
            test.proxy.set(.closed)
            _ = try await ledger.record([ServerTest.own("a")], at: ServerTest.now)
            // A folder in place of the lock's file.
            mkdir("\(test.folder.path)/host/carry.lock", 0o755)
            test.proxy.set(.open)
            var issues: [String] = []
            try await ServerTest.wait {
                issues += try await ledger.record([], at: ServerTest.now).issues.map(\.code)
                return ledger.keptReason?.contains("carry.lock can't be written") ?? false
            }
            test.proxy.set(.closed)
            for name in ["b", "c", "d"] {
                issues += try await ledger.record([ServerTest.own(name)], at: ServerTest.now).issues.map(\.code)
            }
            #expect(issues.filter { $0 == "ledger.notCarriedOver" }.count == 1)
            await ledger.close()
        }
    }
}
