import AdCore
import LoopbackServer
import WebSocketCodec

/// The open sessions of Smartico's server, and the issued engagements.
struct SmarticoState: Sendable {
    /// The time between two pings of a client.
    let pingInterval: Duration
    /// The open sessions, by socket.
    var sessions: [Int: SmarticoServerSession] = [:]
    /// The user of each engagement.
    var engagements: BoundedMap<String, String>

    /// The next pings, the earliest first; all sockets have the same interval, so new pings go to the end.
    private var pings: [(due: WallTime, socket: Int)] = []
    /// The index of the next ping; those before it are done and not yet removed.
    private var next = 0

    init(pingInterval: Duration = .seconds(10), limit: Int = 20_000) {
        self.pingInterval = max(pingInterval, .milliseconds(1))
        self.engagements = BoundedMap(limit: limit)
    }

    /// Schedules a ping after an interval.
    mutating func ping(_ socket: Int, after now: WallTime) {
        // When the system's time was set back, the new ping is not due before the earlier ones.
        let due = max(now + self.pingInterval, self.pings.last?.due ?? now)
        self.pings.append((due, socket))
    }

    /// The time until the next ping; nil when there is none.
    func untilPing(at now: WallTime) -> Duration? {
        guard self.next < self.pings.count else { return nil }
        let left = self.pings[self.next].due - now
        // More than an interval means that the system's time was set back: ping now.
        return left > self.pingInterval ? .zero : max(.zero, left)
    }

    /// Removes and returns the next socket whose ping is due.
    mutating func duePing(at now: WallTime) -> Int? {
        guard self.untilPing(at: now) == .zero else { return nil }
        defer {
            self.next += 1
            // Moves at most as many entries as were used since the last time.
            if self.next * 2 > self.pings.count {
                self.pings.removeFirst(self.next)
                self.next = 0
            }
        }
        return self.pings[self.next].socket
    }
}

extension SandboxState {
    /// Handles socket events and due pings.
    ///
    /// Every message is recorded as a hit with the method `WS` and the number of the socket in its query.
    mutating func handle(_ events: [ServerSocketEvent], at time: WallTime) -> SocketOutput {
        self.now = time
        var output = SocketOutput()
        for event in events {
            switch event {
            case .opened(let socket, let upgrade):
                self.smartico.sessions[socket] = SmarticoServerSession(at: time, fault: upgrade.socketFault)
                self.smartico.ping(socket, after: time)
            case .received(let socket, let message): output.commands += self.handle(message, on: socket)
            case .closed(let socket): self.smartico.sessions[socket] = nil
            }
        }
        while let socket = self.smartico.duePing(at: time) {
            guard var session = self.smartico.sessions[socket] else { continue }
            if let actions = session.ping(&self) {
                output.commands += actions.map { SocketCommand($0, on: socket) }
                self.smartico.ping(socket, after: time)
            }
            self.smartico.sessions[socket] = session
        }
        output.next = self.smartico.untilPing(at: time)
        return output
    }

    private mutating func handle(_ message: WebSocketMessage, on socket: Int) -> [SocketCommand] {
        guard var session = self.smartico.sessions[socket] else { return [] }
        let outcome = session.handle(message, &self)
        self.smartico.sessions[socket] = session
        self.log.record(
            ServerRequest(socket: socket, message),
            at: self.now,
            fault: outcome.fault?.rawValue,
            isCounted: outcome.isAccepted,
            isAdRequest: false,
            billed: outcome.billed
        )
        return outcome.actions.map { SocketCommand($0, on: socket) }
    }

    /// Pushes messages to every socket of a user and returns the number of sockets that get any.
    ///
    /// Popups are new engagements, the same ones on all sockets.
    mutating func push(_ push: Sandbox.Push, to user: String, count: Int) -> (commands: [SocketCommand], sockets: Int) {
        let sockets = self.smartico.sessions.filter { $0.value.user == user }.keys.sorted()
        guard !sockets.isEmpty else { return ([], 0) }
        let actions: [SocketAction]
        switch push {
        case .popup: actions = (0..<count).map { _ in self.engagement(for: user) }
        case .game: actions = (0..<count).map { _ in self.game() }
        case .raw(let json):
            // An engagement that a test makes up counts as issued.
            if let name = json["engagement_uid"]?.string { self.smartico.engagements.insert(user, for: name) }
            // One string for all copies: it may be long.
            actions = Array(repeating: .send(.text(json.text())), count: count)
        }
        var commands: [SocketCommand] = []
        var reached = 0
        for socket in sockets {
            let sent = self.smartico.sessions[socket]?.push(actions) ?? []
            commands += sent.map { SocketCommand($0, on: socket) }
            reached += sent.isEmpty ? 0 : 1
        }
        return (commands, reached)
    }
}

extension ServerRequest {
    /// A message of a socket as the log records it.
    fileprivate init(socket: Int, _ message: WebSocketMessage) {
        let body: [UInt8] =
            switch message {
            case .text(let text): Array(text.utf8)
            case .binary(let bytes): bytes
            case .ping, .pong, .close: []
            }
        self.init(method: "WS", target: Sandbox.socketPath + "?socket=\(socket)", body: body)
    }
}
