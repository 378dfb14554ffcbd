/// Serializes messages into frames (RFC 6455 §5.2).
///
/// ```swift
/// let writer = WebSocketWriter(as: .client)
/// let bytes = writer.frame(.text("hello"), mask: .random(in: .min ... .max))
/// ```
package struct WebSocketWriter: Sendable {
    private let role: WebSocketRole

    /// Creates a writer for one side of a connection.
    package init(as role: WebSocketRole) { self.role = role }

    /// Serializes a message as one frame.
    ///
    /// - Parameters:
    ///   - message: The message; the bytes of a ping or pong are cut after 125 (§5.5).
    ///   - mask: Fresh random bits for this frame (§5.3); a server uses none.
    /// - Returns: The bytes to send.
    package func frame(_ message: WebSocketMessage, mask: @autoclosure () -> UInt32) -> [UInt8] {
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

    /// Serializes one frame, which can be a fragment of a message.
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
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case ...125: frame.append(maskBit | UInt8(payload.count))
        case ...0xFFFF: frame += [maskBit | 126] + WebSocketWriter.bytes(of: UInt64(payload.count)).suffix(2)
        default: frame += [maskBit | 127] + WebSocketWriter.bytes(of: UInt64(payload.count))
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

    /// The content of a Close frame; a reason over 123 bytes is cut at a scalar boundary (§5.5).
    private static func bytes(of closure: WebSocketClosure) -> [UInt8] {
        guard let code = closure.code else { return [] }
        var bytes = [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)]
        for scalar in closure.reason.unicodeScalars {
            let encoded = UTF8.encode(scalar).map(Array.init) ?? []
            guard bytes.count + encoded.count <= 125 else { break }
            bytes += encoded
        }
        return bytes
    }
}
