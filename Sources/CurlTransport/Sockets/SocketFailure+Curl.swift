import AdCore
import CLibcurl
import WebSocketCodec

extension SocketFailure {
    /// What to do if a server's certificate is not trusted.
    static let trustFix = "renew the server's certificate, or name its authority in `caFile`"

    /// The failure for a libcurl code; `systemError` is the system's `errno`.
    static func from(_ code: CURLcode, systemError: Int, detail: String) -> SocketFailure {
        var failure = TransferFailure(cause: .code(code))
        failure.systemError = systemError
        let reason = failure.reason
        if reason == .connectTimedOut || reason == .timedOut { return .timedOut }
        return .transfer(reason, detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail)
    }

    /// The failure for a response that doesn't open a connection.
    static func handshake(_ error: WebSocketHandshake.HandshakeError) -> SocketFailure {
        .handshake(error.message, status: error.status)
    }

    /// The failure for a Close frame of the server.
    static func closedByServer(_ closure: WebSocketClosure) -> SocketFailure {
        .closedByServer(code: closure.code?.rawValue, reason: closure.reason)
    }
}
