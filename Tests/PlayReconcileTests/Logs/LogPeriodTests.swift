import AdCore
import Testing

@testable import PlayReconcile

@Suite("The time that a log covers")
struct LogPeriodTests {
    /// The first and the last request.
    private static let ends = [LogSample.log("/robots.txt", at: 0), LogSample.log("/robots.txt", at: 900)]
    private static let range = "2026-11-28T14:00:00.000Z to 2026-11-28T14:15:00.000Z"

    private static func line(_ key: String, _ state: LedgerLine.State = .delivered, at second: Int64) -> LedgerLine {
        LogSample.line(key, "https://t.example/view?ad=\(key)", state, at: second)
    }

    @Test("a beacon that was recorded shortly before the end of a log is elsewhere, unless the log has its request")
    func end() throws {
        let lines = [
            Self.line("lost", at: 0), Self.line("early", at: 840), Self.line("next", at: 850),
            Self.line("good", at: 851), Self.line("refused", at: 852), Self.line("after", at: 901),
        ]
        var log = Self.ends
        log += [LogSample.log("/view?ad=good", at: 880), LogSample.log("/view?ad=refused", 503, at: 881)]
        let result = try LogSample.compare(lines, log)
        #expect(
            result.verdicts == [
                "lost": .lost, "early": .lost, "next": .elsewhere, "good": .matched, "refused": .lost,
                "after": .elsewhere,
            ]
        )
        #expect(
            result.outcome("next")?.cause
                == "delivered according to the ledger; it was recorded at 2026-11-28T14:14:10.000Z, less than 60 s "
                + "before the end of the log, which is from \(Self.range): its request may be in the next log"
        )
        #expect(
            result.outcome("after")?.cause
                == "delivered according to the ledger; it was recorded at 2026-11-28T14:15:01.000Z, "
                + "and the log is from \(Self.range)"
        )
        let strict = try LogSample.compare(lines, log, lateAfter: .seconds(10)).verdicts
        #expect(strict["next"] == .lost && strict["after"] == .elsewhere)
    }

    @Test("of a beacon outside of a log's time it is unknown whether it was received")
    func unknown() throws {
        let lines = [
            Self.line("late", .unconfirmed(reason: "it timed out"), at: 1_000),
            Self.line("inside", .dead(reason: "expired"), at: 10),
        ]
        let result = try LogSample.compare(lines, Self.ends)
        #expect(
            result.outcome("late")?.cause
                == "it timed out; unknown whether it was received: it was recorded at 2026-11-28T14:16:40.000Z, "
                + "and the log is from \(Self.range)"
        )
        #expect(result.outcome("inside")?.cause == "expired; the server did not receive it")
    }
}
