import AdCore
import AdRuntime
import LibC
import PlayConsole
import SystemSupport

/// Captures the header that a transport sends, by sending the request to a port on loopback.
enum WireCapture {
    /// The header fields as they would arrive at the request's server, in order.
    static func header(of request: AdHTTPRequest, by transport: any Transport) async throws(PlayError) -> AdHTTPHeaders
    {
        let failure = PlayError(.loadFailed, "the request could not be captured on a loopback port; try again")
        guard let listener = LoopbackListener(),
            let url = HTTPURL("http://127.0.0.1:\(listener.port)\(request.url.target)")
        else { throw failure }
        let first = "\(request.method.rawValue) \(request.url.target) HTTP/1.1"
        let arrived = OneShot<String?>()
        guard DedicatedThread.start("yabbi-capture", { arrived.set(listener.head(beginning: first)) }) else {
            throw failure
        }
        var copy = request
        copy.url = url
        copy.limits = AdHTTPRequest.Limits(connecting: .seconds(5), total: .seconds(5), body: 0, redirects: 0)
        // There is no response; only the request matters.
        _ = try? await transport.send(copy)
        guard let head = await arrived.value else { throw failure }
        return self.fields(head, host: request.url.authority)
    }

    private static func fields(_ head: String, host: String) -> AdHTTPHeaders {
        var headers = AdHTTPHeaders()
        for line in head.split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
            let isHost = parts[0].asciiLowercased == "host"
            headers.add(parts[0], isHost ? host : parts.count == 2 ? parts[1] : "")
        }
        return headers
    }
}

/// A listening port on loopback, closed on deinit.
private final class LoopbackListener: Sendable {
    let port: Int
    private let socket: Int32

    private static let headByteLimit = 256 << 10
    private static let timeout = Duration.seconds(5)

    init?() {
        let socket = LibC.socket(AF_INET, SocketConstants.stream, 0)
        guard socket >= 0 else { return nil }
        PrivateDescriptor.keep(socket)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, size) == 0 && listen(socket, 4) == 0 && getsockname(socket, pointer, &size) == 0
            }
        }
        guard isListening else {
            close(socket)
            return nil
        }
        self.socket = socket
        self.port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(self.socket) }

    /// Waits for a request with this first line, and returns its header.
    ///
    /// Other connections are closed.
    func head(beginning line: String) -> String? {
        let deadline = ContinuousClock.now + LoopbackListener.timeout
        while LoopbackListener.isReadable(self.socket, until: deadline) {
            let connection = accept(self.socket, nil, nil)
            guard connection >= 0 else { continue }
            defer { close(connection) }
            if let head = LoopbackListener.readHead(connection, until: deadline), head.hasPrefix(line + "\r\n") {
                return head
            }
        }
        return nil
    }

    private static func readHead(_ connection: Int32, until deadline: ContinuousClock.Instant) -> String? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < self.headByteLimit, self.isReadable(connection, until: deadline) {
            let count = chunk.withUnsafeMutableBytes { recv(connection, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.firstRange(of: "\r\n\r\n") { return String(text[..<end.lowerBound]) + "\r\n" }
        }
        return nil
    }

    private static func isReadable(_ descriptor: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let left = max(0, (deadline - .now).wholeMilliseconds)
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&waiting, 1, Int32(left))
            if count < 0, errno == EINTR { continue }
            return count > 0
        }
    }
}
