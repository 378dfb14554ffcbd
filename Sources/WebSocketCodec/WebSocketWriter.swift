/// Makes frames of messages.
///
/// ```swift
/// let writer = WebSocketWriter(as: .client)
/// let bytes = writer.frame(.text("hello"), mask: .random(in: .min ... .max))
/// ```
public struct WebSocketWriter: Sendable {
    private let role: WebSocketRole

    /// A writer for one end of a connection.
    public init(as role: WebSocketRole) { self.role = role }

    /// A message as one frame.
    ///
    /// - Parameters:
    ///   - message: The message; of the bytes of a ping or pong no more than 125 are sent.
    ///   - mask: Random bits for this very frame; a server uses none.
    /// - Returns: The bytes to send.
    public func frame(_ message: WebSocketMessage, mask: @autoclosure () -> UInt32) -> [UInt8] {
        switch message {
        case .text(let text):
            var text = text
            return text.withUTF8 { self.frame(.text, UnsafeRawBufferPointer($0), isFinal: true, mask: mask()) }
        case .binary(let bytes): return self.frame(.binary, bytes, mask: mask())
        case .ping(let bytes): return self.frame(.ping, Array(bytes.prefix(125)), mask: mask())
        case .pong(let bytes): return self.frame(.pong, Array(bytes.prefix(125)), mask: mask())
        case .close(let closure): return self.frame(.close, WebSocketWriter.bytes(of: closure), mask: mask())
        }
    }

    private func frame(_ opcode: Opcode, _ payload: [UInt8], mask: @autoclosure () -> UInt32) -> [UInt8] {
        payload.withUnsafeBytes { self.frame(opcode, $0, isFinal: true, mask: mask()) }
    }

    /// One frame, which may be a piece of a message.
    func frame(
        _ opcode: Opcode,
        _ payload: UnsafeRawBufferPointer,
        isFinal: Bool,
        mask: @autoclosure () -> UInt32
    ) -> [UInt8] {
        let mask = self.role == .client ? Mask(mask()) : nil
        var frame: [UInt8] = []
        frame.reserveCapacity(payload.count + 14)
        frame.append((isFinal ? 0x80 : 0) | opcode.rawValue)
        let marker: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case ...125: frame.append(marker | UInt8(payload.count))
        case ...0xFFFF: frame += [marker | 126] + WebSocketWriter.bytes(of: UInt64(payload.count)).suffix(2)
        default: frame += [marker | 127] + WebSocketWriter.bytes(of: UInt64(payload.count))
        }
        if let mask { frame += mask.bytes }
        let start = frame.count
        frame.append(contentsOf: payload)
        if let mask {
            frame.withUnsafeMutableBytes { buffer in
                mask.apply(to: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]), after: 0)
            }
        }
        return frame
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    /// A reason that is too long ends with its last whole letter that has room.
    private static func bytes(of closure: WebSocketClosure) -> [UInt8] {
        guard let code = closure.code else { return [] }
        var bytes = [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)]
        for scalar in closure.reason.unicodeScalars {
            let letter = UTF8.encode(scalar).map(Array.init) ?? []
            guard bytes.count + letter.count <= 125 else { break }
            bytes += letter
        }
        return bytes
    }
}
