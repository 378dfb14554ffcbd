import Testing

@testable import WebSocketCodec

@Suite("Opening handshake")
struct HandshakeTests {
    /// The bytes 0 to 15 as a key.
    private static let random: (UInt64, UInt64) = (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)
    private static let key = "AAECAwQFBgcICQoLDA0ODw=="

    private static func head(
        _ status: String = "HTTP/1.1 101 Switching Protocols",
        upgrade: String? = "Upgrade: websocket",
        connection: String? = "Connection: Upgrade",
        accept: String? = "Sec-WebSocket-Accept: " + WebSocketHandshake.accept(for: HandshakeTests.key),
        more: [String] = []
    ) -> [UInt8] {
        let lines = [status] + [upgrade, connection, accept].compactMap(\.self) + more
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Reads a response: returns the bytes of the first frames, or throws the error.
    private func read(_ bytes: [UInt8], cuts: [Int] = []) throws -> [UInt8]? {
        var handshake = WebSocketHandshake(random: HandshakeTests.random)
        var rest: [UInt8]?
        var start = 0
        for end in cuts + [bytes.count] {
            if rest != nil {
                rest? += bytes[start..<end]
            } else {
                rest = try handshake.read(bytes[start..<end])
            }
            start = end
        }
        return rest
    }

    private func error(_ bytes: [UInt8]) -> WebSocketHandshake.HandshakeError? {
        do {
            _ = try self.read(bytes)
            return nil
        } catch {
            return error as? WebSocketHandshake.HandshakeError
        }
    }

    @Test("the examples of RFC 6455 §1.3, and of SHA-1 and Base64")
    func digests() {
        #expect(WebSocketHandshake.accept(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        let hex = { (text: String) in
            SHA1.digest(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        #expect(hex("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
        #expect(hex("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(hex(long) == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
        #expect(hex(String(repeating: "a", count: 64)) == "0098ba824b5c16427bd7a1122a5a442a25ec644d")
        let known = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE="]
        for (text, encoded) in known { #expect(Base64Encoder.encode(Array(text.utf8)) == encoded) }
    }

    @Test("the request has exactly the expected bytes")
    func request() {
        let handshake = WebSocketHandshake(random: HandshakeTests.random)
        let bytes = handshake.request(host: "a.example:81", target: "/s?x=1", headers: [("X-A", "b\tc")])
        let expected =
            "GET /s?x=1 HTTP/1.1\r\nHost: a.example:81\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(HandshakeTests.key)\r\nX-A: b\tc\r\n\r\n"
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test(
        "a field with a line break or of the handshake itself is not sent",
        arguments: [
            ("X", "a\r\nEvil: 1"), ("X", "a\nEvil: 1"), ("X", "a\rEvil"), ("X\r\nEvil", "1"), ("X: 1\r\nEvil", "1"),
            ("X ", "1"), ("", "1"), ("X", "\u{0}"), ("Host", "evil"), ("upgrade", "h2c"), ("Connection", "close"),
            ("Sec-WebSocket-Key", "evil"), ("Sec-WebSocket-Extensions", "permessage-deflate"),
            ("sec-websocket-protocol", "chat"), ("Content-Length", "5"), ("Transfer-Encoding", "chunked"),
        ]
    )
    func injection(name: String, value: String) {
        let handshake = WebSocketHandshake(random: HandshakeTests.random)
        let plain = handshake.request(host: "a", target: "/")
        #expect(handshake.request(host: "a", target: "/", headers: [(name, value)]) == plain)
    }

    @Test("a valid response is accepted in any case and with any white space")
    func accepts() throws {
        #expect(try self.read(HandshakeTests.head()) == [])
        let odd = HandshakeTests.head(
            "HTTP/1.1 101",
            upgrade: "UPGRADE:WebSocket",
            connection: "connection:\t keep-alive , uPgRaDe  ",
            accept: "sec-websocket-ACCEPT:   \(WebSocketHandshake.accept(for: HandshakeTests.key)) \t",
            more: ["Server: x", "X-Empty:", "no colon here", "X: ü"]
        )
        #expect(try self.read(odd) == [])
        let twice = HandshakeTests.head(connection: "Connection: keep-alive\r\nConnection: Upgrade")
        #expect(try self.read(twice) == [])
    }

    @Test(
        "an invalid response is refused, with its status",
        arguments: [
            (head("HTTP/1.1 200 OK"), 200), (head("HTTP/1.1 404 Not Found"), 404), (head("HTTP/1.1 302 Found"), 302),
            (head("HTTP/1.1 426"), 426), (head("HTTP/1.0 101 Yes"), nil), (head("HTTP/2 101"), nil),
            (head("HTTP/1.1"), nil), (head("HTTP/1.1 +10 x"), nil), (head("HTTP/1.1 1010 x"), nil), (head(""), nil),
            (head("220 mail.example ready"), nil), (head(upgrade: nil), 101), (head(upgrade: "Upgrade: h2c"), 101),
            (head(upgrade: "Upgrade : websocket"), 101), (head(more: ["Upgrade: websocket"]), 101),
            (head(connection: nil), 101), (head(connection: "Connection: close"), 101),
            (head(connection: "Connection: upgraded"), 101), (head(accept: nil), 101),
            (head(accept: "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), 101),
            (head(accept: "Sec-WebSocket-Accept: \(WebSocketHandshake.accept(for: key).lowercased())"), 101),
            (head(more: ["Sec-WebSocket-Accept: x"]), 101),
            (head(more: ["Sec-WebSocket-Extensions: permessage-deflate"]), 101),
            (head(more: ["Sec-WebSocket-Protocol: chat"]), 101),
        ] as [([UInt8], Int?)]
    )
    func refuses(bytes: [UInt8], status: Int?) throws {
        let error = try #require(self.error(bytes))
        #expect(error.status == status)
        #expect(!error.message.isEmpty)
    }

    @Test("the first frames can follow the header at once, and both can be cut at every byte")
    func cuts() throws {
        let frames: [UInt8] = [0x81, 0x01, 0x61, 0x0D, 0x0A, 0x0D, 0x0A, 0x89, 0x00]
        let bytes = HandshakeTests.head() + frames
        for cut in 0...bytes.count { #expect(try self.read(bytes, cuts: [cut]) == frames) }
        #expect(try self.read(bytes, cuts: Array(1..<bytes.count)) == frames)
        for count in 0..<HandshakeTests.head().count { #expect(try self.read(Array(bytes.prefix(count))) == nil) }
    }

    @Test("a header of more than 16 KiB is refused")
    func longHead() throws {
        let room = WebSocketHandshake.maxHeadSize - HandshakeTests.head(more: ["X: "]).count
        let fits = HandshakeTests.head(more: ["X: " + String(repeating: "x", count: room)])
        #expect(fits.count == WebSocketHandshake.maxHeadSize)
        #expect(try self.read(fits) == [])
        let tooLong = HandshakeTests.head(more: ["X: " + String(repeating: "x", count: room + 1)])
        #expect(try #require(self.error(tooLong)).status == nil)
        #expect(self.error([UInt8](repeating: 0x0A, count: 20_000)) != nil)
        let endless = [UInt8](repeating: 0x41, count: WebSocketHandshake.maxHeadSize)
        #expect(self.error(endless) != nil)
        #expect(self.error(endless.dropLast()) == nil)
    }
}
