// What every transport does with a request, whatever it sends it with.

extension AdHTTPRequest {
    /// The body that is sent: a POST always has one, possibly empty.
    package var sentBody: [UInt8]? { self.method == .post ? self.body ?? [] : self.body }
}

extension AdHTTPHeaders.Field {
    private static let reserved: Set<String> = [
        "host", "content-length", "connection", "transfer-encoding", "expect", "te", "trailer", "upgrade", "keep-alive",
        "proxy-connection",
    ]

    /// Whether it is for message framing and connection control (RFC 9110 §7.6.1; RFC 9112): set by the transport only.
    package var isSetByTransport: Bool { Self.reserved.contains(self.name.asciiLowercased) }
}

extension AdHTTPResponse {
    /// The maximum number of header fields of a response.
    package static let maxHeaderFields = 256
    /// The maximum size of a response's header in bytes.
    package static let maxHeaderBytes = 64 << 10

    /// What happened to a response whose header exceeds these limits.
    package static let excessiveHeader =
        "the response header exceeds \(maxHeaderFields) fields or \(maxHeaderBytes) bytes and was discarded"
    /// What happened to a response whose body exceeds the limit of its request.
    package static let excessiveBody = "the response body exceeds the request's limit and was discarded"
}
