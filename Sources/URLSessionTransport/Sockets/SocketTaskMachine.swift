import AdCore

/// One WebSocket connection over URLSession, which has the protocol (RFC 6455): what it reports and the program calls
/// goes in, and events and calls of URLSession come out.
struct SocketTaskMachine {
    /// What happens to the connection.
    enum Input: Sendable {
        /// The opening handshake is complete.
        case opened
        /// A message was received.
        case text(String)
        case binary(count: Int)
        /// No message could be received.
        case receiveFailed(String, isTooLong: Bool)
        /// This number of bytes was passed to the system, or could not be.
        case sent(Int)
        case sendFailed(String)
        /// The server sent a Close frame.
        case closedByPeer(code: Int, reason: String)
        /// The task has ended, with the status of the handshake's response if there is one.
        case ended(TransferError?, status: Int?)
        /// The program's calls.
        case send(String)
        case close
        /// The transport was shut down.
        case shutDown
        /// An alarm is due.
        case alarm(Int)
    }

    /// What the shell must do.
    enum Action: Hashable {
        /// Receive one message.
        case receive
        case send(String, bytes: Int)
        /// Send a Close frame with this code.
        case close(UInt16)
        /// End the task without a Close frame.
        case drop
        /// Report the alarm after this time.
        case alarm(Int, after: Duration)
        case report(SocketEvent)
    }

    private enum Phase: Equatable {
        case connecting
        case open
        /// The program has closed the connection; the Close frame follows when everything is sent.
        case closing(isSent: Bool)
        /// The connection fails; what URLSession reports next says why.
        case failing(String)
        case ended
    }

    /// The time limit of the closing handshake.
    static let closeTimeout = Duration.seconds(2)
    /// How long URLSession has to say why a connection fails.
    static let failTimeout = Duration.seconds(1)
    /// URLSession holds a whole message in memory, so this is the longest one that is received and discarded.
    static let longestSkipped = 8 << 20

    private let request: SocketRequest
    private var phase = Phase.connecting
    /// The number of bytes that were passed to URLSession, and not to the system yet.
    private var unsent = 0
    /// The number of the last alarm; earlier ones are void.
    private var lastAlarm = 0

    init(_ request: SocketRequest) { self.request = request }

    /// The longest message that URLSession receives; a longer one ends the connection.
    var maximumMessageSize: Int {
        let limits = self.request.limits
        return max(1, limits.message, min(limits.skippedMessage, SocketTaskMachine.longestSkipped))
    }

    /// Whether the end was reported.
    var hasEnded: Bool { self.phase == .ended }

    /// Begins to connect.
    mutating func start() -> [Action] { [self.setAlarm(after: self.request.limits.connect)] }

    /// Handles an input and returns what to do.
    mutating func handle(_ input: Input) -> [Action] {
        switch input {
        case .opened: self.opened()
        case .text(let text):
            self.received(bytes: text.utf8.count, .text(text))
        case .binary(let count):
            self.received(bytes: count, .binary(count: count))
        case .receiveFailed(let detail, let isTooLong): isTooLong ? self.violated() : self.failed(detail)
        case .sent(let bytes): self.sent(bytes)
        case .sendFailed(let detail): self.failed(detail)
        case .closedByPeer(let code, let reason): self.closedByPeer(code, reason)
        case .ended(let error, let status): self.ended(error, status)
        case .send(let text): self.send(text)
        case .close: self.close()
        case .shutDown: self.shutDown()
        case .alarm(let number): number == self.lastAlarm ? self.overdue() : []
        }
    }

    // MARK: From URLSession

    private mutating func opened() -> [Action] {
        guard self.phase == .connecting else { return [] }
        self.phase = .open
        self.lastAlarm += 1
        return [.report(.opened), .receive]
    }

    private func received(bytes: Int, _ event: SocketEvent) -> [Action] {
        switch self.phase {
        case .open: [.report(bytes > self.request.limits.message ? .skippedMessage(bytes: bytes) : event), .receive]
        // The server's Close frame follows.
        case .closing: [.receive]
        case .connecting, .failing, .ended: []
        }
    }

    private mutating func sent(_ bytes: Int) -> [Action] {
        self.unsent -= bytes
        guard self.phase == .closing(isSent: false), self.unsent <= 0 else { return [] }
        self.phase = .closing(isSent: true)
        return [.close(1000)]
    }

    /// A message was too long (RFC 6455 §7.4.1: code 1009).
    private mutating func violated() -> [Action] {
        guard self.phase == .open else { return [] }
        let message = "The server violated the protocol or a limit: its message is too long"
        return [.close(1009)] + self.end(.violation(code: 1009), message)
    }

