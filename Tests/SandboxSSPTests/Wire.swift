import AdCore
import LibC
import SandboxSSP

/// A TCP connection to a sandbox that sends exactly the given bytes.
final class Wire {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let socket: Int32
    private let port: Int
    /// The value of `Host` for the server.
    var host: String { "127.0.0.1:\(self.port)" }
    private var unread: [UInt8] = []

    /// Connects; every operation has a timeout of ten seconds.
    init(_ port: Int) throws {
        self.port = port
        self.socket = LibC.socket(AF_INET, SocketConstants.stream, 0)
        guard self.socket >= 0 else { throw Failure(description: "can't open a socket: \(errno)") }
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(self.socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(self.socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(self.socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // Not closed here: all properties are set, so deinit closes the socket.
        guard status == 0 else { throw Failure(description: "can't connect: \(errno)") }
    }

    deinit { close(self.socket) }

    /// Sends bytes; returns false when the server has closed.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Platform.send(self.socket, $0) }
            if sent < 0, errno == EINTR { continue }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    /// Sends a text.
    @discardableResult
    func send(_ text: String) -> Bool { self.send(Array(text.utf8)) }

    /// Shuts down the sending direction.
    func finishSending() { shutdown(self.socket, Int32(SHUT_WR)) }

    /// Sends a request.
    func request(_ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8]? = nil) {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(self.host)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        self.send(Array((head + "\r\n").utf8) + (body ?? []))
    }

    /// Reads until the server closes; throws after the timeout.
    func readToEnd() throws -> [UInt8] {
        while try self.readMore() {}
        defer { self.unread = [] }
        return self.unread
    }

    /// The unread bytes, or the next ones; nil when the server has closed.
    func read() throws -> [UInt8]? {
        guard try !self.unread.isEmpty || self.readMore() else { return nil }
        defer { self.unread = [] }
        return self.unread
    }

    /// Reads one response, which may be incomplete (`isWhole`).
    func response(toHead: Bool = false) throws -> WireResponse {
        let mark = Array("\r\n\r\n".utf8)
        var searched = 0
        var end: Int?
        while end == nil {
            end = (searched..<max(searched, self.unread.count - 3)).first { self.unread[$0...].starts(with: mark) }
            searched = max(0, self.unread.count - 3)
            if end == nil, try !self.readMore() {
                throw Failure(description: "closed after \(self.unread.count) bytes, before the end of the headers")
            }
        }
        let headEnd = end ?? 0
        var response = try WireResponse(head: String(decoding: self.unread[..<headEnd], as: UTF8.self))
        self.unread.removeFirst(headEnd + 4)
        let count =
            toHead || [204, 304].contains(response.status) ? 0 : Int(response.headers["content-length"] ?? "") ?? 0
        while self.unread.count < count, try self.readMore() {}
        response.isWhole = self.unread.count >= count
        response.body = Array(self.unread.prefix(count))
        self.unread.removeFirst(response.body.count)
        return response
    }

    /// Whether the server has closed and no bytes are unread.
    func isClosed() throws -> Bool { try self.unread.isEmpty && !self.readMore() }

    private func readMore() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = recv(self.socket, &buffer, buffer.count, 0)
            if count > 0 {
                self.unread += buffer[..<count]
                return true
            }
            if count == 0 || errno == ECONNRESET { return false }
            guard errno == EINTR else { throw Failure(description: "no bytes within ten seconds (\(errno))") }
        }
    }
}

/// An HTTP response.
struct WireResponse {
    let status: Int
    let headers: [String: String]
    var body: [UInt8] = []
    /// Whether all declared bytes arrived.
    var isWhole = true

    fileprivate init(head: String) throws {
        let lines = head.split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count >= 2, let status = Int(words[1]) else {
            throw Wire.Failure(description: "no status line: \(head.prefix(80))")
        }
        self.status = status
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { headers[parts[0].asciiLowercased] = parts[1].trimmed }
        }
        self.headers = headers
    }

    var text: String { String(decoding: self.body, as: UTF8.self) }
    var json: AdJSON? { try? AdJSON(parsing: self.body) }
}

/// Sends one request over a new connection.
func fetch(
    _ port: Int,
    _ method: String,
    _ target: String,
    headers: [String: String] = [:],
    body: String? = nil
) throws -> WireResponse {
    let wire = try Wire(port)
    wire.request(method, target, headers: headers, body: body.map { Array($0.utf8) })
    return try wire.response(toHead: method == "HEAD")
}

/// Waits until a number of requests has arrived, at most ten seconds.
func awaitHits(_ count: Int, of sandbox: Sandbox) throws {
    let end = ContinuousClock.now + .seconds(10)
    while sandbox.hits().count < count {
        guard ContinuousClock.now < end else { throw Wire.Failure(description: "\(count) hits did not arrive") }
    }
}

private enum Platform {
    /// Sends without SIGPIPE when the server has closed.
    static func send(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        LibC.send(socket, bytes.baseAddress, bytes.count, SocketConstants.sendWithoutSignal)
    }
}
