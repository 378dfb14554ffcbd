package import AdCore

/// A response, and how it is sent.
package struct ServerResponse: Hashable, Sendable {
    package var status: Int
    package var headers: AdHTTPHeaders
    package var body: ResponseBody
    /// The delay before the response starts.
    package var delay: Duration
    /// The rate at which the body is sent; nil is unlimited.
    package var bytesPerSecond: Int?
    package var ending: Ending
    /// The socket that the connection becomes (RFC 9110 §7.8); nil when it stays HTTP.
    package var upgrade: SocketUpgrade?
    /// Commands for open sockets that the request causes.
    package var commands: [SocketCommand]
    /// Whether the body reports an error although the status does not.
    package var isRefusal: Bool
    /// The response that is sent when it is known, or nil; this one is sent if it is not known in time.
    package var later: LaterResponse?

    /// Whether the request was accepted.
    package var isAccepted: Bool { !self.isRefusal && ((200...299).contains(self.status) || self.upgrade != nil) }

    /// How the response ends.
    package enum Ending: Hashable, Sendable {
        /// All bytes are sent.
        case whole
        /// The connection closes after some bytes of the body; `Content-Length` declares more.
        case cut(after: Int, declared: Int)
        /// The connection closes before the first byte.
        case dropped
    }

    /// A text response.
    package static func text(_ text: String, type: StaticString, status: Int = 200) -> ServerResponse {
        ServerResponse(status: status, headers: ["Content-Type": "\(type)"], body: .bytes(Array(text.utf8)))
    }

    /// A JSON response.
    package static func json(_ value: AdJSON, status: Int = 200) -> ServerResponse {
        ServerResponse(status: status, headers: ["Content-Type": "application/json"], body: .bytes(value.bytes()))
    }

    /// An error response; `field` names the invalid member.
    package static func failure(_ status: Int, _ message: String, field: String? = nil) -> ServerResponse {
        var members = [AdJSON.Member("error", .string(message))]
        if let field { members.append(AdJSON.Member("field", .string(field))) }
        return .json(.object(members), status: status)
    }

    /// Creates a response.
    package init(
        status: Int,
        headers: AdHTTPHeaders = [:],
        body: ResponseBody = .bytes([]),
        delay: Duration = .zero,
        bytesPerSecond: Int? = nil,
        ending: Ending = .whole,
        upgrade: SocketUpgrade? = nil,
        commands: [SocketCommand] = [],
        isRefusal: Bool = false
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.delay = delay
        self.bytesPerSecond = bytesPerSecond
        self.ending = ending
        self.upgrade = upgrade
        self.commands = commands
        self.isRefusal = isRefusal
    }
}

/// The bytes of a response body; a large one is generated while it is sent.
package enum ResponseBody: Hashable, Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// One byte repeated between two byte strings.
    case filled(before: [UInt8], filler: UInt8, times: Int, after: [UInt8])
    /// Bytes that are produced while the connection is open; their number is not known before.
    case live(LiveBody)

    /// The number of bytes; 0 for a live body.
    package var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .filled(let before, _, let times, let after): before.count + times + after.count
        case .live: 0
        }
    }

    /// Copies the bytes at an offset into a buffer.
    ///
    /// - Returns: The number of copied bytes.
    package func copy(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var copied = 0
        func copyPart(_ bytes: [UInt8], at start: Int) {
            let from = offset + copied - start
            guard bytes.indices.contains(from), copied < buffer.count else { return }
            let piece = bytes[from...].prefix(buffer.count - copied)
            UnsafeMutableRawBufferPointer(rebasing: buffer[copied...]).copyBytes(from: piece)
            copied += piece.count
        }
        switch self {
        case .bytes(let bytes):
            copyPart(bytes, at: 0)
        case .filled(let before, let filler, let times, let after):
            copyPart(before, at: 0)
            let left = before.count + times - (offset + copied)
            if offset + copied >= before.count, left > 0, copied < buffer.count {
                let piece = min(left, buffer.count - copied)
                UnsafeMutableRawBufferPointer(rebasing: buffer[copied..<copied + piece])
                    .initializeMemory(as: UInt8.self, repeating: filler)
                copied += piece
            }
            copyPart(after, at: before.count + times)
        case .live: break
        }
        return copied
    }
}

/// The rate at which a body is sent.
package struct Pace: Hashable, Sendable {
    package let bytesPerSecond: Int

    package init(bytesPerSecond: Int) { self.bytesPerSecond = bytesPerSecond }

    /// The number of bytes that may have been sent after a time.
    package func allowance(after elapsed: Duration) -> Int {
        let bytes = elapsed.inSeconds * Double(self.bytesPerSecond)
        return bytes < 1e15 ? Int(bytes) : Int.max
    }

    /// When the next piece after a position is due; there are at most twenty pieces a second, none of them empty.
    package func due(after position: Int) -> Duration {
        let piece = max(1, self.bytesPerSecond / 20)
        return .seconds(Double(position + piece) / Double(self.bytesPerSecond)) + .microseconds(1)
    }
}
