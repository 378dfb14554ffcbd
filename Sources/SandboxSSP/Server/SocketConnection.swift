import CMicroHTTPD
import LibC
import WebSocketCodec

/// A connection that the HTTP server has handed over.
// Unchecked: the pointer is only handed back to the library, once, by a function that any thread may call.
struct UpgradedConnection: @unchecked Sendable {
    let socket: Int32
    let handle: OpaquePointer
    /// What had arrived behind the request.
    let early: [UInt8]

    /// Gives the connection back, which closes it.
    func end() { cmicrohttpd_end_upgraded(self.handle) }
}

/// One socket: makes messages of bytes and bytes of messages, and decides nothing of what they say.
///
/// It is touched by the thread of its loop only.
final class SocketConnection {
    /// The longest message that is taken.
    static let longestMessage = 1 << 20
    /// From so many unsent bytes on nothing more is read: who does not listen is not listened to.
    static let fewUnsent = 1 << 20
    /// Who lets more than this lie unread is dropped.
    static let mostUnsent = 8 << 20
    /// How long the other side has for its goodbye.
    static let farewell = Duration.seconds(1)

    private enum Phase: Hashable {
        case open
        /// Nothing new is sent; what comes is not looked at.
        case ending(by: ContinuousClock.Instant)
        case over
    }

    private let upgraded: UpgradedConnection
    private var phase = Phase.open
    private var reader = WebSocketReader(as: .server, longest: longestMessage)
    private let writer = WebSocketWriter(as: .server)
    private var unsent: [UInt8] = []
    /// How many of `unsent` have gone out.
    private var sent = 0
    private var hasFinishedSending = false

    init(_ upgraded: UpgradedConnection) {
        self.upgraded = upgraded
        // The library hands some of them over blocking; small frames must not wait for more.
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

    /// What the loop waits for.
    var interest: pollfd {
        var events: Int32 = 0
        if self.backlog < SocketConnection.fewUnsent || self.phase != .open { events |= Int32(POLLIN) }
        if self.backlog > 0 { events |= Int32(POLLOUT) }
        return pollfd(fd: self.upgraded.socket, events: Int16(events), revents: 0)
    }

    /// Until when it may go on; nil: for as long as it likes.
    var deadline: ContinuousClock.Instant? {
        if case .ending(let time) = self.phase { time } else { nil }
    }

    /// Whether it can be given back.
    var isOver: Bool { self.phase == .over }

    private var backlog: Int { self.unsent.count - self.sent }

    /// Takes what came behind the request.
    func begin(_ each: (WebSocketMessage) -> Void) {
        self.upgraded.early.withUnsafeBytes { self.take($0, each) }
    }

    /// Reads what is here, as much as a buffer holds, and gives each text and each message of bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer, _ each: (WebSocketMessage) -> Void) {
        let count = recv(self.upgraded.socket, buffer.baseAddress, buffer.count, 0)
        if count > 0 {
            self.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), each)
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            self.phase = .over
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ each: (WebSocketMessage) -> Void) {
        guard self.phase == .open else { return }
        do throws(WebSocketFault) {
            try self.reader.read(bytes) { message in
                switch message {
                case .text, .binary: each(message)
                case .ping(let bytes): self.carryOut(.send(.pong(bytes)))
                case .pong: break
                case .close(let closure): self.carryOut(.close(WebSocketClosure(closure.code)))
                }
            }
        } catch {
            self.carryOut(.close(WebSocketClosure(error.code, error.message)))
        }
    }

    /// Does what is ordered; bytes go out with the next `flush`.
    func carryOut(_ act: SocketAct) {
        guard self.phase == .open else { return }
        switch act {
        case .send(let message): self.unsent += self.writer.frame(message, mask: 0)
        case .raw(let bytes): self.unsent += bytes
        case .close(let closure):
            self.unsent += self.writer.frame(.close(closure), mask: 0)
            self.phase = .ending(by: .now + SocketConnection.farewell)
        case .breakOff: self.phase = .ending(by: .now + SocketConnection.farewell)
        }
        if self.backlog > SocketConnection.mostUnsent { self.phase = .over }
    }

    /// Sends as much as the other side takes.
    func flush() {
        guard self.phase != .over else { return }
        while self.backlog > 0 {
            let count = self.unsent.withUnsafeBytes { bytes in
                SocketPlatform.send(self.upgraded.socket, UnsafeRawBufferPointer(rebasing: bytes[self.sent...]))
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            guard count > 0 else {
                self.phase = .over
                return
            }
            self.sent += count
        }
        // At most as many bytes are moved as have gone out since the last time.
        if self.sent * 2 >= self.unsent.count {
            self.unsent.removeFirst(self.sent)
            self.sent = 0
        }
        if self.phase != .open, self.backlog == 0, !self.hasFinishedSending {
            // Closing at once might take back what the other side has not read yet.
            self.hasFinishedSending = true
            shutdown(self.upgraded.socket, Int32(SHUT_WR))
        }
    }

    /// Waits no longer for the other side.
    func giveUp() { self.phase = .over }

    /// Ends it at once, with a goodbye where there is room for one, and gives it back.
    func end(saying closure: WebSocketClosure? = nil) {
        if let closure {
            self.carryOut(.close(closure))
            self.flush()
        }
        self.upgraded.end()
    }
}

private enum SocketPlatform {
    /// Sends without a signal where the other side has closed.
    static func send(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        LibC.send(
            socket,
            bytes.baseAddress,
            bytes.count,
            SocketConstants.sendWithoutSignal | Int32(MSG_DONTWAIT)
        )
    }
}
