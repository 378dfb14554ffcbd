import AdCore

/// How long a server may be silent before the connection counts as lost, by the intervals of its pings.
///
/// The protocol names no interval. Until one is known, three minutes are allowed; after that, three intervals.
struct SmarticoPingMonitor: Hashable, Sendable {
    private var lastPing: Moment?
    private var interval: Duration?
    /// The allowed silence while no interval is known.
    private var initialAllowance = Duration.seconds(180)

    /// How long the server may be silent.
    var allowedSilence: Duration {
        guard let interval else { return self.initialAllowance }
        return min(max(interval * 3, .seconds(20)), max(.seconds(300), interval * 3 / 2))
    }

    /// Records a ping of the server.
    mutating func recordPing(at now: Moment) {
        // Two cases don't change the interval: pings that arrive in a burst, and a ping after an allowed silence has
        // passed, which the app receives late when it was suspended.
        if let lastPing, now - lastPing >= .seconds(1), now - lastPing <= self.allowedSilence {
            self.interval = max(self.interval ?? .zero, now - lastPing)
        }
        self.lastPing = now
    }

    /// Records that the silence lasted too long: the interval is unknown again, with a longer `initialAllowance`.
    mutating func recordTimeout() {
        if self.interval == nil { self.initialAllowance = min(self.initialAllowance * 2, .seconds(3_600)) }
        self.interval = nil
    }

    /// Starts a new connection: the known interval is kept.
    mutating func startConnection() { self.lastPing = nil }
}
