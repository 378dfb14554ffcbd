import Testing

@testable import PostgresLedger

@Suite("Where operations go while the server is away")
struct FailoverTests {
    private let start = ContinuousClock.now

    @Test("operations go to the server until it fails, and again when it has answered")
    func route() {
        var failover = Failover()
        let first = failover.route(at: self.start)
        let isNew = failover.failed(at: self.start)
        #expect(first == .server && isNew && failover.isAway)
        let away = failover.route(at: self.start)
        #expect(away == .local(tries: false))
        failover.answered(hasWritten: true)
        let back = failover.route(at: self.start)
        #expect(back == .server)
    }

    @Test("carrying over pauses after a failure, longer each time, and each new reason is told once")
    func carryingOver() {
        var failover = Failover()
        let news = ["locked", "locked", "full", "full"].map { failover.failedToCarryOver($0, at: self.start) }
        #expect(news == [true, false, true, false] && failover.reasonOfKeeping == "full")
        let early = failover.carries(at: self.start + .milliseconds(1_999))
        let late = failover.carries(at: self.start + .seconds(2))
        #expect(!early && late)
        failover.carriedOver()
        #expect(failover.carries(at: self.start) && failover.reasonOfKeeping == nil)
    }

    /// The pauses until the server is tried again, in milliseconds.
    private static func pauses(_ failover: inout Failover, from start: ContinuousClock.Instant, count: Int) -> [Int64] {
        var now = start
        return (0..<count).map { _ in
            var pause: Int64 = 0
            while failover.route(at: now) != .local(tries: true) {
                now += .milliseconds(250)
                pause += 250
            }
            _ = failover.failed(at: now)
            return pause
        }
    }

    @Test("one operation at a time tries the server again, after pauses that grow to 15 seconds")
    func growing() {
        var failover = Failover()
        _ = failover.failed(at: self.start)
        let tries = [Duration.zero, .milliseconds(250), .milliseconds(250)].map { failover.route(at: self.start + $0) }
        #expect(tries == [.local(tries: false), .local(tries: true), .local(tries: false)])
        let isNew = failover.failed(at: self.start)
        let pauses = Self.pauses(&failover, from: self.start, count: 7)
        #expect(!isNew && pauses == [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
    }

    @Test("operations that fail together are one failure")
    func together() {
        var failover = Failover()
        let areNew = (0..<20).map { _ in failover.failed(at: self.start) }
        let pauses = Self.pauses(&failover, from: self.start, count: 2)
        #expect(areNew.count { $0 } == 1 && pauses == [250, 500])
    }

    @Test("a server that answers and can't write is one outage, and is tried less and less often")
    func readOnly() {
        var failover = Failover()
        var isNew: [Bool] = []
        var pauses: [Int64] = []
        var now = self.start
        for _ in 0..<3 {
            isNew.append(failover.failed(at: now))
            var pause: Int64 = 0
            while failover.route(at: now) != .local(tries: true) {
                now += .milliseconds(250)
                pause += 250
            }
            pauses.append(pause)
            failover.answered(hasWritten: false)
        }
        #expect(isNew == [true, false, false] && pauses == [250, 500, 1_000])
    }
}
