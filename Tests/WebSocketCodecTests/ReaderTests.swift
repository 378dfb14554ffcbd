import Testing

@testable import WebSocketCodec

@Suite("Reading frames")
struct ReaderTests {
    @Test("written messages are read back, from both sides", arguments: [WebSocketRole.client, .server])
    func roundTrip(role: WebSocketRole) throws {
        let messages: [WebSocketMessage] = [
            .text(""), .text("hello"), .text(String(repeating: "Ж", count: 40_000)), .binary([]), .binary([0, 255]),
            .ping([1, 2]), .pong([]), .close(WebSocketClosure(.goingAway, "bye")),
        ]
        let writer = WebSocketWriter(as: role)
        let bytes = messages.flatMap { writer.frame($0, mask: 0x1234_5678) }
        #expect(Reading(bytes, as: role == .client ? .server : .client).messages == messages)
    }

    @Test("the examples of RFC 6455 §5.7")
    func examples() {
        #expect(Reading([0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f]).messages == [.text("Hello")])
        let masked: [UInt8] = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]
        #expect(Reading(masked, as: .server).messages == [.text("Hello")])
        #expect(Reading([0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f]).messages == [.text("Hello")])
        #expect(Reading([0x89, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f]).messages == [.ping(Array("Hello".utf8))])
        let bytes = [UInt8](repeating: 7, count: 256)
        #expect(Reading([0x82, 0x7E, 0x01, 0x00] + bytes).messages == [.binary(bytes)])
        let more = [UInt8](repeating: 7, count: 65_536)
        #expect(Reading([0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + more).messages == [.binary(more)])
    }

    @Test("unmasking works wherever the payload is cut")
    func masks() {
        let mask: [UInt8] = [0x01, 0x80, 0xFF, 0x5A]
        for length in [0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 64, 65] {
            let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            let bytes = RawFrame(first: 0x82, payload: payload, mask: mask).bytes
            for cut in 0...bytes.count {
                #expect(Reading(bytes, as: .server, cuts: [cut]).messages == [.binary(payload)])
            }
        }
    }

    @Test("control frames between the fragments of a message are read, and the message is complete")
    func interleaved() {
        let frames = [
            RawFrame.text("ab", isFinal: false), RawFrame(first: 0x89, payload: [1]), RawFrame(first: 0x00),
            RawFrame(first: 0x8A, payload: [2]), RawFrame(first: 0x80, payload: Array("cd".utf8)),
        ]
        let expected: [WebSocketMessage] = [.ping([1]), .pong([2]), .text("abcd")]
        #expect(Reading.byteByByte(frames.flatMap(\.bytes)).messages == expected)
    }

    @Test(
        "protocol violations are refused",
        arguments: [
            // Reserved bits of extensions.
            (RawFrame(first: 0xC1), WebSocketClosure.Code.protocolError), (RawFrame(first: 0xA1), .protocolError),
            (RawFrame(first: 0x91), .protocolError),
            // Unknown opcodes.
            (RawFrame(first: 0x83), .protocolError), (RawFrame(first: 0x87), .protocolError),
            (RawFrame(first: 0x8B), .protocolError), (RawFrame(first: 0x8F), .protocolError),
            // Fragmented or too long control frames.
            (RawFrame(first: 0x09), .protocolError), (RawFrame(first: 0x08), .protocolError),
            (RawFrame(first: 0x89, payload: [UInt8](repeating: 0, count: 126)), .protocolError),
            // Lengths not in the shortest form, or with the highest bit set.
            (RawFrame(first: 0x82, payload: [1], lengthBytes: 2), .protocolError),
            (RawFrame(first: 0x82, payload: [1], lengthBytes: 8), .protocolError),
            (RawFrame(first: 0x82, payload: [UInt8](repeating: 0, count: 125), lengthBytes: 2), .protocolError),
            (RawFrame(first: 0x82, lengthBytes: 8, announced: 0xFFFF), .protocolError),
            (RawFrame(first: 0x82, lengthBytes: 8, announced: 1 << 63), .protocolError),
            // A mask from the server.
            (RawFrame(first: 0x81, payload: [0x61], mask: [0, 0, 0, 0]), .protocolError),
            // Continuation frames without a message.
            (RawFrame(first: 0x80), .protocolError), (RawFrame(first: 0x00), .protocolError),
            // Too large messages.
            (RawFrame(first: 0x82, lengthBytes: 8, announced: UInt64(Int64.max)), .tooLarge),
            (RawFrame(first: 0x82, lengthBytes: 8, announced: (1 << 20) + 1), .tooLarge),
        ]
    )
    func refused(frame: RawFrame, code: WebSocketClosure.Code) {
        let bytes = frame.bytes
        #expect(Reading(bytes).error == code)
        let slow = Reading.byteByByte(bytes)
        #expect(slow.error == code)
        // The header is enough to detect it.
        #expect((slow.offset ?? .max) <= bytes.count - frame.payload.count)
    }

    @Test("a server refuses an unmasked frame, and a reader a message within another")
    func order() {
        #expect(Reading(RawFrame.text("a").bytes, as: .server).error == .protocolError)
        let twice = RawFrame.text("a", isFinal: false).bytes + RawFrame.text("b").bytes
        #expect(Reading(twice).error == .protocolError)
    }

    /// A reader that skips too long messages, with its results.
    private struct SkippingReader {
        var reader = WebSocketReader(as: .client, maxMessageSize: 1000, maxSkippedSize: 200 << 20)
        var messages: [WebSocketMessage] = []
        var overlong: [WebSocketSkippedMessage] = []
        var error: WebSocketClosure.Code?

        mutating func read(_ bytes: [UInt8]) {
            bytes.withUnsafeBytes { bytes in
                do throws(WebSocketError) {
                    try self.reader.read(bytes) {
                        self.messages.append($0)
                    } overlong: {
                        self.overlong.append($0)
                    }
                } catch {
                    self.error = error.code
                }
            }
        }
    }

    @Test("a message of 100 MB in one frame is skipped without storing it, and the next one is read")
    func hundredMegabytes() {
        var skipping = SkippingReader()
        let length = 100 << 20
        skipping.read(RawFrame(first: 0x81, lengthBytes: 8, announced: UInt64(length)).bytes)
        let piece = [UInt8](repeating: 0xFF, count: 1 << 16)
        for _ in 0..<(length >> 16) {
            skipping.read(piece)
            if skipping.reader.pending != 0 { break }
        }
        skipping.read(RawFrame.text("next").bytes)
        #expect(skipping.messages == [.text("next")] && skipping.error == nil && skipping.reader.pending == 0)
        #expect(skipping.overlong.count == 101 && skipping.overlong.last == .over(bytes: length))
        #expect(skipping.overlong.first == .coming(bytes: 1 << 20))
    }

    @Test("a fragmented message that becomes too long is skipped, and pings in between are read")
    func overlongPieces() {
        let half = [UInt8](repeating: 0x61, count: 501)
        let frames = [
            RawFrame(first: 0x01, payload: half), RawFrame(first: 0x89, payload: [7]),
            RawFrame(first: 0x00, payload: half),
            RawFrame(first: 0x8A, payload: [8]), RawFrame(first: 0x00, payload: half), RawFrame(first: 0x80),
            RawFrame.text("next"),
        ]
        let bytes = frames.flatMap(\.bytes)
        for cut in [1, 2, 500, 503, 700, bytes.count] {
            var skipping = SkippingReader()
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, start + cut)
                skipping.read(Array(bytes[start..<end]))
                start = end
            }
            #expect(skipping.messages == [.ping([7]), .pong([8]), .text("next")])
            #expect(skipping.overlong == [.over(bytes: 1503)] && skipping.error == nil)
        }
    }

    @Test("a message beyond the skip limit is an error, announced at once or fragmented")
    func endless() {
        var announced = SkippingReader()
        announced.read(RawFrame(first: 0x82, lengthBytes: 8, announced: UInt64(Int64.max)).bytes)
        #expect(announced.error == .tooLarge)
        var grown = SkippingReader()
        grown.reader = WebSocketReader(as: .client, maxMessageSize: 1000, maxSkippedSize: 3000)
        grown.read(RawFrame(first: 0x02, payload: [UInt8](repeating: 1, count: 1500)).bytes)
        grown.read(RawFrame(first: 0x00, payload: [UInt8](repeating: 1, count: 1500)).bytes)
        #expect(grown.error == nil)
        grown.read(RawFrame(first: 0x00, payload: [1]).bytes)
        #expect(grown.error == .tooLarge)
    }

    @Test("a message at the limit is read, one byte more is an error, fragmented or not")
    func longest() {
        let whole = RawFrame(first: 0x82, payload: [UInt8](repeating: 1, count: 1000)).bytes
        #expect(Reading(whole, longest: 1000).messages.count == 1)
        #expect(Reading(whole, longest: 999).error == .tooLarge)
        let half = [UInt8](repeating: 1, count: 500)
        let begin = RawFrame(first: 0x02, payload: half).bytes
        #expect(Reading(begin + RawFrame(first: 0x80, payload: half).bytes, longest: 1000).messages.count == 1)
        #expect(Reading(begin + RawFrame(first: 0x80, payload: half + [1]).bytes, longest: 1000).error == .tooLarge)
        // Control frames don't count.
        let ping = RawFrame(first: 0x89, payload: [UInt8](repeating: 0, count: 125)).bytes
        #expect(Reading(begin + ping + RawFrame(first: 0x80, payload: half).bytes, longest: 1000).error == nil)
    }

    @Test("an announced length allocates no memory")
    func announced() throws {
        var reader = WebSocketReader(as: .client, maxMessageSize: 1 << 40)
        let head = RawFrame(first: 0x82, lengthBytes: 8, announced: 1 << 39).bytes
        try reader.read(head + [1, 2, 3]) { _ in }
        #expect(reader.pending == 3)
    }

    @Test("empty fragments use no memory, and end as an empty message")
    func empty() throws {
        var reader = WebSocketReader(as: .client)
        var messages: [WebSocketMessage] = []
        try reader.read([0x01, 0x00]) { messages.append($0) }
        let many = [UInt8](repeating: 0, count: 200_000)
        try reader.read(many) { messages.append($0) }
        #expect(messages.isEmpty && reader.pending == 0)
        try reader.read([0x80, 0x00]) { messages.append($0) }
        #expect(messages == [.text("")])
    }

    @Test("after a Close frame nothing is read, and after an error every read throws it")
    func after() throws {
        var reader = WebSocketReader(as: .client)
        var messages: [WebSocketMessage] = []
        try reader.read([0x88, 0x00, 0xFF, 0xFF, 0xFF]) { messages.append($0) }
        try reader.read([0x81, 0x01, 0x61]) { messages.append($0) }
        #expect(messages == [.close(WebSocketClosure(nil))])

        var broken = WebSocketReader(as: .client)
        for bytes: [UInt8] in [[0x81, 0x01, 0x61, 0x83, 0x00], [0x81, 0x01, 0x61], []] {
            #expect(throws: WebSocketError.self) { try broken.read(bytes) { messages.append($0) } }
        }
        #expect(messages.last == .text("a") && messages.count == 2)
        #expect(broken.pending == 0)
    }

    @Test(
        "status codes that a Close frame may have",
        arguments: [
            (1000, true), (1001, true), (1003, true), (1007, true), (1011, true), (1014, true), (3000, true),
            (4999, true), (0, false), (999, false), (1004, false), (1005, false), (1006, false), (1015, false),
            (1016, false), (2000, false), (2999, false), (5000, false), (65_535, false),
        ] as [(UInt16, Bool)]
    )
    func codes(number: UInt16, isAllowed: Bool) {
        let payload = [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)] + Array("why".utf8)
        let reading = Reading(RawFrame(first: 0x88, payload: payload).bytes)
        guard isAllowed else {
            #expect(reading.error == .protocolError)
            return
        }
        let code = WebSocketClosure.Code(rawValue: number)
        #expect(reading.messages == [.close(WebSocketClosure(code, "why"))])
    }

    @Test("half a status code is an error, and so is a reason that is not UTF-8")
    func reasons() {
        #expect(Reading([0x88, 0x01, 0x03]).error == .protocolError)
        #expect(Reading([0x88, 0x03, 0x03, 0xE8, 0xFF]).error == .invalidText)
        #expect(Reading([0x88, 0x03, 0x03, 0xE8, 0xC3]).error == .invalidText)
        #expect(Reading([0x88, 0x02, 0x03, 0xE8]).messages == [.close(WebSocketClosure(.normal))])
    }

    @Test("a too long reason is cut at a character boundary")
    func longReason() {
        let closure = WebSocketClosure(.normal, String(repeating: "é", count: 100))
        let bytes = WebSocketWriter(as: .server).frame(.close(closure), mask: 0)
        #expect(bytes.count == 2 + 2 + 122)
        #expect(Reading(bytes).messages == [.close(WebSocketClosure(.normal, String(repeating: "é", count: 61)))])
        let ping = WebSocketWriter(as: .server).frame(.ping([UInt8](repeating: 1, count: 200)), mask: 0)
        #expect(Reading(ping).messages == [.ping([UInt8](repeating: 1, count: 125))])
    }
}
