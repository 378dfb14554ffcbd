import AdCore
import AdRuntime
import SystemSupport
import TestSupport
import YabbiTesting

/// A network on a bad day: connections that fail, break off, fall silent, and take their time.
///
/// All of it happens by the clock, one thing after the other, so that a seed gives the same day each time.
final class DayNet: SocketTransport {
    private struct Line {
        let report: @Sendable (SocketEvent) -> Void
        var isOpen = false
        var isLetGo = false
        var isOver = false
        /// Half-open: nobody hears anybody, and nobody is told.
        var isDeaf = false
        /// Nothing arrives before what was sent before it.
        var up = Moment.origin
        var down = Moment.origin
    }

    private struct State {
        var server: DayServer
        var rules = DayRules()
        var random: TestRandom
        var lines: [Line] = []
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

    /// What has to hold, and what was said so far.
    var rules: DayRules { self.state.withLock { $0.rules } }
    var server: DayServer { self.state.withLock { $0.server } }
    var digest: UInt64 { self.state.withLock { $0.digest.value } }
    /// How many connections were open.
    var opened: Int { self.state.withLock { $0.opened } }

    func change(_ body: (inout DayRules) -> Void) { self.state.withLock { body(&$0.rules) } }
    func note(_ text: String) { self.state.withLock { $0.digest.add(text) } }

    /// Whether everything is at rest but for the session's own waits.
    func check() {
        self.state.withLock { state in
            let present = state.lines.lastIndex { $0.isOpen && !$0.isLetGo && !$0.isOver }
            state.rules.check(present: present)
        }
    }

    func beKind() { self.state.withLock { $0.server.isKind = true } }

    // MARK: What happens to it

    func goOnline(_ isOnline: Bool) {
        let lines = self.state.withLock { state -> [Int] in
            state.isOnline = isOnline
            return isOnline ? [] : Array(state.lines.indices)
        }
        for line in lines { self.breakOff(line) }
    }

    /// Ends all connections, with or without a word.
    func breakAll() { for line in self.state.withLock({ $0.lines.indices }) { self.breakOff(line) } }

    private func breakOff(_ line: Int) {
        let isSilent = self.state.withLock { state -> Bool in
            // What is still being opened opens, or does not, by itself.
            guard state.lines[line].isOpen, !state.lines[line].isOver else { return true }
            state.server.close(line)
            state.lines[line].isDeaf = true
            return Bool.random(using: &state.random)
        }
        if !isSilent { self.tell(.closed(SocketEnd(.lost, "gone")), line, evenIfDeaf: true) }
    }

    func push(to user: String) {
        let acts = self.state.withLock { $0.server.push(to: user) }
        for (line, act) in acts { self.carry(act, line) }
    }

    // MARK: The seam

    func open(_ request: SocketRequest, report: @escaping @Sendable (SocketEvent) -> Void) -> any SocketConnection {
        let (line, wait, isSuccess) = self.state.withLock { state -> (Int, Duration, Bool) in
            state.lines.append(Line(report: report))
            let fate = Int.random(in: 0..<100, using: &state.random)
            let wait = Duration.milliseconds(Int.random(in: 5...400, using: &state.random))
            let isSuccess = state.isOnline && (fate < 85 || state.server.isKind)
            return (state.lines.count - 1, !isSuccess && fate % 2 == 0 ? request.limits.connect : wait, isSuccess)
        }
        _ = self.clock.schedule(at: self.clock.now + wait) {
            guard isSuccess, self.state.withLock({ $0.isOnline }) else {
                return self.tell(.closed(SocketEnd(.notOpened(), "not reached")), line)
            }
            self.opened(line)
        }
        return Connection(net: self, line: line)
    }

    private func opened(_ line: Int) {
        let (isWanted, end) = self.state.withLock { state -> (Bool, Duration?) in
            guard !state.lines[line].isLetGo else { return (false, nil) }
            state.lines[line].isOpen = true
            state.opened += 1
            state.server.open(line)
            let fate = Int.random(in: 0..<100, using: &state.random)
            guard !state.server.isKind else { return (true, nil) }
            // Some break off in the middle of the introduction, some after minutes, some live long.
            switch fate {
            case ..<20: return (true, .milliseconds(Int.random(in: 0...400, using: &state.random)))
            case ..<60: return (true, .seconds(Int.random(in: 1...1_800, using: &state.random)))
            default: return (true, nil)
            }
        }
        guard isWanted else { return }
        if let end { _ = self.clock.schedule(at: self.clock.now + end) { self.breakOff(line) } }
        self.ping(line)
        self.tell(.opened, line)
    }

