import AdCore

/// Computes the delay before the next attempt to connect.
struct SmarticoBackoff: Hashable, Sendable {
    private var attempts = 0
    private var opened: Moment?

    /// How long a connection must have been open to reset the delay.
    static let steady = Duration.seconds(30)

    /// Records that a connection is open.
    mutating func recordOpen(at now: Moment) { self.opened = now }

    /// Resets the delay to the first one.
    mutating func reset() { self = SmarticoBackoff() }

    /// The next delay: doubles from one second to a minute, or to five minutes after a refusal, with random jitter.
    mutating func nextDelay(at now: Moment, wasRefused: Bool, bits: UInt64) -> Duration {
        if let opened, now - opened >= SmarticoBackoff.steady, !wasRefused { self.attempts = 0 }
        self.opened = nil
        let seconds = Double(1 << min(self.attempts, 20))
        self.attempts += 1
        return .seconds(min(seconds, wasRefused ? 300 : 60) * Jitter.share(bits))
    }
}
