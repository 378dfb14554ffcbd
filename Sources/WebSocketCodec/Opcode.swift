/// The type of a frame (RFC 6455 §5.2).
enum Opcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    /// Whether it is a control frame, which can come between the fragments of a message (§5.4).
    var isControl: Bool { self.rawValue >= 8 }
}
