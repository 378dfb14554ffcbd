/// Carries HTTP requests.
///
/// `CurlTransport` is the real one.
///
/// A transport follows redirects within the request's limits, verifies TLS, ends within the request's deadlines,
/// stops when its task is cancelled, and holds nothing of the request after it has returned.
public protocol Transport: Sendable {
    /// Carries one request out, or says how far it came.
    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse
}

/// How far a request came before it failed: the one thing that decides whether it may be sent again.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// How far the request came.
    public enum Phase: Hashable, Sendable {
        /// No byte of the request left: it can be sent again without any doubt.
        case notSent(Reason)
        /// Bytes left and no whole answer came: the server may have acted on it.
        case ambiguous(Reason)
        /// The answer was larger than the bound; it was thrown away.
        case tooLarge
        /// The waiting task was cancelled. `sent` tells whether bytes had left by then.
        case cancelled(sent: Bool)
    }

    /// What stood in the way.
    public enum Reason: String, Hashable, Sendable {
        /// The host's name was not found.
        case nameNotResolved
        /// The host does not take connections there.
        case refused
        /// No connection came about in time.
        case connectTimedOut
        /// No encrypted connection that can be trusted came about.
        case tlsFailed
        /// The connection broke before an answer began.
        case connectionLost
        /// No whole answer came in time.
        case timedOut
        /// The answer broke off.
        case truncated
        /// There were more redirects than the request allows.
        case tooManyRedirects
        /// A redirect leads to no address that can be called.
        case badRedirect
        /// What came is no answer of HTTP, or can't be unpacked.
        case undecodable
        /// The request needs a secret that is not there.
        case missingCredential
        /// What was to be called is no address.
        case noAddress
        /// Anything else; the message says what.
        case other
        /// The host's name leads to this machine or its network, and the request was for the world alone.
        case privateAddress
    }

    /// How far the request came.
    public let phase: Phase
    /// What happened, in one sentence.
    public let message: String

    /// Says how far a request came.
    public init(_ phase: Phase, _ message: String) {
        self.phase = phase
        self.message = message
    }

    /// The message.
    public var description: String { self.message }
}
