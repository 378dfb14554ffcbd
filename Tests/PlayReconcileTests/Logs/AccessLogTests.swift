import AdCore
import TestSupport
import Testing

@testable import PlayReconcile

@Suite("What an access log has")
struct AccessLogTests {
    private static let lines = [LogSample.line("k", "https://t.example/view")]

    @Test("a column for the key is enough to match by keys, whatever the first lines are")
    func keyColumns() throws {
        let csv =
            ["timestamp,host,url,status,idempotency_key"]
            + Array(repeating: "2026-11-28T14:00:00Z,t.example,/index.html,200,-", count: 300)
            + ["2026-11-28T14:00:01Z,t.example,/view,204,k"]
        let extended =
            ["#Version: 1.0", "#Fields: date time cs(Host) cs-uri-stem sc-status cs(Idempotency-Key)"]
            + Array(repeating: "2026-11-28\t14:00:00\tt.example\t/index.html\t200\t-", count: 300)
            + ["2026-11-28\t14:00:01\tt.example\t/view\t204\tk"]
        for log in [csv, extended] {
            let result = try LogSample.compare(Self.lines, log)
            #expect(result.matchesByKey && result.others == 300)
            #expect(result.verdicts == ["k": .matched])
        }
    }

    @Test("JSON lines may begin with thousands of requests without a key, but not with any number")
    func lateKeys() throws {
        let other = LogSample.log("/index.html")
        let keyed = LogSample.log("/view", key: "k")
        let late = try LogSample.compare(Self.lines, Array(repeating: other, count: 5_000) + [keyed])
        #expect(late.matchesByKey && late.verdicts == ["k": .matched])
        let tooLate = try LogSample.compare(Self.lines, Array(repeating: other, count: 20_000) + [keyed])
        #expect(!tooLate.matchesByKey && tooLate.verdicts == ["k": .matched])
    }

    @Test("JSON lines without any key are matched by their URLs")
    func noKeys() throws {
        let result = try LogSample.compare(Self.lines, [LogSample.log("/view")])
        #expect(!result.matchesByKey && result.verdicts == ["k": .matched])
    }

    @Test("hosts are those of the first requests, so one request without a host later does not matter")
    func hosts() throws {
        let nameless = #"{"time": "2026-11-28T14:00:00Z", "uri": "/", "status": 400}"#
        let first = Array(repeating: LogSample.log("/view"), count: 250)
        let lines = [LogSample.line("k", "https://other.example/view")]
        let result = try LogSample.compare(lines, first + [nameless])
        #expect(result.verdicts["k"] == .elsewhere)
    }

    @Test("a log of CloudFront is matched by the host in the URL, not by the name of the distribution")
    func distribution() throws {
        let log = [
            "#Version: 1.0",
            "#Fields: date time cs-method cs(Host) cs-uri-stem sc-status cs-uri-query x-host-header time-taken",
            "2026-11-28\t14:00:00\tGET\td111.cloudfront.net\t/view\t204\tad=1\tt.example\t0.001",
        ]
        let result = try LogSample.compare([LogSample.line("k", "https://t.example/view?ad=1")], log)
        #expect(result.verdicts == ["k": .matched])
    }
}
