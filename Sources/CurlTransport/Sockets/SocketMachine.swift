import AdCore
import WebSocketCodec

/// The client side of one WebSocket connection (RFC 6455): bytes, calls and the time go in, bytes and events come out.
///
/// It does no I/O; `ClientSocketLoop` moves the bytes.
struct SocketMachine {
    typealias Instant = ContinuousClock.Instant
    typealias Report = (SocketEvent) -> Void
    /// Returns random bits for frame masks and the handshake key.
    typealias Random = () -> UInt64

    /// Bits of the system's secure generator: masks must be unpredictable (RFC 6455 §5.3, §10.3).
    static func systemRandom() -> UInt64 { .random(in: .min ... .max) }

    private enum Phase {
        /// The TCP or TLS connection is not established.
        case connecting
        /// The handshake request is sent.
        case handshaking
        case open
        /// This side has sent a Close frame, and waits for the server's (§7.1.2).
        case closing
        /// The end is reported; pending bytes are sent, and the server closes the TCP connection first (§7.1.1).
        case flushing
        case ended
    }

    /// The time limit of the closing handshake.
    static let closeTimeout = Duration.seconds(2)
    /// With less than this unsent, each ping gets a pong; otherwise only the last one does, which §5.5.3 allows.
    static let pongLimit = 4096

    private let request: SocketRequest
    private let writer = WebSocketWriter(as: .client)
    private var handshake: WebSocketHandshake
    private var reader: WebSocketReader
    private var phase = Phase.connecting
    private var outgoing = ByteQueue()
    /// The number of bytes that were taken from the queue but not sent yet.
    private var inFlight = 0
    /// The payload of the last ping without a pong.
    private var pendingPong: [UInt8]?
    /// When the current phase times out; nil while the connection is open.
    private(set) var deadline: Instant?

    /// Creates the machine of a connection that is being established.
    init(_ request: SocketRequest, at now: Instant, using random: SocketMachine.Random) {
        self.request = request
        self.handshake = WebSocketHandshake(random: (random(), random()))
        self.reader = WebSocketReader(
            as: .client,
            maxMessageSize: request.limits.message,
            maxSkippedSize: request.limits.skippedMessage
        )
        self.deadline = now + .milliseconds(CurlOptions.milliseconds(request.limits.connect))
    }

    /// Whether the connection has ended and its socket can be closed.
    var hasEnded: Bool { self.phase == .ended }
    /// Whether messages can be sent and received.
    var isOpen: Bool { self.phase == .open }
    /// Whether there are bytes to send.
    var hasOutgoing: Bool { self.outgoing.count > 0 }
    /// The number of bytes that are not sent yet.
    var unsent: Int { self.outgoing.count + self.inFlight }

    // MARK: From the network

    /// Sends the opening handshake: the connection is established (§4.1).
    mutating func connected() {
        guard self.phase == .connecting else { return }
        self.phase = .handshaking
        let url = self.request.url.http
        let headers = self.request.headers.fields.map { ($0.name, $0.value) }
        self.outgoing.append(self.handshake.request(host: url.authority, target: String(url.target), headers: headers))
    }

    /// Ends the connection: it could not be established.
    mutating func failed(_ failure: SocketFailure, _ report: Report) {
        self.end(.notOpened(), failure.message(for: self.request, trustFix: SocketFailure.trustFix), report)
    }

    /// Handles received bytes.
    mutating func received(
        _ bytes: UnsafeRawBufferPointer,
        at now: Instant,
        using random: SocketMachine.Random,
        _ report: Report
    ) {
        switch self.phase {
        case .connecting, .flushing, .ended: return
        case .open, .closing: self.read(bytes, at: now, using: random, report)
        case .handshaking:
            let rest: [UInt8]?
            do throws(WebSocketHandshake.HandshakeError) {
                rest = try self.handshake.read(bytes)
            } catch {
                let message = SocketFailure.handshake(error).message(for: self.request)
                return self.end(.notOpened(status: error.status), message, report)
            }
            guard let rest else { return }
            self.phase = .open
            self.deadline = nil
            report(.opened)
            rest.withUnsafeBytes { self.read($0, at: now, using: random, report) }
        }
    }

    /// Handles the end of the TCP connection, with the system's message if it is an error.
    mutating func disconnected(_ detail: String = "", _ report: Report) {
        switch self.phase {
        case .connecting, .handshaking:
            self.end(.notOpened(), SocketFailure.closedDuringHandshake(detail).message(for: self.request), report)
        case .open: self.end(.lost, SocketFailure.connectionLost(detail).message(for: self.request), report)
        case .closing: self.end(.byUs, SocketMachine.closedByUs, report)
        case .flushing, .ended: self.phase = .ended
        }
    }

    /// Moves the next bytes to send into a buffer, and returns their number.
    mutating func dequeue(into room: UnsafeMutableRawBufferPointer) -> Int {
        let count = self.outgoing.move(into: room)
        self.inFlight += count
        return count
    }

    /// Handles that bytes of the buffer were sent.
    mutating func sent(_ count: Int, using random: SocketMachine.Random) {
        self.inFlight -= count
        if let pendingPong, self.unsent < SocketMachine.pongLimit {
            self.pendingPong = nil
            self.enqueue(.pong(pendingPong), using: random)
        }
    }

    // MARK: From the program

    /// Sends a text; it is dropped unless the connection is open.
    mutating func send(_ text: String, using random: SocketMachine.Random) {
        if self.phase == .open { self.enqueue(.text(text), using: random) }
    }

