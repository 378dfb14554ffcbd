import LibC
import WebSocketCodec

/// The baseline of an echo: a blocking socket and a prepared frame.
final class PlainEchoClient {
    private let file: Int32
    private let frame: [UInt8]
    private let answerCount: Int

    /// Connects to a server on this computer and performs the handshake.
    init(port: Int, text: String) throws(BenchError) {
        self.frame = WebSocketWriter(as: .client).frame(.text(text), mask: 0x9AC4_17F3)
        self.answerCount = WebSocketWriter(as: .server).frame(.text(text), mask: 0).count
        self.file = EchoServer.streamSocket()
        var address = EchoServer.loopback(port: port)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(self.file, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        EchoServer.disableDelay(self.file)
        let head =
            "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        guard isConnected, self.send(Array(head.utf8)), self.receive(until: { $0.suffix(4) == [13, 10, 13, 10] }) else {
            throw BenchError(message: "can't connect to the echo server")
        }
    }

    deinit { close(self.file) }

    /// Sends the frame and waits for the whole echo; false when the connection is closed.
    func echo() -> Bool {
        self.send(self.frame) && self.receive { $0.count >= self.answerCount }
    }

    private func send(_ bytes: [UInt8]) -> Bool { write(self.file, bytes, bytes.count) == bytes.count }

    private func receive(until isComplete: ([UInt8]) -> Bool) -> Bool {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 512)
        repeat {
            let count = recv(self.file, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            received += buffer[..<count]
        } while !isComplete(received)
        return true
    }
}
