import AdCore
import LedgerSupport
import LibC
import PostgresClient
import PostgresSupport
import TestSupport
import Testing

@testable import PostgresLedger
@testable import SQLiteLedger

@Suite("While the server is away", .disabled(if: isServerMissing, missingServer))
struct AwayTests {
    @Test("beacons are recorded and delivered from files, and carried over with their outcomes")
    func carriedOver() async throws {
        try await ServerTest.with { test in
            let ledger = try test.host()
            test.proxy.set(.closed)
            let result = try await ledger.record(["a", "b", "c"].map { ServerTest.own($0) }, at: ServerTest.now)
            #expect(result.new.count == 3)
            #expect(result.issues.map(\.code) == ["ledger.away"])
            #expect(result.issues.first?.message.contains("can't be reached") ?? false)
            // The issue is reported once.
            #expect(try await ledger.record([ServerTest.own("a")], at: ServerTest.now) == RecordResult(new: []))
            let claim = try await ledger.claim(ClaimRequest(limit: 2, each: 2, at: ServerTest.now))
            #expect(claim.beacons.count == 2)
            try await ledger.settle(claim.beacons[0], as: .delivered, at: ServerTest.now)
            test.proxy.set(.open)
            // The third one is carried over while the second is being sent; that one follows when it is settled.
            try await ServerTest.wait { try await self.kept(ledger, test) == 2 }
            try await ledger.settle(claim.beacons[1], as: .dead(reason: "410"), at: ServerTest.now)
            try await ServerTest.wait { try await self.kept(ledger, test) == 3 }
            let states = try await ledger.states()
            #expect(states["a/-/view/0/0"] == .delivered)
            #expect(states["b/-/view/0/0"] == .dead(reason: "410"))
            #expect(states["c/-/view/0/0"]?.name == "recorded")
            let last = try await ledger.claim(ClaimRequest(limit: 9, at: ServerTest.now))
            #expect(last.beacons.map(\.attempt) == [1])
            await ledger.close()
            for name in ["away", "held"] {
                let file = SQLiteLedger(file: "\(test.folder.path)/host/\(name).sqlite")
                #expect(try await file.entries().isEmpty)
                await file.close()
            }
        }
    }

    @Test("a row of a file that can't be read is dead on the server, too, and is not sent with other values")
    func unreadable() async throws {
        try await ServerTest.with { test in
            let ledger = try test.host()
            test.proxy.set(.closed)
            _ = try await ledger.record(["a", "b"].map { ServerTest.own($0) }, at: ServerTest.now)
            let file = try Connection("\(test.folder.path)/host/away.sqlite", lockTimeout: .seconds(5))
            try file.run("UPDATE beacon SET headers = x'05' WHERE key LIKE 'a/%'")
            test.proxy.set(.open)
            try await ServerTest.wait { try await self.kept(ledger, test) == 2 }
            let state = try await ledger.states()["a/-/view/0/0"]
            #expect(state == .dead(reason: "its row in the ledger can't be read (headers)"))
            #expect(try await ledger.claim(ClaimRequest(limit: 9, at: ServerTest.now)).keys == ["b/-/view/0/0"])
            await ledger.close()
        }
    }

    /// Records something, which finds out whether the server is back, and returns how many others the server has.
    private func kept(_ ledger: PostgresLedger, _ test: ServerTest) async throws -> Int64 {
        _ = try await ledger.nextDue()
        _ = try await ledger.record([], at: ServerTest.now)
        // Before the first connection there are no tables.
        return (try? test.number("SELECT count(*) FROM yabbi.beacon")) ?? 0
    }

