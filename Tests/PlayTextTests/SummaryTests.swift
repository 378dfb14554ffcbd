import AdCore
import Testing

@testable import PlayText

@Suite("The summary of repeated loads")
struct SummaryTests {
    private func summary(_ milliseconds: Int...) -> Summary {
        Summary(requested: 4, filled: milliseconds.count, latencies: milliseconds.map { .milliseconds($0) })
    }

    @Test(
        "a quantile is the smallest latency that this share of the loads did not exceed",
        arguments: [
            ([7], 0.5, 7.0), ([9, 1], 0.5, 1), ([1, 9], 0.95, 9), ([3, 1, 2], 0.5, 2), ([4, 3, 2, 1], 0.5, 2),
            (Array(1...100), 0.95, 95), (Array(1...100), 0, 1), (Array(1...100), 1, 100),
        ]
    )
    func quantiles(milliseconds: [Int], share: Double, expected: Double) {
        let latencies = milliseconds.map { Duration.milliseconds($0) }
        #expect(Summary(requested: 100, filled: 100, latencies: latencies).quantile(share) == expected)
    }

    @Test("text and JSON have the same figures")
    func renders() throws {
        let summary = self.summary(2, 1, 30)
        #expect(summary.line == "3 of 4 filled (75 %), load p50 2.0 ms, p95 30.0 ms")
        let json = try AdJSON(parsing: summary.json)
        #expect(json["event"]?.string == "summary")
        #expect(["asked", "filled", "fillRate", "p50", "p95"].map { json[$0]?.number } == [4, 3, 0.75, 2, 30])
    }

    @Test("without a filled load there is no latency")
    func nothing() throws {
        #expect(self.summary().line == "0 of 4 filled (0 %), load p50 -, p95 -")
        #expect(try AdJSON(parsing: self.summary().json)["p50"] == .null)
    }
}
