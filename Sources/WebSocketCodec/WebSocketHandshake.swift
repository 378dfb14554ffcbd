/// The client's side of the opening handshake (RFC 6455 §4.1).
///
/// ```swift
/// var handshake = WebSocketHandshake(random: (.random(in: .min ... .max), .random(in: .min ... .max)))
/// let request = handshake.request(host: "a.example", target: "/socket")
/// let rest = try handshake.read(bytes)  // nil until the response is complete
/// ```
package struct WebSocketHandshake: Sendable {
    /// Why the server's response doesn't open a connection.
    package struct HandshakeError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The status code of the response; nil if it isn't HTTP.
        package let status: Int?
        /// The error in one clause.
        package let message: String

        /// The message.
        package var description: String { self.message }
    }

    /// The maximum size of the response header, in bytes.
    package static let maxHeadSize = 16_384

    private let key: String
    private var header: [UInt8] = []

    /// Creates the handshake of one connection; the random bits become `Sec-WebSocket-Key` (§4.1).
    package init(random: (UInt64, UInt64)) {
        let bytes = [random.0, random.1].flatMap { bits in (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) } }
        self.key = Base64Encoder.encode(bytes)
    }

    /// The handshake request.
    ///
    /// - Parameters:
    ///   - host: The host, with its port unless it is the scheme's default.
    ///   - target: The path and query.
    ///   - headers: Additional fields; invalid ones and those of the handshake itself are not sent.
    /// - Returns: The bytes to send.
    package func request(host: String, target: String, headers: [(name: String, value: String)] = []) -> [UInt8] {
        let fields =
            [
                ("Host", host), ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
                ("Sec-WebSocket-Key", self.key),
            ] + headers.filter { WebSocketHandshake.isAllowed($0.name, $0.value) }
        let lines = ["GET \(target) HTTP/1.1"] + fields.map { "\($0.0): \($0.1)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Fields that belong to the handshake or would change the request's framing.
    private static let reserved: Set<String> = [
        "host", "upgrade", "connection", "content-length", "transfer-encoding", "te", "trailer", "expect", "keep-alive",
        "proxy-connection",
    ]

    private static func isAllowed(_ name: String, _ value: String) -> Bool {
        let isName = !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        let isOneLine = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        let known = name.lowercased()
        return isName && isOneLine && !known.hasPrefix("sec-websocket-") && !self.reserved.contains(known)
    }

    /// Parses the next bytes of the response; the bytes after its header belong to the frames.
    ///
    /// - Returns: The first bytes of the frames when the response is complete and valid; nil before.
    package mutating func read(_ bytes: some Collection<UInt8>) throws(HandshakeError) -> [UInt8]? {
        for (index, byte) in bytes.enumerated() {
            self.header.append(byte)
            if byte == UInt8(ascii: "\n"), self.header.suffix(4) == [13, 10, 13, 10] {
                try self.validate()
                return Array(bytes.dropFirst(index + 1))
            }
            guard self.header.count < WebSocketHandshake.maxHeadSize else {
                throw HandshakeError(
                    status: nil,
                    message: "the response header has more than \(Self.maxHeadSize) bytes"
                )
            }
        }
        return nil
    }

    private func validate() throws(HandshakeError) {
        let lines = self.header.dropLast(4).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0.last == 13 ? $0.dropLast() : $0, as: UTF8.self) }
        // The server switches protocols with status 101; any other status refuses (§4.1).
        let words = lines[0].split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0] == "HTTP/1.1", words[1].utf8.count == 3,
            let status = UInt16(words[1]).map(Int.init),
            words[1].utf8.first != UInt8(ascii: "+")
        else {
            throw HandshakeError(status: nil, message: "the response is not HTTP/1.1")
        }
        guard status == 101 else {
            throw HandshakeError(status: status, message: "the server responded with status \(status) instead of 101")
        }
        let fields = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let value = line[line.utf8.index(after: colon)...]
            return (line[..<colon].lowercased(), WebSocketHandshake.trimmed(value))
        }
        // The required fields of the response, in the order of §4.1.
        let values = { (name: String) in fields.filter { $0.name == name }.map(\.value) }
        guard values("upgrade").map({ $0.lowercased() }) == ["websocket"] else {
            throw HandshakeError(status: status, message: "the response has no valid Upgrade field")
        }
        let tokens = values("connection").flatMap { $0.split(separator: ",") }
            .map { WebSocketHandshake.trimmed($0).lowercased() }
        guard tokens.contains("upgrade") else {
            throw HandshakeError(status: status, message: "the response has no valid Connection field")
        }
        guard values("sec-websocket-accept") == [WebSocketHandshake.accept(for: self.key)] else {
            throw HandshakeError(status: status, message: "the response has a wrong Sec-WebSocket-Accept field")
        }
        // The request offers no extensions and no subprotocols, so the response must choose none (§4.1).
        guard values("sec-websocket-extensions").isEmpty, values("sec-websocket-protocol").isEmpty else {
            throw HandshakeError(
                status: status,
                message: "the response chooses an extension or subprotocol that was not offered"
            )
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        let visible = text.drop { $0 == " " || $0 == "\t" }
        let end = visible.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { String(visible[...$0]) } ?? ""
    }

    /// The `Sec-WebSocket-Accept` value for a client's key (§4.2.2).
    package static func accept(for key: String) -> String {
        Base64Encoder.encode(SHA1.digest(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
    }
}
