import LibC
import WebSocketCodec

/// A connection that libmicrohttpd handed over after an upgrade, with a socket that is closed here.
struct UpgradedConnection: Sendable {
    let socket: Int32
    /// Bytes that arrived after the request.
    let extraBytes: [UInt8]

    /// Closes the connection.
    func close() { _ = LibC.close(self.socket) }
}

/// One socket: reads messages from bytes and writes messages as bytes.
///
/// Only the loop's thread uses it.
final class SocketConnection {
    /// The size limit for messages, in bytes.
    static let messageLimit = 1 << 20
    /// The number of unsent bytes from which nothing more is read.
    static let readPauseLimit = 1 << 20
    /// The number of unsent bytes above which the socket is closed.
    static let unsentLimit = 8 << 20
    /// How long to wait for the peer's close frame.
    static let closeTimeout = Duration.seconds(1)

    private enum Phase: Hashable {
        case open
        /// A close frame was sent; no more messages are sent or read.
        case ending(by: ContinuousClock.Instant)
        case closed
    }

    private let upgraded: UpgradedConnection
    private var phase = Phase.open
    private var reader = WebSocketReader(as: .server, maxMessageSize: messageLimit)
    private let writer = WebSocketWriter(as: .server)
    private var unsent: [UInt8] = []
    /// The number of bytes of `unsent` that were sent.
    private var sent = 0
    private var hasFinishedSending = false

    init(_ upgraded: UpgradedConnection) {
        self.upgraded = upgraded
        // The library may hand over blocking sockets. Without TCP_NODELAY small frames would wait for more data.
        _ = fcntl(upgraded.socket, F_SETFL, fcntl(upgraded.socket, F_GETFL) | O_NONBLOCK)
        var on: Int32 = 1
        setsockopt(
            upgraded.socket,
            Int32(IPPROTO_TCP),
            TCP_NODELAY,
            &on,
            socklen_t(MemoryLayout<Int32>.size)
        )
    }

    /// The events to poll for.
    var interest: pollfd {
        var events: Int32 = 0
        if self.backlog < SocketConnection.readPauseLimit || self.phase != .open { events |= Int32(POLLIN) }
        if self.backlog > 0 { events |= Int32(POLLOUT) }
        return pollfd(fd: self.upgraded.socket, events: Int16(events), revents: 0)
    }

    /// When the wait for the peer's close frame ends; nil while the socket is open.
    var deadline: ContinuousClock.Instant? {
        if case .ending(let time) = self.phase { time } else { nil }
    }

    /// Whether the connection can be closed.
    var isClosed: Bool { self.phase == .closed }

    private var backlog: Int { self.unsent.count - self.sent }

    /// Reads the bytes that arrived after the request.
    func readExtraBytes(_ onMessage: (WebSocketMessage) -> Void) {
        self.upgraded.extraBytes.withUnsafeBytes { self.receive($0, onMessage) }
    }

    /// Reads at most a buffer's size from the socket; calls back for each text or binary message.
    func read(into buffer: UnsafeMutableRawBufferPointer, _ onMessage: (WebSocketMessage) -> Void) {
        let count = recv(self.upgraded.socket, buffer.baseAddress, buffer.count, 0)
        if count > 0 {
            self.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]), onMessage)
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            self.phase = .closed
        }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer, _ onMessage: (WebSocketMessage) -> Void) {
        guard self.phase == .open else { return }
        do throws(WebSocketError) {
            try self.reader.read(bytes) { message in
                switch message {
                case .text, .binary: onMessage(message)
                case .ping(let bytes): self.execute(.send(.pong(bytes)))
                case .pong: break
                // RFC 6455 §5.5.1: a close frame is answered with one of the same status code.
                case .close(let closure): self.execute(.close(WebSocketClosure(closure.code)))
                }
            }
        } catch {
            self.execute(.close(WebSocketClosure(error.code, error.message)))
        }
    }

    /// Executes an action; the bytes are sent with the next `flush`.
    func execute(_ action: SocketAction) {
        guard self.phase == .open else { return }
        switch action {
        case .send(let message): self.unsent += self.writer.frame(message, mask: 0)
        case .raw(let bytes): self.unsent += bytes
        case .close(let closure):
            self.unsent += self.writer.frame(.close(closure), mask: 0)
            self.phase = .ending(by: .now + SocketConnection.closeTimeout)
        case .disconnect: self.phase = .ending(by: .now + SocketConnection.closeTimeout)
        }
        if self.backlog > SocketConnection.unsentLimit { self.phase = .closed }
    }

    /// Sends as many bytes as the system accepts.
    func flush() {
        guard self.phase != .closed else { return }
        while self.backlog > 0 {
            let count = self.unsent.withUnsafeBytes { bytes in
                SocketPlatform.send(self.upgraded.socket, UnsafeRawBufferPointer(rebasing: bytes[self.sent...]))
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            guard count > 0 else {
                self.phase = .closed
                return
            }
            self.sent += count
        }
        // Moves at most as many bytes as were sent since the last time.
        if self.sent * 2 >= self.unsent.count {
            self.unsent.removeFirst(self.sent)
            self.sent = 0
        }
        if self.phase != .open, self.backlog == 0, !self.hasFinishedSending {
            // Closing at once could discard bytes that the peer has not read yet.
            self.hasFinishedSending = true
            shutdown(self.upgraded.socket, Int32(SHUT_WR))
        }
    }

    /// Stops waiting for the peer's close frame.
    func stopWaiting() { self.phase = .closed }

    /// Closes the connection at once; a close frame is sent when there is room for it.
    func close(sending closure: WebSocketClosure? = nil) {
        if let closure {
            self.execute(.close(closure))
            self.flush()
        }
        self.upgraded.close()
    }
}

private enum SocketPlatform {
    /// Sends without SIGPIPE when the peer has closed.
    static func send(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        LibC.send(
            socket,
            bytes.baseAddress,
            bytes.count,
            SocketConstants.sendWithoutSignal | Int32(MSG_DONTWAIT)
        )
    }
}
