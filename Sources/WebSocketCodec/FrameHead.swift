/// What stands before a frame's payload.
struct FrameHead: Hashable, Sendable {
    let isFinal: Bool
    let opcode: Opcode
    let length: Int
    let mask: Mask?

    /// How many bytes a head has, as far as its first two tell.
    static func size(_ first: UInt8, _ second: UInt8) -> Int {
        let length =
            switch second & 0x7F {
            case 126: 2
            case 127: 8
            default: 0
            }
        return 2 + length + (second & 0x80 == 0 ? 0 : 4)
    }

    /// Reads a head that is whole.
    init(_ bytes: [UInt8]) throws(WebSocketFault) {
        guard bytes[0] & 0x70 == 0 else {
            throw WebSocketFault(.protocolError, "a frame uses an extension that nobody agreed on")
        }
        guard let opcode = Opcode(rawValue: bytes[0] & 0x0F) else {
            throw WebSocketFault(.protocolError, "a frame is of the unknown kind \(bytes[0] & 0x0F)")
        }
        self.opcode = opcode
        self.isFinal = bytes[0] & 0x80 != 0
        let short = bytes[1] & 0x7F
        let extra = short == 126 ? 2 : short == 127 ? 8 : 0
        if opcode.isControl {
            guard self.isFinal else {
                throw WebSocketFault(.protocolError, "a control frame is in pieces")
            }
            guard extra == 0 else {
                throw WebSocketFault(.protocolError, "a control frame has more than 125 bytes")
            }
        }
        let long = bytes[2..<2 + extra].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // A length has one spelling, the shortest.
        guard extra == 0 || long > (extra == 2 ? 125 : 0xFFFF), long <= UInt64(Int64.max) else {
            throw WebSocketFault(.protocolError, "a frame's length is not spelt as it should be")
        }
        // On a small machine no length beyond its own numbers is taken anyway.
        self.length = extra == 0 ? Int(short) : Int(clamping: long)
        let hasMask = bytes[1] & 0x80 != 0
        self.mask = hasMask ? Mask(bytes[(2 + extra)...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) : nil
    }
}
