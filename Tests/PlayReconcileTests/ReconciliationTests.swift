import AdCore
import PlaySupport
import Testing

@testable import PlayReconcile

@Suite("The reconciliation of a ledger with a server")
struct ReconciliationTests {
    @Test("a reconciliation is clean if each beacon was counted once, without other hits")
    func clean() {
        let result = Reconciliation(
            [.sample("a"), .sample("b"), .sample("c")],
            [.sample(1, key: "c"), .sample(2, key: "b"), .sample(3, key: "a")]
        )
        #expect(result.isClean)
        #expect(result.recorded == 3 && result.delivered == 3 && result.matched == 3)
        #expect(result.outcomes.map(\.key) == ["a", "b", "c"])
        #expect(Reconciliation([], []).isClean)
    }

    @Test("a beacon that is delivered according to the ledger, but was not counted, is lost")
    func lost() {
        for arrivals in [[], [ReceivedHit.sample(1, "status")]] {
            let result = Reconciliation([.sample()], arrivals)
            #expect(result.lost == 1 && result.delivered == 1 && result.matched == 0)
            #expect(!result.isClean)
        }
    }

    @Test("a beacon that was counted three times has two duplicates, in any state of the ledger")
    func doubled() {
        let states: [LedgerLine.State] = [
            .delivered, .unconfirmed(reason: "cut off"), .dead(reason: "410"), .pending(reason: "it waits"),
        ]
        for state in states {
            let result = Reconciliation(
                [.sample("k", state)],
                [.sample(1), .sample(2, "status"), .sample(3), .sample(4)]
            )
            #expect(result.duplicates == 2)
            #expect(result.lost == 0 && result.unknown == 0)
            #expect(result.outcomes.map(\.verdict) == [.doubled])
            #expect(!result.isClean)
        }
    }

    @Test("a rejected attempt and a counted one are not a duplicate")
    func rejected() {
        let result = Reconciliation([.sample()], [.sample(1, "status"), .sample(2, "status"), .sample(3)])
        #expect(result.isClean && result.duplicates == 0 && result.matched == 1)
    }

    @Test("a hit that is not in the ledger is unmatched, with a key or without one")
    func unknown() {
        let line = LedgerLine.sample("a")
        #expect(Reconciliation([line], [.sample(1, key: "a"), .sample(2, key: "b")]).unknown == 1)
        let keyless = Reconciliation([line], [.sample(1, key: "a"), .sample(2, key: nil), .sample(3, key: "")])
        #expect(keyless.unknown == 2)
        #expect(!keyless.isClean)
        let twice = Reconciliation([], [.sample(1, key: "b"), .sample(2, key: nil), .sample(3, key: "b")])
        #expect(twice.unknown == 3)
        #expect(twice.outcomes.map(\.hits) == [[1, 3], [2]])
    }

    @Test("a hit of another path is a beacon only if it has a key")
    func otherPaths() {
        let elsewhere = [
            ReceivedHit.sample(1, key: nil, path: "/yabbi/load", isCounted: true), .sample(2, key: nil, path: "/t"),
        ]
        #expect(Reconciliation([], elsewhere).isClean)
        let redirected = Reconciliation(
            [.sample()],
            [.sample(1, "status"), .sample(2, path: "/elsewhere", isCounted: true)]
        )
        #expect(redirected.isClean)
    }

    @Test("pending, unconfirmed and dead beacons are counted as that, not as lost")
    func otherStates() {
        let lines: [LedgerLine] = [
            .sample("1", .pending(reason: "waiting to be sent")), .sample("2", .pending(reason: "being sent")),
            .sample("3", .unconfirmed(reason: "it was cut off")), .sample("4", .dead(reason: "status 410")),
        ]
        let result = Reconciliation(lines, [.sample(1, key: "3")])
        #expect(result.pending == 2 && result.unconfirmed == 1 && result.dead == 1)
        #expect(result.lost == 0 && result.delivered == 0 && result.matched == 0)
        #expect(!result.isClean)
    }

    @Test("a beacon is late if it is counted after the limit; a late beacon is clean")
    func late() {
        func verdict(_ counted: Int64, _ limit: Duration? = .seconds(60)) -> BeaconVerdict? {
            let arrivals = [ReceivedHit.sample(1, "status", at: 0), .sample(2, at: counted)]
            let result = Reconciliation([.sample(recorded: 1000)], arrivals, lateAfter: limit)
            #expect(result.isClean)
            return result.outcomes.first?.verdict
        }
        #expect(verdict(61_000) == .matched)
        #expect(verdict(61_001) == .late)
        #expect(verdict(0) == .matched, "a clock that was set back makes no beacon late")
        #expect(verdict(2001, .seconds(1)) == .late)
        #expect(verdict(.max, nil) == .matched)
        #expect(Reconciliation([.sample()], [.sample(1, at: 90_000)]).late == 1)
    }

    @Test("each beacon has exactly one verdict, and the numbers add up")
    func partition() {
        let states: [LedgerLine.State] = [
            .delivered, .unconfirmed(reason: "?"), .dead(reason: "?"), .pending(reason: "?"),
        ]
        var lines: [LedgerLine] = []
        var arrivals: [ReceivedHit] = []
        for (index, state) in states.enumerated() {
            for counted in 0...2 {
                for rejected in 0...2 {
                    let key = "\(index)/\(counted)/\(rejected)"
                    lines.append(.sample(key, state))
                    for _ in 0..<rejected { arrivals.append(.sample(arrivals.count + 1, "status", key: key)) }
                    for _ in 0..<counted { arrivals.append(.sample(arrivals.count + 1, key: key)) }
                }
            }
        }
        let result = Reconciliation(lines, arrivals)
        #expect(result.outcomes.map(\.key) == lines.map(\.key))
        let counts = Dictionary(grouping: result.outcomes, by: \.verdict).mapValues(\.count)
        let expected: [BeaconVerdict: Int] = [
            .matched: 3, .lost: 3, .doubled: 12, .unconfirmed: 6, .dead: 6, .pending: 6,
        ]
        #expect(counts == expected)
        #expect(result.recorded == 36 && result.duplicates == 12)
        #expect(result.delivered == 9 && result.unconfirmed == 9 && result.dead == 9 && result.pending == 9)
    }

    @Test("an entry of the ledger becomes a line with a redacted URL, and a reason if it is pending")
    func entries() throws {
        let url = try #require(TrackingURL("http://t.example/view?token=abc&ad=1"))
        let key = BeaconKey(ad: AdID(bits: 1), event: .view)
        let now = WallTime(milliseconds: 7)
        let states: [(LedgerEntry.State, LedgerLine.State)] = [
            (.delivered, .delivered), (.unconfirmed(reason: "a"), .unconfirmed(reason: "a")),
            (.dead(reason: "b"), .dead(reason: "b")), (.pending(nextTry: now, reason: "c"), .pending(reason: "c")),
            (.pending(nextTry: now, reason: nil), .pending(reason: "waiting to be sent")),
            (.inFlight(until: now), .pending(reason: "being sent")),
        ]
        for (state, expected) in states {
            let beacon = Beacon(key, BeaconCall(.get, url, isBilling: true), of: "test")
            let line = LedgerLine(LedgerEntry(beacon, number: 1, state: state, attempts: 3, recorded: now))
            #expect(
                line
                    == .sample(
                        key.text,
                        expected,
                        attempts: 3,
                        recorded: 7,
                        url: "http://t.example/view?token=***&ad=1",
                        address: url.http.text
                    )
            )
        }
    }
}
