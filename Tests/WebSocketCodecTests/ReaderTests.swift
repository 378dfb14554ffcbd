import TestSupport
import Testing

@testable import WebSocketCodec

@Suite("What is read of a websocket")
struct ReaderTests {
    private func read(_ bytes: [UInt8], as role: WebSocketRole = .client) throws -> [WebSocketMessage] {
        var reader = WebSocketReader(as: role)
        var messages: [WebSocketMessage] = []
        try reader.read(bytes) { messages.append($0) }
        return messages
    }

    @Test("messages come back as they were written, from both sides", arguments: [WebSocketRole.client, .server])
    func roundTrip(role: WebSocketRole) throws {
        let messages: [WebSocketMessage] = [
            .text(""), .text("hello"), .text(String(repeating: "Ж", count: 40_000)), .binary([]), .binary([0, 255]),
            .ping([1, 2]), .pong([]), .close(WebSocketClosure(.goingAway, "bye")),
        ]
        let writer = WebSocketWriter(as: role)
        let bytes = messages.flatMap { writer.frame($0, mask: 0x1234_5678) }
        #expect(try self.read(bytes, as: role == .client ? .server : .client) == messages)
    }

    @Test("the example of RFC 6455 for the handshake")
    func accept() {
        #expect(WebSocketHandshake.accept(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }
}
