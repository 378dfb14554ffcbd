/// How often an ad request is sent if the server times out or fails.
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of attempts.
    public let attempts: Int
    /// The time limit of one attempt, within the remaining time of the load; nil for all of the remaining time.
    ///
    /// A retry needs remaining time: with an attempt of ten seconds, a load of ten seconds has no second one.
    public let attemptTimeout: Duration?
    /// The pause before the second attempt; it doubles with each further one.
    public let pause: Duration

    /// Creates a policy; at least one attempt is made.
    public init(attempts: Int, attemptTimeout: Duration? = nil, pause: Duration = .milliseconds(500)) {
        self.attempts = max(1, attempts)
        self.attemptTimeout = attemptTimeout
        self.pause = max(.zero, pause)
    }

    /// One attempt.
    public static let once = RetryPolicy(attempts: 1)

    /// The pause after a failed attempt; nil if it was the last one or another would fail in the same way.
    ///
    /// - Parameters:
    ///   - attempt: The number of the failed attempt, from 1.
    ///   - failure: How it failed.
    ///   - bits: 64 random bits, for the jitter.
    /// - Returns: The pause with jitter.
    package func pause(after attempt: Int, _ failure: Failure, bits: @autoclosure () -> UInt64) -> Duration? {
        guard attempt < self.attempts, failure.isTemporary else { return nil }
        return .seconds(self.pause.inSeconds * Double(1 << min(attempt - 1, 10)) * Jitter.share(bits()))
    }

    /// How an attempt failed.
    package enum Failure: Hashable, Sendable {
        case transport(TransportError.Phase)
        case status(Int)

        /// Whether another attempt may succeed: after a timeout or a server error.
        var isTemporary: Bool {
            switch self {
            case .transport(.ambiguous(.timedOut)), .transport(.notSent(.connectTimedOut)): true
            case .transport: false
            case .status(let status): (500...599).contains(status)
            }
        }
    }
}
