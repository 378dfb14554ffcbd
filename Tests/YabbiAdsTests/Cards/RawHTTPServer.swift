import LibC

/// A listener on a loopback port that returns the bytes of a request, and responds to it.
final class RawHTTPServer {
    struct Failure: Error {}

    let port: Int
    private let listener: Int32

    init() throws {
        self.listener = socket(AF_INET, SocketConstants.stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = self.listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, size) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, pointer, &size) == 0
            }
        }
        self.port = Int(UInt16(bigEndian: address.sin_port))
        guard isBound, fcntl(listener, F_SETFL, O_NONBLOCK) == 0 else { throw Failure() }
    }

    deinit { close(self.listener) }

    /// Accepts a connection, reads one request, responds with JSON, and returns the request's text.
    func receive(respondingWith json: String) async throws -> String {
        let connection = try await self.retry { accept(self.listener, nil, nil) }
        defer { close(connection) }
        guard fcntl(connection, F_SETFL, O_NONBLOCK) == 0 else { throw Failure() }
        var bytes: [UInt8] = []
        var text = ""
        while !RawHTTPServer.isComplete(text) {
            var chunk = [UInt8](repeating: 0, count: 4_096)
            let count = try await self.retry { Int32(recv(connection, &chunk, chunk.count, 0)) }
            guard count > 0 else { throw Failure() }
            bytes += chunk[..<Int(count)]
            text = String(decoding: bytes, as: UTF8.self)
        }
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n\r\n"
        let answer = Array((head + json).utf8)
        guard send(connection, answer, answer.count, 0) == answer.count else { throw Failure() }
        return text
    }

    /// Repeats a call until it succeeds, for ten seconds at most.
    private func retry(_ attempt: () -> Int32) async throws -> Int32 {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(10) {
            let result = attempt()
            if result >= 0 { return result }
            await Task.yield()
        }
        throw Failure()
    }

    private static func isComplete(_ text: String) -> Bool {
        guard let end = text.firstRange(of: "\r\n\r\n") else { return false }
        let contentLength = text.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length: ") }
        return text[end.upperBound...].utf8.count >= contentLength.flatMap { Int($0.dropFirst(16)) } ?? 0
    }
}
