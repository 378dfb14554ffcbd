import AdCore
import Testing

@testable import SQLiteLedger

@Suite("A ledger's contract")
struct ContractTests {
    private static let lease = "it was being sent, and its outcome was not recorded"

    @Test("a key is taken once, and the keys that were new are told in their order")
    func once() async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            let first = try await ledger.record(Bench.beacons(["a", "b", "a"]), at: Bench.at(0))
            #expect(first.new.map(\.text) == ["a", "b"])
            let second = try await ledger.record(Bench.beacons(["b", "c"], to: "other.example"), at: Bench.at(1))
            #expect(second.new.map(\.text) == ["c"])
            let entries = try await ledger.entries()
            #expect(entries.map(\.beacon.key.text) == ["a", "b", "c"])
            #expect(entries.map(\.beacon.call.address.url?.http.host) == ["t.example", "t.example", "other.example"])
            #expect(entries.map(\.recorded) == [Bench.at(0), Bench.at(0), Bench.at(1)])
            #expect(entries.allSatisfy { $0.attempts == 0 })
            #expect(first.issues.isEmpty && second.issues.isEmpty)
        }
    }

    @Test("a key that is known already leaves no trace of another address")
    func secondAddress() async throws {
        try await Bench.with { bench in
            _ = try await bench.ledger.record([Bench.beacon("a")], at: Bench.at(0))
            _ = try await bench.ledger.claim(ClaimRequest(limit: 1, at: Bench.at(0)))
            _ = try await bench.ledger.record([Bench.beacon("a", to: "other.example")], at: Bench.at(1))
            #expect(try await bench.ledger.nextDue() == Bench.at(60))
            #expect(try bench.raw().number("SELECT count(*) FROM queue") == 1)
        }
    }

    @Test("what is claimed is in flight, counts its attempts, and is not handed out twice")
    func claimed() async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            _ = try await ledger.record([Bench.beacon("a")], at: Bench.at(0))
            let claim = try await ledger.claim(ClaimRequest(limit: 8, at: Bench.at(5), lease: .seconds(30)))
            #expect(claim.keys == ["a"])
            #expect(claim.beacons.map(\.attempt) == [1])
            #expect(claim.beacons.map(\.recorded) == [Bench.at(0)])
            #expect(claim.beacons.map(\.isInDoubt) == [false])
            #expect(claim.next == Bench.at(35))
            #expect(try await ledger.states() == ["a": .inFlight(until: Bench.at(35))])
            let again = try await ledger.claim(ClaimRequest(limit: 8, at: Bench.at(6)))
            #expect(again.beacons.isEmpty)
            #expect(again.next == Bench.at(35))
        }
    }

    @Test(
        "what can't be sent to anybody is dead from the start, listed with its reason, and in nobody's way",
        arguments: [
            "javascript:alert(1)", "ftp://t.example/v", "/v?id=1", "https://user:secret@t.example/",
            "http://t.example/" + String(repeating: "v", count: 1 << 20), "http://[::1/", "\u{0}", "\u{202E}http//",
        ]
    )
    func uncallable(text: String) async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            let address = BeaconAddress(text)
            let dead = Bench.beacon("dead", address: address)
            #expect(try await ledger.record([dead, Bench.beacon("a"), dead], at: Bench.at(0)).new.count == 2)
            let claim = try await ledger.claim(ClaimRequest(limit: 8, at: Bench.at(0)))
            #expect(claim.keys == ["a"])
            try await ledger.settle(claim.beacons[0], as: .delivered, at: Bench.at(0))
            #expect(try await ledger.nextDue() == nil)
            let entry = try #require(try await ledger.entries().first)
            #expect(entry.beacon == dead)
            #expect(entry.state == .dead(reason: try #require(address.fault)))
            #expect(entry.attempts == 0 && entry.beacon.call.address.text.utf8.count < 2_100)
            #expect(try await ledger.summary().dead == 1)
            #expect(try await ledger.forget([.dead]) == 1)
        }
    }

    @Test("what waits in doubt and is not sent again is counted as unconfirmed before that is written down")
    func standing() async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            _ = try await ledger.record(Bench.beacons(["a", "b"]), at: Bench.at(0))
            _ = try await ledger.claim(ClaimRequest(limit: 1, at: Bench.at(0)))
            await ledger.close()
            let next = bench.another()
            _ = try await next.open()
            let summary = try await next.summary()
            #expect(summary.unconfirmed == 1 && summary.waiting == 1 && summary.total == 2)
            #expect(try await next.entries().map(\.standing.name) == ["unconfirmed", "recorded"])
            await next.close()
        }
    }

    @Test("what a failing disk kept is taken out again, unless somebody had it in hand")
    func buried() async throws {
        try await Bench.with { bench in
            _ = try await bench.ledger.record(Bench.beacons(["a", "b", "c"]), at: Bench.at(0))
            _ = try await bench.ledger.claim(ClaimRequest(limit: 1, at: Bench.at(0)))
            await bench.ledger.close()
            let store = try Store(Connection(bench.file, patience: .seconds(5)), limits: .init())
            try store.transaction { () throws(Fault) in
                try store.bury(Bench.beacons(["a", "b", "unknown"]).map(\.key))
            }
            let ledger = bench.another()
            #expect(try await ledger.entries().map(\.beacon.key.text) == ["a", "c"])
            #expect(try await ledger.summary().total == 2)
            await ledger.close()
        }
    }

    @Test("a row with the highest number there is leaves no room for another, which is said")
    func numbers() async throws {
        try await Bench.with { bench in
            _ = try await bench.ledger.record([Bench.beacon("a")], at: Bench.at(0))
            await bench.ledger.close()
            try bench.raw().run("UPDATE beacon SET id = \(Int64.max - 1)")
            let ledger = bench.another()
            #expect(try await ledger.record([Bench.beacon("b")], at: Bench.at(0)).new.count == 1)
            let error = await #expect(throws: LedgerError.self) {
                _ = try await ledger.record([Bench.beacon("c")], at: Bench.at(0))
            }
            #expect(error?.message.contains("no number left") ?? false)
            #expect(try await ledger.entries().map(\.number) == [.max - 1, .max])
            await ledger.close()
        }
    }

    @Test("a row with a number below all others is listed too")
    func negative() async throws {
        try await Bench.with { bench in
            _ = try await bench.ledger.record([Bench.beacon("a")], at: Bench.at(0))
            await bench.ledger.close()
            try bench.raw().run("UPDATE beacon SET id = -5")
            let ledger = bench.another()
            #expect(try await ledger.entries().map(\.number) == [-5])
            await ledger.close()
        }
    }

    @Test("what is only judged was not sent once more")
    func judged() async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            _ = try await ledger.record([Bench.beacon("a")], at: Bench.at(0))
            _ = try await ledger.claim(ClaimRequest(limit: 1, at: Bench.at(0)))
            let again = try #require(try await ledger.claim(ClaimRequest(limit: 1, at: Bench.at(90))).beacons.first)
            #expect(again.isOnlyJudged && again.attempt == 2)
            try await ledger.settle(again, as: .unconfirmed(reason: "?"), at: Bench.at(90))
            #expect(try await ledger.entries().map(\.attempts) == [1])
        }
    }

    @Test(
        "an attempt's outcome is written down",
        arguments: [
            (DeliveryOutcome.delivered, LedgerEntry.State.delivered),
            (.unconfirmed(reason: "no answer"), .unconfirmed(reason: "no answer")),
            (.dead(reason: "status 410"), .dead(reason: "status 410")),
            (.retry(at: Bench.at(90), reason: "503"), .recorded(nextTry: Bench.at(90), reason: "503")),
        ]
    )
    func settled(_ outcome: DeliveryOutcome, _ state: LedgerEntry.State) async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            _ = try await ledger.record([Bench.beacon("a")], at: Bench.at(0))
            let claim = try await ledger.claim(ClaimRequest(limit: 8, at: Bench.at(0)))
            let beacon = try #require(claim.beacons.first)
            try await ledger.settle(beacon, as: outcome, at: Bench.at(1))
            #expect(try await ledger.states() == ["a": state])
            #expect(try await ledger.entries().map(\.attempts) == [1])
            let isWaiting = if case .retry = outcome { true } else { false }
            #expect(try await ledger.nextDue() == (isWaiting ? Bench.at(90) : nil))
            #expect(try await ledger.claim(ClaimRequest(limit: 8, at: Bench.at(89))).beacons.isEmpty)
            #expect(try await ledger.claim(ClaimRequest(limit: 8, at: Bench.at(90))).keys == (isWaiting ? ["a"] : []))
        }
    }

    @Test("a claim that is not settled within its lease is handed out again in doubt")
    func leaseOver() async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            _ = try await ledger.record([Bench.beacon("a")], at: Bench.at(0))
            _ = try await ledger.claim(ClaimRequest(limit: 1, at: Bench.at(0), lease: .seconds(30)))
            #expect(try await ledger.claim(ClaimRequest(limit: 1, at: Bench.at(29))).beacons.isEmpty)
            #expect(try await ledger.claim(ClaimRequest(limit: 0, at: Bench.at(30))) == BeaconClaim([], next: nil))
            #expect(try await ledger.states() == ["a": .recorded(nextTry: Bench.at(30), reason: Self.lease)])
            let second = try #require(try await ledger.claim(ClaimRequest(limit: 1, at: Bench.at(31))).beacons.first)
            #expect(second.isInDoubt)
            #expect(second.attempt == 2)
            try await ledger.settle(second, as: .retry(at: Bench.at(40), reason: "503"), at: Bench.at(32))
            let third = try #require(try await ledger.claim(ClaimRequest(limit: 1, at: Bench.at(40))).beacons.first)
            #expect(!third.isInDoubt)
            #expect(third.attempt == 3)
        }
    }

    @Test("who comes too late changes nothing, unless it was delivered")
    func late() async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            _ = try await ledger.record([Bench.beacon("a")], at: Bench.at(0))
            let first = try #require(
                try await ledger.claim(ClaimRequest(limit: 1, at: Bench.at(0), lease: .seconds(1))).beacons.first
            )
            let second = try #require(try await ledger.claim(ClaimRequest(limit: 1, at: Bench.at(5))).beacons.first)
            for outcome in [
                DeliveryOutcome.dead(reason: "x"), .unconfirmed(reason: "x"), .retry(at: Bench.at(9), reason: "x"),
            ] {
                try await ledger.settle(first, as: outcome, at: Bench.at(6))
                #expect(try await ledger.states() == ["a": .inFlight(until: Bench.at(65))])
            }
            try await ledger.settle(first, as: .delivered, at: Bench.at(6))
            #expect(try await ledger.states() == ["a": .delivered])
            try await ledger.settle(second, as: .dead(reason: "x"), at: Bench.at(7))
            #expect(try await ledger.states() == ["a": .delivered])
            #expect(try await ledger.nextDue() == nil)
        }
    }

    @Test("what arrived has arrived, whatever was thought of it meanwhile")
    func lateDelivery() async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            _ = try await ledger.record(Bench.beacons(["a", "b", "c"]), at: Bench.at(0))
            let claim = try await ledger.claim(ClaimRequest(limit: 3, each: 3, at: Bench.at(0), lease: .seconds(1)))
            #expect(claim.keys == ["a", "b", "c"])
            try await ledger.settle(claim.beacons[0], as: .dead(reason: "x"), at: Bench.at(0))
            try await ledger.settle(claim.beacons[1], as: .unconfirmed(reason: "x"), at: Bench.at(0))
            _ = try await ledger.claim(ClaimRequest(limit: 0, at: Bench.at(5)))
            for beacon in claim.beacons { try await ledger.settle(beacon, as: .delivered, at: Bench.at(6)) }
            #expect(try await ledger.states() == ["a": .delivered, "b": .delivered, "c": .delivered])
            #expect(try await ledger.nextDue() == nil)
            #expect(try await ledger.claim(ClaimRequest(limit: 3, at: Bench.at(99))).beacons.isEmpty)
            // A beacon that nobody knows any more is no error.
            try await ledger.settle(
                ClaimedBeacon(Bench.beacon("z"), attempt: 1, recorded: Bench.at(0)),
                as: .delivered,
                at: Bench.at(6)
            )
        }
    }

    @Test("origins are served in turn, one of each before the second of any")
    func fairness() async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            _ = try await ledger.record(Bench.beacons(["a1", "a2", "a3", "a4"], to: "a.example"), at: Bench.at(0))
            _ = try await ledger.record(Bench.beacons(["b1", "b2"], to: "b.example"), at: Bench.at(1))
            _ = try await ledger.record(Bench.beacons(["c1"], to: "c.example"), at: Bench.at(2))
            let now = Bench.at(3)
            #expect(try await ledger.claim(ClaimRequest(limit: 2, each: 2, at: now)).keys == ["a1", "b1"])
            #expect(try await ledger.claim(ClaimRequest(limit: 2, each: 2, at: now)).keys == ["c1", "a2"])
            #expect(try await ledger.claim(ClaimRequest(limit: 9, each: 9, at: now)).keys == ["b2", "a3", "a4"])
        }
    }

    @Test("a hundred thousand beacons for one origin do not keep another one waiting")
    func noStarvation() async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            for part in 0..<20 {
                let names = (0..<1_000).map { "big\(part)-\($0)" }
                _ = try await ledger.record(Bench.beacons(names, to: "big.example"), at: Bench.at(0))
            }
            _ = try await ledger.record([Bench.beacon("small", to: "small.example")], at: Bench.at(1))
            let first = try await ledger.claim(ClaimRequest(limit: 1, at: Bench.at(2))).keys
            let second = try await ledger.claim(ClaimRequest(limit: 1, at: Bench.at(2))).keys
            #expect(first == ["big0-0"])
            #expect(second == ["small"])
        }
    }

    @Test("beacons of one origin come in the order in which they are due")
    func order() async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            _ = try await ledger.record(Bench.beacons(["a", "b"]), at: Bench.at(0))
            let claim = try await ledger.claim(ClaimRequest(limit: 2, each: 2, at: Bench.at(0)))
            try await ledger.settle(claim.beacons[0], as: .retry(at: Bench.at(20), reason: "x"), at: Bench.at(1))
            try await ledger.settle(claim.beacons[1], as: .retry(at: Bench.at(10), reason: "x"), at: Bench.at(1))
            _ = try await ledger.record([Bench.beacon("c")], at: Bench.at(15))
            #expect(try await ledger.claim(ClaimRequest(limit: 9, each: 9, at: Bench.at(20))).keys == ["b", "c", "a"])
        }
    }

    @Test("an origin gets as many as there is room for, and one without room gets none")
    func room() async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            for host in ["a", "b", "c"] {
                _ = try await ledger.record(
                    Bench.beacons(["\(host)1", "\(host)2", "\(host)3"], to: "\(host).example"),
                    at: Bench.at(0)
                )
            }
            let room = ["https://a.example:443": 0, "https://b.example:443": 2]
            let claim = try await ledger.claim(ClaimRequest(limit: 9, room: room, at: Bench.at(1), lease: .seconds(50)))
            #expect(claim.keys == ["b1", "c1", "b2"])
            // b, c: no room left; a: none given. Only a lease is worth waiting for.
            #expect(claim.next == Bench.at(51))
            let only = ClaimRequest(limit: 9, each: 0, room: ["https://c.example:443": 1], at: Bench.at(1))
            #expect(try await ledger.claim(only).keys == ["c2"])
            let nobody = try await ledger.claim(ClaimRequest(limit: 9, each: 0, at: Bench.at(1)))
            #expect(nobody.beacons.isEmpty)
            #expect(nobody.next == Bench.at(51))
        }
    }

    @Test("a claim tells when it is worth asking again")
    func next() async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            #expect(try await ledger.claim(ClaimRequest(limit: 1, at: Bench.at(0))) == BeaconClaim([], next: nil))
            _ = try await ledger.record(Bench.beacons(["a", "b"]), at: Bench.at(0))
            let claim = try await ledger.claim(ClaimRequest(limit: 9, at: Bench.at(1), lease: .seconds(100)))
            #expect(claim.keys == ["a"])
            #expect(claim.next == Bench.at(101))
            // With room left the next one is due since it was recorded.
            let idle = try await ledger.claim(ClaimRequest(limit: 9, at: Bench.at(-10)))
            #expect(idle.beacons.isEmpty)
            #expect(idle.next == Bench.at(0))
            // The limit was reached: whoever asks again knows when.
            #expect(try await ledger.claim(ClaimRequest(limit: 1, at: Bench.at(2))).next == nil)
        }
    }

    @Test("what waits can be made due at once, and it is told how much that is")
    func hasten() async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            _ = try await ledger.record(Bench.beacons(["a", "b", "c"]), at: Bench.at(0))
            let claim = try await ledger.claim(ClaimRequest(limit: 2, each: 2, at: Bench.at(0)))
            try await ledger.settle(claim.beacons[0], as: .retry(at: Bench.at(500), reason: "503"), at: Bench.at(1))
            #expect(try await ledger.hasten(at: Bench.at(2)) == 2)
            let states = try await ledger.states()
            #expect(states["a"] == .recorded(nextTry: Bench.at(2), reason: "503"))
            #expect(states["b"] == .inFlight(until: Bench.at(60)))
            #expect(states["c"] == .recorded(nextTry: Bench.at(0), reason: nil))
            #expect(try await ledger.nextDue() == Bench.at(0))
            #expect(try await ledger.claim(ClaimRequest(limit: 9, each: 9, at: Bench.at(2))).keys == ["c", "a"])
        }
    }

    @Test("entries come in pages, oldest first, and numbers only grow")
    func paging() async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            _ = try await ledger.record(Bench.beacons((0..<25).map { "n\($0)" }), at: Bench.at(0))
            let first = try await ledger.entries(after: 0, limit: 10)
            let second = try await ledger.entries(after: first.last?.number ?? 0, limit: 100)
            #expect((first + second).map(\.beacon.key.text) == (0..<25).map { "n\($0)" })
            #expect(first.count == 10)
            #expect(try await ledger.entries(after: 0, limit: 0).isEmpty)
            #expect(try await ledger.entries(after: 0, limit: -1).isEmpty)
            #expect(try await ledger.entries(after: .max, limit: 5).isEmpty)
            let last = second.last?.number ?? 0

            let claim = try await ledger.claim(ClaimRequest(limit: 99, each: 99, at: Bench.at(0)))
            for beacon in claim.beacons { try await ledger.settle(beacon, as: .delivered, at: Bench.at(0)) }
            #expect(try await ledger.forget([.delivered]) == 25)
            _ = try await ledger.record([Bench.beacon("n3")], at: Bench.at(9))
            #expect(try await ledger.entries().map(\.number) == [last + 1])
        }
    }

    @Test("when something happens next is when a beacon is due, or a lease is over")
    func nextDue() async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            #expect(try await ledger.nextDue() == nil)
            _ = try await ledger.record([Bench.beacon("a", isBilling: true)], at: Bench.at(7))
            #expect(try await ledger.nextDue() == Bench.at(7))
            let claim = try await ledger.claim(ClaimRequest(limit: 1, at: Bench.at(8)))
            #expect(try await ledger.nextDue() == Bench.at(68))
            try await ledger.settle(claim.beacons[0], as: .retry(at: Bench.at(50), reason: ""), at: Bench.at(9))
            #expect(try await ledger.nextDue() == Bench.at(50))
        }
    }
}
