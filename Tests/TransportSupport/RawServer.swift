package import AdCore
import LibC
import SystemSupport
import TestSupport

/// A server that reads one request after another and performs the actions of a script, byte for byte.
///
/// One thread per connection; `stop` ends them all.
package final class RawServer: Sendable {
    /// What the server does after a request.
    package enum Action: Sendable {
        /// Sends bytes.
        case send([UInt8])
        /// Sends nothing more until the client closes.
        case hang
        /// Closes the connection.
        case close

        /// Sends a text.
        package static func text(_ text: String) -> Action { .send(Array(text.utf8)) }

        /// Sends a complete response and keeps the connection open.
        package static func response(_ status: String, _ body: String = "", _ headers: String...) -> Action {
            let head = (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers).joined(
                separator: "\r\n"
            )
            return .text(head + "\r\n\r\n" + body)
        }
    }

    /// A request that was read completely.
    package struct Request: Sendable {
        /// The number of its connection, from 0.
        package let connection: Int
        /// The number of the request on its connection, from 0.
        package let number: Int
        /// Header and body.
        package let text: String

        /// The target of the request line.
        package var path: String { self.text.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
    }

    /// Returns the actions for a request.
    package typealias Script = @Sendable (Request) -> [Action]

    private struct State {
        /// The requests so far.
        package var requests: [Request] = []
        var accepted = 0
        var open: Set<Int32> = []
        var isStopped = false
    }

    /// The port on 127.0.0.1.
    package let port: Int
    private let listener: Int32
    private let state = Locked(State())
    private let script: Script

    /// Starts a server.
    package init(_ script: @escaping Script) {
        (self.listener, self.port) = RawServer.listen()
        self.script = script
        runOnThread { self.accept() }
    }

    /// Opens a listener on a free loopback port.
    package static func listen() -> (listener: Int32, port: Int) {
        let listener = streamSocket()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, size) == 0 && startListening(listener)
                    && getsockname(listener, pointer, &size) == 0
            }
        }
        guard isBound else { preconditionFailure("No loopback port is available.") }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// A URL of this server.
    package func url(_ path: String) -> HTTPURL {
        guard let url = HTTPURL("http://127.0.0.1:\(self.port)\(path)") else {
            preconditionFailure("The path is invalid.")
        }
        return url
    }

    /// The requests so far.
    package var requests: [Request] { self.state.withLock { $0.requests } }
    /// How many connections were accepted.
    package var connections: Int { self.state.withLock { $0.accepted } }

    /// Closes all connections, and accepts no more.
    package func stop() {
        self.state.withLock { state in
            state.isStopped = true
            // Under the lock: the number of a closed socket can be reused by another file.
            for socket in state.open { shutdown(socket, Int32(SHUT_RDWR)) }
        }
        shutdown(self.listener, Int32(SHUT_RDWR))
    }

    private func accept() {
        while true {
            let socket = acceptNext(self.listener)
            guard socket >= 0 else { break }
            let (number, isStopped) = self.state.withLock { state in
                state.open.insert(socket)
                state.accepted += 1
                return (state.accepted - 1, state.isStopped)
            }
            if isStopped { shutdown(socket, Int32(SHUT_RDWR)) }
            runOnThread { self.serve(socket, number) }
        }
        close(self.listener)
    }

    private func serve(_ socket: Int32, _ connection: Int) {
        defer {
            self.state.withLock { _ = $0.open.remove(socket) }
            close(socket)
        }
        var number = 0
        while let text = self.read(socket) {
            let request = Request(connection: connection, number: number, text: text)
            self.state.withLock { $0.requests.append(request) }
            number += 1
            for action in self.script(request) {
                switch action {
                case .send(let bytes):
                    guard self.write(bytes, to: socket) else { return }
                case .hang:
                    var byte: UInt8 = 0
                    while recv(socket, &byte, 1, 0) > 0 {}
                    return
                case .close:
                    shutdown(socket, Int32(SHUT_RDWR))
                    return
                }
            }
        }
    }

    private func write(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { sendSome(socket, $0 + sent, bytes.count - sent) } ?? -1
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Reads a request with its announced body.
    private func read(_ socket: Int32) -> String? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < 8 << 20 {
            let text = String(decoding: bytes, as: UTF8.self)
            let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 {
                let announced = text.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                let length = announced.flatMap { Int($0.dropFirst(15).trimmed) } ?? 0
                if parts[1].utf8.count >= length { return text }
            }
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            bytes.append(contentsOf: chunk[..<count])
        }
        return nil
    }
}

/// Creates a TCP socket; the constants have different types on each system.
package func streamSocket(nonBlocking: Bool = false) -> Int32 {
    let made = socket(AF_INET, SocketConstants.stream, 0)
    if nonBlocking { _ = fcntl(made, F_SETFL, O_NONBLOCK) }
    return made
}

private func startListening(_ socket: Int32) -> Bool { listen(socket, 1024) == 0 }

/// Accepts a connection; negative after the listener was shut down.
package func acceptNext(_ listener: Int32) -> Int32 { accept(listener, nil, nil) }

private func sendSome(_ socket: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    send(socket, bytes, count, SocketConstants.sendWithoutSignal)
}
