/// Why a WebSocket connection failed or ended, with its message and fix.
package enum SocketFailure {
    /// The network library could not connect, with its message.
    case transfer(TransportError.Reason, String)
    /// Connecting or the handshake timed out.
    case timedOut
    /// The response is not a WebSocket handshake, or refuses it with an HTTP status.
    case handshake(String, status: Int?)
    /// The server closed the connection during the handshake.
    case closedDuringHandshake(String)
    /// The open connection was lost without a Close frame (RFC 6455 §7.1.5: code 1006).
    case connectionLost(String)
    /// The server sent a Close frame.
    case closedByServer(code: UInt16?, reason: String)

    /// The message for a connection request.
    ///
    /// - Parameters:
    ///   - request: The request that failed.
    ///   - trustFix: What to do if the server's certificate is not trusted.
    /// - Returns: What happened and the fix, in one sentence.
    package func message(
        for request: SocketRequest,
        trustFix: String = "renew the server's certificate"
    ) -> String {
        let origin = "ws" + request.url.http.origin.dropFirst(4)
        switch self {
        case .transfer(let reason, let detail):
            let (what, fix) = SocketFailure.connectFailure(reason, trustFix)
            return "Not opened: \(what) (\(origin)): \(SocketFailure.printable(detail)); \(fix)"
        case .timedOut:
            return "Not opened: \(origin) was not ready within \(request.limits.connect); "
                + "check the URL, or raise the limit"
        case .handshake(let message, let status):
            return "Not opened: \(message) (\(origin)); \(SocketFailure.fix(status))"
        case .closedDuringHandshake(let detail):
            let suffix = detail.isEmpty ? "" : ": " + SocketFailure.printable(detail)
            return "Not opened: \(origin) closed the connection before its response\(suffix); check the URL and its log"
        case .connectionLost(let detail):
            let suffix = detail.isEmpty ? "" : ": " + SocketFailure.printable(detail)
            return "The connection to \(origin) was lost without a Close frame\(suffix)"
        case .closedByServer(let code, let reason):
            let code = code.map { "with code \($0)" } ?? "without a code"
            let reason = reason.isEmpty ? "" : ": " + SocketFailure.printable(reason)
            return "The server closed the connection \(code)\(reason)"
        }
    }

    private static func connectFailure(
        _ reason: TransportError.Reason,
        _ trustFix: String
    ) -> (what: String, fix: String) {
        switch reason {
        case .nameNotResolved: ("the host name could not be resolved", "check the URL and the network")
        case .refused: ("the connection was refused", "check the port, and that the server runs")
        case .tlsFailed: ("no trusted TLS connection", trustFix)
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
