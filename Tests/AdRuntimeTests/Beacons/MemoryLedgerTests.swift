import AdCore
import Testing

@testable import AdRuntime

@Suite("The ledger in memory")
struct MemoryLedgerTests {
    private func beacon(_ name: String, host: String = "a.example") -> Beacon {
        let call = BeaconCall(.get, TrackingURL(url("http://\(host)/\(name)")))
        return Beacon(BeaconKey(ad: AdID("ad"), event: BeaconEvent(name)), call, of: "test")
    }
    private let now = WallTime(milliseconds: 0)

    private func claim(
        _ ledger: MemoryLedger,
        _ limit: Int = 9,
        each: Int = 1,
        limits: [String: Int] = [:],
        at now: WallTime? = nil
    ) async throws -> BeaconClaim {
        try await ledger.claim(ClaimRequest(limit: limit, each: each, limits: limits, at: now ?? self.now))
    }

    @Test("a key is recorded once only")
    func once() async throws {
        let ledger = MemoryLedger()
        #expect(try await ledger.record([self.beacon("view"), self.beacon("view")], at: self.now).new.count == 1)
        #expect(try await ledger.record([self.beacon("view")], at: self.now).new.isEmpty)
        let claimed = try await self.claim(ledger).beacons
        try await ledger.settle(claimed[0], as: .delivered, at: self.now)
        #expect(try await ledger.record([self.beacon("view")], at: self.now).new.isEmpty)
        #expect(try await self.claim(ledger).beacons.isEmpty)
    }

    @Test("a beacon with an invalid URL is dead from the start")
    func uncallable() async throws {
        let ledger = MemoryLedger()
        let address = BeaconAddress("javascript:alert(1)")
        let dead = Beacon(BeaconKey(ad: AdID("ad"), event: "view"), BeaconCall(.get, address), of: "test")
        #expect(try await ledger.record([dead, dead], at: self.now).new == [dead.key])
        #expect(try await self.claim(ledger).beacons.isEmpty)
        #expect(try await ledger.nextDue() == nil)
        let reason = "the address can't be called: it begins with neither http:// nor https://"
        #expect(try await ledger.entries().map(\.state) == [.dead(reason: reason)])
    }

    @Test("the number of dead beacons is limited")
    func manyDead() async throws {
        let ledger = MemoryLedger(maximumSettled: 10, maximumPending: 10)
        for number in 0..<1_000 {
            let key = BeaconKey(ad: AdID("ad"), event: BeaconEvent("e\(number)"))
            let dead = Beacon(key, BeaconCall(.get, BeaconAddress("javascript:x")), of: "test")
            _ = try await ledger.record([dead], at: self.now)
        }
        #expect(try await ledger.entries().count <= 10)
    }

    @Test("the number of pending beacons is limited: the oldest are dropped, billed ones last, with an issue")
    func full() async throws {
        let ledger = MemoryLedger(maximumPending: 32)
        func billed(_ name: String) -> Beacon {
            var call = self.beacon(name).call
            call.isBilling = true
            return Beacon(BeaconKey(ad: AdID("ad"), event: BeaconEvent(name)), call, of: "test")
        }
        let claimed = try await ledger.record([self.beacon("claimed", host: "c.example")], at: self.now).new
        #expect(try await self.claim(ledger).beacons.map(\.beacon.key) == claimed)
        _ = try await ledger.record((0..<20).map { billed("money\($0)") }, at: self.now)
        let before = try await ledger.record((0..<12).map { self.beacon("b\($0)", host: "b.example") }, at: self.now)
        #expect(before.issues.isEmpty)
        let recording = try await ledger.record([billed("last")], at: self.now)
        #expect(recording.new.count == 1)
        #expect(recording.issues.map(\.code) == ["ledger.dropped"])
        let events = try await ledger.entries().map(\.beacon.key.event.rawValue)
        #expect(events == ["claimed"] + (0..<20).map { "money\($0)" } + (3..<12).map { "b\($0)" } + ["last"])
        // Only billed beacons are left in the end; the oldest are dropped.
        _ = try await ledger.record((20..<60).map { billed("money\($0)") }, at: self.now)
        let rest = try await ledger.entries().map(\.beacon.key.event.rawValue)
        #expect(rest == ["claimed"] + (30..<60).map { "money\($0)" })
        #expect(try await self.claim(ledger, 99, each: 99).beacons.count == 30)
    }

