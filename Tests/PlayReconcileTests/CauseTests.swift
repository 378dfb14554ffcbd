import AdCore
import PlaySupport
import Testing

@testable import PlayConsole
@testable import PlayReconcile

@Suite("The cause of a verdict on a beacon")
struct CauseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let line: LedgerLine
        let arrivals: [ReceivedHit]
        let verdict: BeaconVerdict
        let cause: String

        init(_ line: LedgerLine, _ arrivals: [ReceivedHit], _ verdict: BeaconVerdict, _ cause: String) {
            self.line = line
            self.arrivals = arrivals
            self.verdict = verdict
            self.cause = cause
        }

        var testDescription: String { "\(self.verdict): \(self.cause)" }
    }

    static let cases: [Case] = [
        Case(.sample(), [.sample(1)], .matched, "hit 1 was counted"),
        Case(
            .sample(attempts: 4),
            [.sample(1, "status"), .sample(2, "status"), .sample(3, "slow")],
            .matched,
            "1 of 4 attempts without a hit; hits 1 and 2 were rejected (status); "
                + "hit 3 was counted, with a slow response (slow)"
        ),
        Case(
            .sample(attempts: 2),
            [.sample(3, "status", at: 1000), .sample(9, at: 75_340)],
            .late,
            "counted 75.3 s after it was recorded; hit 3 was rejected (status); hit 9 was counted"
        ),
        Case(
            .sample(),
            [.sample(9, at: 3_600_000)],
            .late,
            "counted 3600 s after it was recorded, at the first attempt; hit 9 was counted"
        ),
        Case(.sample(), [], .lost, "delivered according to the ledger, but the server did not receive it"),
        Case(
            .sample(),
            [
                .sample(4, "status"), .sample(5, path: "/loop", isCounted: false),
                .sample(6, path: "/gone", isCounted: false),
            ],
            .lost,
            "delivered according to the ledger, but hit 4 was rejected (status); hit 5 was redirected again; "
                + "hit 6 was not counted"
        ),
        Case(
            .sample(attempts: 2),
            [.sample(12, "dropBeforeReply"), .sample(13)],
            .doubled,
            "received twice; billed once if the server honors Idempotency-Key: "
                + "hit 12 was counted, without a response (dropBeforeReply); hit 13 was counted"
        ),
        Case(
            .sample("k", .unconfirmed(reason: "it timed out"), attempts: 2),
            [.sample(1, "truncate"), .sample(2, "garbage")],
            .doubled,
            "received twice; billed once if the server honors Idempotency-Key: "
                + "hit 1 was counted, with a truncated response (truncate); "
                + "hit 2 was counted, with a garbled response (garbage); unconfirmed according to the ledger: it timed out"
        ),
        Case(
            .sample("k", .unconfirmed(reason: "the connection was lost")),
            [.sample(12, "dropBeforeReply")],
            .unconfirmed,
            "the connection was lost; the server received it: hit 12 was counted, without a response (dropBeforeReply)"
        ),
        Case(
            .sample("k", .unconfirmed(reason: "the connection was lost")),
            [],
            .unconfirmed,
            "the connection was lost; the server did not receive it"
        ),
        Case(
            .sample("k", .unconfirmed(reason: "too many redirects")),
            [.sample(2, "redirectLoop")],
            .unconfirmed,
            "too many redirects; hit 2 was redirected in a loop (redirectLoop)"
        ),
        Case(.sample("k", .dead(reason: "status 410")), [], .dead, "status 410; the server did not receive it"),
        Case(
            .sample("k", .dead(reason: "status 410")),
            [.sample(1, "status")],
            .dead,
            "status 410; hit 1 was rejected (status)"
        ),
        Case(
            .sample("k", .dead(reason: "status 204"), attempts: 1),
            [.sample(1, "status", isCounted: true)],
            .dead,
            "status 204; but hit 1 was counted, with another 2xx status (status)"
        ),
        Case(
            .sample("k", .pending(reason: "waiting to be sent"), attempts: 0),
            [],
            .pending,
            "waiting to be sent; no attempt yet"
        ),
        Case(
            .sample("k", .pending(reason: "status 503")),
            [.sample(1, "status")],
            .pending,
            "status 503; hit 1 was rejected (status)"
        ),
        Case(
            .sample("k", .pending(reason: "it timed out")),
            [.sample(1, "delay")],
            .pending,
            "it timed out; hit 1 was counted, with a delayed response (delay)"
        ),
        Case(
            .sample("k", isAtLeastOnce: true),
            [.sample(1, "dropBeforeReply"), .sample(2)],
            .repeated,
            "received twice; billed once if the server honors Idempotency-Key: "
                + "hit 1 was counted, without a response (dropBeforeReply); hit 2 was counted"
        ),
        Case(
            .sample("k", .pending(reason: "it timed out"), isAtLeastOnce: true),
            [.sample(1, "delay")],
            .pending,
            "it timed out; hit 1 was counted, with a delayed response (delay); "
                + "the next attempt is a duplicate if the server ignores Idempotency-Key"
        ),
    ]

    @Test("each verdict has its cause", arguments: Self.cases)
    func causes(example: Case) {
        let outcomes = Reconciliation([example.line], example.arrivals).outcomes
        #expect(outcomes.map(\.verdict) == [example.verdict])
        #expect(outcomes.map(\.cause) == [example.cause])
        #expect(outcomes.first?.hits == example.arrivals.map(\.n))
    }

    @Test("an unmatched hit has its path, and the event of its key or its path")
    func unknown() throws {
        let result = Reconciliation(
            [],
            [.sample(1, key: "a/-/click/0/0", path: "/t/x"), .sample(2, key: nil, path: "/t/yabbi/view")]
        )
        #expect(result.outcomes.map(\.event) == ["click", "view"])
        #expect(result.outcomes.map(\.url) == ["/t/x", "/t/yabbi/view"])
        #expect(
            result.outcomes.map(\.cause) == [
                "the key is not in the ledger: another ledger recorded it, or it was pruned; hit 1 was counted",
                "no Idempotency-Key; hit 2 was counted",
            ]
        )
    }

    @Test("if the server dropped hits, the cause of a missing hit says so")
    func dropped() {
        func cause(_ line: LedgerLine, _ arrivals: [ReceivedHit], _ dropped: Int) -> String? {
            Reconciliation([line], arrivals, dropped: dropped).outcomes.first?.cause
        }
        #expect(
            cause(.sample(), [], 1)
                == "delivered according to the ledger, but the server did not receive it, unless it is the 1 hit that the server dropped"
        )
        #expect(
            cause(.sample("k", .dead(reason: "410")), [.sample(7, "status")], 12)
                == "410; hit 7 was rejected (status), unless it is among the 12 hits that the server dropped"
        )
        #expect(cause(.sample(), [.sample(7)], 12) == "hit 7 was counted")
    }

    @Test(
        "a beacon that was sent to another server has that cause",
        arguments: [
            ("https://tracker.example/view", "tracker.example:443"), ("http://127.0.0.1:9/t/view", "127.0.0.1:9"),
            ("http://[2001:db8::1]:8080/t/view", "[2001:db8::1]:8080"),
        ]
    )
    func elsewhere(url: String, name: String) {
        let result = Reconciliation([.sample(url: url)], [.sample(1, key: nil)])
        #expect(
            result.outcomes.first?.cause
                == "delivered according to the ledger; it was sent to \(name), but the hits are from 127.0.0.1:8080"
        )
        #expect(result.outcomes.first?.verdict == .elsewhere)
        #expect(result.elsewhere == 1 && result.lost == 0)
        let dead = Reconciliation([.sample("k", .dead(reason: "410"), url: url)], [.sample(1, key: nil)])
        #expect(
            dead.outcomes.first?.cause
                == "410; unknown whether it was received: it was sent to \(name), but the hits are from 127.0.0.1:8080"
        )
        let known = Reconciliation([.sample(url: url)], [.sample(1, key: nil, host: name)])
        #expect(known.outcomes.first?.cause == "delivered according to the ledger, but the server did not receive it")
    }

    @Test(
        "all hosts of the loopback interface are one server",
        arguments: ["localhost:9", "127.0.0.1:9", "[::1]:9", "127.0.0.2:9", "localhost", "[::1]"]
    )
    func loopback(host: String) {
        let line = LedgerLine.sample(url: "http://127.0.0.1:9/t/view")
        let known = Reconciliation([line], [.sample(1, key: nil, host: host)])
        #expect(known.outcomes.first?.cause == "delivered according to the ledger, but the server did not receive it")
        let other = Reconciliation([line], [.sample(1, key: nil, host: "localhost:8")])
        #expect(other.outcomes.first?.verdict == .elsewhere)
    }

    @Test("many hits have a short text")
    func many() {
        let same = (1...5000).map { ReceivedHit.sample($0, "status") }
        #expect(Arrivals(same).text == "hits 1, 2, 3 and 4997 more were rejected (status)")
        let mixed = (1...5000).map { ReceivedHit.sample($0, $0 % 2 == 0 ? nil : "status") }
        #expect(Arrivals(mixed).text.hasSuffix("hit 6 was counted; and 4994 more"))
        let four = [1, 2, 3, 4].map { ReceivedHit.sample($0) }
        #expect(Arrivals(four).text == "hits 1, 2, 3 and 4 were counted")
    }

    @Test("a verdict on very many hits lists the first ones, counts all, and says how many there are")
    func bounded() {
        let result = Reconciliation([.sample()], (1...1_500).map { ReceivedHit.sample($0) })
        #expect(result.outcomes.map(\.hits) == [Array(1...1_000)])
        #expect(
            result.outcomes.first?.cause
                == "received 1500 times; billed once if the server honors Idempotency-Key: "
                + "hits 1, 2, 3 and 1497 more were counted; the first 1000 of 1500 hits are listed"
        )
        #expect(result.duplicates == 1_499)
        let unknown = Reconciliation([], (1...1_500).map { ReceivedHit.sample($0) })
        #expect(unknown.unknown == 1_500 && unknown.outcomes.first?.hits.count == 1_000)
    }
}
