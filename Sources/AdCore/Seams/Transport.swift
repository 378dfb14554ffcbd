/// Sends HTTP requests; `CurlTransport` and `URLSessionTransport` implement it.
///
/// A transport follows redirects within the request's limits, verifies TLS certificates, keeps the request's deadlines,
/// stops when its task is cancelled, and keeps nothing of the request after it has returned.
public protocol Transport: Sendable {
    /// Sends a request and returns its response, or throws an error with how far the request came.
    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse
}

/// A failed request and how far it came, which decides whether it may be sent again.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// How far a request came.
    public enum Phase: Hashable, Sendable {
        /// No byte was sent, so the request can be sent again.
        case notSent(Reason)
        /// Bytes were sent and no complete response was received, so the server may have handled the request.
        case ambiguous(Reason)
        /// The response was larger than the limit and was discarded.
        case tooLarge
        /// The waiting task was cancelled, after bytes were sent or before.
        case cancelled(sent: Bool)
    }

    /// Why a request failed.
    public enum Reason: String, Hashable, Sendable {
        /// The host name could not be resolved.
        case nameNotResolved
        /// The host refused the connection.
        case refused
        /// The connection was not established in time.
        case connectTimedOut
        /// The TLS handshake failed or the certificate is not trusted.
        case tlsFailed
        /// The connection was lost before a response began.
        case connectionLost
        /// No complete response was received in time.
        case timedOut
        /// The connection ended within the response.
        case truncated
        /// There were more redirects than the request allows.
        case tooManyRedirects
        /// The target of a redirect is not a valid HTTP URL.
        case badRedirect
        /// The response is not valid HTTP or can't be decompressed.
        case undecodable
        /// A credential of the request is missing.
        case missingCredential
        /// The URL of the request is invalid.
        case noAddress
        /// Any other reason; the message describes it.
        case other
        /// The host resolves to a private address, and the request is limited to public ones.
        case privateAddress
    }

    /// How far the request came.
    public let phase: Phase
    /// What happened, in one sentence.
    public let message: String

    /// Creates an error.
    public init(_ phase: Phase, _ message: String) {
        self.phase = phase
        self.message = message
    }

    /// The message.
    public var description: String { self.message }
}
