import LibC
import TestSupport
import Testing

/// Days in virtual time with everything that goes wrong with sockets, users and pages.
///
/// What is claimed of what pages tell the server (impressions among them): each of it is handed to an open socket at most
/// once, under the user whose page told it; and exactly once, unless a trace line says that it was dropped because the
/// user was gone first. No acknowledgement exists in the protocol: what was handed to a socket that broke off a moment
/// later is not sent again, because the server may have counted it.
///
/// To live one again: `YABBI_SEED=<seed> swift test --filter DayTests`; `YABBI_DAYS=500` lives more of them.
@Suite("A day with Smartico, many times at random", .timeLimit(.minutes(2)))
struct DayTests {
    static let first: UInt64 = 0xDA7_0000
    private let count = getenv("YABBI_DAYS").flatMap { UInt64(String(cString: $0)) } ?? 20

    @Test("every engagement comes at most once, and what its page tells goes out exactly once")
    func days() async {
        if let seed = TestSeed.chosen {
            let report = await Day(seed: seed).live()
            print("seed \(seed): \(report)")
            #expect(report.faults.isEmpty)
            return
        }
        let reports = await withTaskGroup(of: (UInt64, Day.Report).self) { group in
            for seed in DayTests.first..<DayTests.first + self.count {
                group.addTask { (seed, await Day(seed: seed).live()) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for (seed, report) in reports where !report.faults.isEmpty {
            Testing.Issue.record("YABBI_SEED=\(seed) breaks: \(report.faults.prefix(5))")
        }
        func total(_ count: (Day.Report) -> Int) -> Int { reports.reduce(0) { $0 + count($1.1) } }
        let (handed, arrived) = (total(\.handed), total(\.arrived))
        #expect(reports.allSatisfy { $0.1.mostAlarms < 200 })
        // A day on which nothing happens proves nothing.
        #expect(total(\.offered) > 2_000 && total(\.shown) > 500 && handed > 1_000 && total(\.connections) > 2_000)
        #expect(total(\.repeats) > 1_000 && total(\.dropped) > 10)
        #expect(arrived <= handed && arrived > handed * 7 / 10)
    }

    @Test("a seed gives the same day each time")
    func sameDay() async {
        let seed = TestSeed.chosen ?? DayTests.first
        let first = await Day(seed: seed).live()
        let second = await Day(seed: seed).live()
        let other = await Day(seed: seed &+ 1).live()
        #expect(first.digest == second.digest, "YABBI_SEED=\(seed)")
        #expect(first.digest != other.digest)
    }
}
