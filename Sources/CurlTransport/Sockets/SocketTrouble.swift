import AdCore
import CLibcurl
import WebSocketCodec

/// What went wrong with a connection, and the sentence that tells it with its cure.
enum SocketTrouble {
    /// libcurl gave up, with what it says about it.
    case transfer(TransportError.Reason, String)
    /// It took too long.
    case timedOut
    /// What answered does not speak the protocol, or refuses.
    case answer(WebSocketHandshake.Fault)
    /// The other side hung up before it had answered.
    case hungUp(String)
    /// The connection broke after it was open.
    case broke(String)
    /// The other side said that it ends.
    case farewell(WebSocketClosure)

    /// What libcurl's code means; `systemError` is the number behind it.
    static func of(_ code: CURLcode, systemError: Int, detail: String) -> SocketTrouble {
        var failure = Failure(cause: .code(code))
        failure.systemError = systemError
        let reason = failure.reason
        if reason == .connectTimedOut || reason == .timedOut { return .timedOut }
        return .transfer(reason, detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail)
    }

    /// The sentence, for a connection to this address.
    func sentence(_ request: SocketRequest) -> String {
        let place = "ws" + request.url.http.origin.dropFirst(4)
        switch self {
        case .transfer(let reason, let detail):
            let (what, cure) = SocketTrouble.words(reason)
            return "Not opened: \(what) (\(place)): \(SocketTrouble.printable(detail)); \(cure)"
        case .timedOut:
            return
                "Not opened: \(place) was not ready within \(request.limits.connect); check the address, or allow more"
        case .answer(let fault):
            return "Not opened: \(fault.message) (\(place)); \(SocketTrouble.cure(fault.status))"
        case .hungUp(let detail):
            let words = detail.isEmpty ? "" : ": " + SocketTrouble.printable(detail)
            return "Not opened: \(place) hung up before it answered\(words); check the address and the server's log"
        case .broke(let detail):
            let words = detail.isEmpty ? "" : ": " + SocketTrouble.printable(detail)
            return "The connection to \(place) broke without a word\(words)"
        case .farewell(let closure):
            let code = closure.code.map { "with code \($0.rawValue)" } ?? "without a code"
            let reason = closure.reason.isEmpty ? "" : ": " + SocketTrouble.printable(closure.reason)
            return "The other side ended the connection \(code)\(reason)"
        }
    }

    private static func words(_ reason: TransportError.Reason) -> (what: String, cure: String) {
        switch reason {
        case .nameNotResolved: ("the host's name was not found", "check the address and the network")
        case .refused: ("the connection was refused", "check the port, and whether the server runs")
        case .tlsFailed:
            ("no trusted encrypted connection came about", "mend its certificate, or name its authority in `caFile`")
        default: ("the connection failed", "check the address and the network")
        }
    }

    private static func cure(_ status: Int?) -> String {
        switch status {
        case .some(300..<400): "open the address to which it points"
        case 401, 403, 407: "send the credentials that it asks for"
        case 404, 410: "check the path"
        case .some(500...): "try again later"
        default: "check that the address is that of a websocket"
        }
    }

    /// The other side may be quoted: what could move a terminal's cursor is left out, and so is what is too long.
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