    @Test("a claim that is settled as unconfirmed does not count as an attempt")
    func unconfirmed() async throws {
        let ledger = MemoryLedger()
        _ = try await ledger.record([self.beacon("view")], at: self.now)
        _ = try await self.claim(ledger)
        let again = try #require(try await self.claim(ledger, at: self.now + .seconds(90)).beacons.first)
        try await ledger.settle(again, as: .unconfirmed(reason: "?"), at: self.now + .seconds(90))
        #expect(try await ledger.entries().map(\.attempts) == [1])
    }

    @Test("a hundred beacons of one origin do not delay another origin's")
    func fair() async throws {
        let ledger = MemoryLedger()
        for number in 0..<100 { _ = try await ledger.record([self.beacon("a\(number)")], at: self.now) }
        _ = try await ledger.record([self.beacon("b", host: "b.example")], at: self.now)
        let claimed = try await self.claim(ledger, 2, each: 2).beacons
        #expect(Set(claimed.map(\.beacon.call.address.url?.http.host)) == ["a.example", "b.example"])
    }

    @Test("one beacon of each origin is claimed before a second of any, and claimed origins come last next time")
    func turns() async throws {
        let ledger = MemoryLedger()
        for name in ["a1", "a2", "a3"] { _ = try await ledger.record([self.beacon(name)], at: self.now) }
        for name in ["b1", "b2"] {
            _ = try await ledger.record([self.beacon(name, host: "b.example")], at: self.now)
        }
        let first = try await self.claim(ledger, 3, each: 2).beacons.map(\.beacon.key.event)
        #expect(first == ["a1", "b1", "a2"])
        #expect(try await self.claim(ledger, 1, each: 2).beacons.map(\.beacon.key.event) == ["a3"])
        #expect(try await self.claim(ledger, 1, each: 2).beacons.map(\.beacon.key.event) == ["b2"])
    }

    @Test("a retry waits until its time, which nextDue returns")
    func due() async throws {
        let ledger = MemoryLedger()
        _ = try await ledger.record([self.beacon("view")], at: self.now)
        let claimed = try await self.claim(ledger, 1).beacons
        let later = WallTime(milliseconds: 5000)
        try await ledger.settle(claimed[0], as: .retry(at: later, reason: "busy"), at: self.now)
        #expect(try await ledger.nextDue() == later)
        let early = try await self.claim(ledger, 1, at: WallTime(milliseconds: 4999))
        #expect(early == BeaconClaim([], next: later))
        #expect(try await self.claim(ledger, 1, at: later).beacons.first?.attempt == 2)
    }

    @Test("makeAllDue makes every pending beacon due now")
    func makeAllDue() async throws {
        let ledger = MemoryLedger()
        _ = try await ledger.record([self.beacon("a"), self.beacon("b")], at: self.now)
        let claimed = try await self.claim(ledger, 1).beacons
        try await ledger.settle(
            claimed[0],
            as: .retry(at: WallTime(milliseconds: 9_000_000), reason: "busy"),
            at: self.now
        )
        #expect(try await ledger.makeAllDue(at: self.now) == 2)
        #expect(try await self.claim(ledger, each: 2).beacons.map(\.beacon.key.event) == ["a", "b"])
    }

    @Test("old delivered beacons are dropped, and unconfirmed ones stay listed")
    func pruning() async throws {
        let ledger = MemoryLedger(maximumSettled: 10)
        for number in 0..<100 {
            _ = try await ledger.record([self.beacon("v\(number)")], at: self.now)
            let claimed = try await self.claim(ledger, 1).beacons
            let outcome: DeliveryOutcome = number < 5 ? .unconfirmed(reason: "no answer") : .delivered
            try await ledger.settle(claimed[0], as: outcome, at: self.now)
        }
        let entries = try await ledger.entries()
        #expect(entries.count <= 16)
        #expect(entries.filter { $0.state.name == "unconfirmed" }.count == 5)
    }

