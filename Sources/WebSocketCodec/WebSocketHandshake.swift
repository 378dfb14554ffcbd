/// How a connection for HTTP becomes one over which both sides speak when they like: the client's side.
///
/// ```swift
/// var handshake = WebSocketHandshake(random: (.random(in: .min ... .max), .random(in: .min ... .max)))
/// let request = handshake.request(host: "a.example", target: "/socket")
/// let rest = try handshake.read(bytes)  // nil until the answer is whole
/// ```
public struct WebSocketHandshake: Sendable {
    /// Why the other side does not speak the protocol.
    public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The status of its answer; nil where there is none.
        public let status: Int?
        /// What is wrong, in one sentence.
        public let message: String

        /// The message.
        public var description: String { self.message }
    }

    /// The most bytes that an answer's head may have.
    public static let longestHead = 16_384

    private let key: String
    private var head: [UInt8] = []

    /// A handshake of its own for each connection.
    public init(random: (UInt64, UInt64)) {
        let bytes = [random.0, random.1].flatMap { bits in (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) } }
        self.key = Base64.text(bytes)
    }

    /// The request, to the byte.
    ///
    /// - Parameters:
    ///   - host: The host, with its port where that is not the scheme's own.
    ///   - target: Path and query.
    ///   - headers: What else is said; a field that could break out of its line is not sent, nor one of the protocol's
    ///     own.
    /// - Returns: The bytes to send.
    public func request(host: String, target: String, headers: [(name: String, value: String)] = []) -> [UInt8] {
        let fields =
            [
                ("Host", host), ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
                ("Sec-WebSocket-Key", self.key),
            ] + headers.filter { WebSocketHandshake.maySay($0.name, $0.value) }
        let lines = ["GET \(target) HTTP/1.1"] + fields.map { "\($0.0): \($0.1)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Fields that open the socket, or would make the request another one.
    private static let reserved: Set<String> = [
        "host", "upgrade", "connection", "content-length", "transfer-encoding", "te", "trailer", "expect", "keep-alive",
        "proxy-connection",
    ]

    private static func maySay(_ name: String, _ value: String) -> Bool {
        let isName = !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        let isOneLine = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        let known = name.lowercased()
        return isName && isOneLine && !known.hasPrefix("sec-websocket-") && !self.reserved.contains(known)
    }

    /// Takes the next bytes of the answer; what comes behind its head belongs to the frames.
    ///
    /// - Returns: The first bytes of the frames, as soon as the answer is whole and says yes; nil before.
    public mutating func read(_ bytes: some Collection<UInt8>) throws(Fault) -> [UInt8]? {
        for (place, byte) in bytes.enumerated() {
            self.head.append(byte)
            if byte == UInt8(ascii: "\n"), self.head.suffix(4) == [13, 10, 13, 10] {
                try self.check()
                return Array(bytes.dropFirst(place + 1))
            }
            guard self.head.count < WebSocketHandshake.longestHead else {
                throw Fault(status: nil, message: "the answer's head has more than \(Self.longestHead) bytes")
            }
        }
        return nil
    }

    private func check() throws(Fault) {
        let lines = self.head.dropLast(4).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0.last == 13 ? $0.dropLast() : $0, as: UTF8.self) }
        let words = lines[0].split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0] == "HTTP/1.1", words[1].utf8.count == 3,
            let status = UInt16(words[1]).map(Int.init),
            words[1].utf8.first != UInt8(ascii: "+")
        else {
            throw Fault(status: nil, message: "the answer is not of HTTP/1.1")
        }
        guard status == 101 else {
            throw Fault(status: status, message: "the server answered with status \(status) and opens no socket")
        }
        let fields = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let value = line[line.utf8.index(after: colon)...]
            return (line[..<colon].lowercased(), WebSocketHandshake.trimmed(value))
        }
        let values = { (name: String) in fields.filter { $0.name == name }.map(\.value) }
        guard values("upgrade").map({ $0.lowercased() }) == ["websocket"] else {
            throw Fault(status: status, message: "the answer does not say that it goes on as a websocket")
        }
        let tokens = values("connection").flatMap { $0.split(separator: ",") }
            .map { WebSocketHandshake.trimmed($0).lowercased() }
        guard tokens.contains("upgrade") else {
            throw Fault(status: status, message: "the answer does not say that its connection goes on")
        }
        guard values("sec-websocket-accept") == [WebSocketHandshake.accept(for: self.key)] else {
            throw Fault(status: status, message: "the answer is not to this question: its key is another")
        }
        // Nothing of these was offered.
        guard values("sec-websocket-extensions").isEmpty, values("sec-websocket-protocol").isEmpty else {
            throw Fault(status: status, message: "the answer chooses what was not offered")
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        let visible = text.drop { $0 == " " || $0 == "\t" }
        let end = visible.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { String(visible[...$0]) } ?? ""
    }

    /// What a server answers to a client's key.
    public static func accept(for key: String) -> String {
        Base64.text(SHA1.digest(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
    }
}
