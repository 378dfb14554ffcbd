/// An error of URLSession, as far as it decides anything.
struct TransferError: Hashable, Sendable {
    /// What failed.
    enum Kind: Hashable, Sendable {
        /// The host name could not be resolved.
        case unknownHost
        /// No connection to the host was established.
        case noConnection
        /// The device has no network, or the app may not use it now.
        case offline
        /// The system forbids the request before it connects, as App Transport Security does for `http`.
        case forbidden
        /// The certificate of the server is not trusted.
        case untrusted
        /// Another failure of TLS, which may follow the request: a server can refuse a client after its handshake.
        case secureConnection
        /// The connection was lost.
        case lost
        /// URLSession's own time limit passed.
        case timedOut
        /// The response is not valid HTTP, or its content can't be decoded.
        case undecodable
        /// URLSession can't send to this URL.
        case badURL
        /// The transfer was cancelled.
        case cancelled
        /// URLSession does not say what; swift-corelibs-foundation has no code for most errors of libcurl.
        case unexplained
        /// Anything else.
        case other
    }

    let kind: Kind
    /// What URLSession says.
    let detail: String

    /// Whether it occurs before a byte of the request is sent, and at no other time.
    var provesNothingSent: Bool {
        switch self.kind {
        case .unknownHost, .noConnection, .offline, .forbidden, .untrusted, .badURL: true
        case .secureConnection, .lost, .timedOut, .undecodable, .cancelled, .unexplained, .other:
            false
        }
    }
}