    @Test("without deliveries the ledger keeps a limited number, the newest")
    func bounded() async throws {
        let ledger = MemoryLedger(maximumSettled: 10)
        for number in 0..<1000 {
            _ = try await ledger.record([self.beacon("v\(number)")], at: self.now)
            let claimed = try await self.claim(ledger, 1).beacons
            try await ledger.settle(claimed[0], as: .dead(reason: "404"), at: self.now)
        }
        let entries = try await ledger.entries()
        #expect(entries.count <= 10)
        #expect(entries.last?.beacon.key.event == "v999")
    }

    @Test("an origin without room is not claimed, and does not count for the next due time")
    func room() async throws {
        let ledger = MemoryLedger()
        for name in ["a1", "a2"] { _ = try await ledger.record([self.beacon(name)], at: self.now) }
        _ = try await ledger.record([self.beacon("b", host: "b.example")], at: self.now)
        let (a, b) = ("http://a.example:80", "http://b.example:80")
        #expect(try await self.claim(ledger, limits: [a: 0, b: 0]) == BeaconClaim([], next: nil))
        let first = try await self.claim(ledger, limits: [b: 0])
        #expect(first.beacons.map(\.beacon.key.event) == ["a1"])
        #expect(first.next == WallTime(milliseconds: 60_000), "the end of its lease, as no other origin has room")
        let second = try await self.claim(ledger)
        #expect(Set(second.beacons.map(\.beacon.key.event)) == ["a2", "b"])
        #expect(try await self.claim(ledger).beacons.isEmpty)
    }

    @Test("a claim that is not settled in time is claimed again, as interrupted")
    func lease() async throws {
        let ledger = MemoryLedger()
        _ = try await ledger.record([self.beacon("view")], at: self.now)
        #expect(try await self.claim(ledger).beacons.first?.wasInterrupted == false)
        let end = WallTime(milliseconds: 60_000)
        #expect(try await self.claim(ledger) == BeaconClaim([], next: end))
        let again = try await self.claim(ledger, at: end).beacons
        #expect(again.first?.wasInterrupted == true)
        #expect(again.first?.attempt == 2)
    }

    @Test("a late outcome changes nothing, unless the beacon was delivered")
    func late() async throws {
        let ledger = MemoryLedger()
        _ = try await ledger.record([self.beacon("view")], at: self.now)
        let first = try #require(try await self.claim(ledger).beacons.first)
        let second = try #require(
            try await self.claim(ledger, at: WallTime(milliseconds: 60_000)).beacons.first
        )
        try await ledger.settle(first, as: .dead(reason: "late"), at: self.now)
        #expect(try await ledger.entries().first?.state.name == "inFlight")
        try await ledger.settle(second, as: .unconfirmed(reason: "no answer"), at: self.now)
        try await ledger.settle(first, as: .retry(at: self.now, reason: "late"), at: self.now)
        #expect(try await ledger.entries().first?.state.name == "unconfirmed")
        try await ledger.settle(first, as: .delivered, at: self.now)
        #expect(try await ledger.entries().first?.state == .delivered)
        #expect(try await ledger.nextDue() == nil)
    }

    @Test("an outcome after the lease counts if no other claim was made")
    func lateAlone() async throws {
        let ledger = MemoryLedger()
        _ = try await ledger.record([self.beacon("view")], at: self.now)
        let claimed = try #require(try await self.claim(ledger).beacons.first)
        let end = WallTime(milliseconds: 60_000)
        // The lease is over, and the next claim has no room for this origin.
        _ = try await self.claim(ledger, limits: ["http://a.example:80": 0], at: end)
        let later = WallTime(milliseconds: 90_000)
        try await ledger.settle(claimed, as: .retry(at: later, reason: "refused"), at: end)
        #expect(try await ledger.entries().first?.state == .pending(nextTry: later, reason: "refused"))
        #expect(try await self.claim(ledger, at: later).beacons.map(\.wasInterrupted) == [false])
    }

    @Test("entries come page by page in the order of their recording")
    func pages() async throws {
        let ledger = MemoryLedger()
        _ = try await ledger.record((0..<25).map { self.beacon("v\($0)") }, at: self.now)
        var seen: [BeaconEvent] = []
        var last: Int64 = 0
        while case let page = try await ledger.entries(after: last, limit: 10), let end = page.last {
            #expect(page.count <= 10)
            seen += page.map(\.beacon.key.event)
            last = end.number
        }
        #expect(seen == (0..<25).map { BeaconEvent("v\($0)") })
    }
}
