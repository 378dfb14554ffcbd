import AdCore
import TestSupport
import Testing

@testable import PlayReconcile

@Suite("Several beacons of one URL")
struct SharedURLTests {
    private static let url = "https://t.example/pixel"
    /// The log goes on for long after the last beacon.
    private static let end = LogSample.log("/robots.txt", at: 100_000)

    private static func line(
        _ key: String,
        _ state: LedgerLine.State = .delivered,
        attempts: Int = 1,
        at second: Int64 = 0
    ) -> LedgerLine {
        LogSample.line(key, self.url, state, attempts: attempts, at: second)
    }

    private static func hit(at second: Int64, _ status: Int = 204) -> String {
        LogSample.log("/pixel", status, at: second)
    }

    @Test("they get its requests in the order of time")
    func order() throws {
        let lines = (0..<4).map { Self.line("k\($0)", at: Int64($0) * 10) }
        let log = [Self.end, Self.hit(at: 1), Self.hit(at: 11, 503), Self.hit(at: 12), Self.hit(at: 31)]
        let result = try LogSample.compare(lines, log)
        #expect(result.verdicts == ["k0": .matched, "k1": .matched, "k2": .matched, "k3": .lost])
        #expect(result.whole.lost == 1 && result.whole.matched == 3 && result.whole.unknown == 0)
        #expect(result.outcomes.map(\.hits) == [[2], [3, 4], [5], []])
        let more = try LogSample.compare(lines, log + [Self.hit(at: 40), Self.hit(at: 41)]).whole
        #expect(more.lost == 0 && more.duplicates == 1)
    }

    @Test("a dead beacon does not take the request of a delivered one")
    func dead() throws {
        let lines = [Self.line("dead", .dead(reason: "expired"), at: 0), Self.line("good", at: 1)]
        let result = try LogSample.compare(lines, [Self.hit(at: 2), Self.end])
        #expect(result.verdicts == ["dead": .dead, "good": .matched])
        #expect(result.whole.lost == 0)
    }

    @Test("delivered ones get requests first, then those whose outcome is open, then dead ones", arguments: 1...5)
    func ranks(_ count: Int) throws {
        let lines = [
            Self.line("dead", .dead(reason: "expired"), at: 0), Self.line("waits", .pending(reason: "503"), at: 1),
            Self.line("open", .unconfirmed(reason: "it timed out"), at: 2), Self.line("good", at: 3),
        ]
        let result = try LogSample.compare(lines, (0..<count).map { Self.hit(at: 10 + Int64($0)) } + [Self.end])
        let received = ["good", "waits", "open", "dead"].filter { !(result.outcome($0)?.hits.isEmpty ?? true) }
        #expect(received == Array(["good", "waits", "open", "dead"].prefix(count)))
        #expect(result.whole.duplicates == max(0, count - 4) && result.whole.unknown == 0)
        #expect(result.outcomes.map(\.key) == ["dead", "waits", "open", "good"], "the order is that of the ledger")
    }

    @Test("a request that was not counted is that of a dead beacon, as often as that was sent")
    func refused() throws {
        let lines = [
            Self.line("good", attempts: 2, at: 0), Self.line("dead", .dead(reason: "status 503"), attempts: 2, at: 1),
        ]
        let refusals = [Self.hit(at: 2, 503), Self.hit(at: 3, 503)]
        let result = try LogSample.compare(lines, refusals + [Self.hit(at: 4), Self.end])
        #expect(result.outcome("good")?.hits == [3] && result.outcome("dead")?.hits == [1, 2])
        let more = try LogSample.compare(lines, refusals + [Self.hit(at: 4, 503), Self.hit(at: 5), Self.end])
        #expect(more.outcome("good")?.hits == [3, 4] && more.outcome("dead")?.hits == [1, 2])
        #expect(more.outcome("good")?.verdict == .matched)
    }

    @Test("a beacon gets no request from before it was recorded, even if only a dead one is left for it")
    func earlier() throws {
        let lines = [Self.line("dead", .dead(reason: "expired"), at: 0), Self.line("good", at: 100)]
        let result = try LogSample.compare(lines, [Self.hit(at: 10), Self.end])
        #expect(result.outcome("dead")?.cause == "expired; but hit 1 was counted")
        #expect(result.verdicts == ["dead": .dead, "good": .lost])
    }

    @Test("of delivered ones, each request is that of the oldest that has none", arguments: 0..<3)
    func oracle(_ number: UInt64) throws {
        let seed = TestSeed.chosen ?? UInt64.random(in: 0...UInt64.max) &+ number
        print("SharedURLTests: YABBI_SEED=\(seed)")
        var random = TestRandom(seed: seed)
        let seconds = (0..<40).map { _ in Int64(random.next() % 300) }.sorted()
        let requests = (0..<50).map { _ in (at: Int64(random.next() % 400), isCounted: random.next() % 4 > 0) }
        var counted = Array(repeating: 0, count: seconds.count)
        var next = 0
        // The requests of one second come in the order of the log.
        for (_, request) in requests.enumerated().sorted(by: { ($0.1.at, $0.0) < ($1.1.at, $1.0) }) {
            guard request.isCounted else { continue }
            let isInTime = next < seconds.count && seconds[next] <= request.at + 5
            counted[isInTime ? next : max(0, next - 1)] += 1
            if isInTime { next += 1 }
        }
        let lines = seconds.indices.map { Self.line("k\($0)", at: seconds[$0]) }
        var log = requests.map { Self.hit(at: $0.at, $0.isCounted ? 204 : 503) }
        // The log begins before the first beacon.
        log += [LogSample.log("/robots.txt", at: -10), Self.end]
        let result = try LogSample.compare(lines, log)
        #expect(result.whole.lost == counted.count { $0 == 0 }, "seed \(seed)")
        #expect(result.whole.matched + result.whole.late == counted.count { $0 == 1 }, "seed \(seed)")
        #expect(result.whole.duplicates == counted.reduce(0) { $0 + max(0, $1 - 1) }, "seed \(seed)")
    }
}
