/// What a frame carries.
enum Opcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    /// Whether it may stand between the frames of a message.
    var isControl: Bool { self.rawValue >= 8 }
}
