import AdCore
import SystemSupport
import TestSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("The shell of a live session", .timeLimit(.minutes(1)))
struct EngagementSessionTests {
    @Test("a connection is opened with its request, sends texts in order, and is closed")
    func connection() throws {
        let live = Live()
        live.perform(.send("before"))
        live.perform(.connect(Live.request), .send("one"), .send("two"))
        let connection = try #require(live.sockets.last)
        #expect(connection.request == Live.request && connection.sent == ["one", "two"])
        connection.report(.opened)
        connection.report(.text("hello"))
        connection.report(.binary(count: 3))
        #expect(connection.sent.last == "echo hello")
        live.perform(.disconnect, .send("after"))
        #expect(connection.isClosed && connection.sent.count == 3)
        #expect(live.log.lines == ["socket opened", #"socket text("hello")"#, "socket binary(count: 3)"])
    }

    @Test("events of an earlier or closed connection are ignored")
    func older() throws {
        let live = Live()
        live.perform(.connect(Live.request))
        let first = try #require(live.sockets.last)
        live.perform(.connect(Live.request))
        #expect(first.isClosed, "the earlier connection is closed")
        first.report(.opened)
        first.report(.text("late"))
        first.report(.closed(SocketEnd(.byUs, "closed")))
        #expect(live.log.lines.isEmpty)
        let second = try #require(live.sockets.last)
        second.report(.opened)
        second.report(.closed(SocketEnd(.lost, "gone")))
        second.report(.text("after the end"))
        #expect(live.log.lines.count == 2)
        live.perform(.connect(Live.request), .disconnect)
        live.sockets.last?.report(.opened)
        #expect(live.log.lines.count == 2 && live.sockets.all.count == 3)
    }

    @Test("events that a transport reports before open returns are handled")
    func immediate() {
        let world = World()
        let log = ScriptedMachine.Log()
        let session = EngagementSession(
            ScriptedMachine(log: log),
            services: world.services,
            sockets: ImmediateSockets(),
            minutesBehindUTC: { _ in 0 }
        )
        session.send([.connect(Live.request)])
        #expect(log.lines.count == 2 && log.lines.first == "socket opened")
    }

    @Test("a timer fires once at its time; a replaced or cancelled one does not")
    func timers() async {
        let live = Live()
        let start = live.world.clock.now
        live.perform(.setTimer(.silence, start + .seconds(5)), .setTimer(.response, start + .seconds(2)))
        live.perform(.setTimer(.silence, start + .seconds(9)), .setTimer(.reconnect, start + .seconds(1)))
        live.perform(.cancelTimer(.reconnect))
        #expect(live.world.clock.alarms == 2)
        await live.world.clock.advance(by: .seconds(60))
        #expect(live.log.lines == ["response at \(Duration.seconds(2))", "silence at \(Duration.seconds(9))"])
        #expect(live.world.clock.alarms == 0)
    }

    @Test("host signals reach the machine until the session ends")
    func signals() {
        let live = Live()
        live.world.signals.post(.background(true))
        live.world.signals.post(.network(.offline))
        live.session.end()
        live.world.signals.post(.network(.wifi))
        #expect(live.log.lines == ["background(true)", "network(AdCore.NetworkKind.offline)"])
    }

    @Test("each event stream gets all events from its start to the end")
    func events() async {
        let live = Live()
        live.perform(.report("before"))
        let first = live.session.events
        live.perform(.report("one"))
        let second = live.session.events
        live.perform(.report("two"))
        #expect(live.session.counts.streams == 2)
        live.session.end()
        #expect(await first.reduce(into: []) { $0.append($1) } == ["one", "two"])
        #expect(await second.reduce(into: []) { $0.append($1) } == ["two"])
        #expect(await live.session.events.reduce(into: []) { $0.append($1) } == [], "the session has ended")
    }

    @Test("an observer gets events at once and in order")
    func observed() throws {
        let world = World()
        let sockets = ScriptedSockets()
        let session = EngagementSession(
            ScriptedMachine(log: ScriptedMachine.Log()),
            services: world.services,
            sockets: sockets,
            minutesBehindUTC: { _ in 0 }
        )
        session.send([
            .connect(Live.request), .report("first"), .issue(AdIssue("a.b", at: .whole, "?")), .report("second"),
        ])
        let records = world.observer.sessions.map { record in
            switch record.event {
            case .connecting: "connecting"
            case .machineEvent(let event): event as? String ?? "?"
            case .issue(let issue): issue.code
            case .opened, .received, .closed: "?"
            }
        }
        #expect(records == ["connecting", "first", "a.b", "second"])
    }

