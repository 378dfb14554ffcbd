import AdCore
import SystemSupport
import TestSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("A live session that hears faster than it can handle", .serialized, .timeLimit(.minutes(1)))
struct BackPressureTests {
    @Test("of what a connection said while the session was busy nothing is lost, and it is heard on afterwards")
    func busy() async throws {
        let live = BusyLive()
        let connection = try #require(await live.connect())
        for round in 0..<3 {
            let texts = (0..<10_000).map { "\(round)/\($0)" }
            live.whileBusy { for text in texts { connection.report(.text(text)) } }
            await live.world.clock.settle()
            #expect(live.takeTexts() == texts, "all of it, in order")
            connection.report(.text("and on"))
            await live.world.clock.settle()
            #expect(live.takeTexts() == ["and on"] && !connection.isClosed)
        }
    }

    @Test("a connection that says more than may wait is given up once, and the next one begins anew")
    func tooMuch() async throws {
        let live = BusyLive()
        for _ in 0..<2 {
            let connection = try #require(await live.connect())
            live.whileBusy { for number in 0..<30_000 { connection.report(.text("\(number)")) } }
            await live.world.clock.settle()
            #expect(live.takeTexts() == (0..<10_000).map { "\($0)" }, "no more than may wait, in order")
            #expect(connection.isClosed)
            connection.report(.text("late"))
            connection.report(.closed(SocketEnd(.byUs, "closed")))
            await live.world.clock.settle()
            #expect(live.takeTexts().isEmpty)
        }
        let ends = live.world.observer.sessions.compactMap { record -> SocketEnd.Cause? in
            if case .closed(let end) = record.event { end.cause } else { nil }
        }
        #expect(ends == [.overflow, .overflow])
    }

    @Test(
        "two threads that speak at once are heard in the order of each, up to the end of a connection that says too much"
    )
    func twoThreads() async throws {
        let live = BusyLive()
        let connection = try #require(await live.connect())
        let count = 30_000
        let isOver = OneWord()
        onOwnThread {
            for number in 0..<count { connection.report(.text("\(number)")) }
            isOver.say()
        }
        for number in 0..<2_000 { live.session.send([.send("host \(number)")]) }
        #expect(isOver.wait())
        await live.world.clock.settle()
        let heard = live.takeTexts()
        #expect(heard == (0..<heard.count).map { "\($0)" }, "nothing is left out")
        #expect(heard.count == count || connection.isClosed)
        let sent = connection.sent.filter { $0.hasPrefix("host") }
        #expect(sent == (0..<sent.count).map { "host \($0)" })
        #expect(sent.count == 2_000 || connection.isClosed)
        let next = try #require(await live.connect())
        next.report(.text("again"))
        await live.world.clock.settle()
        #expect(live.takeTexts() == ["again"])
    }

    @Test(
        "of a page that says more than may wait the rest is dropped, and another page and the page itself are heard on"
    )
    func page() async throws {
        let live = BusyLive()
        _ = await live.connect()
        let (flooding, other) = (try await live.show(1), try await live.show(2))
        live.whileBusy {
            for number in 0..<5_000 { flooding.report(.message("\(number)")) }
            other.report(.message("other"))
        }
        await live.world.clock.settle()
        #expect(live.world.observer.sessionIssues == ["page.flood"], "told once")
        let lines = live.diary.lines.filter { $0.hasPrefix("page") }
        #expect(lines == (0..<1_000).map { "page 1 says \($0)" } + ["page 2 says other"])
        flooding.report(.message("on"))
        await live.world.clock.settle()
        #expect(live.diary.lines.last == "page 1 says on")
    }
}

/// A session whose mailbox a thread can be made to be busy with.
private final class BusyLive: Sendable {
    let world = World()
    let diary = Puppet.Diary()
    let session: EngagementSession<Puppet>
    private let sockets = BusySockets()
    private let taken = Locked(0)

    init() {
        self.session = EngagementSession(
            Puppet(diary: self.diary),
            services: self.world.services,
            sockets: self.sockets,
            minutesBehindUTC: { _ in 0 }
        )
    }

    /// Another connection, which is open.
    func connect() async -> ScriptedConnection? {
        self.session.send([.connect(Live.request)])
        // A thread that has handled the last there was may not have left yet, and handle this too.
        await self.world.clock.settle()
        self.sockets.inner.last?.report(.opened)
        await self.world.clock.settle()
        return self.sockets.inner.last
    }

    /// Does something while another thread is at work in the mailbox; there must be a connection.
    func whileBusy(_ body: () -> Void) {
        let session = self.session
        let (began, goesOn) = self.sockets.renew()
        onOwnThread { session.send([.send("hold")]) }
        #expect(began.wait())
        body()
        goesOn.say()
    }

    /// The texts that were heard since the last time.
    func takeTexts() -> [String] {
        let lines = self.diary.lines
        let before = self.taken.withLock { taken in
            defer { taken = lines.count }
            return taken
        }
        return lines[before...].compactMap { line in
            line.hasPrefix(#"socket text(""#) ? String(line.dropFirst(13).dropLast(2)) : nil
        }
    }

    /// A page on its way to a stage, which says what a test says.
    func show(_ page: Int) async throws -> RecordingPresenter {
        var ads = self.session.ads.makeAsyncIterator()
        self.session.send([.offer(PageID(page), .page(page))])
        let ad = try #require(await ads.next())
        let stage = RecordingPresenter()
        let gate = GatedPresenter(inner: stage)
        Task { try await ad.show(on: gate) }
        await gate.presented()
        await self.world.clock.settle()
        return stage
    }
}

/// Connections on which whoever says `hold` has to wait.
private final class BusySockets: SocketTransport {
    let inner = ScriptedSockets()
    private let words = Locked((began: OneWord(), goesOn: OneWord()))

    /// The words of the next one who waits.
    func renew() -> (began: OneWord, goesOn: OneWord) {
        self.words.withLock { words in
            words = (OneWord(), OneWord())
            return words
        }
    }

    func open(_ request: SocketRequest, report: @escaping @Sendable (SocketEvent) -> Void) -> any SocketConnection {
        Connection(inner: self.inner.open(request, report: report), sockets: self)
    }

    private struct Connection: SocketConnection {
        let inner: any SocketConnection
        let sockets: BusySockets

        func close() { self.inner.close() }

        func send(_ text: String) {
            guard text == "hold" else { return self.inner.send(text) }
            let words = self.sockets.words.withLock { $0 }
            words.began.say()
            words.goesOn.wait()
        }
    }
}
