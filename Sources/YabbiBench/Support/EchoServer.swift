import LibC
import WebSocketCodec

/// A WebSocket echo server on one thread; it does not validate handshakes, which is acceptable in a benchmark only.
final class EchoServer {
    let port: Int
    private let listener: Int32

    init() throws {
        let listener = EchoServer.streamSocket()
        var address = EchoServer.loopback(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, size) == 0 && listen(listener, 4096) == 0
                    && getsockname(listener, pointer, &size) == 0
            }
        }
        guard isBound else { throw BenchError(message: "can't listen on a loopback port") }
        self.listener = listener
        self.port = Int(UInt16(bigEndian: address.sin_port))
        Task.detached { EchoServer.serve(listener) }
    }

    static func streamSocket() -> Int32 {
        socket(AF_INET, SocketConstants.stream, 0)
    }

    static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// Disables Nagle's algorithm.
    static func disableDelay(_ file: Int32) {
        var on: Int32 = 1
        setsockopt(file, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    func stop() { shutdown(self.listener, Int32(SHUT_RDWR)) }

    /// A connection: the bytes of its handshake until that is complete, then its reader.
    private struct Peer {
        var head: [UInt8] = []
        var reader = WebSocketReader(as: .server)
        var isOpen = false
    }

    private static func serve(_ listener: Int32) {
        var files = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
        var peers = [Peer()]
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            guard poll(&files, nfds_t(files.count), -1) > 0, files[0].revents & Int16(POLLHUP | POLLERR) == 0 else {
                break
            }
            for index in files.indices.dropFirst().reversed() where files[index].revents != 0 {
                let count = recv(files[index].fd, &buffer, buffer.count, 0)
                if count > 0, self.handle(buffer[..<count], &peers[index], files[index].fd) { continue }
                close(files[index].fd)
                files.swapAt(index, files.count - 1)
                peers.swapAt(index, files.count - 1)
                files.removeLast()
                peers.removeLast()
            }
            guard files[0].revents & Int16(POLLIN) != 0 else { continue }
            let file = accept(listener, nil, nil)
            guard file >= 0 else { break }
            self.disableDelay(file)
            files.append(pollfd(fd: file, events: Int16(POLLIN), revents: 0))
            peers.append(Peer())
        }
        for file in files { close(file.fd) }
    }

    /// Responds to received bytes; false when the connection must be closed.
    private static func handle(_ bytes: ArraySlice<UInt8>, _ peer: inout Peer, _ file: Int32) -> Bool {
        var answer: [UInt8] = []
        var isClosing = false
        if peer.isOpen {
            let writer = WebSocketWriter(as: .server)
            do {
                try peer.reader.read(bytes) { message in
                    answer += writer.frame(message, mask: 0)
                    if case .close = message { isClosing = true }
                }
            } catch {
                return false
            }
        } else {
            peer.head += bytes
            guard peer.head.suffix(4) == [13, 10, 13, 10] else { return true }
            let lines = String(decoding: peer.head, as: UTF8.self).split(separator: "\r\n")
            let key = lines.first { $0.hasPrefix("Sec-WebSocket-Key: ") }?.dropFirst(19) ?? ""
            peer.isOpen = true
            let text =
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(WebSocketHandshake.accept(for: String(key)))\r\n\r\n"
            answer = Array(text.utf8)
        }
        return answer.isEmpty || write(file, answer, answer.count) == answer.count && !isClosing
    }
}
