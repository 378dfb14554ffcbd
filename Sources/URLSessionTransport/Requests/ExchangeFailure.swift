import AdCore

/// Why a request has no complete response, and how far it got.
struct ExchangeFailure {
    /// The cause of the failure.
    enum Cause: Hashable {
        /// URLSession reported an error.
        case error(TransferError)
        /// URLSession reported success without a response.
        case noResponse
        /// The body or the header of the response exceeded its limit.
        case bodyTooLarge
        case headTooLarge
        /// The task was cancelled.
        case cancelled
        /// The deadline passed.
        case overdue
        /// The deadline passed before a connection was free.
        case waitedTooLong
        /// Looking up the host name took too long.
        case lookUpTimedOut
        /// The host name has no address.
        case unknownHost
        /// The host has a private address, and the request is for public ones.
        case privateAddress(String)
        /// URLSession can't express the request, and why.
        case unsendable(String)
        /// The transport was shut down.
        case shutDown
    }

    let cause: Cause
    /// Whether bytes of the request were sent, or may have been.
    let wasSent: Bool
    /// Whether the header of the response was received.
    let hasHead: Bool

    /// The error of a request to this URL.
    func transportError(for url: HTTPURL) -> TransportError {
        switch self.cause {
        case .privateAddress(let address):
            return TransportError(self.phase, TransportError.words(forPrivate: address, of: url))
        case .unknownHost: return TransportError(self.phase, "unknown host \(url.host)")
        case .error(let error) where error.kind == .unknownHost && !self.wasSent:
            return TransportError(self.phase, "unknown host \(url.host)")
        default: return TransportError(self.phase, TransportError.message(self.words, at: url, detail: self.detail))
        }
    }

    private var phase: TransportError.Phase {
        switch self.cause {
        case .bodyTooLarge, .headTooLarge: .tooLarge
        case .cancelled: .cancelled(sent: self.wasSent)
        default: self.wasSent ? .ambiguous(self.reason) : .notSent(self.reason)
        }
    }

    private var reason: TransportError.Reason {
        switch self.cause {
        case .error(let error): self.reason(of: error.kind)
        case .noResponse: .undecodable
        case .overdue: self.wasSent ? .timedOut : .connectTimedOut
        case .waitedTooLong: .timedOut
        case .lookUpTimedOut: .connectTimedOut
        case .unknownHost: .nameNotResolved
        case .privateAddress: .privateAddress
        case .bodyTooLarge, .headTooLarge, .cancelled, .unsendable, .shutDown: .other
        }
    }

    private func reason(of kind: TransferError.Kind) -> TransportError.Reason {
        switch kind {
        case .unknownHost: .nameNotResolved
        case .noConnection: .refused
        case .untrusted, .secureConnection: self.hasHead ? .truncated : .tlsFailed
        case .lost: self.hasHead ? .truncated : .connectionLost
        case .timedOut: self.wasSent ? .timedOut : .connectTimedOut
        case .undecodable: .undecodable
        case .unexplained: self.hasHead ? .truncated : .other
        case .badURL: .noAddress
        case .offline, .forbidden, .cancelled, .other: .other
        }
    }

    private var words: String {
        switch self.cause {
        case .bodyTooLarge: AdHTTPResponse.excessiveBody
        case .headTooLarge: AdHTTPResponse.excessiveHeader
        case .cancelled: TransportError.wordsForCancelled(wasSent: self.wasSent)
        case .waitedTooLong: TransportError.waitedTooLong
        case .shutDown: TransportError.wordsForShutDown(wasSent: self.wasSent)
        case .unsendable(let why): "not sent: " + why
        default: TransportError.words(for: self.reason, wasSent: self.wasSent)
        }
    }

    private var detail: String {
        switch self.cause {
        case .error(let error): error.detail
        case .noResponse: "URLSession has no response"
        default: ""
        }
    }
}
