import AdCore
import PlaySupport
import Testing

@testable import PlayConsole
@testable import PlayReport

@Suite("Why a beacon did not simply arrive")
struct CauseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let line: LedgerLine
        let arrivals: [Arrival]
        let verdict: BeaconVerdict
        let cause: String

        init(_ line: LedgerLine, _ arrivals: [Arrival], _ verdict: BeaconVerdict, _ cause: String) {
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
            "1 of 4 attempts left no hit; hits 1 and 2 were refused (status); "
                + "hit 3 was counted, and its answer slowed (slow)"
        ),
        Case(
            .sample(attempts: 2),
            [.sample(3, "status", at: 1000), .sample(9, at: 75_340)],
            .late,
            "counted 75.3 s after it was recorded; hit 3 was refused (status); hit 9 was counted"
        ),
        Case(
            .sample(),
            [.sample(9, at: 3_600_000)],
            .late,
            "counted 3600 s after it was recorded, and not tried before; hit 9 was counted"
        ),
        Case(.sample(), [], .lost, "delivered by the ledger's word, but it never arrived"),
        Case(
            .sample(),
            [
                .sample(4, "status"), .sample(5, path: "/loop", isCounted: false),
                .sample(6, path: "/gone", isCounted: false),
            ],
            .lost,
            "delivered by the ledger's word, but hit 4 was refused (status); hit 5 was sent round again; "
                + "hit 6 was not taken"
        ),
        Case(
            .sample(attempts: 2),
            [.sample(12, "dropBeforeReply"), .sample(13)],
            .doubled,
            "counted 2 times: hit 12 was counted, and its answer dropped (dropBeforeReply); hit 13 was counted; "
                + "doubled only where the server ignores Idempotency-Key"
        ),
        Case(
            .sample("k", .unconfirmed(reason: "it timed out"), attempts: 2),
            [.sample(1, "truncate"), .sample(2, "garbage")],
            .doubled,
            "counted 2 times: hit 1 was counted, and its answer cut short (truncate); "
                + "hit 2 was counted, and its answer garbled (garbage); "
                + "doubled only where the server ignores Idempotency-Key; unconfirmed by the ledger's word: it timed out"
        ),
        Case(
            .sample("k", .unconfirmed(reason: "the connection was lost")),
            [.sample(12, "dropBeforeReply")],
            .unconfirmed,
            "the connection was lost; it arrived: hit 12 was counted, and its answer dropped (dropBeforeReply)"
        ),
        Case(
            .sample("k", .unconfirmed(reason: "the connection was lost")),
            [],
            .unconfirmed,
            "the connection was lost; it never arrived"
        ),
        Case(
            .sample("k", .unconfirmed(reason: "too many redirects")),
            [.sample(2, "redirectLoop")],
            .unconfirmed,
            "too many redirects; hit 2 was sent round in circles (redirectLoop)"
        ),
        Case(.sample("k", .dead(reason: "status 410")), [], .dead, "status 410; it never arrived"),
        Case(
            .sample("k", .dead(reason: "status 410")),
            [.sample(1, "status")],
            .dead,
            "status 410; hit 1 was refused (status)"
        ),
        Case(
            .sample("k", .dead(reason: "status 204"), attempts: 1),
            [.sample(1, "status", isCounted: true)],
            .dead,
            "status 204; and yet hit 1 was counted, and answered with another status of success (status)"
        ),
        Case(
            .sample("k", .pending(reason: "it waits for its turn"), attempts: 0),
            [],
            .pending,
            "it waits for its turn; not tried yet"
        ),
        Case(
            .sample("k", .pending(reason: "status 503")),
            [.sample(1, "status")],
            .pending,
            "status 503; hit 1 was refused (status)"
        ),
        Case(
            .sample("k", .pending(reason: "it timed out")),
            [.sample(1, "delay")],
            .pending,
            "it timed out; hit 1 was counted, and its answer delayed (delay)"
        ),
        Case(
            .sample("k", isResent: true),
            [.sample(1, "dropBeforeReply"), .sample(2)],
            .repeated,
            "sent again under one key, which its server is said to take once: hit 1 was counted, and its answer dropped "
                + "(dropBeforeReply); hit 2 was counted"
        ),
        Case(
            .sample("k", .pending(reason: "it timed out"), isResent: true),
            [.sample(1, "delay")],
            .pending,
            "it timed out; hit 1 was counted, and its answer delayed (delay); "
                + "sent again, it is doubled where the server ignores Idempotency-Key"
        ),
    ]

    @Test("is said in words", arguments: Self.cases)
    func words(example: Case) {
        let outcomes = Reconciliation([example.line], example.arrivals).outcomes
        #expect(outcomes.map(\.verdict) == [example.verdict])
        #expect(outcomes.map(\.cause) == [example.cause])
        #expect(outcomes.first?.hits == example.arrivals.map(\.n))
    }

    @Test("what nobody recorded has the path, and what it tells of by its key or its path")
    func unknown() throws {
        let result = Reconciliation(
            [],
            [.sample(1, key: "a/-/click/0/0", path: "/t/x"), .sample(2, key: nil, path: "/t/yabbi/view")]
        )
        #expect(result.outcomes.map(\.event) == ["click", "view"])
        #expect(result.outcomes.map(\.url) == ["/t/x", "/t/yabbi/view"])
        #expect(
            result.outcomes.map(\.cause) == [
                "the ledger does not have its key: another one recorded it, or it was forgotten since; hit 1 was counted",
                "it has no Idempotency-Key; hit 2 was counted",
            ]
        )
    }

    @Test("hits that the server gave up make what was not found uncertain")
    func dropped() {
        func cause(_ line: LedgerLine, _ arrivals: [Arrival], _ dropped: Int) -> String? {
            Reconciliation([line], arrivals, dropped: dropped).outcomes.first?.cause
        }
        #expect(
            cause(.sample(), [], 1)
                == "delivered by the ledger's word, but it never arrived, unless it is the 1 hit that the server gave up"
        )
        #expect(
            cause(.sample("k", .dead(reason: "410")), [.sample(7, "status")], 12)
                == "410; hit 7 was refused (status), unless it is among the 12 hits that the server gave up"
        )
        #expect(cause(.sample(), [.sample(7)], 12) == "hit 7 was counted")
    }

    @Test(
        "a beacon of another server is said to be that",
        arguments: [
            ("https://tracker.example/view", "tracker.example:443"), ("http://127.0.0.1:9/t/view", "127.0.0.1:9"),
            ("http://[2001:db8::1]:8080/t/view", "[2001:db8::1]:8080"),
        ]
    )
    func elsewhere(url: String, name: String) {
        let result = Reconciliation([.sample(url: url)], [.sample(1, key: nil)])
        #expect(
            result.outcomes.first?.cause
                == "delivered by the ledger's word; it went to \(name), and the hits are those of 127.0.0.1:8080"
        )
        #expect(result.outcomes.first?.verdict == .elsewhere)
        #expect(result.elsewhere == 1 && result.lost == 0)
        let dead = Reconciliation([.sample("k", .dead(reason: "410"), url: url)], [.sample(1, key: nil)])
        #expect(
            dead.outcomes.first?.cause
                == "410; nobody knows here whether it arrived: it went to \(name), and the hits are those of 127.0.0.1:8080"
        )
        let known = Reconciliation([.sample(url: url)], [.sample(1, key: nil, host: name)])
        #expect(known.outcomes.first?.cause == "delivered by the ledger's word, but it never arrived")
    }

    @Test("very many hits are told in few words")
    func many() {
        let same = (1...5000).map { Arrival.sample($0, "status") }
        #expect(ArrivalText.story(same) == "hits 1, 2, 3 and 4997 more were refused (status)")
        let mixed = (1...5000).map { Arrival.sample($0, $0 % 2 == 0 ? nil : "status") }
        #expect(ArrivalText.story(mixed).hasSuffix("hit 6 was counted; and so on with 4994 more"))
        let four = [1, 2, 3, 4].map { Arrival.sample($0) }
        #expect(ArrivalText.story(four) == "hits 1, 2, 3 and 4 were counted")
    }
}
