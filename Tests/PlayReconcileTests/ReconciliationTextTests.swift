import AdCore
import PlaySupport
import Testing

@testable import PlayConsole
@testable import PlayReconcile
@testable import PlayText

@Suite("The text and JSON of a reconciliation")
struct ReconciliationTextTests {
    private let style = Style(isColored: false)

    private let mixed = Reconciliation(
        [
            .sample("a"), .sample("b"), .sample("c", .dead(reason: "status 410"), isBilling: false),
            .sample("d", .pending(reason: "status 503")), .sample("e", .unconfirmed(reason: "it was cut off")),
            .sample("f"),
        ],
        against: HitList(
            [
                .sample(1, key: "a"), .sample(2, key: "b"), .sample(3, key: "b"), .sample(4, key: nil),
                .sample(5, key: "e", at: 1),
            ],
            dropped: 0
        ),
        lateAfter: .seconds(60),
        failedAds: 2
    )

    @Test("JSON and text have every number, and failed ads have a line of their own")
    func totals() throws {
        #expect(
            self.mixed.json
                == #"{"event":"reconciled","recorded":6,"delivered":3,"unconfirmed":1,"dead":1,"pending":1,"lost":1,"duplicates":1,"unknown":1,"failed":2,"matched":1,"late":0,"elsewhere":0,"dropped":0,"creatives":0}"#
        )
        let text =
            "6 beacons recorded, 3 delivered, 1 unconfirmed, 1 dead, 1 pending, 1 lost, 1 duplicate, 1 unmatched"
        #expect(
            self.mixed.lines(self.style) == ["2 ads could not be shown; see above", "NOT reconciled: \(text)"]
        )
        #expect(Reconciliation([], []).lines(self.style).count == 1)
    }

    @Test("there is an object for each beacon that is not matched, or for each beacon")
    func details() throws {
        let lines = self.mixed.jsonDetails(all: false)
        let verdicts = try lines.map { try AdJSON(parsing: $0)["verdict"]?.string }
        #expect(verdicts == ["doubled", "dead", "pending", "unconfirmed", "lost", "unknown"])
        #expect(
            lines[4]
                == #"{"event":"reconciliation","key":"f","of":"view","verdict":"lost","cause":"delivered according to the ledger, but the server did not receive it","hits":[],"url":"http://127.0.0.1:8080/t/view"}"#
        )
        #expect(try AdJSON(parsing: lines[5])["key"] == .null)
        let all = self.mixed.jsonDetails(all: true)
        #expect(all.count == 7)
        #expect(try AdJSON(parsing: all[0])["verdict"] == "matched")
        for line in all {
            guard case .object(let members) = try AdJSON(parsing: line) else {
                Issue.record("\(line)")
                continue
            }
            let row = try #require(EventTable.ofRuns.first { $0.name == "reconciliation" })
            #expect(members.map(\.name) == ["event"] + row.fields)
        }
    }

    @Test("the text has groups, the worst first, and each beacon has its cause")
    func groups() {
        let lines = self.mixed.details(all: true, self.style)
        #expect(
            lines.filter { !$0.hasPrefix(" ") } == [
                "lost: 1 (1 billable)", "duplicate: 1 (1 billable)", "unconfirmed: 1 (1 billable)", "dead: 1",
                "pending: 1 (1 billable)", "unmatched: 1", "matched: 1 (1 billable)",
            ]
        )
        #expect(
            lines.prefix(4).dropFirst() == [
                "  view  http://127.0.0.1:8080/t/view",
                "      delivered according to the ledger, but the server did not receive it", "      key f",
            ]
        )
        #expect(lines.contains("      no key"))
        #expect(Reconciliation([.sample()], [.sample(1)]).details(all: false, self.style).isEmpty)
    }

    @Test("beacons beyond the limit are counted, and control characters are not printed")
    func bounded() {
        let lines = (1...50).map { LedgerLine.sample("k\($0)\u{1B}[2J", .dead(reason: "a\nb")) }
        let details = Reconciliation(lines, []).details(all: false, self.style)
        #expect(details.first == "dead: 50 (50 billable)")
        #expect(details.last == "  and 30 more; --json lists all")
        #expect(details.count == 1 + 3 * 20 + 1)
        #expect(!details.contains { $0.contains("\u{1B}") || $0.contains("\n") })
    }

    @Test("dropped hits are in the text and in the JSON")
    func dropped() throws {
        let result = Reconciliation([.sample()], [.sample(1)], dropped: 3)
        #expect(
            result.details(all: false, self.style) == [
                "incomplete: the server dropped 3 hits; lost beacons and duplicates may be among them"
            ]
        )
        #expect(try AdJSON(parsing: result.json)["dropped"] == 3)
    }
}
