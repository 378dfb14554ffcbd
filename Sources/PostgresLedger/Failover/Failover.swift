/// Where the operations of a ledger go: to its server, or to the files of this host while the server is away.
///
/// After a failure the server is tried again by itself, after a pause that grows; no operation waits for that.
struct Failover: Sendable {
    /// Where an operation goes.
    enum Route: Equatable {
        case server
        /// To the files; with `tries`, the caller also finds out whether the server is back.
        case local(tries: Bool)
    }

    private enum State {
        case connected
        case away(tries: Int, next: ContinuousClock.Instant, isTrying: Bool)
    }

    private var state = State.connected

    private static let firstPause = Duration.milliseconds(250)
    private static let longestPause = Duration.seconds(15)

    /// Whether the server is away.
    var isAway: Bool {
        if case .connected = self.state { false } else { true }
    }

    /// How long the caller of a claim waits for the next one while the server is away.
    static let pollInterval = Duration.seconds(1)

    /// Where an operation goes now.
    mutating func route(at now: ContinuousClock.Instant) -> Route {
        guard case .away(let tries, let next, let isTrying) = self.state else { return .server }
        guard !isTrying, now >= next else { return .local(tries: false) }
        self.state = .away(tries: tries, next: next, isTrying: true)
        return .local(tries: true)
    }

    /// The server did not answer; returns whether that is new.
    mutating func failed(at now: ContinuousClock.Instant) -> Bool {
        guard case .away(let tries, _, _) = self.state else {
            self.state = .away(tries: 1, next: now + Failover.firstPause, isTrying: false)
            return true
        }
        let pause = min(Failover.firstPause * (1 << min(tries, 10)), Failover.longestPause)
        self.state = .away(tries: tries + 1, next: now + pause, isTrying: false)
        return false
    }

    /// The server has answered; returns whether it was away.
    mutating func answered() -> Bool {
        defer { self.state = .connected }
        return self.isAway
    }
}
