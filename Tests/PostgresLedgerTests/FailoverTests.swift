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
        let (wasAway, again) = (failover.answered(), failover.answered())
        #expect(away == .local(tries: false) && wasAway && !again)
        let back = failover.route(at: self.start)
        #expect(back == .server)
    }

    @Test("one operation at a time tries the server again, after pauses that grow to 15 seconds")
    func pauses() {
        var failover = Failover()
        var now = self.start
        _ = failover.failed(at: now)
        var pauses: [Int64] = []
        for _ in 0..<8 {
            var pause: Int64 = 0
            while failover.route(at: now) != .local(tries: true) {
                now += .milliseconds(250)
                pause += 250
            }
            // Another operation meanwhile doesn't try, too.
            let other = failover.route(at: now)
            let isNew = failover.failed(at: now)
            #expect(other == .local(tries: false) && !isNew)
            pauses.append(pause)
        }
        #expect(pauses == [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
    }
}
