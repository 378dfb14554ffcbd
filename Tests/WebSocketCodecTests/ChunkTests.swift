import TestSupport
import Testing

@testable import WebSocketCodec

@Suite("Frames in chunks")
struct ChunkTests {
    @Test("every message can be cut at every byte")
    func everyCut() {
        let messages: [WebSocketMessage] = [
            .text("Ж€😀"), .binary(Array(0...200)), .ping([1]), .text(String(repeating: "x", count: 130)),
            .close(WebSocketClosure(.goingAway, "ü")),
        ]
        for role in [WebSocketRole.client, .server] {
            let writer = WebSocketWriter(as: role == .client ? .server : .client)
            let bytes = messages.flatMap { writer.frame($0, mask: 0xDEAD_BEEF) }
            for cut in 0...bytes.count { #expect(Reading(bytes, as: role, cuts: [cut]).messages == messages) }
            #expect(Reading.byteByByte(bytes, as: role).messages == messages)
        }
    }

    @Test("random frames in random chunks are read as the reference reader reads them")
    func random() {
        let seed = TestSeed.chosen ?? .random(in: 0 ... .max)
        for round in 0..<400 {
            var random = TestRandom(seed: seed &+ UInt64(round))
            let role = Bool.random(using: &random) ? WebSocketRole.client : .server
            let bytes = ChunkTests.frames(for: role, &random)
            let cuts = (0..<Int.random(in: 0...12, using: &random))
                .map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
            let expected = ReferenceReader.read(bytes, as: role, longest: 2000)
            let reading = Reading(bytes, as: role, longest: 2000, cuts: cuts)
            let isSame = reading.messages == expected.messages && reading.error == expected.error
            #expect(isSame, "YABBI_SEED=\(seed &+ UInt64(round)) (round \(round)): \(reading) is not \(expected)")
        }
    }

    /// Random frames, most of them valid.
    private static func frames(for role: WebSocketRole, _ random: inout TestRandom) -> [UInt8] {
        var bytes: [UInt8] = []
        var isWithin = false
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            let isFinal = Bool.random(using: &random)
            var frame = RawFrame(first: 0)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: frame = RawFrame(first: 0x89, payload: self.bytes(upTo: 125, &random))
            case 1: frame = RawFrame(first: 0x8A, payload: self.bytes(upTo: 20, &random))
            case 2 where Int.random(in: 0..<4, using: &random) == 0:
                frame = RawFrame(first: 0x88, payload: self.bytes(upTo: 3, &random))
            case 3 where Int.random(in: 0..<6, using: &random) == 0: frame.first = .random(in: 0...255, using: &random)
            default:
                let isText = Bool.random(using: &random)
                frame.first = (isFinal ? 0x80 : 0) | (isWithin ? 0 : isText ? 1 : 2)
                isWithin = !isFinal
                let letters = ["a", "é", "€", "😀", "plain text, long enough for words of eight bytes "]
                let text = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                    letters[Int.random(in: 0..<letters.count, using: &random)]
                }
                frame.payload = Array(text.joined().utf8)
                // Sometimes a character is cut, and may continue in the next frame or not.
                if Int.random(in: 0..<8, using: &random) == 0 { frame.payload = frame.payload.dropLast() }
            }
            if role == .server { frame.mask = (0..<4).map { _ in .random(in: 0...255, using: &random) } }
            bytes += frame.bytes
        }
        return bytes
    }

    private static func bytes(upTo count: Int, _ random: inout TestRandom) -> [UInt8] {
        (0..<Int.random(in: 0...count, using: &random)).map { _ in .random(in: 0...255, using: &random) }
    }
}

/// A simple reader of complete input, to compare the real one with.
private enum ReferenceReader {
    static func read(
        _ bytes: [UInt8],
        as role: WebSocketRole,
        longest: Int
    ) -> (messages: [WebSocketMessage], error: WebSocketClosure.Code?) {
        var messages: [WebSocketMessage] = []
        var rest = bytes[...]
        var kind: UInt8?
        var whole: [UInt8] = []
        while rest.count >= 2 {
            let (first, second) = (rest[rest.startIndex], rest[rest.startIndex + 1])
            let extra = second & 127 == 126 ? 2 : second & 127 == 127 ? 8 : 0
            let size = 2 + extra + (second & 128 == 0 ? 0 : 4)
            guard rest.count >= size else { return (messages, nil) }
            let head = Array(rest.prefix(size))
            let opcode = first & 15
            let long = head[2..<2 + extra].reduce(UInt64(0)) { $0 * 256 + UInt64($1) }
            let length = extra == 0 ? UInt64(second & 127) : long
            let isControl = opcode >= 8
            let isWrong =
                first & 0x70 != 0 || ![0, 1, 2, 8, 9, 10].contains(opcode)
                || (isControl && (first < 128 || length > 125 || extra > 0))
                || (extra == 2 && length < 126) || (extra == 8 && length < 65_536) || length >= 1 << 63
                || (second & 128 != 0) != (role == .server)
                || (opcode == 0 && kind == nil) || ((opcode == 1 || opcode == 2) && kind != nil)
            if isWrong { return (messages, .protocolError) }
            if !isControl, UInt64(whole.count) + length > UInt64(longest) { return (messages, .tooLarge) }
            let mask = second & 128 == 0 ? [0, 0, 0, 0] : Array(head.suffix(4))
            let there = Array(rest.dropFirst(size).prefix(Int(length))).enumerated().map { $1 ^ mask[$0 % 4] }
            if opcode == 1 || opcode == 2 { kind = opcode }
            if !isControl {
                whole += there
                if kind == 1, !self.isTextPrefix(whole) { return (messages, .invalidText) }
            }
            guard there.count == Int(length) else { return (messages, nil) }
            rest = rest.dropFirst(size + there.count)
            switch opcode {
            case 8:
                if there.isEmpty { return (messages + [.close(WebSocketClosure(nil))], nil) }
                guard there.count >= 2,
                    let code = WebSocketClosure.Code(rawValue: UInt16(there[0]) * 256 + UInt16(there[1]))
                else { return (messages, .protocolError) }
                guard let reason = String(validating: there.dropFirst(2), as: UTF8.self) else {
                    return (messages, .invalidText)
                }
                return (messages + [.close(WebSocketClosure(code, reason))], nil)
            case 9: messages.append(.ping(there))
            case 10: messages.append(.pong(there))
            default:
                guard first >= 128 else { continue }
                if kind == 1 {
                    guard let text = String(validating: whole, as: UTF8.self) else { return (messages, .invalidText) }
                    messages.append(.text(text))
                } else {
                    messages.append(.binary(whole))
                }
                kind = nil
                whole = []
            }
        }
        return (messages, nil)
    }

    /// Whether more bytes could complete these to valid UTF-8.
    private static func isTextPrefix(_ bytes: [UInt8]) -> Bool {
        let tails: [[UInt8]] = [
            [], [0x80], [0xA0], [0x90], [0x80, 0x80], [0xA0, 0x80], [0x90, 0x80], [0x90, 0x80, 0x80],
        ]
        return (tails + [[0x80, 0x80, 0x80]]).contains { String(validating: bytes + $0, as: UTF8.self) != nil }
    }
}
