import AdCore
import AdRuntime
import SystemSupport
import TestSupport
import YabbiTesting

/// A faulty network: connections fail, break, become half-open, and are slow.
///
/// Everything is scheduled on the clock, one event after the other, so that a seed gives the same day each time.
final class DayNet: SocketTransport {
    private struct ConnectionState {
        let report: @Sendable (SocketEvent) -> Void
        var isOpen = false
        var isClosedByClient = false
        var isClosed = false
        /// Half-open: no message arrives in either direction, and no end is reported.
        var isHalfOpen = false
        /// Messages arrive in the order in which they were sent.
        var lastArrivalAtServer = Moment.origin
        var lastArrivalAtClient = Moment.origin
    }

    private struct State {
        var server: DayServer
        var rules = DayRules()
        var random: TestRandom
        var connections: [ConnectionState] = []
        var isOnline = true
        var digest = DayDigest()
        var opened = 0
    }

    private let clock: ManualClock
    private let state: Locked<State>

    init(clock: ManualClock, seed: UInt64) {
        self.clock = clock
        self.state = Locked(State(server: DayServer(seed: seed &+ 1), random: TestRandom(seed: seed &+ 2)))
    }

    /// The rules, and what was sent so far.
    var rules: DayRules { self.state.withLock { $0.rules } }
    var server: DayServer { self.state.withLock { $0.server } }
    var digest: UInt64 { self.state.withLock { $0.digest.value } }
    /// How many connections were opened.
    var opened: Int { self.state.withLock { $0.opened } }

    func change(_ body: (inout DayRules) -> Void) { self.state.withLock { body(&$0.rules) } }
    func addToDigest(_ text: String) { self.state.withLock { $0.digest.add(text) } }

    /// Checks the rules when no work is pending.
    func check() {
        self.state.withLock { state in
            let openConnection = state.connections.lastIndex { $0.isOpen && !$0.isClosedByClient && !$0.isClosed }
            state.rules.check(openConnection: openConnection)
        }
    }

    func stopFaults() { self.state.withLock { $0.server.isFaultless = true } }

    // MARK: Faults and pushes

    func setOnline(_ isOnline: Bool) {
        let connections = self.state.withLock { state -> [Int] in
            state.isOnline = isOnline
            return isOnline ? [] : Array(state.connections.indices)
        }
        for connection in connections { self.drop(connection) }
    }

    /// Ends all connections, with or without a report.
    func dropAll() { for connection in self.state.withLock({ $0.connections.indices }) { self.drop(connection) } }

    private func drop(_ connection: Int) {
        let isSilent = self.state.withLock { state -> Bool in
            // A connection that is still opening is not affected.
            guard state.connections[connection].isOpen, !state.connections[connection].isClosed else { return true }
            state.server.close(connection)
            state.connections[connection].isHalfOpen = true
            return Bool.random(using: &state.random)
        }
        if !isSilent { self.report(.closed(SocketEnd(.lost, "gone")), connection, evenIfHalfOpen: true) }
    }

    func push(to user: String) {
        let reactions = self.state.withLock { $0.server.push(to: user) }
        for (connection, reaction) in reactions { self.deliver(reaction, connection) }
    }

    // MARK: SocketTransport

    func open(_ request: SocketRequest, report: @escaping @Sendable (SocketEvent) -> Void) -> any SocketConnection {
        let (connection, wait, isReachable) = self.state.withLock { state -> (Int, Duration, Bool) in
            state.connections.append(ConnectionState(report: report))
            let percentile = Int.random(in: 0..<100, using: &state.random)
            let wait = Duration.milliseconds(Int.random(in: 5...400, using: &state.random))
            let isReachable = state.isOnline && (percentile < 85 || state.server.isFaultless)
            return (
                state.connections.count - 1, !isReachable && percentile % 2 == 0 ? request.limits.connect : wait,
                isReachable
            )
        }
        _ = self.clock.schedule(at: self.clock.now + wait) {
            guard isReachable, self.state.withLock({ $0.isOnline }) else {
                return self.report(.closed(SocketEnd(.notOpened(), "not reached")), connection)
            }
            self.opened(connection)
        }
        return Connection(net: self, connection: connection)
    }

