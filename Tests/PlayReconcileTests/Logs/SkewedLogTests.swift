import AdCore
import Testing

@testable import PlayReconcile

@Suite("Logs in which very many requests are alike")
struct SkewedLogTests {
    private static let url = "https://t.example/pixel"

    @Test("requests without a key are counted, and only the first ones are listed")
    func withoutKeys() throws {
        let lines = (0..<3).map { LogSample.line("k\($0)", Self.url) }
        let log = (0..<3).map { LogSample.log("/pixel", key: "k\($0)") }
        let many = Array(repeating: LogSample.log("/pixel"), count: 2_500)
        let result = try LogSample.compare(lines, log + many)
        #expect(result.matchesByKey)
        #expect(result.whole.matched == 3 && result.whole.unknown == 2_500 && result.whole.lost == 0)
        let unknown = result.outcomes.first { $0.key == nil }
        #expect(unknown?.hits == Array(4...1_003))
        #expect(
            unknown?.cause
                == "no Idempotency-Key; hits 4, 5, 6 and 997 more were counted; and 1500 more; "
                + "the first 1000 of 2500 hits are listed"
        )
    }

    @Test("few requests without a key are listed in the order of time")
    func fewWithoutKeys() throws {
        let log = [
            LogSample.log("/pixel", key: "k"), LogSample.log("/pixel", at: 5), LogSample.log("/pixel", 503, at: 1),
        ]
        let result = try LogSample.compare([LogSample.line("k", Self.url)], log)
        let unknown = result.outcomes.first { $0.key == nil }
        #expect(unknown?.hits == [3, 2] && unknown?.url == "/pixel" && unknown?.event == "pixel")
        #expect(unknown?.cause == "no Idempotency-Key; hit 3 was rejected (status 503); hit 2 was counted")
    }

    @Test("all beacons and requests of a log may have one URL")
    func oneURL() throws {
        let lines = (0..<5_000).map { LogSample.line("k\($0)", Self.url, at: Int64($0)) }
        let log = (0..<5_000).map { LogSample.log("/pixel", at: Int64($0) + 1) }
        let again = Array(repeating: LogSample.log("/pixel", at: 6_000), count: 2_000)
        let result = try LogSample.compare(lines, log + again)
        #expect(!result.matchesByKey)
        #expect(result.outcomes.map(\.key) == lines.map(\.key))
        #expect(result.whole.matched == 4_999 && result.whole.duplicates == 2_000 && result.whole.unknown == 0)
        let last = try #require(result.outcome("k4999"))
        #expect(last.verdict == .doubled && last.hitCount == 2_001)
        guard case .array(let hits)? = try AdJSON(parsing: last.json)["hits"] else {
            Issue.record("\(last.json)")
            return
        }
        #expect(hits.count == 1_000 && last.cause.hasSuffix("; the first 1000 of 2001 hits are listed"))
    }

    @Test("requests of a URL that no beacon has are counted, and only the first ones are listed")
    func otherURL() throws {
        let log = Array(repeating: LogSample.log("/pixel?other=1"), count: 1_500)
        let result = try LogSample.compare([LogSample.line("k", Self.url)], log + [LogSample.log("/pixel")])
        #expect(result.whole.unknown == 1_500 && result.whole.matched == 1)
        let unknown = result.outcomes.first { $0.verdict == .unknown }
        #expect(unknown?.hits == Array(1...1_000) && unknown?.hitCount == 1_500)
    }

    @Test("one beacon may have very many requests")
    func oneBeacon() throws {
        let log = Array(repeating: LogSample.log("/pixel", key: "k"), count: 1_200)
        let result = try LogSample.compare([LogSample.line("k", Self.url)], log)
        #expect(result.whole.duplicates == 1_199)
        #expect(result.outcomes.map(\.hitCount) == [1_200] && result.outcomes.first?.hits.count == 1_000)
    }
}
