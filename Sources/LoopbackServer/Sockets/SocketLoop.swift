import AdCore
import LibC
import SystemSupport
import WebSocketCodec

/// Runs all sockets on a thread of its own; a handler decides about their events.
final class SocketLoop: Sendable {
    /// What other threads hand to the loop's thread.
    private struct Inbox {
        var arrivals: [(number: Int, connection: UpgradedConnection, upgrade: SocketUpgrade)] = []
        /// The number of sockets that the thread had when it last looked.
        var open = 0
        var commands: [SocketCommand] = []
        var isStopping = false
        var last = 0
        var thread: DedicatedThread?
    }

    private let inbox = Locked(Inbox())
    private let wakePipe: WakePipe
    private let handler: SocketHandler
    private let limit: Int

    /// Starts the thread; nil when the system has no pipe or thread left.
    ///
    /// A socket beyond the limit is closed at once.
    init?(limit: Int, _ handler: @escaping SocketHandler) {
        guard let wakePipe = WakePipe() else { return nil }
        self.limit = limit
        self.wakePipe = wakePipe
        self.handler = handler
        guard let thread = DedicatedThread("yabbi-sockets", { self.run() }) else { return nil }
        self.inbox.withLock { $0.thread = thread }
    }

    /// Takes over a connection; during a stop, or when there are too many sockets, it is closed.
    func adopt(_ connection: UpgradedConnection, _ upgrade: SocketUpgrade) {
        let isAdopted = self.inbox.withLock { inbox in
            guard !inbox.isStopping, inbox.open + inbox.arrivals.count < self.limit else { return false }
            inbox.last += 1
            inbox.arrivals.append((inbox.last, connection, upgrade))
            return true
        }
        if isAdopted { self.wakePipe.wake() } else { connection.close() }
    }

    /// Executes commands that do not come from the sockets' own events.
    func execute(_ commands: [SocketCommand]) {
        guard !commands.isEmpty else { return }
        self.inbox.withLock { $0.commands += commands }
        self.wakePipe.wake()
    }

    /// Closes all sockets, accepts no more, and ends the thread.
    func stop() {
        let thread = self.inbox.withLock { inbox -> DedicatedThread? in
            inbox.isStopping = true
            defer { inbox.thread = nil }
            return inbox.thread
        }
        self.wakePipe.wake()
        thread?.join()
    }

    private func run() {
        var sockets = OpenSockets()
        defer { sockets.closeAll() }
        while true {
            var received = self.inbox.withLock { inbox in
                inbox.open = sockets.count + inbox.arrivals.count
                defer { (inbox.arrivals, inbox.commands) = ([], []) }
                return inbox
            }
            for arrival in received.arrivals { sockets.open(arrival.number, arrival.connection, arrival.upgrade) }
            guard !received.isStopping else { return }
            // Commands from the sockets' own events first: the others were decided later.
            if !sockets.events.isEmpty || sockets.isDue {
                let output = self.handler(sockets.events)
                sockets.events = []
                sockets.due = output.next.map { .now + $0 }
                sockets.execute(output.commands)
            }
            sockets.execute(received.commands)
            received.commands = []
            sockets.flush()
            // A socket that has just closed is reported before the thread waits.
            if sockets.events.isEmpty { sockets.wait(for: self.wakePipe) }
        }
    }
}

/// The sockets of the loop's thread.
private struct OpenSockets {
    var events: [ServerSocketEvent] = []
    var due: ContinuousClock.Instant?
    private var connections: [Int: SocketConnection] = [:]
    /// The sockets that have bytes to send or may be closed.
    private var pending: Set<Int> = []
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    var count: Int { self.connections.count }
    var isDue: Bool { self.due.map { $0 <= .now } ?? false }

    /// Adds a socket.
    mutating func open(_ number: Int, _ upgraded: UpgradedConnection, _ upgrade: SocketUpgrade) {
        let connection = SocketConnection(upgraded)
        self.connections[number] = connection
        self.events.append(.opened(number, upgrade))
        connection.readExtraBytes { self.events.append(.received(number, $0)) }
        self.pending.insert(number)
    }

    /// Executes commands on their sockets.
    mutating func execute(_ commands: [SocketCommand]) {
        for command in commands {
            self.connections[command.socket]?.execute(command.action)
            self.pending.insert(command.socket)
        }
    }

    /// Sends pending bytes and removes closed connections.
    mutating func flush() {
        for number in self.pending {
            guard let connection = self.connections[number] else { continue }
            connection.flush()
            guard connection.isClosed else { continue }
            connection.close()
            self.connections[number] = nil
            self.events.append(.closed(number))
        }
        self.pending = []
    }

    /// Waits for events or the next deadline, and reads what arrived.
    mutating func wait(for wakePipe: WakePipe) {
        var numbers: [Int] = []
        var wanted = [pollfd(fd: wakePipe.reading, events: Int16(POLLIN), revents: 0)]
        numbers.reserveCapacity(self.connections.count)
        wanted.reserveCapacity(self.connections.count + 1)
        var next = self.due
        for (number, connection) in self.connections {
            numbers.append(number)
            wanted.append(connection.interest)
            if let deadline = connection.deadline { next = min(next ?? deadline, deadline) }
        }
        wakePipe.wait(for: &wanted, atMost: next.map { $0 - .now })
        self.read(numbers, wanted.dropFirst().map(\.revents))
    }

    private mutating func read(_ numbers: [Int], _ found: [Int16]) {
        for (number, revents) in zip(numbers, found) where revents != 0 {
            guard let connection = self.connections[number] else { continue }
            self.pending.insert(number)
            guard Int32(revents) & ~Int32(POLLOUT) != 0 else { continue }
            var messages: [WebSocketMessage] = []
            self.buffer.withUnsafeMutableBytes { buffer in
                connection.read(into: buffer) { messages.append($0) }
            }
            self.events += messages.map { .received(number, $0) }
        }
        for number in numbers {
            guard let connection = self.connections[number], let deadline = connection.deadline else { continue }
            if deadline <= .now {
                connection.stopWaiting()
                self.pending.insert(number)
            }
        }
    }

    /// Closes all sockets.
    func closeAll() {
        for connection in self.connections.values {
            connection.close(sending: WebSocketClosure(.goingAway, "the server stops"))
        }
    }
}
