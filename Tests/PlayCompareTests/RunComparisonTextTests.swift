import AdCore
import PlayConsole
import PlayReport
import Testing

@testable import PlayCompare

@Suite("The text of a comparison of runs")
struct RunComparisonTextTests {
    private let plain = Style(isColored: false)

    private static func comparison(_ count: Int = 3) -> RunComparison {
        func ads(_ state: String, _ reason: AdJSON) -> [RunAd] {
            (1...count).map { number in
                .sample(
                    name: "\(number)",
                    events: [["event": "closed", "reason": reason]],
                    beacons: [.sample("view", "https://t.example/view", state)],
                    requests: [.sample()]
                )
            }
        }
        return RunComparison(ComparedRun.sample(ads("delivered", "user")), .sample(ads("dead", "host")))
    }

    @Test("groups by kind, lists equal differences once, and shows both sides")
    func lines() {
        #expect(
            Self.comparison().lines(self.plain) == [
                "tracker: 3", "  view  https://t.example/view  ×3  in The ad 1, The ad 2, The ad 3",
                "      A  delivered",
                "      B  dead", "event: 3", "  closed  ×3  in The ad 1, The ad 2, The ad 3", "      A  reason=user",
                "      B  reason=host",
            ]
        )
        #expect(Self.comparison(1).lines(self.plain)[1] == "  view  https://t.example/view")
        #expect(Self.comparison(5).lines(self.plain)[1].hasSuffix("×5  in The ad 1, The ad 2, The ad 3, and 2 more"))
    }

    @Test("ends with the numbers, and with how many the policy names")
    func summary() {
        let comparison = Self.comparison()
        let all = Set(RunDifference.Kind.allCases)
        #expect(comparison.summary(all, self.plain) == "6 differences: 3 tracker, 3 event")
        let named = "6 differences: 3 tracker, 3 event; the policy names 3 of them"
        #expect(comparison.summary([.event, .lint], self.plain) == named)
        #expect(comparison.summary([], self.plain).hasSuffix("; the policy names none of them"))
        #expect(comparison.count([.event, .lint]) == 3 && comparison.count([]) == 0)
        let same = RunComparison(.sample(events: [["event": "view"]]), .sample(events: [["event": "view"]]))
        #expect(same.summary(all, self.plain) == "no differences: 1 ad, 1 event, 0 beacons compared")
    }

    @Test("each difference is a line of JSON, and the last line has the numbers")
    func json() {
        let comparison = Self.comparison(1)
        #expect(
            comparison.differences.map(\.json)[0] == [
                "event": "difference", "kind": "tracker", "name": "The ad 1", "adA": 1, "adB": 1,
                "text": "view  https://t.example/view", "a": "delivered", "b": "dead",
            ]
        )
        #expect(
            comparison.json([.event])
                == ["event": "compared", "differences": 2, "failing": 1, "notes": []]
        )
    }

    @Test("long lists and hostile texts are safe to print")
    func hostile() {
        let text = "\u{1B}[31m" + String(repeating: "x", count: 1_000)
        let events = (0..<200).map { number -> AdJSON in
            ["event": "console", "level": .string(text), "text": .string("\(number) \(text)")]
        }
        let lines = RunComparison(.sample(name: text, events: events), .sample(name: text)).lines(self.plain)
        #expect(lines.allSatisfy { $0.utf8.count < 1_000 && !$0.contains("\u{1B}") })
        #expect(lines.count < 200 && lines.contains("  and 150 more; --json lists all"))
    }
}
