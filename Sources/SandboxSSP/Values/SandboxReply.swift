import AdCore

/// What is answered, and how it goes over the wire.
struct SandboxReply: Hashable, Sendable {
    var status: Int
    var headers: AdHTTPHeaders = [:]
    var body = ReplyBody.bytes([])
    /// How long nothing happens before the answer begins.
    var delay = Duration.zero
    /// How fast the body goes out; nil: as fast as it is taken.
    var bytesPerSecond: Int?
    var ending = Ending.whole
    /// What the connection goes on as; nil where it stays one for requests.
    var opening: SocketOpening?
    /// What the request leads to on sockets that are open.
    var orders: [SocketOrder] = []
    /// Whether it says no although its status doesn't: some protocols have a word of their own for that.
    var isRefusal = false

    /// Whether the request was taken.
    var isTaken: Bool { !self.isRefusal && ((200...299).contains(self.status) || self.opening != nil) }

    /// How the answer ends.
    enum Ending: Hashable, Sendable {
        /// Every byte of it is sent.
        case whole
        /// The connection closes after some of the body; the header had declared more.
        case cut(after: Int, declared: Int)
        /// The connection closes before the first byte.
        case dropped
    }

    /// A text of some type.
    static func text(_ text: String, type: StaticString, status: Int = 200) -> SandboxReply {
        SandboxReply(status: status, headers: ["Content-Type": "\(type)"], body: .bytes(Array(text.utf8)))
    }

    /// A JSON value.
    static func json(_ value: AdJSON, status: Int = 200) -> SandboxReply {
        SandboxReply(status: status, headers: ["Content-Type": "application/json"], body: .bytes(value.bytes()))
    }

    /// Says what was wrong with the request; `field` names the member at fault.
    static func failure(_ status: Int, _ message: String, field: String? = nil) -> SandboxReply {
        var members = [AdJSON.Member("error", .string(message))]
        if let field { members.append(AdJSON.Member("field", .string(field))) }
        return .json(.object(members), status: status)
    }

    /// Says which member of the request's body was wrong.
    static func failure(_ fault: FieldFault, status: Int = 400) -> SandboxReply {
        .failure(status, fault.message, field: fault.field.isEmpty ? nil : fault.field)
    }
}

/// The bytes of an answer; a large one is made while it is sent.
enum ReplyBody: Hashable, Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// One byte many times, between two texts.
    case filled(before: [UInt8], filler: UInt8, times: Int, after: [UInt8])

    /// How many bytes it has.
    var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .filled(let before, _, let times, let after): before.count + times + after.count
        }
    }

    /// Copies what lies at an offset, as much as there is and fits.
    ///
    /// Returns how many bytes those were.
    func copy(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var copied = 0
        func take(_ bytes: [UInt8], at start: Int) {
            let from = offset + copied - start
            guard bytes.indices.contains(from), copied < buffer.count else { return }
            let piece = bytes[from...].prefix(buffer.count - copied)
            UnsafeMutableRawBufferPointer(rebasing: buffer[copied...]).copyBytes(from: piece)
            copied += piece.count
        }
        switch self {
        case .bytes(let bytes):
            take(bytes, at: 0)
        case .filled(let before, let filler, let times, let after):
            take(before, at: 0)
            let left = before.count + times - (offset + copied)
            if offset + copied >= before.count, left > 0, copied < buffer.count {
                let piece = min(left, buffer.count - copied)
                UnsafeMutableRawBufferPointer(rebasing: buffer[copied..<copied + piece])
                    .initializeMemory(as: UInt8.self, repeating: filler)
                copied += piece
            }
            take(after, at: before.count + times)
        }
        return copied
    }
}

/// How much of a body may have gone out by when.
struct Pace: Hashable, Sendable {
    let bytesPerSecond: Int

    /// How many bytes may have gone out this long after the beginning.
    func allowance(after elapsed: Duration) -> Int {
        let bytes = elapsed.inSeconds * Double(self.bytesPerSecond)
        return bytes < 1e15 ? Int(bytes) : Int.max
    }

    /// When the next piece behind a position is due: at most twenty pieces a second, none of them empty.
    func due(behind position: Int) -> Duration {
        let piece = max(1, self.bytesPerSecond / 20)
        return .seconds(Double(position + piece) / Double(self.bytesPerSecond)) + .microseconds(1)
    }
}
