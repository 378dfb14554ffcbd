import AdCore

/// How long to wait before connecting once more.
struct SmarticoBackoff: Hashable, Sendable {
    private var attempts = 0
    private var opened: Moment?

    /// How long a connection must hold to count as a good one.
    static let steady = Duration.seconds(30)

    /// A connection is open.
    mutating func open(at now: Moment) { self.opened = now }

    /// Forgets the past: the next attempt is made at once, or soon.
    mutating func forget() { self = SmarticoBackoff() }

    /// The pause before the next attempt: it doubles from a second to a minute, and to five where the server refused.
    mutating func pause(at now: Moment, wasRefused: Bool, bits: UInt64) -> Duration {
        if let opened, now - opened >= SmarticoBackoff.steady, !wasRefused { self.attempts = 0 }
        self.opened = nil
        let seconds = Double(1 << min(self.attempts, 20))
        self.attempts += 1
        return .seconds(min(seconds, wasRefused ? 300 : 60) * Jitter.share(bits))
    }
}