    @Test("a released stream is removed, and one that is not read keeps the newest 256 events")
    func streams() async {
        let live = Live()
        do { _ = live.session.events }
        #expect(live.session.counts.streams == 0)
        let slow = live.session.events
        for number in 0..<1_000 { live.perform(.report("\(number)")) }
        live.session.end()
        let events = await slow.reduce(into: []) { $0.append($1) }
        #expect(events.count == 256 && events.last == "999")
    }

    @Test("ending a session closes the connection, cancels the timers, and ignores later commands")
    func end() async throws {
        let live = Live()
        live.perform(.connect(Live.request), .setTimer(.silence, live.world.clock.now + .seconds(5)))
        let connection = try #require(live.sockets.last)
        connection.report(.opened)
        live.offer(1)
        live.session.end()
        live.session.end()
        #expect(connection.isClosed && live.world.clock.alarms == 0 && live.world.signals.observerCount == 1)
        live.perform(.connect(Live.request), .setTimer(.silence, live.world.clock.now))
        connection.report(.text("late"))
        #expect(live.sockets.all.count == 1 && live.world.clock.alarms == 0)
        #expect(live.log.lines == ["socket opened"])
        var ads = live.session.ads.makeAsyncIterator()
        #expect(await ads.next() == nil, "ads that were not received are destroyed")
    }

    @Test("a released session closes its connection, cancels its timers and ends its streams")
    func released() async throws {
        let live = Live()
        live.perform(.connect(Live.request))
        for timer in EngagementTimer.allCases { live.perform(.setTimer(timer, live.world.clock.now + .seconds(5))) }
        let connection = try #require(live.sockets.last)
        connection.report(.opened)
        let (ads, events) = (live.session.ads, live.session.events)
        #expect(live.release())
        #expect(connection.isClosed && live.world.clock.alarms == 0 && live.world.signals.observerCount == 1)
        connection.report(.text("late"))
        connection.report(.closed(SocketEnd(.byUs, "closed")))
        #expect(await ads.reduce(into: 0) { count, _ in count += 1 } == 0)
        #expect(await events.reduce(into: 0) { count, _ in count += 1 } == 0)
    }

    @Test("commands from many threads are handled one at a time, and none is lost")
    func manyThreads() async throws {
        let live = Live()
        live.perform(.connect(Live.request))
        let connection = try #require(live.sockets.last)
        connection.report(.opened)
        let session = live.session
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<200 {
                        session.send([.send("\(thread) a \(number)"), .send("\(thread) b \(number)")])
                        connection.report(.text("\(thread)"))
                    }
                }
            }
        }
        await live.world.clock.settle()
        let sent = connection.sent
        #expect(sent.count == 8 * 200 * 3)
        for thread in 0..<8 {
            let own = sent.filter { $0.hasPrefix("\(thread) a") }
            #expect(own == (0..<200).map { "\(thread) a \($0)" }, "in the order of each thread")
        }
        let isTorn = sent.indices.contains { sent[$0].contains(" a ") && !sent[$0 + 1].contains(" b ") }
        #expect(!isTorn, "the actions of one command stay together")
        await live.world.clock.settle()
    }

    @Test("virtual time stands still while the session works")
    func virtualTime() async throws {
        let clock = VirtualClock()
        let log = ScriptedMachine.Log()
        let services = AdServices(transport: World().transport, opener: NoOpener(), clock: clock)
        let session = EngagementSession(
            ScriptedMachine(log: log),
            services: services,
            sockets: ScriptedSockets(),
            minutesBehindUTC: { _ in 0 }
        )
        clock.workStarted()
        session.send([
            .offer(PageID(1), .page(1, lifetime: .seconds(60))), .setTimer(.silence, clock.now + .seconds(7)),
        ])
        var ads = session.ads.makeAsyncIterator()
        let ad = try #require(await ads.next())
        await ad.waitUntilEnded()
        defer { clock.workEnded() }
        #expect(ad.phase == .expired && clock.now.sinceOrigin == .seconds(60))
        // The session gets the end shortly after the wait for the ad.
        let start = ContinuousClock.now
        while log.lines.count < 2, ContinuousClock.now - start < .timeout(10) { await Task.yield() }
        #expect(log.lines == ["silence at \(Duration.seconds(7))", "page 1 gone"])
    }
}

/// Connections that end before `open` returns.
private struct ImmediateSockets: SocketTransport {
    private struct Nothing: SocketConnection {
        func send(_ text: String) {}
        func close() {}
    }

    func open(_ request: SocketRequest, report: @escaping @Sendable (SocketEvent) -> Void) -> any SocketConnection {
        report(.opened)
        report(.closed(SocketEnd(.lost, "gone")))
        return Nothing()
    }
}
