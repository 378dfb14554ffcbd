import AdCore
import CLibcurl
import LibC

/// How a transfer ended that has no whole answer to show, and what it means for the request.
struct Failure {
    /// What ended it.
    enum Cause {
        /// libcurl gave up.
        case code(CURLcode)
        /// The body or the header of the answer passed its bound.
        case bodyTooLarge
        case headTooLarge
        /// The waiting task was cancelled.
        case cancelled
        /// The deadline passed before there was a connection to spare.
        case waitedTooLong
        /// The transport ended.
        case shutDown
    }

    let cause: Cause
    /// Whether bytes of the request had left.
    var wasSent = false
    /// Whether an answer had begun.
    var wasAnswered = false
    /// Whether the deadline for everything has passed.
    var isOverdue = false
    /// The system's error number behind it, 0 for none.
    var systemError = 0
    /// libcurl's own words.
    var detail = ""
    /// Where it would have led, although it was for the world alone; nil where nothing stood in its way.
    var nearPeer: PeerAddress?

    /// The failure of a request to this address.
    func error(_ url: HTTPURL) -> TransportError {
        if let nearPeer, self.reason == .privateAddress {
            return TransportError(self.phase, "Refused: \(url.host) leads to a private address \(nearPeer)")
        }
        let message = self.message + " (\(url.origin))" + (self.detail.isEmpty ? "" : ": " + self.printableDetail)
        return TransportError(self.phase, message)
    }

    private var phase: TransportError.Phase {
        switch self.cause {
        case .bodyTooLarge, .headTooLarge, .code(CURLE_FILESIZE_EXCEEDED): .tooLarge
        case .cancelled: .cancelled(sent: self.wasSent)
        case .code, .waitedTooLong, .shutDown: self.wasSent ? .ambiguous(self.reason) : .notSent(self.reason)
        }
    }

    /// What is told as the reason.
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
        case CURLE_COULDNT_CONNECT where self.nearPeer != nil:
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
            return self.wasAnswered ? .truncated : .connectionLost
        case CURLE_BAD_CONTENT_ENCODING, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
            // The last one is how libcurl calls an answer that is not HTTP at all.
            return .undecodable
        default:
            return .other
        }
    }

    private var message: String {
        switch self.cause {
        case .bodyTooLarge, .code(CURLE_FILESIZE_EXCEEDED):
            return "The answer's body was larger than the request allows, and was thrown away"
        case .headTooLarge:
            return "The answer's header had more than \(ResponseHead.mostFields) fields or "
                + "\(ResponseHead.mostBytes) bytes, and was thrown away"
        case .cancelled:
            return self.wasSent ? "Cancelled after the request was sent" : "Cancelled before the request was sent"
        case .waitedTooLong: return "Not sent: the deadline passed while it waited for a free connection"
        case .shutDown:
            return (self.wasSent ? "Sent, and no whole answer came" : "Not sent") + ": the transport was shut down"
        case .code: break
        }
        let words =
            switch self.reason {
            case .nameNotResolved: "the host's name was not found"
            case .refused: "the connection was refused"
            case .connectTimedOut: "no connection within the bound"
            case .tlsFailed: "no trusted encrypted connection came about"
            case .connectionLost: "the connection broke"
            case .timedOut: "the deadline passed"
            case .truncated: "the answer broke off"
            case .undecodable: "the answer could not be decoded"
            case .tooManyRedirects, .badRedirect, .missingCredential, .noAddress, .privateAddress, .other:
                "the transfer failed"
            }
        return (self.wasSent ? "Sent, and no whole answer came: " : "Not sent: ") + words
    }

    /// libcurl may quote the server: what could move a terminal's cursor is left out, and so is what is too long.
    private var printableDetail: String {
        let bytes = self.detail.utf8.prefix(200).map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
