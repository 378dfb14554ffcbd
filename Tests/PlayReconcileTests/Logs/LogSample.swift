import AdCore
import TestSupport
import Testing

@testable import PlayReconcile

/// Beacons, lines of a log, and their comparison, for tests.
enum LogSample {
    static let start = WallTime(milliseconds: 1_795_874_400_000)

    /// The result of a comparison.
    struct Result {
        let whole: Reconciliation
        /// All verdicts, in the order in which they came.
        let outcomes: [ReconciledBeacon]
        let others: Int
        let matchesByKey: Bool

        /// The verdicts by key, or by URL without one.
        var verdicts: [String: BeaconVerdict] {
            Dictionary(self.outcomes.map { ($0.key ?? $0.url, $0.verdict) }) { _, last in last }
        }

        func outcome(_ key: String) -> ReconciledBeacon? { self.outcomes.first { $0.key == key } }
    }

    static func line(
        _ key: String,
        _ url: String,
        _ state: LedgerLine.State = .delivered,
        attempts: Int = 1,
        at second: Int64 = 0
    ) -> LedgerLine {
        LedgerLine(
            key: key,
            event: "view",
            url: url,
            isBilling: true,
            state: state,
            attempts: attempts,
            recorded: self.start + .seconds(second)
        )
    }

    static func log(_ target: String, _ status: Int = 204, at second: Int64 = 0, key: String? = nil) -> String {
        let time = CalendarText.iso8601(self.start + .seconds(second))
        let member = key.map { ", \"idempotency_key\": \"\($0)\"" } ?? ""
        return #"{"time": "\#(time)", "host": "t.example", "uri": "\#(target)", "status": \#(status)\#(member)}"#
    }

    static func compare(
        _ lines: [LedgerLine],
        _ log: [String],
        pattern: String? = nil,
        lateAfter: Duration = .seconds(60)
    ) throws -> Result {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let path = try #require(folder.write(log.joined(separator: "\n") + "\n", "access.log"))
        let comparison = try LogComparison([path], pattern: pattern, lateAfter: lateAfter)
        for line in lines { try comparison.add(line) }
        let problems = try comparison.read()
        #expect(problems.isEmpty)
        var outcomes: [ReconciledBeacon] = []
        let whole = try comparison.finish { part in outcomes += part.outcomes }
        return Result(
            whole: whole,
            outcomes: outcomes,
            others: comparison.others,
            matchesByKey: comparison.matchesByKey
        )
    }
}