    private mutating func failed(_ detail: String) -> [Action] {
        guard self.phase == .open else { return [] }
        self.phase = .failing(detail)
        return [self.setAlarm(after: SocketTaskMachine.failTimeout)]
    }

    private mutating func closedByPeer(_ code: Int, _ reason: String) -> [Action] {
        switch self.phase {
        // 1006 is no Close frame (RFC 6455 §7.1.5); `ended` follows.
        case .open where code == 1006, .failing where code == 1006: return []
        case .open, .failing:
            // 1005: the frame has no code (§7.1.5).
            let code = code == 1005 ? nil : UInt16(exactly: code)
            return self.end(.byPeer(code: code), .closedByServer(code: code, reason: reason))
        case .closing: return self.end(.byUs, SocketTaskMachine.closedByUs)
        case .connecting, .ended: return []
        }
    }

    private mutating func ended(_ error: TransferError?, _ status: Int?) -> [Action] {
        switch self.phase {
        case .connecting:
            if let status, status != 101 {
                let failure = SocketFailure.handshake("the server answered with status \(status)", status: status)
                return self.end(.notOpened(status: status), failure)
            }
            guard let error else { return self.end(.notOpened(), .closedDuringHandshake("")) }
            return self.end(.notOpened(), error.socketFailure)
        case .open: return self.end(.lost, .connectionLost(error?.detail ?? ""))
        case .failing(let detail): return self.end(.lost, .connectionLost(error?.detail ?? detail))
        case .closing: return self.end(.byUs, SocketTaskMachine.closedByUs)
        case .ended: return []
        }
    }

    // MARK: From the program

    private mutating func send(_ text: String) -> [Action] {
        guard self.phase == .open else { return [] }
        // Count the frame header too (at most 14 bytes, RFC 6455 §5.2), so that empty texts are limited.
        let bytes = text.utf8.count + 14
        self.unsent += bytes
        guard self.unsent <= self.request.limits.unsent else {
            let limit = self.request.limits.unsent
            let message = "The server reads too slowly: more than \(limit) bytes were waiting to be sent"
            return [.drop] + self.end(.overflow, message)
        }
        return [.send(text, bytes: bytes)]
    }

    private mutating func close() -> [Action] {
        switch self.phase {
        case .connecting: return [.drop] + self.end(.byUs, "Closed by this side before it was open")
        case .open:
            let isSent = self.unsent <= 0
            self.phase = .closing(isSent: isSent)
            return (isSent ? [.close(1000)] : []) + [self.setAlarm(after: SocketTaskMachine.closeTimeout)]
        case .failing: return [.drop] + self.end(.byUs, SocketTaskMachine.closedByUs)
        case .closing, .ended: return []
        }
    }

    private mutating func shutDown() -> [Action] {
        let end: [Action]
        switch self.phase {
        case .ended: return []
        case .open: end = [.close(1001)]
        case .connecting, .closing, .failing: end = [.drop]
        }
        return end + self.end(.byUs, "Closed: the transport was shut down")
    }

    // MARK: Ending

    private mutating func overdue() -> [Action] {
        switch self.phase {
        case .connecting: return [.drop] + self.end(.notOpened(), .timedOut)
        case .closing:
            return [.drop] + self.end(.byUs, SocketTaskMachine.closedByUs + "; the server did not reply in time")
        case .failing(let detail): return [.drop] + self.end(.lost, .connectionLost(detail))
        case .open, .ended: return []
        }
    }

    private static let closedByUs = "Closed by this side"

    private mutating func setAlarm(after time: Duration) -> Action {
        self.lastAlarm += 1
        return .alarm(self.lastAlarm, after: time)
    }

    private mutating func end(_ cause: SocketEnd.Cause, _ failure: SocketFailure) -> [Action] {
        self.end(cause, failure.message(for: self.request))
    }

    private mutating func end(_ cause: SocketEnd.Cause, _ message: String) -> [Action] {
        guard self.phase != .ended else { return [] }
        self.phase = .ended
        return [.report(.closed(SocketEnd(cause, message)))]
    }
}

extension TransferError {
    /// The failure of a connection that was not opened.
    fileprivate var socketFailure: SocketFailure {
        switch self.kind {
        case .timedOut: .timedOut
        case .unknownHost: .transfer(.nameNotResolved, self.detail)
        case .noConnection: .transfer(.refused, self.detail)
        case .untrusted, .secureConnection: .transfer(.tlsFailed, self.detail)
        case .lost: .closedDuringHandshake(self.detail)
        case .offline, .forbidden, .undecodable, .badURL, .cancelled, .unexplained, .other:
            .transfer(.other, self.detail)
        }
    }
}
