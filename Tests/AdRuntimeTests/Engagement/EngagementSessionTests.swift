import AdCore
import SystemSupport
import TestSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("The live session's shell: its connection, timers and listeners", .timeLimit(.minutes(1)))
struct EngagementSessionTests {
    @Test("a connection is opened as asked, hears what is sent in order, and is closed")
    func connection() throws {
        let live = Live()
        live.tell(.send("before"))
        live.tell(.connect(Live.request), .send("one"), .send("two"))
        let connection = try #require(live.sockets.last)
        #expect(connection.request == Live.request && connection.sent == ["one", "two"])
        connection.report(.opened)
        connection.report(.text("hello"))
        connection.report(.binary(count: 3))
        #expect(connection.sent.last == "echo hello")
        live.tell(.disconnect, .send("after"))
        #expect(connection.isClosed && connection.sent.count == 3)
        #expect(live.diary.lines == ["socket opened", #"socket text("hello")"#, "socket binary(count: 3)"])
    }

    @Test("of an older connection nothing is heard, nor of one that was closed, nor anything after its end")
    func older() throws {
        let live = Live()
        live.tell(.connect(Live.request))
        let first = try #require(live.sockets.last)
        live.tell(.connect(Live.request))
        #expect(first.isClosed, "the one before is closed")
        first.report(.opened)
        first.report(.text("late"))
        first.report(.closed(SocketEnd(.byUs, "closed")))
        #expect(live.diary.lines.isEmpty)
        let second = try #require(live.sockets.last)
        second.report(.opened)
        second.report(.closed(SocketEnd(.lost, "gone")))
        second.report(.text("out of the grave"))
        #expect(live.diary.lines.count == 2)
        live.tell(.connect(Live.request), .disconnect)
        live.sockets.last?.report(.opened)
        #expect(live.diary.lines.count == 2 && live.sockets.all.count == 3)
    }

    @Test("a transport that tells everything before it has returned is heard all the same")
    func hasty() {
        let world = World()
        let diary = Puppet.Diary()
        let session = EngagementSession(
            Puppet(diary: diary),
            services: world.services,
            sockets: HastySockets(),
            minutesBehindUTC: { _ in 0 }
        )
        session.send([.connect(Live.request)])
        #expect(diary.lines.count == 2 && diary.lines.first == "socket opened")
    }

    @Test("a timer fires once and at its time; one that was replaced or taken back does not")
    func timers() async {
        let live = Live()
        let start = live.world.clock.now
        live.tell(.setTimer(.silence, start + .seconds(5)), .setTimer(.answer, start + .seconds(2)))
        live.tell(.setTimer(.silence, start + .seconds(9)), .setTimer(.reconnect, start + .seconds(1)))
        live.tell(.cancelTimer(.reconnect))
        #expect(live.world.clock.alarms == 2)
        await live.world.clock.advance(by: .seconds(60))
        #expect(live.diary.lines == ["answer at \(Duration.seconds(2))", "silence at \(Duration.seconds(9))"])
        #expect(live.world.clock.alarms == 0)
    }

    @Test("what happens around the app reaches the machine, from the present state on")
    func signals() {
        let live = Live()
        live.world.board.post(.background(true))
        live.world.board.post(.network(.offline))
        live.session.end()
        live.world.board.post(.network(.wifi))
        #expect(live.diary.lines == ["background(true)", "network(AdCore.NetworkKind.offline)"])
    }

    @Test("every listener hears all news from when it asked on, and the end")
    func news() async {
        let live = Live()
        live.tell(.news("nobody hears this"))
        let first = live.session.news
        live.tell(.news("one"))
        let second = live.session.news
        live.tell(.news("two"))
        #expect(live.session.counts.listeners == 2)
        live.session.end()
        #expect(await first.reduce(into: []) { $0.append($1) } == ["one", "two"])
        #expect(await second.reduce(into: []) { $0.append($1) } == ["two"])
        #expect(await live.session.news.reduce(into: []) { $0.append($1) } == [], "the session is over")
    }

