import AdCore
import LibC
import SystemSupport
import WebSocketCodec

/// Carries all sockets on a thread of its own, and asks what to do about what they say.
final class SocketLoop: Sendable {
    /// Takes what happened, which may be nothing but time, and says what is to be done.
    typealias Handler = @Sendable ([SocketEvent]) -> SocketWork

    /// What others want of the thread.
    private struct Inbox {
        var arrivals: [(number: Int, connection: UpgradedConnection, opening: SocketOpening)] = []
        var orders: [SocketOrder] = []
        var isStopping = false
        var last = 0
        var thread: DedicatedThread?
    }

    private let inbox = Locked(Inbox())
    private let bell: WakePipe
    private let handler: Handler

    /// Starts the thread, or returns nil where the system has no pipe or no thread left.
    init?(_ handler: @escaping Handler) {
        guard let bell = WakePipe() else { return nil }
        self.bell = bell
        self.handler = handler
        guard let thread = DedicatedThread("yabbi-sandbox", { self.run() }) else { return nil }
        self.inbox.withLock { $0.thread = thread }
    }

    /// Takes a connection over; one that comes when the loop stops is ended.
    func adopt(_ connection: UpgradedConnection, _ opening: SocketOpening) {
        let isTaken = self.inbox.withLock { inbox in
            guard !inbox.isStopping else { return false }
            inbox.last += 1
            inbox.arrivals.append((inbox.last, connection, opening))
            return true
        }
        if isTaken { self.bell.ring() } else { connection.end() }
    }

    /// Has orders carried out that come of something else than what the sockets say.
    func carryOut(_ orders: [SocketOrder]) {
        guard !orders.isEmpty else { return }
        self.inbox.withLock { $0.orders += orders }
        self.bell.ring()
    }

    /// Ends all sockets, takes none any more, and ends the thread.
    ///
    /// When it returns, every connection has been given back: the server may be stopped.
    func stop() {
        let thread = self.inbox.withLock { inbox -> DedicatedThread? in
            inbox.isStopping = true
            defer { inbox.thread = nil }
            return inbox.thread
        }
        self.bell.ring()
        thread?.join()
    }

    private func run() {
        var round = SocketRound()
        defer { round.end() }
        while true {
            var news = self.inbox.withLock { inbox in
                defer { (inbox.arrivals, inbox.orders) = ([], []) }
                return inbox
            }
            for arrival in news.arrivals { round.open(arrival.number, arrival.connection, arrival.opening) }
            guard !news.isStopping else { return }
            // First what the sockets' own messages lead to: what others want was decided later.
            if !round.events.isEmpty || round.isDue {
                let work = self.handler(round.events)
                round.events = []
                round.due = work.next.map { .now + $0 }
                round.carryOut(work.orders)
            }
            round.carryOut(news.orders)
            news.orders = []
            round.settle()
            // A socket that has just ended is told of before anything is waited for.
            if round.events.isEmpty { round.wait(for: self.bell) }
        }
    }
}

/// What the loop's thread has in its hands.
private struct SocketRound {
    var events: [SocketEvent] = []
    var due: ContinuousClock.Instant?
    private var connections: [Int: SocketConnection] = [:]
    /// Those that have something to send or may be over.
    private var touched: Set<Int> = []
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    var isDue: Bool { self.due.map { $0 <= .now } ?? false }

    /// Begins a socket.
    mutating func open(_ number: Int, _ upgraded: UpgradedConnection, _ opening: SocketOpening) {
        let connection = SocketConnection(upgraded)
        self.connections[number] = connection
        self.events.append(.opened(number, opening))
        connection.begin { self.events.append(.received(number, $0)) }
        self.touched.insert(number)
    }

    /// Hands orders to their sockets.
    mutating func carryOut(_ orders: [SocketOrder]) {
        for order in orders {
            self.connections[order.socket]?.carryOut(order.act)
            self.touched.insert(order.socket)
        }
    }

    /// Sends what is to be sent, and gives back what is over.
    mutating func settle() {
        for number in self.touched {
            guard let connection = self.connections[number] else { continue }
            connection.flush()
            guard connection.isOver else { continue }
            connection.end()
            self.connections[number] = nil
            self.events.append(.closed(number))
        }
        self.touched = []
    }

    /// Waits until something comes, goes or is due, and reads what came.
    mutating func wait(for bell: WakePipe) {
        var numbers: [Int] = []
        var wanted = [pollfd(fd: bell.reading, events: Int16(POLLIN), revents: 0)]
        numbers.reserveCapacity(self.connections.count)
        wanted.reserveCapacity(self.connections.count + 1)
        var next = self.due
        for (number, connection) in self.connections {
            numbers.append(number)
            wanted.append(connection.interest)
            if let deadline = connection.deadline { next = min(next ?? deadline, deadline) }
        }
        bell.wait(for: &wanted, atMost: next.map { $0 - .now })
        self.read(numbers, wanted.dropFirst().map(\.revents))
    }

    private mutating func read(_ numbers: [Int], _ found: [Int16]) {
        for (number, revents) in zip(numbers, found) where revents != 0 {
            guard let connection = self.connections[number] else { continue }
            self.touched.insert(number)
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
                connection.giveUp()
                self.touched.insert(number)
            }
        }
    }

    /// Ends all of them.
    func end() {
        for connection in self.connections.values {
            connection.end(saying: WebSocketClosure(.goingAway, "the sandbox stops"))
        }
    }
}
