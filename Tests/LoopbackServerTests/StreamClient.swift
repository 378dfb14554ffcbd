import LibC
import SystemSupport
import TestSupport

/// A client that reads a response as it comes, without its chunks' sizes.
final class StreamClient {
    struct Failure: Error {}

    private let socket: Int32
    private(set) var text = ""

    /// Sends a request; `length` announces a body that does not come.
    init(_ port: Int, _ path: String = "/", body: String? = nil, announcing length: Int? = nil) throws {
        self.socket = LibC.socket(AF_INET, SocketConstants.stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(self.socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure() }
        var request =
            "\(body == nil && length == nil ? "GET" : "POST") \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        if let length = length ?? body?.utf8.count { request += "Content-Length: \(length)\r\n" }
        request += "\r\n" + (body ?? "")
        let bytes = Array(request.utf8)
        guard send(self.socket, bytes, bytes.count, SocketConstants.sendWithoutSignal) == bytes.count else {
            throw Failure()
        }
    }

    deinit { close(self.socket) }

    /// Reads until a text has come; false at the end, or after ten seconds.
    func read(until wanted: String) throws -> Bool {
        while !self.text.contains(wanted) { guard try self.readMore() else { return false } }
        return true
    }

    /// Reads to the end, and returns the body without the sizes of its chunks (RFC 9112 §7.1).
    func readToEnd() throws -> String {
        while try self.readMore() {}
        guard let head = self.text.firstRange(of: "\r\n\r\n") else { return self.text }
        guard self.text[..<head.lowerBound].contains("chunked") else { return String(self.text[head.upperBound...]) }
        var body: [UInt8] = []
        var rest = Array(self.text[head.upperBound...].utf8)[...]
        let newline = UInt8(ascii: "\n")
        while let line = rest.firstIndex(of: newline),
            let count = Int(String(decoding: rest[..<line].dropLast(), as: UTF8.self), radix: 16), count > 0
        {
            rest = rest[(line + 1)...]
            body += rest.prefix(count)
            // The line break after a chunk.
            rest = rest.dropFirst(count + 2)
        }
        return String(decoding: body, as: UTF8.self)
    }

    private func readMore() throws -> Bool {
        var waiting = pollfd(fd: self.socket, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 10_000) > 0 else { throw Failure() }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(self.socket, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        self.text += String(decoding: chunk[..<count], as: UTF8.self)
        return true
    }
}
