import AdCore
import CLibcurl
import WebSocketCodec

/// Why a connection failed or ended, with its message and fix.
enum SocketFailure {
    /// libcurl could not connect, with its message.
    case transfer(TransportError.Reason, String)
    /// Connecting or the handshake timed out.
    case timedOut
    /// The response is not a WebSocket handshake, or refuses it.
    case handshake(WebSocketHandshake.HandshakeError)
    /// The server closed the connection during the handshake.
    case closedDuringHandshake(String)
    /// The open connection was lost without a Close frame (RFC 6455 §7.1.5: code 1006).
    case connectionLost(String)
    /// The server sent a Close frame.
    case closedByServer(WebSocketClosure)

    /// The failure for a libcurl code; `systemError` is the system's `errno`.
    static func from(_ code: CURLcode, systemError: Int, detail: String) -> SocketFailure {
        var failure = TransferFailure(cause: .code(code))
        failure.systemError = systemError
        let reason = failure.reason
        if reason == .connectTimedOut || reason == .timedOut { return .timedOut }
        return .transfer(reason, detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail)
    }

    /// The message for a connection request.
    func message(for request: SocketRequest) -> String {
        let origin = "ws" + request.url.http.origin.dropFirst(4)
        switch self {
        case .transfer(let reason, let detail):
            let (what, fix) = SocketFailure.connectFailure(reason)
            return "Not opened: \(what) (\(origin)): \(SocketFailure.printable(detail)); \(fix)"
        case .timedOut:
            return "Not opened: \(origin) was not ready within \(request.limits.connect); "
                + "check the URL, or raise the limit"
        case .handshake(let error):
            return "Not opened: \(error.message) (\(origin)); \(SocketFailure.fix(error.status))"
        case .closedDuringHandshake(let detail):
            let suffix = detail.isEmpty ? "" : ": " + SocketFailure.printable(detail)
            return "Not opened: \(origin) closed the connection before its response\(suffix); check the URL and its log"
        case .connectionLost(let detail):
            let suffix = detail.isEmpty ? "" : ": " + SocketFailure.printable(detail)
            return "The connection to \(origin) was lost without a Close frame\(suffix)"
        case .closedByServer(let closure):
            let code = closure.code.map { "with code \($0.rawValue)" } ?? "without a code"
            let reason = closure.reason.isEmpty ? "" : ": " + SocketFailure.printable(closure.reason)
            return "The server closed the connection \(code)\(reason)"
        }
    }

    private static func connectFailure(_ reason: TransportError.Reason) -> (what: String, fix: String) {
        switch reason {
        case .nameNotResolved: ("the host name could not be resolved", "check the URL and the network")
        case .refused: ("the connection was refused", "check the port, and that the server runs")
        case .tlsFailed:
            ("no trusted TLS connection", "renew the server's certificate, or name its authority in `caFile`")
        default: ("the connection failed", "check the URL and the network")
        }
    }

    private static func fix(_ status: Int?) -> String {
        switch status {
        case .some(300..<400): "use the URL of the redirect"
        case 401, 403, 407: "send the required credentials"
        case 404, 410: "check the path"
        case .some(500...): "try again later"
        default: "check that the URL is a WebSocket endpoint"
        }
    }

    /// A quoted text of the server: shortened, and without characters that could control a terminal.
    private static func printable(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(200).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: "?"
            default: scalar
            }
        }
        var result = ""
        result.unicodeScalars.append(contentsOf: scalars)
        return result
    }
}
