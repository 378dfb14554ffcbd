import AdCore
import WebSocketCodec

/// The life of one connection as a value: bytes, calls and the time go in, bytes and events come out.
///
/// It knows no socket, no clock and no thread; `SocketEngine` moves the bytes.
struct SocketLine {
    typealias Instant = ContinuousClock.Instant
    typealias Tell = (SocketEvent) -> Void
    /// Gives random bits, for masks and the key of the handshake.
    typealias Random = () -> UInt64

    /// The bits of the system's generator, which nobody can foresee.
    static func systemRandom() -> UInt64 { .random(in: .min ... .max) }

    private enum Phase {
        /// There is nothing to send bytes over yet.
        case connecting
        /// The handshake is under way.
        case asking
        case open
        /// This side has said that it ends, and waits for the other to say so too.
        case leaving
        /// Everything is told; what is left still goes out, and the other side hangs up.
        case parting
        case over
    }

    /// How long an end may take that is told to the other side.
    static let patience = Duration.seconds(2)
    /// While less than this waits, each ping is answered; beyond that only the last one is, as soon as there is room.
    static let mostPongs = 4096

    private let request: SocketRequest
    private let writer = WebSocketWriter(as: .client)
    private var handshake: WebSocketHandshake
    private var reader: WebSocketReader
    private var phase = Phase.connecting
    private var waiting = ByteQueue()
    /// Bytes that were given out to be sent, and have not left yet.
    private var leaving = 0
    /// What the last ping said that was not answered yet.
    private var owed: [UInt8]?
    /// When it is over at the latest; nil while it is open.
    private(set) var deadline: Instant?

    /// A connection that is about to be made.
    init(_ request: SocketRequest, at now: Instant, using random: SocketLine.Random) {
        self.request = request
        self.handshake = WebSocketHandshake(random: (random(), random()))
        self.reader = WebSocketReader(
            as: .client,
            longest: request.limits.message,
            passingOver: request.limits.passedOver
        )
        self.deadline = now + .milliseconds(RequestForm.milliseconds(request.limits.connect))
    }

    /// Whether nothing is to be done any more: its socket can go.
    var isOver: Bool { self.phase == .over }
    /// Whether both sides can speak.
    var isOpen: Bool { self.phase == .open }
    /// Whether something waits to be given out.
    var hasOutgoing: Bool { self.waiting.count > 0 }
    /// How many bytes have not left yet.
    var unsent: Int { self.waiting.count + self.leaving }

    // MARK: From the network

    /// There is something to send bytes over: the handshake begins.
    mutating func connected() {
        guard self.phase == .connecting else { return }
        self.phase = .asking
        let url = self.request.url.http
        let headers = self.request.headers.fields.map { ($0.name, $0.value) }
        self.waiting.append(self.handshake.request(host: url.authority, target: String(url.target), headers: headers))
    }

    /// No connection came about.
    mutating func failed(_ trouble: SocketTrouble, _ tell: Tell) {
        self.end(.notOpened(), trouble.sentence(self.request), tell)
    }

    /// Bytes came.
    mutating func received(
        _ bytes: UnsafeRawBufferPointer,
        at now: Instant,
        using random: SocketLine.Random,
        _ tell: Tell
    ) {
        switch self.phase {
        case .connecting, .parting, .over: return
        case .open, .leaving: self.read(bytes, at: now, using: random, tell)
        case .asking:
            let rest: [UInt8]?
            do throws(WebSocketHandshake.Fault) {
                rest = try self.handshake.read(bytes)
            } catch {
                let sentence = SocketTrouble.answer(error).sentence(self.request)
                return self.end(.notOpened(status: error.status), sentence, tell)
            }
            guard let rest else { return }
            self.phase = .open
            self.deadline = nil
            tell(.opened)
            rest.withUnsafeBytes { self.read($0, at: now, using: random, tell) }
        }
    }

    /// The other side hung up, or the connection broke; in the system's words, where there are any.
    mutating func broke(_ detail: String = "", _ tell: Tell) {
        switch self.phase {
        case .connecting, .asking:
            self.end(.notOpened(), SocketTrouble.hungUp(detail).sentence(self.request), tell)
        case .open: self.end(.lost, SocketTrouble.broke(detail).sentence(self.request), tell)
        case .leaving: self.end(.byUs, SocketLine.ownEnd, tell)
        case .parting, .over: self.phase = .over
        }
    }

    /// Gives the next bytes out to be sent.
    mutating func give(into room: UnsafeMutableRawBufferPointer) -> Int {
        let count = self.waiting.move(into: room)
        self.leaving += count
        return count
    }

    /// So many of the bytes that were given out have left.
    mutating func sent(_ count: Int, using random: SocketLine.Random) {
        self.leaving -= count
        if let owed, self.unsent < SocketLine.mostPongs {
            self.owed = nil
            self.say(.pong(owed), using: random)
        }
    }

    // MARK: From the program

