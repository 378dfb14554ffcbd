/// The header of a frame (RFC 6455 §5.2).
struct FrameHeader: Hashable, Sendable {
    let isFinal: Bool
    let opcode: Opcode
    let length: Int
    let mask: Mask?

    /// The size of a header in bytes, from its first two bytes.
    static func size(_ first: UInt8, _ second: UInt8) -> Int {
        let length =
            switch second & 0x7F {
            case 126: 2
            case 127: 8
            default: 0
            }
        return 2 + length + (second & 0x80 == 0 ? 0 : 4)
    }

    /// Parses a complete header.
    init(_ bytes: [UInt8]) throws(WebSocketError) {
        // RSV1 to RSV3 are 0 without an extension (§5.2).
        guard bytes[0] & 0x70 == 0 else {
            throw WebSocketError(.protocolError, "a frame uses an extension that was not negotiated")
        }
        // An unknown opcode fails the connection (§5.2).
        guard let opcode = Opcode(rawValue: bytes[0] & 0x0F) else {
            throw WebSocketError(.protocolError, "a frame has the unknown opcode \(bytes[0] & 0x0F)")
        }
        self.opcode = opcode
        self.isFinal = bytes[0] & 0x80 != 0
        let short = bytes[1] & 0x7F
        let extra = short == 126 ? 2 : short == 127 ? 8 : 0
        // Control frames are not fragmented and have at most 125 bytes (§5.5).
        if opcode.isControl {
            guard self.isFinal else {
                throw WebSocketError(.protocolError, "a control frame is fragmented")
            }
            guard extra == 0 else {
                throw WebSocketError(.protocolError, "a control frame has more than 125 bytes")
            }
        }
        let long = bytes[2..<2 + extra].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // The length uses the fewest bytes possible (§5.2).
        guard extra == 0 || long > (extra == 2 ? 125 : 0xFFFF) else {
            throw WebSocketError(.protocolError, "a frame's length is not encoded in the shortest form")
        }
        // A length of 64 bits has the highest bit 0 (§5.2).
        guard long <= UInt64(Int64.max) else {
            throw WebSocketError(.protocolError, "a frame's length has its highest bit set")
        }
        // Where Int has 32 bits, a longer length is clamped, which exceeds every limit.
        self.length = extra == 0 ? Int(short) : Int(clamping: long)
        let hasMask = bytes[1] & 0x80 != 0
        self.mask = hasMask ? Mask(bytes[(2 + extra)...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) : nil
    }
}