    private func opened(_ connection: Int) {
        let (isWanted, end) = self.state.withLock { state -> (Bool, Duration?) in
            guard !state.connections[connection].isClosedByClient else { return (false, nil) }
            state.connections[connection].isOpen = true
            state.opened += 1
            state.server.open(connection)
            let percentile = Int.random(in: 0..<100, using: &state.random)
            guard !state.server.isFaultless else { return (true, nil) }
            // Some break during INIT, some after minutes, some stay open.
            switch percentile {
            case ..<20: return (true, .milliseconds(Int.random(in: 0...400, using: &state.random)))
            case ..<60: return (true, .seconds(Int.random(in: 1...1_800, using: &state.random)))
            default: return (true, nil)
            }
        }
        guard isWanted else { return }
        if let end { _ = self.clock.schedule(at: self.clock.now + end) { self.drop(connection) } }
        self.ping(connection)
        self.report(.opened, connection)
    }

    private func ping(_ connection: Int) {
        _ = self.clock.schedule(at: self.clock.now + .seconds(100)) {
            guard let reaction = self.state.withLock({ $0.server.ping(connection) }) else { return }
            self.deliver(reaction, connection)
            self.ping(connection)
        }
    }

    /// Sends the client a message, after the earlier ones.
    private func deliver(_ reaction: DayServer.Reaction, _ connection: Int) {
        let moment = self.state.withLock { state -> Moment in
            let moment = max(self.clock.now + reaction.after, state.connections[connection].lastArrivalAtClient)
            state.connections[connection].lastArrivalAtClient = moment
            return moment
        }
        let event: SocketEvent
        switch reaction.kind {
        case .message(""): return
        case .message(let text): event = .text(text)
        case .binary: event = .binary(count: 7)
        case .close:
            self.state.withLock { $0.server.close(connection) }
            event = .closed(SocketEnd(.byPeer(code: 1001), "no pongs"))
        }
        _ = self.clock.schedule(at: moment) { self.report(event, connection) }
    }

    /// Reports an event to the session, also of a connection that it has closed.
    private func report(_ event: SocketEvent, _ connection: Int, evenIfHalfOpen: Bool = false) {
        let report = self.state.withLock { state -> (@Sendable (SocketEvent) -> Void)? in
            let known = state.connections[connection]
            guard !known.isClosed, !known.isHalfOpen || evenIfHalfOpen else { return nil }
            if case .closed = event {
                state.connections[connection].isClosed = true
                state.server.close(connection)
            }
            if case .text(let text) = event, !known.isClosedByClient, let json = try? AdJSON(parsing: text) {
                state.rules.received(json, on: connection)
            }
            return known.report
        }
        report?(event)
        self.state.withLock { state in
            if !state.connections[connection].isClosedByClient, !state.connections[connection].isClosed,
                state.rules.hasUnansweredPing(on: connection)
            {
                state.rules.fault("a ping was not answered at once")
            }
        }
    }

    private func send(_ text: String, _ connection: Int) {
        let now = self.clock.now
        let wallTime = self.clock.wallTime
        guard let json = try? AdJSON(parsing: text) else { return self.change { $0.fault("a message is not JSON") } }
        let moment = self.state.withLock { state -> Moment? in
            let known = state.connections[connection]
            state.digest.add("\(now.sinceOrigin) \(connection) \(text)")
            let isOpen = known.isOpen && !known.isClosed && !known.isClosedByClient
            state.rules.sent(json, on: connection, isOpen: isOpen, at: wallTime)
            guard isOpen, !known.isHalfOpen else { return nil }
            let moment = max(
                now + .milliseconds(Int.random(in: 1...80, using: &state.random)),
                known.lastArrivalAtServer
            )
            state.connections[connection].lastArrivalAtServer = moment
            return moment
        }
        guard let moment else { return }
        _ = self.clock.schedule(at: moment) {
            let reactions = self.state.withLock { state in
                state.connections[connection].isHalfOpen ? [] : state.server.handle(json, on: connection)
            }
            for reaction in reactions { self.deliver(reaction, connection) }
        }
    }

    private func closeByClient(_ connection: Int) {
        let isFirst = self.state.withLock { state in
            defer { state.connections[connection].isClosedByClient = true }
            return !state.connections[connection].isClosedByClient
        }
        guard isFirst else { return }
        // Earlier messages still arrive in both directions.
        _ = self.clock.schedule(at: self.clock.now + .milliseconds(300)) {
            self.report(.closed(SocketEnd(.byUs, "closed")), connection, evenIfHalfOpen: true)
        }
    }

    private struct Connection: SocketConnection {
        let net: DayNet
        let connection: Int

        func send(_ text: String) { self.net.send(text, self.connection) }
        func close() { self.net.closeByClient(self.connection) }
    }
}

/// A checksum of all events with their times; events at the same time may come in any order.
struct DayDigest {
    private(set) var value: UInt64 = 0

    mutating func add(_ text: String) {
        let sum = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        self.value = self.value &+ sum
    }
}