    private func ping(_ line: Int) {
        _ = self.clock.schedule(at: self.clock.now + .seconds(100)) {
            guard let act = self.state.withLock({ $0.server.ping(line) }) else { return }
            self.carry(act, line)
            self.ping(line)
        }
    }

    /// Carries something to the client, behind what was said before it.
    private func carry(_ act: DayServer.Act, _ line: Int) {
        let moment = self.state.withLock { state -> Moment in
            let moment = max(self.clock.now + act.after, state.lines[line].down)
            state.lines[line].down = moment
            return moment
        }
        let event: SocketEvent
        switch act.deed {
        case .say(""): return
        case .say(let text): event = .text(text)
        case .binary: event = .binary(count: 7)
        case .hangUp:
            self.state.withLock { $0.server.close(line) }
            event = .closed(SocketEnd(.byPeer(code: 1001), "nobody is there"))
        }
        _ = self.clock.schedule(at: moment) { self.tell(event, line) }
    }

    /// Tells the session; whoever has let go of a connection may still be told something of it.
    private func tell(_ event: SocketEvent, _ line: Int, evenIfDeaf: Bool = false) {
        let report = self.state.withLock { state -> (@Sendable (SocketEvent) -> Void)? in
            let known = state.lines[line]
            guard !known.isOver, !known.isDeaf || evenIfDeaf else { return nil }
            if case .closed = event {
                state.lines[line].isOver = true
                state.server.close(line)
            }
            if case .text(let text) = event, !known.isLetGo, let json = try? AdJSON(parsing: text) {
                state.rules.heard(json, on: line)
            }
            return known.report
        }
        report?(event)
        self.state.withLock { state in
            if !state.lines[line].isLetGo, !state.lines[line].isOver, state.rules.owesPong(on: line) {
                state.rules.fault("a ping was not answered at once")
            }
        }
    }

    private func send(_ text: String, _ line: Int) {
        let now = self.clock.now
        let wall = self.clock.wallTime
        guard let json = try? AdJSON(parsing: text) else { return self.change { $0.fault("no JSON was sent") } }
        let moment = self.state.withLock { state -> Moment? in
            let known = state.lines[line]
            state.digest.add("\(now.sinceOrigin) \(line) \(text)")
            let isOpen = known.isOpen && !known.isOver && !known.isLetGo
            state.rules.said(json, on: line, isOpen: isOpen, at: wall)
            guard isOpen, !known.isDeaf else { return nil }
            let moment = max(now + .milliseconds(Int.random(in: 1...80, using: &state.random)), known.up)
            state.lines[line].up = moment
            return moment
        }
        guard let moment else { return }
        _ = self.clock.schedule(at: moment) {
            let acts = self.state.withLock { state in
                state.lines[line].isDeaf ? [] : state.server.hear(json, on: line)
            }
            for act in acts { self.carry(act, line) }
        }
    }

    private func letGo(_ line: Int) {
        let isFirst = self.state.withLock { state in
            defer { state.lines[line].isLetGo = true }
            return !state.lines[line].isLetGo
        }
        guard isFirst else { return }
        // What was sent before still goes out, and what was said before may still come.
        _ = self.clock.schedule(at: self.clock.now + .milliseconds(300)) {
            self.tell(.closed(SocketEnd(.byUs, "closed")), line, evenIfDeaf: true)
        }
    }

    private struct Connection: SocketConnection {
        let net: DayNet
        let line: Int

        func send(_ text: String) { self.net.send(text, self.line) }
        func close() { self.net.letGo(self.line) }
    }
}

/// A checksum of what happened and when; what happened at one moment may have any order.
struct DayDigest {
    private(set) var value: UInt64 = 0

    mutating func add(_ text: String) {
        let sum = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        self.value = self.value &+ sum
    }
}
