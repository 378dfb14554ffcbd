import LibC
import WebSocketCodec

/// The least that an echo takes: a socket that waits where it is asked, and bytes that were made before.
final class BareEcho {
    private let file: Int32
    private let frame: [UInt8]
    private let answerCount: Int

    /// Connects to a server of this machine, and makes the handshake.
    init(port: Int, text: String) throws(WishError) {
        self.frame = WebSocketWriter(as: .client).frame(.text(text), mask: 0x9AC4_17F3)
        self.answerCount = WebSocketWriter(as: .server).frame(.text(text), mask: 0).count
        self.file = EchoServer.streamSocket()
        var address = EchoServer.loopback(port: port)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(self.file, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        EchoServer.sendAtOnce(self.file)
        let head =
            "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        guard isConnected, self.say(Array(head.utf8)), self.hear(until: { $0.suffix(4) == [13, 10, 13, 10] }) else {
            throw WishError(message: "the echo server gives no connection")
        }
    }

    deinit { close(self.file) }

    /// Says the text and waits for all of it; false where the connection is gone.
    func echo() -> Bool {
        self.say(self.frame) && self.hear { $0.count >= self.answerCount }
    }

    private func say(_ bytes: [UInt8]) -> Bool { write(self.file, bytes, bytes.count) == bytes.count }

    private func hear(until isWhole: ([UInt8]) -> Bool) -> Bool {
        var heard: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 512)
        repeat {
            let count = recv(self.file, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            heard += buffer[..<count]
        } while !isWhole(heard)
        return true
    }
}