    /// Closes the connection with a closing handshake (§7.1.2).
    mutating func close(at now: Instant, using random: SocketMachine.Random, _ report: Report) {
        switch self.phase {
        case .connecting, .handshaking: self.end(.byUs, "Closed by this side before it was open", report)
        case .open:
            self.enqueue(.close(WebSocketClosure(.normal)), using: random)
            self.phase = .closing
            self.deadline = now + SocketMachine.closeTimeout
        case .closing, .flushing, .ended: break
        }
    }

    /// Ends the connection without waiting: sends a Close frame with code 1001 (§7.4.1), but doesn't await the
    /// reply.
    mutating func shutDown(using random: SocketMachine.Random, _ report: Report) {
        if self.phase == .open { self.enqueue(.close(WebSocketClosure(.goingAway)), using: random) }
        self.end(.byUs, "Closed: the transport was shut down", report)
    }

    /// Ends the connection because too many bytes are unsent; no Close frame, as the server isn't reading.
    mutating func overflow(_ report: Report) {
        let message =
            "The server reads too slowly: more than \(self.request.limits.unsent) bytes were waiting to be sent"
        self.end(.overflow, message, report)
    }

    /// Handles the passing of time.
    mutating func advance(to now: Instant, _ report: Report) {
        guard let deadline, now >= deadline else { return }
        switch self.phase {
        case .connecting, .handshaking:
            self.end(.notOpened(), SocketFailure.timedOut.message(for: self.request), report)
        case .closing: self.end(.byUs, SocketMachine.closedByUs + "; the server did not reply in time", report)
        case .open, .flushing, .ended: self.phase = .ended
        }
    }

    // MARK: Frames

    /// A message or a notice of an oversized one, in the order received.
    private enum Incoming {
        case message(WebSocketMessage)
        case overlong(WebSocketSkippedMessage)
    }

    private static let closedByUs = "Closed by this side"

    private mutating func enqueue(_ message: WebSocketMessage, using random: SocketMachine.Random) {
        self.outgoing.append(self.writer.frame(message, mask: UInt32(truncatingIfNeeded: random())))
    }

    private mutating func read(
        _ bytes: UnsafeRawBufferPointer,
        at now: Instant,
        using random: SocketMachine.Random,
        _ report: Report
    ) {
        var incoming: [Incoming] = []
        var violation: WebSocketError?
        do throws(WebSocketError) {
            try self.reader.read(bytes) {
                incoming.append(.message($0))
            } overlong: {
                incoming.append(.overlong($0))
            }
        } catch {
            violation = error
        }
        for item in incoming {
            switch item {
            case .message(let message): self.handle(message, at: now, using: random, report)
            case .overlong(let overlong): if self.phase == .open { report(SocketEvent(overlong)) }
            }
        }
        // Fail the connection: send a Close frame with the code of the error (§7.1.7).
        guard let violation else { return }
        let cause: SocketEnd.Cause = self.phase == .closing ? .byUs : .violation(code: violation.code.rawValue)
        if self.phase == .open {
            self.enqueue(.close(WebSocketClosure(violation.code, violation.message)), using: random)
        }
        self.endAfterFlush(cause, "The server violated the protocol or a limit: \(violation.message)", at: now, report)
    }

    private mutating func handle(
        _ message: WebSocketMessage,
        at now: Instant,
        using random: SocketMachine.Random,
        _ report: Report
    ) {
        let isOpen = self.phase == .open
        switch message {
        case .text(let text): if isOpen { report(.text(text)) }
        case .binary(let bytes): if isOpen { report(.binary(count: bytes.count)) }
        // A pong needs no response (§5.5.3).
        case .pong: break
        // A ping needs a pong (§5.5.2).
        case .ping(let bytes):
            guard isOpen else { return }
            if self.unsent < SocketMachine.pongLimit {
                self.enqueue(.pong(bytes), using: random)
            } else {
                self.pendingPong = bytes
            }
        // A Close frame is answered with its status code (§5.5.1).
        case .close(let closure):
            guard isOpen else { return self.endAfterFlush(.byUs, SocketMachine.closedByUs, at: now, report) }
            self.enqueue(.close(WebSocketClosure(closure.code)), using: random)
            let message = SocketFailure.closedByServer(closure).message(for: self.request)
            self.endAfterFlush(.byPeer(code: closure.code?.rawValue), message, at: now, report)
        }
    }

    /// Reports the end, and keeps the connection until the Close frame is sent and the server closes.
    private mutating func endAfterFlush(_ cause: SocketEnd.Cause, _ message: String, at now: Instant, _ report: Report)
    {
        self.end(cause, message, report)
        self.phase = .flushing
        self.deadline = now + SocketMachine.closeTimeout
    }

    /// Reports the end, once.
    private mutating func end(_ cause: SocketEnd.Cause, _ message: String, _ report: Report) {
        let isReported = self.phase == .flushing || self.phase == .ended
        self.phase = .ended
        self.deadline = nil
        self.pendingPong = nil
        if !isReported { report(.closed(SocketEnd(cause, message))) }
    }
}

extension SocketEvent {
    fileprivate init(_ overlong: WebSocketSkippedMessage) {
        switch overlong {
        case .coming(let bytes): self = .skippingMessage(bytes: bytes)
        case .over(let bytes): self = .skippedMessage(bytes: bytes)
        }
    }
}
