import AdCore
import WebSocketCodec

/// Who is connected to Smartico's server, and what it handed out.
struct SmarticoMemory: Sendable {
    /// How often the server asks whether a client is still there.
    let pingInterval: Duration
    /// What is said, by the socket.
    var conversations: [Int: SmarticoConversation] = [:]
    /// Whose the engagements are.
    var engagements: BoundedMap<String, String>

    /// Who is pinged when, the next one first: each is pinged after the same time, so nobody ever has to be put between
    /// others.
    private var pings: [(due: WallTime, socket: Int)] = []
    /// Where the next one stands; what lies before it is over and waits to be removed.
    private var next = 0

    init(pingInterval: Duration = .seconds(10), most: Int = 20_000) {
        self.pingInterval = max(pingInterval, .milliseconds(1))
        self.engagements = BoundedMap(most: most)
    }

    /// Has a socket pinged when an interval has passed.
    mutating func ping(_ socket: Int, after now: WallTime) {
        // Where the calendar was set back, nobody waits longer than those before.
        let due = max(now + self.pingInterval, self.pings.last?.due ?? now)
        self.pings.append((due, socket))
    }

    /// How long nobody has to be pinged; nil where there is nobody.
    func untilPing(at now: WallTime) -> Duration? {
        guard self.next < self.pings.count else { return nil }
        let left = self.pings[self.next].due - now
        // The calendar was set back: nobody waits for the time that was.
        return left > self.pingInterval ? .zero : max(.zero, left)
    }

    /// Takes the next socket whose ping is due.
    mutating func duePing(at now: WallTime) -> Int? {
        guard self.untilPing(at: now) == .zero else { return nil }
        defer {
            self.next += 1
            // At most as many are moved as were taken since the last time.
            if self.next * 2 > self.pings.count {
                self.pings.removeFirst(self.next)
                self.next = 0
            }
        }
        return self.pings[self.next].socket
    }
}

extension SandboxState {
    /// Takes what happened on the sockets, and says what is to be done.
    ///
    /// Every message leaves a hit of the method `WS`; its query names the socket.
    mutating func handle(_ events: [SocketEvent], at time: WallTime) -> SocketWork {
        self.now = time
        var work = SocketWork()
        for event in events {
            switch event {
            case .opened(let socket, let opening):
                self.smartico.conversations[socket] = SmarticoConversation(at: time, fault: opening.fault)
                self.smartico.ping(socket, after: time)
            case .received(let socket, let message): work.orders += self.take(message, on: socket)
            case .closed(let socket): self.smartico.conversations[socket] = nil
            }
        }
        while let socket = self.smartico.duePing(at: time) {
            guard var conversation = self.smartico.conversations[socket] else { continue }
            if let acts = conversation.ping(&self) {
                work.orders += acts.map { SocketOrder($0, on: socket) }
                self.smartico.ping(socket, after: time)
            }
            self.smartico.conversations[socket] = conversation
        }
        work.next = self.smartico.untilPing(at: time)
        return work
    }

    private mutating func take(_ message: WebSocketMessage, on socket: Int) -> [SocketOrder] {
        guard var conversation = self.smartico.conversations[socket] else { return [] }
        let outcome = conversation.take(message, &self)
        self.smartico.conversations[socket] = conversation
        self.log.record(
            SandboxRequest(socket: socket, message),
            at: self.now,
            fault: outcome.fault?.rawValue,
            isCounted: outcome.isTaken,
            isAdRequest: false,
            billed: outcome.billed
        )
        return outcome.acts.map { SocketOrder($0, on: socket) }
    }

    /// Pushes something to every socket of a user, so many times, and says on how many of them anything was said.
    ///
    /// Popups are new engagements, the same on all of them.
    mutating func push(_ push: Sandbox.Push, to user: String, count: Int) -> (orders: [SocketOrder], sockets: Int) {
        let sockets = self.smartico.conversations.filter { $0.value.user == user }.keys.sorted()
        guard !sockets.isEmpty else { return ([], 0) }
        let acts: [SocketAct]
        switch push {
        case .popup: acts = (0..<count).map { _ in self.engagement(for: user) }
        case .game: acts = (0..<count).map { _ in self.game() }
        case .raw(let json):
            // What a test makes up was handed out all the same.
            if let name = json["engagement_uid"]?.string { self.smartico.engagements.remember(user, for: name) }
            // One text for all: it may be long.
            acts = Array(repeating: .send(.text(json.text())), count: count)
        }
        var orders: [SocketOrder] = []
        var reached = 0
        for socket in sockets {
            let said = self.smartico.conversations[socket]?.push(acts) ?? []
            orders += said.map { SocketOrder($0, on: socket) }
            reached += said.isEmpty ? 0 : 1
        }
        return (orders, reached)
    }
}

extension SandboxRequest {
    /// A message over a socket, as the log tells of it.
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
