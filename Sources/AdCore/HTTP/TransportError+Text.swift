extension TransportError {
    /// How far a request came and why it failed, in words.
    ///
    /// - Parameters:
    ///   - reason: Why the request failed.
    ///   - wasSent: Whether bytes of it were sent.
    /// - Returns: A clause without the server's name.
    package static func words(for reason: Reason, wasSent: Bool) -> String {
        let words =
            switch reason {
            case .nameNotResolved: "the host name could not be resolved"
            case .refused: "the connection was refused"
            case .connectTimedOut: "connecting timed out"
            case .tlsFailed: "no trusted TLS connection"
            case .connectionLost: "the connection was lost"
            case .timedOut: "timed out"
            case .truncated: "the response was truncated"
            case .undecodable: "the response could not be decoded"
            case .tooManyRedirects, .badRedirect, .missingCredential, .noAddress, .privateAddress, .other:
                "the transfer failed"
            }
        return (wasSent ? "sent, but no complete response: " : "not sent: ") + words
    }

    /// That the task was cancelled, in words.
    package static func wordsForCancelled(wasSent: Bool) -> String {
        wasSent ? "cancelled after the request was sent" : "cancelled before the request was sent"
    }

    /// That the transport was shut down, in words.
    package static func wordsForShutDown(wasSent: Bool) -> String {
        (wasSent ? "sent, but no complete response" : "not sent") + ": the transport was shut down"
    }

    /// That no connection became free in time, in words.
    package static let waitedTooLong = "not sent: timed out while waiting for a free connection"

    /// That a host resolves to an address that the request must not connect to, in words.
    package static func words(forPrivate address: String, of url: HTTPURL) -> String {
        "refused: \(url.host) resolves to the private address \(address)"
    }

    /// A message that ends with the server and what a library said.
    ///
    /// The library may quote the server: the text is shortened, and anything but printable ASCII is replaced.
    package static func message(_ words: String, at url: HTTPURL, detail: String) -> String {
        let bytes = detail.utf8.prefix(200).map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }
        return "\(words) (\(url.origin)\(bytes.isEmpty ? "" : ": ")\(String(decoding: bytes, as: UTF8.self)))"
    }
}
