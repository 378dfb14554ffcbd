import AdCore

/// How long a server may be silent before nobody is there any more: learnt from how often it asks.
///
/// The protocol names no interval. As long as none is known, much is allowed; then three of them.
struct SmarticoPingWatch: Hashable, Sendable {
    private var last: Moment?
    private var interval: Duration?
    /// How long silence may last as long as no interval is known.
    private var allowance = Duration.seconds(180)

    /// How long silence may last.
    var patience: Duration {
        guard let interval else { return self.allowance }
        return min(max(interval * 3, .seconds(20)), max(.seconds(300), interval * 3 / 2))
    }

    /// The server has asked whether somebody is there.
    mutating func ping(at now: Moment) {
        // A ping in a bunch makes nobody impatient, and one for which nobody would have waited came to an app that slept.
        if let last, now - last >= .seconds(1), now - last <= self.patience {
            self.interval = max(self.interval ?? .zero, now - last)
        }
        self.last = now
    }

    /// Silence has lasted too long: perhaps this server asks more rarely than it did, or than was allowed, or never.
    mutating func endure() {
        if self.interval == nil { self.allowance = min(self.allowance * 2, .seconds(3_600)) }
        self.interval = nil
    }

    /// A new connection: what is known of the interval holds on.
    mutating func reconnect() { self.last = nil }
}
