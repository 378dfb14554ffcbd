import LibC
import TestSupport
import Testing

/// Simulated days in virtual time, with random faults of sockets, users and pages.
///
/// A message of a page to the server (impressions are such messages) is sent on an open socket at most once, and with
/// the user whose page sent it. It is sent exactly once, unless an issue reports that it was dropped because the user
/// logged out first. The protocol has no acknowledgement: a message that was sent just before the connection broke is
/// not sent again, because the server may have counted it.
///
/// To repeat one day: `YABBI_SEED=<seed> swift test --filter DayTests`. `YABBI_LONG=1` simulates 500 of them.
@Suite("Smartico session: random days", .timeLimit(.minutes(LongForm.either(30, short: 2))))
struct DayTests {
    static let first: UInt64 = 0xDA7_0000
    private let count: UInt64 = LongForm.either(500, short: 20)

    @Test("each engagement is offered at most once, and each message of its page is sent exactly once")
    func days() async {
        if let seed = TestSeed.chosen {
            let report = await Day(seed: seed).run()
            print("seed \(seed): \(report)")
            #expect(report.faults.isEmpty)
            return
        }
        let reports = await withTaskGroup(of: (UInt64, Day.Report).self) { group in
            for seed in DayTests.first..<DayTests.first + self.count {
                group.addTask { (seed, await Day(seed: seed).run()) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for (seed, report) in reports where !report.faults.isEmpty {
            Testing.Issue.record("YABBI_SEED=\(seed) fails: \(report.faults.prefix(5))")
        }
        func total(_ count: (Day.Report) -> Int) -> Int { reports.reduce(0) { $0 + count($1.1) } }
        let (sent, arrived) = (total(\.sent), total(\.arrived))
        #expect(reports.allSatisfy { $0.1.mostAlarms < 200 })
        // The days must contain enough of everything.
        #expect(total(\.offered) > 2_000 && total(\.shown) > 500 && sent > 1_000 && total(\.connections) > 2_000)
        #expect(total(\.repeats) > 1_000 && total(\.dropped) > 10)
        #expect(arrived <= sent && arrived > sent * 7 / 10)
    }

    @Test("a seed gives the same day each time")
    func sameDay() async {
        let seed = TestSeed.chosen ?? DayTests.first
        let first = await Day(seed: seed).run()
        let second = await Day(seed: seed).run()
        let other = await Day(seed: seed &+ 1).run()
        #expect(first.digest == second.digest, "YABBI_SEED=\(seed)")
        #expect(first.digest != other.digest)
    }
}
