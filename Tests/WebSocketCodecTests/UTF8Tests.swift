import Testing

@testable import WebSocketCodec

@Suite("UTF-8 validation")
struct UTF8Tests {
    @Test(
        "invalid UTF-8 is found at its first invalid byte, however it is cut",
        arguments: [
            // The bytes, and how many of them are needed to detect it.
            ([0x80], 1), ([0xC0, 0x80], 1), ([0xC1, 0xBF], 1), ([0xF5, 0x80, 0x80, 0x80], 1), ([0xFF], 1),
            ([0x61, 0xE0, 0x9F, 0xBF], 3), ([0xED, 0xA0, 0x80], 2), ([0xF0, 0x8F, 0xBF, 0xBF], 2),
            ([0xF4, 0x90, 0x80, 0x80], 2), ([0xE2, 0x82, 0x41], 3), ([0xC3, 0xC3], 2), ([0xF0, 0x9F, 0x98, 0xC0], 4),
        ] as [([UInt8], Int)]
    )
    func bad(bytes: [UInt8], offset: Int) {
        // ASCII before it, to cover the fast path of eight bytes.
        for ahead in [0, 7, 8, 20] {
            let payload = [UInt8](repeating: 0x61, count: ahead) + bytes + [0x61]
            let whole = RawFrame(first: 0x81, payload: payload).bytes
            #expect(Reading(whole).error == .invalidText)
            let slow = Reading.byteByByte(whole)
            #expect(slow.error == .invalidText && slow.offset == 2 + ahead + offset)
            // Each byte in a frame of its own, with a different mask.
            let frames = payload.enumerated().map { index, byte in
                RawFrame(first: index == 0 ? 0x01 : 0x00, payload: [byte], mask: [UInt8(index & 255), 7, 8, 9])
            }
            let pieces = Reading.byteByByte(frames.flatMap(\.bytes), as: .server)
            #expect(pieces.error == .invalidText && pieces.offset == (ahead + offset) * 7)
        }
    }

    @Test("a text that ends within a character is invalid")
    func cutShort() {
        for bytes: [UInt8] in [[0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98]] {
            #expect(Reading(RawFrame(first: 0x81, payload: bytes).bytes).error == .invalidText)
            let more = RawFrame(first: 0x01, payload: bytes).bytes
            #expect(Reading(more).error == nil)
            #expect(Reading(more + [0x80, 0x00]).error == .invalidText)
        }
    }

    @Test("every seventh Unicode scalar is accepted byte by byte")
    func letters() {
        for value in stride(from: UInt32(0), through: 0x10FFFF, by: 7) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let bytes = Array(String(scalar).utf8)
            var validator = UTF8Validator()
            let isValid = bytes.allSatisfy { byte in withUnsafeBytes(of: byte) { validator.validate($0) } }
            guard isValid, validator.isComplete else {
                Issue.record("U+\(String(value, radix: 16)) is refused")
                return
            }
        }
    }

    @Test("any two bytes are validated as the standard library does")
    func pairs() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                let bytes = [first, second, 0x80, 0x80]
                for count in 1...4 {
                    let piece = bytes.prefix(count)
                    var validator = UTF8Validator()
                    let isText = Array(piece).withUnsafeBytes { validator.validate($0) } && validator.isComplete
                    guard isText != (String(validating: piece, as: UTF8.self) != nil) else { continue }
                    Issue.record("\(Array(piece)) is validated wrongly")
                    return
                }
            }
        }
    }
}
