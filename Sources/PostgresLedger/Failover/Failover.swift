/// Where the operations of a ledger go: to its server, or to the files of this host while the server is away.
///
/// After a failure the server is tried again by itself, after a pause that grows; no operation waits for that. The pause
/// begins anew only when the server has written something: one that is read-only or full answers, too.
struct Failover: Sendable {
    /// Where an operation goes.
    enum Route: Equatable {
        case server
        /// To the files; with `tries`, the caller also finds out whether the server is back.
        case local(tries: Bool)
    }

    private enum State {
        case connected
        case away(next: ContinuousClock.Instant, isTrying: Bool)
    }

    private var state = State.connected
    /// The number of failures since the server has written something.
    private var failures = 0
    /// Why beacons of this host could not be carried over, though the server is there; nil if they could.
    private var carryFailure: (reason: String, count: Int, next: ContinuousClock.Instant)?

    private static let firstPause = Duration.milliseconds(250)
    private static let longestPause = Duration.seconds(15)

    /// How long the caller of a claim waits for the next one while the server is away.
    static let pollInterval = Duration.seconds(1)

    /// Whether the server is away.
    var isAway: Bool {
        if case .connected = self.state { false } else { true }
    }

    /// Where an operation goes now.
    mutating func route(at now: ContinuousClock.Instant) -> Route {
        guard case .away(let next, let isTrying) = self.state else { return .server }
        guard !isTrying, now >= next else { return .local(tries: false) }
        self.state = .away(next: next, isTrying: true)
        return .local(tries: true)
    }

    /// The server did not do an operation; returns whether it was not known to be away.
    ///
    /// While it is away, only the operation counts that tries it again: others may have begun before.
    mutating func failed(at now: ContinuousClock.Instant) -> Bool {
        if case .away(_, let isTrying) = self.state, !isTrying { return false }
        self.state = .away(next: now + Failover.pause(after: self.failures), isTrying: false)
        self.failures += 1
        return self.failures == 1
    }

    /// The pause before something is tried again that has failed so often before; it grows.
    private static func pause(after failures: Int) -> Duration {
        min(self.firstPause * (1 << min(failures, 10)), self.longestPause)
    }

    // MARK: Carrying over

    /// Why beacons of this host could not be carried over the last time; nil if they could, or the server was away.
    var reasonOfKeeping: String? { self.carryFailure?.reason }

    /// Whether carrying over may be tried now.
    func carries(at now: ContinuousClock.Instant) -> Bool { self.carryFailure.map { now >= $0.next } ?? true }

    mutating func carriedOver() { self.carryFailure = nil }

    /// Carrying over has failed for another reason than that the server is away; returns whether the reason is new.
    mutating func failedToCarryOver(_ reason: String, at now: ContinuousClock.Instant) -> Bool {
        let before = self.carryFailure
        let count = before?.count ?? 0
        self.carryFailure = (reason, count + 1, now + Failover.pause(after: count))
        return before?.reason != reason
    }

    // MARK: Answers

    /// The server has answered; with `hasWritten` it has also written something.
    mutating func answered(hasWritten: Bool) {
        self.state = .connected
        if hasWritten { self.failures = 0 }
    }
}
