import AdCore
import CLibcurl
import LibC

/// Why a transfer has no complete response, and how far it got.
struct TransferFailure {
    /// The cause of the failure.
    enum Cause {
        /// libcurl reported an error.
        case code(CURLcode)
        /// The body or the header of the response exceeded its limit.
        case bodyTooLarge
        case headTooLarge
        /// The task was cancelled.
        case cancelled
        /// The deadline passed before a connection was free.
        case waitedTooLong
        /// The transport was shut down.
        case shutDown
    }

    let cause: Cause
    /// Whether bytes of the request were sent.
    var wasSent = false
    /// Whether a status line was received.
    var hasStatus = false
    /// Whether the total deadline has passed.
    var isOverdue = false
    /// The system's `errno`, or 0.
    var systemError = 0
    /// libcurl's error message.
    var detail = ""
    /// The private address to which a request for public addresses resolved; nil if none.
    var privatePeer: IPAddress?

    /// The error of a request to this URL.
    func transportError(for url: HTTPURL) -> TransportError {
        if let privatePeer, self.reason == .privateAddress {
            return TransportError(self.phase, TransportError.words(forPrivate: privatePeer.description, of: url))
        }
        if case .code(CURLE_COULDNT_RESOLVE_HOST) = self.cause {
            return TransportError(self.phase, "unknown host \(url.host)")
        }
        return TransportError(self.phase, TransportError.message(self.words, at: url, detail: self.detail))
    }

    private var phase: TransportError.Phase {
        switch self.cause {
        case .bodyTooLarge, .headTooLarge, .code(CURLE_FILESIZE_EXCEEDED): .tooLarge
        case .cancelled: .cancelled(sent: self.wasSent)
        case .code, .waitedTooLong, .shutDown: self.wasSent ? .ambiguous(self.reason) : .notSent(self.reason)
        }
    }

    /// The reason for the caller.
    var reason: TransportError.Reason {
        switch self.cause {
        case .bodyTooLarge, .headTooLarge, .cancelled, .shutDown: .other
        case .waitedTooLong: .timedOut
        case .code(let code): self.reason(of: code)
        }
    }

    private func reason(of code: CURLcode) -> TransportError.Reason {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return .nameNotResolved
        case CURLE_COULDNT_CONNECT where self.privatePeer != nil:
            return .privateAddress
        case CURLE_COULDNT_CONNECT:
            return self.systemError == ECONNREFUSED
                ? .refused : self.systemError == ETIMEDOUT ? .connectTimedOut : .other
        case CURLE_OPERATION_TIMEDOUT:
            return self.wasSent || self.isOverdue ? .timedOut : .connectTimedOut
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CLIENTCERT:
            return .tlsFailed
        case CURLE_PARTIAL_FILE:
            return .truncated
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return self.hasStatus ? .truncated : .connectionLost
        case CURLE_BAD_CONTENT_ENCODING, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
            // CURLE_UNSUPPORTED_PROTOCOL is libcurl's code for a response that is not HTTP.
            return .undecodable
        default:
            return .other
        }
    }

    private var words: String {
        switch self.cause {
        case .bodyTooLarge, .code(CURLE_FILESIZE_EXCEEDED): AdHTTPResponse.excessiveBody
        case .headTooLarge: AdHTTPResponse.excessiveHeader
        case .cancelled: TransportError.wordsForCancelled(wasSent: self.wasSent)
        case .waitedTooLong: TransportError.waitedTooLong
        case .shutDown: TransportError.wordsForShutDown(wasSent: self.wasSent)
        case .code: TransportError.words(for: self.reason, wasSent: self.wasSent)
        }
    }
}
