import AdCore
import LedgerSupport
import PostgresClient
import PostgresSupport
import TestSupport
import Testing

@testable import PostgresLedger

@Suite("Several hosts over one server", .disabled(if: isServerMissing, missingServer))
struct HostsTests {
    @Test("hosts whose clocks differ by hours share leases and due times, and each has its own times")
    func clocks() async throws {
        try await ServerTest.with { test in
            let (here, ahead) = (try test.direct(), try test.direct())
            func late() -> WallTime { ServerTest.now + .seconds(5 * 3_600) }
            let recorded = ServerTest.now
            _ = try await here.record(ServerTest.beacons(["a", "b"]), at: recorded)
            let first = try await here.claim(ClaimRequest(limit: 1, at: ServerTest.now))
            let second = try await ahead.claim(ClaimRequest(limit: 9, each: 9, at: late()))
            #expect(first.keys == ["a"] && second.keys == ["b"])
            // A minute of lease is left, by each calendar; the deadline of the delivery counts from then, too.
            let next = try #require(second.next)
            #expect(next > late() + .seconds(30) && next < late() + .seconds(61))
            let difference = (late() - second.beacons[0].recorded)
            #expect(difference < .seconds(30), "\(difference)")
            let retry = DeliveryOutcome.retry(at: late() + .seconds(10), reason: "503")
            try await ahead.settle(second.beacons[0], as: retry, at: late())
            #expect(try await here.claim(ClaimRequest(limit: 9, at: ServerTest.now)).beacons.isEmpty)
            try test.age(by: .seconds(11))
            #expect(try await here.claim(ClaimRequest(limit: 9, at: ServerTest.now)).keys == ["b"])
            // The lease of the first claim is over by the server's clock only.
            try test.age(by: .seconds(60))
            let interrupted = try await ahead.claim(ClaimRequest(limit: 9, each: 9, at: late()))
            #expect(interrupted.keys == ["a", "b"])
            #expect(interrupted.beacons.map(\.wasInterrupted) == [true, true])
            await here.close()
            await ahead.close()
        }
    }

    @Test("a claim whose time is a moment ago takes what was interrupted until now")
    func late() async throws {
        try await ServerTest.with { test in
            let ledger = try test.direct()
            _ = try await ledger.record(ServerTest.beacons(["a"]), at: ServerTest.now)
            #expect(try await ledger.claim(ClaimRequest(limit: 9, at: ServerTest.now)).keys == ["a"])
            try test.age(by: .seconds(61))
            let claim = try await ledger.claim(ClaimRequest(limit: 9, at: ServerTest.now + .seconds(-2)))
            #expect(claim.keys == ["a"] && claim.beacons.allSatisfy(\.wasInterrupted))
            await ledger.close()
        }
    }

    @Test("times that a wrong clock of the server has left are corrected")
    func wrongServerClock() async throws {
        try await ServerTest.with { test in
            let ledger = try test.direct()
            _ = try await ledger.record(ServerTest.beacons(["a", "b"]), at: ServerTest.now)
            _ = try await ledger.claim(ClaimRequest(limit: 1, at: ServerTest.now))
            try test.age(by: .seconds(-86_400))
            // The next host looks at all times.
            let next = try test.direct()
            let claim = try await next.claim(ClaimRequest(limit: 9, each: 9, at: ServerTest.now))
            #expect(Set(claim.keys) == ["a", "b"])
            #expect(claim.beacons.allSatisfy { abs((ServerTest.now - $0.recorded).wholeMilliseconds) < 30_000 })
            await ledger.close()
            await next.close()
        }
    }