    @Test("a provider's own key waits for the server: another host may have it")
    func sharedKey() async throws {
        try await ServerTest.with { test in
            let (first, second) = (try test.host("first"), try test.direct())
            _ = try await first.open()
            test.proxy.set(.closed)
            #expect(try await first.record([ServerTest.beacon("shared")], at: ServerTest.now).new.count == 1)
            #expect(try await first.claim(ClaimRequest(limit: 9, at: ServerTest.now)).beacons.isEmpty)
            _ = try await second.record([ServerTest.beacon("shared")], at: ServerTest.now)
            let claim = try await second.claim(ClaimRequest(limit: 9, at: ServerTest.now))
            try await second.settle(try #require(claim.beacons.first), as: .delivered, at: ServerTest.now)
            test.proxy.set(.open)
            try await ServerTest.wait {
                let (kept, hasHeld) = (try await self.kept(first, test), try await self.hasHeld(test))
                return kept == 1 && !hasHeld
            }
            #expect(try await first.claim(ClaimRequest(limit: 9, at: ServerTest.now)).beacons.isEmpty)
            #expect(try await first.states() == ["shared": .delivered])
            await first.close()
            await second.close()
        }
    }

    private func hasHeld(_ test: ServerTest) async throws -> Bool {
        let file = SQLiteLedger(file: "\(test.folder.path)/first/held.sqlite")
        let isEmpty = try await file.entries().isEmpty
        await file.close()
        return !isEmpty
    }

    @Test("an outcome that the server could not be told is kept until it is back, before its lease counts")
    func outcome() async throws {
        try await ServerTest.with { test in
            let (ledger, other) = (try test.host(), try test.direct())
            _ = try await ledger.record(["a", "b", "c"].map { ServerTest.own($0) }, at: ServerTest.now)
            let claim = try await ledger.claim(ClaimRequest(limit: 3, each: 3, at: ServerTest.now))
            test.proxy.set(.closed)
            let retry = DeliveryOutcome.retry(at: ServerTest.now + .seconds(3_600), reason: "503")
            for (claimed, outcome) in zip(claim.beacons, [.delivered, .dead(reason: "410"), retry]) {
                try await ledger.settle(claimed, as: outcome, at: ServerTest.now)
            }
            // Meanwhile the host's own beacons are delivered.
            _ = try await ledger.record([ServerTest.own("d")], at: ServerTest.now)
            #expect(try await ledger.claim(ClaimRequest(limit: 9, at: ServerTest.now)).keys == ["d/-/view/0/0"])
            // Another host finds the leases over, and gives the beacons up as interrupted.
            try test.age(by: .seconds(61))
            let interrupted = try await other.claim(ClaimRequest(limit: 3, each: 3, at: ServerTest.now))
            for one in interrupted.beacons {
                let outcome = DeliveryOutcome.unconfirmed(reason: ClaimedBeacon.leaseExpiredReason)
                try await other.settle(one, as: outcome, at: ServerTest.now)
            }
            #expect(try await other.summary().unconfirmed == 3)
            test.proxy.set(.open)
            try await ServerTest.wait {
                _ = try await ledger.record([], at: ServerTest.now)
                return try await other.summary().unconfirmed == 0
            }
            let states = try await other.states()
            #expect(states["a/-/view/0/0"] == .delivered && states["b/-/view/0/0"] == .dead(reason: "410"))
            #expect(states["c/-/view/0/0"]?.name == "recorded")
            await ledger.close()
            await other.close()
        }
    }

    @Test("a key is in one of the files only, and is known after it was carried over")
    func onceEverywhere() async throws {
        try await ServerTest.with { test in
            let local = LocalLedgers(folder: "\(test.folder.path)/files", limits: LedgerLimits())
            let (a, b) = (ServerTest.own("a"), ServerTest.own("b"))
            func record(_ beacons: [Beacon], isUncertain: Bool) async throws -> [BeaconKey] {
                try await local.record(beacons, isUncertain: isUncertain, at: ServerTest.now).new
            }
            #expect(try await record([a], isUncertain: true) == [a.key])
            #expect(try await record([a, b], isUncertain: false) == [b.key])
            #expect(try await local.own.entries().map(\.beacon.key) == [b.key])
            // The server may have it now: it is not sent from here any more.
            _ = try await record([b], isUncertain: true)
            #expect(try await local.own.entries().isEmpty)
            #expect(try await local.held.entries().map(\.beacon.key) == [a.key, b.key])
            await local.close()

            let ledger = try test.host()
            test.proxy.set(.closed)
            _ = try await ledger.record([ServerTest.own("c")], at: ServerTest.now)
            test.proxy.set(.open)
            try await ServerTest.wait { try await self.kept(ledger, test) == 1 && ledger.keptReason == nil }
            test.proxy.set(.closed)
            #expect(try await ledger.record([ServerTest.own("c")], at: ServerTest.now).new.isEmpty)
            await ledger.close()
        }
    }

    @Test("a full disk of the server is as if it were away")
    func fullDisk() async throws {
        try await ServerTest.with { test in
            let ledger = try test.host()
            _ = try await ledger.open()
            try test.raw().runScript(
                """
                CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
                CREATE TRIGGER full_disk BEFORE INSERT ON yabbi.beacon EXECUTE FUNCTION full_disk();
                """
            )
            let result = try await ledger.record([ServerTest.own("a")], at: ServerTest.now)
            #expect(result.new.count == 1)
            let text = result.issues.first?.message ?? ""
            #expect(text.contains("can't write, because its disk is full"), "\(text)")
            for _ in 0..<20 {
                #expect(try await ledger.record([ServerTest.own("a")], at: ServerTest.now).issues.isEmpty)
            }
            try test.raw().runScript("DROP TRIGGER full_disk ON yabbi.beacon")
            try await ServerTest.wait { try await self.kept(ledger, test) == 1 }
            await ledger.close()
        }
    }

    @Test("a key that this host has recorded on the server is not recorded again in its files")
    func known() async throws {
        try await ServerTest.with { test in
            let ledger = try test.host()
            _ = try await ledger.record([ServerTest.own("a")], at: ServerTest.now)
            test.proxy.set(.closed)
            let result = try await ledger.record([ServerTest.own("a"), ServerTest.own("b")], at: ServerTest.now)
            #expect(result.new.map(\.text) == ["b/-/view/0/0"])
            await ledger.close()
        }
    }

    @Test("what a process that has ended left in the files is carried over by the next one, in doubt if it was sent")
    func nextProcess() async throws {
        try await ServerTest.with { test in
            let ended = try test.host()
            test.proxy.set(.closed)
            _ = try await ended.record(["a", "b"].map { ServerTest.own($0) }, at: ServerTest.now)
            #expect(try await ended.claim(ClaimRequest(limit: 1, at: ServerTest.now)).beacons.count == 1)
            await ended.close()
            test.proxy.set(.open)
            let next = try test.host()
            _ = try await next.record([], at: ServerTest.now)
            try await ServerTest.wait { try await self.kept(next, test) == 2 }
            let states = try await next.states()
            // Whether the first one has arrived is unknown: it is not sent again.
            let reason = ClaimedBeacon.leaseExpiredReason + "; it is not sent again"
            #expect(states["a/-/view/0/0"] == .unconfirmed(reason: reason))
            #expect(states["b/-/view/0/0"]?.name == "recorded")
            await next.close()
        }
    }

    @Test("a process that is killed while it carries beacons over puts none in doubt, and sends none twice")
    func killedCarryOver() async throws {
        try await ServerTest.with { test in
            let names = ["a", "b", "c"]
            let local = LocalLedgers(folder: "\(test.folder.path)/host", limits: LedgerLimits())
            _ = try await local.record(names.map { ServerTest.own($0) }, isUncertain: false, at: ServerTest.now)
            // As it is after each step: postponed, also held, held only.
            let postponed = try await local.own.postpone(3, until: ServerTest.now + .seconds(18_000))
            #expect(postponed.count == 3)
            _ = try await local.held.record(postponed.dropFirst().map(\.beacon), at: ServerTest.now)
            try await local.own.remove([postponed[2].beacon.key])
            await local.close()

            let next = try test.host()
            test.proxy.set(.closed)
            _ = try await next.record([ServerTest.own("d")], at: ServerTest.now)
            // Without the server only the new one is sent: the server may have the others.
            let claim = try await next.claim(ClaimRequest(limit: 9, each: 9, at: ServerTest.now))
            #expect(claim.keys == ["d/-/view/0/0"])
            try await next.settle(try #require(claim.beacons.first), as: .delivered, at: ServerTest.now)
            test.proxy.set(.open)
            try await ServerTest.wait { try await self.kept(next, test) == 4 && next.keptReason == nil }
            let states = try await next.states().mapValues(\.name)
            #expect(states.values.sorted() == ["delivered", "recorded", "recorded", "recorded"])
            #expect(try await next.entries().allSatisfy { !$0.wasInterrupted })
            await next.close()
        }
    }

    @Test("a server that restarts loses nothing, and operations meanwhile succeed")
    func restart() async throws {
        let server = try #require(PostgresServer("fsync = on"))
        defer { server.remove() }
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let ledger = try PostgresLedger(
            server.tcpURL(try server.newDatabase()),
            folder: folder.path,
            access: .createAndMigrate
        )
        _ = try await ledger.open()
        let restart = Task.detached {
            for _ in 0..<2 {
                server.stop()
                server.start()
            }
        }
        var count = 0
        let names = (0..<200).map { "r\($0)" }
        for name in names {
            count += try await ledger.record([ServerTest.own(name)], at: ServerTest.now).new.count
            usleep(5_000)
        }
        await restart.value
        #expect(count == names.count)
        try await ServerTest.wait {
            _ = try await ledger.record([], at: ServerTest.now)
            return await (try? ledger.summary().total) == names.count
        }
        await ledger.close()
    }

    @Test("without a folder an operation fails while the server is away, and says why")
    func withoutFolder() async throws {
        let ledger = try PostgresLedger(
            "postgres://nobody:secret@127.0.0.1:1/none",
            folder: nil,
            access: .existing
        )
        let error = await #expect(throws: LedgerError.self) { _ = try await ledger.summary() }
        let text = error?.message ?? ""
        #expect(text.contains("postgres://nobody@127.0.0.1:1/none can't be reached"), "\(text)")
        #expect(!text.contains("secret"))
        await ledger.close()
    }
}