    @Test("an observer hears news on the spot, in order with everything else")
    func observed() throws {
        let world = World()
        let sockets = ScriptedSockets()
        let session = EngagementSession(
            Puppet(diary: Puppet.Diary()),
            services: world.services,
            sockets: sockets,
            minutesBehindUTC: { _ in 0 }
        )
        session.send([.connect(Live.request), .news("first"), .issue(AdIssue("a.b", at: .whole, "?")), .news("second")])
        let heard = world.observer.sessions.map { record in
            switch record.event {
            case .connecting: "connecting"
            case .news(let news): news as? String ?? "?"
            case .issue(let issue): issue.code
            case .opened, .received, .closed: "?"
            }
        }
        #expect(heard == ["connecting", "first", "a.b", "second"])
    }

    @Test("a listener that has gone is forgotten, and one that does not listen keeps only the newest")
    func listeners() async {
        let live = Live()
        do { _ = live.session.news }
        #expect(live.session.counts.listeners == 0)
        let slow = live.session.news
        for number in 0..<1_000 { live.tell(.news("\(number)")) }
        live.session.end()
        let heard = await slow.reduce(into: []) { $0.append($1) }
        #expect(heard.count == 256 && heard.last == "999")
    }

    @Test("an end closes the connection and takes everything back; nothing is done after it")
    func end() async throws {
        let live = Live()
        live.tell(.connect(Live.request), .setTimer(.silence, live.world.clock.now + .seconds(5)))
        let connection = try #require(live.sockets.last)
        connection.report(.opened)
        live.offer(1)
        live.session.end()
        live.session.end()
        #expect(connection.isClosed && live.world.clock.alarms == 0 && live.world.board.observers == 1)
        live.tell(.connect(Live.request), .setTimer(.silence, live.world.clock.now))
        connection.report(.text("late"))
        #expect(live.sockets.all.count == 1 && live.world.clock.alarms == 0)
        #expect(live.diary.lines == ["socket opened"])
        var ads = live.session.ads.makeAsyncIterator()
        #expect(await ads.next() == nil, "what nobody took is over")
    }

    @Test("a session that is let go closes its connection, takes its timers back and ends its streams")
    func letGo() async throws {
        let live = Live()
        live.tell(.connect(Live.request))
        for timer in EngagementTimer.allCases { live.tell(.setTimer(timer, live.world.clock.now + .seconds(5))) }
        let connection = try #require(live.sockets.last)
        connection.report(.opened)
        let (ads, news) = (live.session.ads, live.session.news)
        #expect(live.letGo())
        #expect(connection.isClosed && live.world.clock.alarms == 0 && live.world.board.observers == 1)
        connection.report(.text("late"))
        connection.report(.closed(SocketEnd(.byUs, "closed")))
        #expect(await ads.reduce(into: 0) { count, _ in count += 1 } == 0)
        #expect(await news.reduce(into: 0) { count, _ in count += 1 } == 0)
    }

    @Test("commands from many threads are handled one at a time, and none is lost")
    func manyThreads() async throws {
        let live = Live()
        live.tell(.connect(Live.request))
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
            #expect(own == (0..<200).map { "\(thread) a \($0)" }, "in the order in which a thread said it")
        }
        let torn = sent.indices.contains { sent[$0].contains(" a ") && !sent[$0 + 1].contains(" b ") }
        #expect(!torn, "what one command leads to stands together")
        await live.world.clock.settle()
    }

    @Test("in virtual time the session holds time while it works, and lets it go on afterwards")
    func virtualTime() async throws {
        let clock = VirtualClock()
        let diary = Puppet.Diary()
        let services = AdServices(transport: World().transport, clock: clock)
        let session = EngagementSession(
            Puppet(diary: diary),
            services: services,
            sockets: ScriptedSockets(),
            minutesBehindUTC: { _ in 0 }
        )
        clock.workBegan()
        session.send([
            .offer(PageID(1), .page(1, lifetime: .seconds(60))), .setTimer(.silence, clock.now + .seconds(7)),
        ])
        var ads = session.ads.makeAsyncIterator()
        let ad = try #require(await ads.next())
        await ad.restUntilOver()
        defer { clock.workEnded() }
        #expect(ad.phase == .expired && clock.now.sinceOrigin == .seconds(60))
        // The session is told of it a moment after whoever waits for the ad.
        let start = ContinuousClock.now
        while diary.lines.count < 2, ContinuousClock.now - start < .patience(10) { await Task.yield() }
        #expect(diary.lines == ["silence at \(Duration.seconds(7))", "page 1 gone"])
    }
}

/// Connections that are over before anybody holds them.
private struct HastySockets: SocketTransport {
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