    @Test("many workers claim each beacon once, and fail each other's transactions never")
    func workers() async throws {
        try await ServerTest.with { test in
            let count = LongForm.either(20_000, short: 2_000)
            let hosts = try (0..<8).map { _ in try test.direct() }
            let names = (0..<count).map { "w\($0)" }
            for start in stride(from: 0, to: count, by: 500) {
                let beacons = names[start..<(start + 500)].enumerated().map {
                    ServerTest.beacon($1, to: "h\($0 % 7).example")
                }
                _ = try await hosts[start / 500 % 8].record(beacons, at: ServerTest.now)
            }
            let keys = try await withThrowingTaskGroup(of: [String].self) { group in
                for host in hosts {
                    group.addTask {
                        var keys: [String] = []
                        while true {
                            let request = ClaimRequest(limit: 32, each: 8, at: ServerTest.now, lease: .seconds(600))
                            let claim = try await host.claim(request)
                            if claim.beacons.isEmpty, try await host.summary().pending == 0 { return keys }
                            keys += claim.keys
                            for one in claim.beacons where one.beacon.key.text.hasSuffix("7") {
                                try await host.settle(one, as: .delivered, at: ServerTest.now)
                            }
                        }
                    }
                }
                var all: [String] = []
                for try await keys in group { all += keys }
                return all
            }
            #expect(keys.count == count && Set(keys).count == count)
            let summary = try await hosts[0].summary()
            #expect(summary.delivered == count / 10 && summary.inFlight == count - count / 10)
            for host in hosts { await host.close() }
        }
    }

    @Test("recordings and outcomes that wait at the same time share a transaction")
    func groups() async throws {
        try await ServerTest.with { test in
            let ledger = try test.direct()
            _ = try await ledger.open()
            await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<500 {
                    group.addTask { _ = try await ledger.record([ServerTest.beacon("g\(number)")], at: ServerTest.now) }
                }
            }
            #expect(try await ledger.summary().total == 500)
            // All rows of a transaction have the same number of it.
            let transactions = try test.number("SELECT count(DISTINCT xmin::text) FROM yabbi.beacon")
            #expect(transactions < 100, "\(transactions) transactions")
            await ledger.close()
        }
    }

    @Test("a row that can't be read is dead, and costs no other beacon")
    func unreadable() async throws {
        try await ServerTest.with { test in
            let ledger = try test.direct()
            _ = try await ledger.record(ServerTest.beacons(["a", "b"]), at: ServerTest.now)
            try test.raw().runScript("UPDATE yabbi.beacon SET headers = '\\xff' WHERE key = 'a'")
            #expect(try await ledger.claim(ClaimRequest(limit: 9, each: 9, at: ServerTest.now)).keys == ["b"])
            let state = try await ledger.states()["a"]
            #expect(state == .dead(reason: "its row in the ledger can't be read (headers)"))
            await ledger.close()
        }
    }

    @Test("settled beacons are removed by their age, whatever the host's clock says; the others stay")
    func pruning() async throws {
        try await ServerTest.with { test in
            let ledger = try test.direct()
            _ = try await ledger.record(ServerTest.beacons(["a", "b", "c"]), at: ServerTest.now)
            let claim = try await ledger.claim(ClaimRequest(limit: 2, each: 2, at: ServerTest.now))
            try await ledger.settle(claim.beacons[0], as: .delivered, at: ServerTest.now)
            try test.age(by: .seconds(3_600))
            try await ledger.settle(claim.beacons[1], as: .delivered, at: ServerTest.now)
            // This host's clock is years behind.
            let halfAnHourAgo = ServerTest.now + .seconds(-1_800)
            #expect(try await ledger.deleteSettled([.delivered, .dead], before: halfAnHourAgo) == 1)
            #expect(try await ledger.entries().map(\.beacon.key.text) == ["b", "c"])
            #expect(try await ledger.deleteSettled([.delivered], before: nil) == 1)
            await ledger.close()
        }
    }

    @Test("a host that records nothing removes settled beacons by their age, too")
    func pruner() async throws {
        try await ServerTest.with { test in
            let ledger = try test.direct()
            _ = try await ledger.record([ServerTest.beacon("a")], at: ServerTest.now)
            let claim = try await ledger.claim(ClaimRequest(limit: 1, at: ServerTest.now))
            try await ledger.settle(claim.beacons[0], as: .delivered, at: ServerTest.now)
            try test.age(by: .seconds(3_600))
            // The server is on the same computer, so its clock is the pruner's.
            let now = WallTime(milliseconds: try test.number("SELECT (extract(epoch FROM now()) * 1000)::bigint"))
            let pruner = try test.direct(.existing)
            let counts = [
                try await pruner.deleteSettled([.delivered], before: now + .seconds(-7_200)),
                try await pruner.deleteSettled([.delivered], before: WallTime(milliseconds: .min)),
                try await pruner.deleteSettled([.delivered], before: now + .seconds(-1_800)),
            ]
            #expect(counts == [0, 0, 1])
            for ledger in [ledger, pruner] { await ledger.close() }
        }
    }
}
