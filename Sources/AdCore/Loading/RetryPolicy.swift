/// How often a request for an ad is sent, where the server does not answer in time or has a fault of its own.
public struct RetryPolicy: Hashable, Sendable {
    /// How often at most.
    public let attempts: Int
    /// How long one attempt may take at most, within what is left of the load's time; nil for all that is left.
    ///
    /// A server that does not answer is asked again only where the load has time left: an attempt of ten seconds takes all
    /// of a load that may take ten.
    public let patience: Duration?
    /// How long it is waited before the second attempt; twice as long before each that follows.
    public let pause: Duration

    /// A policy; at least one attempt is made.
    public init(attempts: Int, patience: Duration? = nil, pause: Duration = .milliseconds(500)) {
        self.attempts = max(1, attempts)
        self.patience = patience
        self.pause = max(.zero, pause)
    }

    /// One attempt.
    public static let once = RetryPolicy(attempts: 1)

    /// How long to wait after an attempt that failed, counted from 1; nil where it was the last, or another would fail
    /// the same way.
    ///
    /// A random half of the pause is taken off at most, so that those who failed together don't come back together.
    package func pause(after attempt: Int, _ failure: Failure, bits: @autoclosure () -> UInt64) -> Duration? {
        guard attempt < self.attempts, failure.mayPass else { return nil }
        return .seconds(self.pause.inSeconds * Double(1 << min(attempt - 1, 10)) * Jitter.share(bits()))
    }

    /// How an attempt failed.
    package enum Failure: Hashable, Sendable {
        case transport(TransportError.Phase)
        case status(Int)

        /// A server that was slow, or failed by its own word, may do better soon.
        var mayPass: Bool {
            switch self {
            case .transport(.ambiguous(.timedOut)), .transport(.notSent(.connectTimedOut)): true
            case .transport: false
            case .status(let status): (500...599).contains(status)
            }
        }
    }
}
