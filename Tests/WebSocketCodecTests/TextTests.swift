import Testing

@testable import WebSocketCodec

@Suite("Texts of a websocket")
struct TextTests {
    @Test(
        "what can't become UTF-8 any more is found at its first byte, however it comes",
        arguments: [
            // The bytes, and how many of them it takes to know.
            ([0x80], 1), ([0xC0, 0x80], 1), ([0xC1, 0xBF], 1), ([0xF5, 0x80, 0x80, 0x80], 1), ([0xFF], 1),
            ([0x61, 0xE0, 0x9F, 0xBF], 3), ([0xED, 0xA0, 0x80], 2), ([0xF0, 0x8F, 0xBF, 0xBF], 2),
            ([0xF4, 0x90, 0x80, 0x80], 2), ([0xE2, 0x82, 0x41], 3), ([0xC3, 0xC3], 2), ([0xF0, 0x9F, 0x98, 0xC0], 4),
        ] as [([UInt8], Int)]
    )
    func bad(bytes: [UInt8], place: Int) {
        // Seven letters before it, so that words of eight bytes are passed too.
        for ahead in [0, 7, 8, 20] {
            let payload = [UInt8](repeating: 0x61, count: ahead) + bytes + [0x61]
            let whole = RawFrame(first: 0x81, payload: payload).bytes
            #expect(Reading(whole).fault == .invalidText)
            let slow = Reading.slowly(whole)
            #expect(slow.fault == .invalidText && slow.place == 2 + ahead + place)
            // Each byte in a frame of its own, masked by turns.
            let frames = payload.enumerated().map { index, byte in
                RawFrame(first: index == 0 ? 0x01 : 0x00, payload: [byte], mask: [UInt8(index & 255), 7, 8, 9])
            }
            let pieces = Reading.slowly(frames.flatMap(\.bytes), as: .server)
            #expect(pieces.fault == .invalidText && pieces.place == (ahead + place) * 7)
        }
    }

    @Test("a text that ends within a letter is none")
    func cutShort() {
        for bytes: [UInt8] in [[0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98]] {
            #expect(Reading(RawFrame(first: 0x81, payload: bytes).bytes).fault == .invalidText)
            let more = RawFrame(first: 0x01, payload: bytes).bytes
            #expect(Reading(more).fault == nil)
            #expect(Reading(more + [0x80, 0x00]).fault == .invalidText)
        }
    }

    @Test("each letter of Unicode is taken whole and in pieces, and is the same as the standard library's")
    func letters() {
        for value in stride(from: UInt32(0), through: 0x10FFFF, by: 7) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let bytes = Array(String(scalar).utf8)
            var check = UTF8Check()
            let isTaken = bytes.allSatisfy { byte in withUnsafeBytes(of: byte) { check.take($0) } }
            guard isTaken, check.isComplete else {
                Issue.record("U+\(String(value, radix: 16)) is refused")
                return
            }
        }
    }

    @Test("any two bytes are judged as the standard library judges them")
    func pairs() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                let bytes = [first, second, 0x80, 0x80]
                for count in 1...4 {
                    let piece = bytes.prefix(count)
                    var check = UTF8Check()
                    let isText = Array(piece).withUnsafeBytes { check.take($0) } && check.isComplete
                    guard isText != (String(validating: piece, as: UTF8.self) != nil) else { continue }
                    Issue.record("\(Array(piece)) is judged wrongly")
                    return
                }
            }
        }
    }
}
