import LibC
import SystemSupport
import TestSupport
package import WebSocketCodec

/// A server of raw bytes: each connection has a thread that runs the test's closure.
package final class PeerServer: Sendable {
    /// The server's side of one connection.
    package struct Peer {
        /// Its file descriptor.
        package let socket: Int32
        /// The number of the connection, from 0.
        package let number: Int

        /// Sends all bytes; false if the client has closed.
        @discardableResult
        package func write(_ bytes: [UInt8]) -> Bool {
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes { buffer in
                    send(self.socket, buffer.baseAddress.map { $0 + sent }, bytes.count - sent, PeerServer.quiet)
                }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }

        /// Sends a text.
        @discardableResult
        package func write(_ text: String) -> Bool { self.write(Array(text.utf8)) }

        /// Reads the next bytes; empty at the end.
        package func read() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(self.socket, &bytes, bytes.count, 0)
            return count > 0 ? Array(bytes[..<count]) : []
        }

        /// Reads the header of the request.
        package func head() -> String {
            var bytes: [UInt8] = []
            while bytes.suffix(4) != [13, 10, 13, 10] {
                let more = self.read()
                guard !more.isEmpty else { break }
                bytes += more
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// The response that accepts a handshake request.
        package static func switchingProtocols(for head: String) -> String {
            let lines = head.split(separator: "\r\n")
            let key = lines.first { $0.hasPrefix("Sec-WebSocket-Key: ") }?.dropFirst(19) ?? ""
            return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(WebSocketHandshake.accept(for: String(key)))\r\n\r\n"
        }

        /// Reads the handshake request and accepts it.
        package func acceptUpgrade() { self.write(Peer.switchingProtocols(for: self.head())) }

        /// Sends a message.
        @discardableResult
        package func sendMessage(_ message: WebSocketMessage) -> Bool {
            self.write(WebSocketWriter(as: .server).frame(message, mask: 0))
        }

        /// Receives messages until the client closes or the closure returns true.
        package func receiveMessages(until isDone: (WebSocketMessage) -> Bool = { _ in false }) {
            var reader = WebSocketReader(as: .server, maxMessageSize: 16 << 20)
            var hasEnded = false
            while !hasEnded {
                let bytes = self.read()
                guard !bytes.isEmpty else { return }
                do {
                    try reader.read(bytes) { if isDone($0) { hasEnded = true } }
                } catch {
                    return
                }
            }
        }

        /// Makes the close of the socket a TCP reset.
        package func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(self.socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        }
    }

    /// The port on 127.0.0.1.
    package let port: Int
    private let listener: Int32
    private let open = Locked<Set<Int32>>([])
    private let serve: @Sendable (Peer) -> Void

    fileprivate static let quiet = SocketConstants.sendWithoutSignal

    /// Starts a server.
    package init(_ serve: @escaping @Sendable (Peer) -> Void) {
        let (listener, port) = RawServer.listen()
        self.listener = listener
        self.port = port
        self.serve = serve
        runOnThread { self.accept() }
    }

    /// A URL of the server.
    package var address: String { "ws://127.0.0.1:\(self.port)/" }

    /// Closes all connections, and accepts no more.
    package func stop() {
        self.open.withLock { for socket in $0 { shutdown(socket, Int32(SHUT_RDWR)) } }
        shutdown(self.listener, Int32(SHUT_RDWR))
    }

    private func accept() {
        var number = 0
        while true {
            let socket = acceptNext(self.listener)
            guard socket >= 0 else { break }
            self.open.withLock { _ = $0.insert(socket) }
            let peer = Peer(socket: socket, number: number)
            number += 1
            runOnThread {
                self.serve(peer)
                self.open.withLock { _ = $0.remove(socket) }
                close(socket)
            }
        }
        close(self.listener)
    }
}