    /// Sends a text; before it is open and behind its end it is lost.
    mutating func send(_ text: String, using random: SocketLine.Random) {
        if self.phase == .open { self.say(.text(text), using: random) }
    }

    /// Ends the connection.
    mutating func close(at now: Instant, using random: SocketLine.Random, _ tell: Tell) {
        switch self.phase {
        case .connecting, .asking: self.end(.byUs, "This side ended the connection before it was open", tell)
        case .open:
            self.say(.close(WebSocketClosure(.normal)), using: random)
            self.phase = .leaving
            self.deadline = now + SocketLine.patience
        case .leaving, .parting, .over: break
        }
    }

    /// Ends it without waiting for the other side: one attempt to say so is all.
    mutating func shutDown(using random: SocketLine.Random, _ tell: Tell) {
        if self.phase == .open { self.say(.close(WebSocketClosure(.goingAway)), using: random) }
        self.end(.byUs, "The transport was shut down, and its connections with it", tell)
    }

    /// More waits to be sent than may: who does not read would not read an end either.
    mutating func overflow(_ tell: Tell) {
        let sentence =
            "The other side reads too slowly: more than \(self.request.limits.unsent) bytes waited to be sent"
        self.end(.overflow, sentence, tell)
    }

    /// Time has passed.
    mutating func elapsed(to now: Instant, _ tell: Tell) {
        guard let deadline, now >= deadline else { return }
        switch self.phase {
        case .connecting, .asking: self.end(.notOpened(), SocketTrouble.timedOut.sentence(self.request), tell)
        case .leaving: self.end(.byUs, SocketLine.ownEnd + "; the other side did not answer in time", tell)
        case .open, .parting, .over: self.phase = .over
        }
    }

    // MARK: Inside

    /// What came of bytes, in its order.
    private enum Incoming {
        case message(WebSocketMessage)
        case overlong(WebSocketOverlong)
    }

    private static let ownEnd = "This side ended the connection"

    private mutating func say(_ message: WebSocketMessage, using random: SocketLine.Random) {
        self.waiting.append(self.writer.frame(message, mask: UInt32(truncatingIfNeeded: random())))
    }

    private mutating func read(
        _ bytes: UnsafeRawBufferPointer,
        at now: Instant,
        using random: SocketLine.Random,
        _ tell: Tell
    ) {
        var came: [Incoming] = []
        var fault: WebSocketFault?
        do throws(WebSocketFault) {
            try self.reader.read(bytes) {
                came.append(.message($0))
            } overlong: {
                came.append(.overlong($0))
            }
        } catch {
            fault = error
        }
        for incoming in came {
            switch incoming {
            case .message(let message): self.heard(message, at: now, using: random, tell)
            case .overlong(let overlong): if self.phase == .open { tell(SocketEvent(overlong)) }
            }
        }
        guard let fault else { return }
        let cause: SocketEnd.Cause = self.phase == .leaving ? .byUs : .fault(code: fault.code.rawValue)
        if self.phase == .open { self.say(.close(WebSocketClosure(fault.code, fault.message)), using: random) }
        self.part(cause, "The other side sent what can't be taken: \(fault.message)", at: now, tell)
    }

    private mutating func heard(
        _ message: WebSocketMessage,
        at now: Instant,
        using random: SocketLine.Random,
        _ tell: Tell
    ) {
        let isOpen = self.phase == .open
        switch message {
        case .text(let text): if isOpen { tell(.text(text)) }
        case .binary(let bytes): if isOpen { tell(.binary(count: bytes.count)) }
        case .pong: break
        case .ping(let bytes):
            guard isOpen else { return }
            if self.unsent < SocketLine.mostPongs {
                self.say(.pong(bytes), using: random)
            } else {
                self.owed = bytes
            }
        case .close(let closure):
            guard isOpen else { return self.part(.byUs, SocketLine.ownEnd, at: now, tell) }
            self.say(.close(WebSocketClosure(closure.code)), using: random)
            let sentence = SocketTrouble.farewell(closure).sentence(self.request)
            self.part(.byPeer(code: closure.code?.rawValue), sentence, at: now, tell)
        }
    }

    /// Tells the end, and lets what was said about it go out.
    private mutating func part(_ cause: SocketEnd.Cause, _ sentence: String, at now: Instant, _ tell: Tell) {
        self.end(cause, sentence, tell)
        self.phase = .parting
        self.deadline = now + SocketLine.patience
    }

    /// Tells the end, once.
    private mutating func end(_ cause: SocketEnd.Cause, _ sentence: String, _ tell: Tell) {
        let isTold = self.phase == .parting || self.phase == .over
        self.phase = .over
        self.deadline = nil
        self.owed = nil
        if !isTold { tell(.closed(SocketEnd(cause, sentence))) }
    }
}

extension SocketEvent {
    fileprivate init(_ overlong: WebSocketOverlong) {
        switch overlong {
        case .coming(let bytes): self = .passingOver(bytes: bytes)
        case .over(let bytes): self = .passedOver(bytes: bytes)
        }
    }
}
