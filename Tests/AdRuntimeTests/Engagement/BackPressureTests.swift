import AdCore
import SystemSupport
import TestSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Back pressure of a live session", .serialized, .timeLimit(.minutes(1)))
struct BackPressureTests {
    @Test("messages that arrive while the session is busy are handled in order afterwards")
    func busy() async throws {
        let live = BusyLive()
        let connection = try #require(await live.connect())
        for round in 0..<3 {
            let texts = (0..<10_000).map { "\(round)/\($0)" }
            live.whileBusy { for text in texts { connection.report(.text(text)) } }
            await live.world.clock.settle()
            #expect(live.newTexts() == texts, "all messages, in order")
            connection.report(.text("and on"))
            await live.world.clock.settle()
            #expect(live.newTexts() == ["and on"] && !connection.isClosed)
        }
    }

    @Test("a connection whose backlog is full is closed once, and the next one starts with an empty backlog")
    func tooMuch() async throws {
        let live = BusyLive()
        for _ in 0..<2 {
            let connection = try #require(await live.connect())
            live.whileBusy { for number in 0..<30_000 { connection.report(.text("\(number)")) } }
            await live.world.clock.settle()
            #expect(live.newTexts() == (0..<10_000).map { "\($0)" }, "up to the limit, in order")
            #expect(connection.isClosed)
            connection.report(.text("late"))
            connection.report(.closed(SocketEnd(.byUs, "closed")))
            await live.world.clock.settle()
            #expect(live.newTexts().isEmpty)
        }
        let ends = live.world.observer.sessions.compactMap { record -> SocketEnd.Cause? in
            if case .closed(let end) = record.event { end.cause } else { nil }
        }
        #expect(ends == [.overflow, .overflow])
    }

    @Test(
        "the messages of two threads are handled in the order of each, until a full backlog closes the connection"
    )
    func twoThreads() async throws {
        let live = BusyLive()
        let connection = try #require(await live.connect())
        let count = 30_000
        let isOver = TestSignal()
        runOnThread {
            for number in 0..<count { connection.report(.text("\(number)")) }
            isOver.set()
        }
        for number in 0..<2_000 { live.session.send([.send("host \(number)")]) }
        #expect(isOver.wait())
        await live.world.clock.settle()
        let texts = live.newTexts()
        #expect(texts == (0..<texts.count).map { "\($0)" }, "no message is missing")
        #expect(texts.count == count || connection.isClosed)
        let sent = connection.sent.filter { $0.hasPrefix("host") }
        #expect(sent == (0..<sent.count).map { "host \($0)" })
        #expect(sent.count == 2_000 || connection.isClosed)
        let next = try #require(await live.connect())
        next.report(.text("again"))
        await live.world.clock.settle()
        #expect(live.newTexts() == ["again"])
    }

    @Test(
        "messages of a page above the limit are dropped, and later ones and other pages' are handled"
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
        #expect(live.world.observer.sessionIssues == ["page.flood"], "reported once")
        let lines = live.log.lines.filter { $0.hasPrefix("page") }
        #expect(lines == (0..<1_000).map { "page 1 says \($0)" } + ["page 2 says other"])
        flooding.report(.message("on"))
        await live.world.clock.settle()
        #expect(live.log.lines.last == "page 1 says on")
    }
}

/// A session whose mailbox can be kept busy by a thread.
private final class BusyLive: Sendable {
    let world = World()
    let log = ScriptedMachine.Log()
    let session: EngagementSession<ScriptedMachine>
    private let sockets = BusySockets()
    private let readCount = Locked(0)

    init() {
        self.session = EngagementSession(
            ScriptedMachine(log: self.log),
            services: self.world.services,
            sockets: self.sockets,
            minutesBehindUTC: { _ in 0 }
        )
    }

    /// Opens a new connection.
    func connect() async -> ScriptedConnection? {
        self.session.send([.connect(Live.request)])
        // Another thread may still be draining the mailbox, and handle this command.
        await self.world.clock.settle()
        self.sockets.inner.last?.report(.opened)
        await self.world.clock.settle()
        return self.sockets.inner.last
    }

    /// Calls a closure while another thread drains the mailbox; needs a connection.
    func whileBusy(_ body: () -> Void) {
        let session = self.session
        let (started, resume) = self.sockets.renew()
        runOnThread { session.send([.send("hold")]) }
        #expect(started.wait())
        body()
        resume.set()
    }

    /// The texts that were handled since the last call.
    func newTexts() -> [String] {
        let lines = self.log.lines
        let start = self.readCount.withLock { readCount in
            defer { readCount = lines.count }
            return readCount
        }
        return lines[start...].compactMap { line in
            line.hasPrefix(#"socket text(""#) ? String(line.dropFirst(13).dropLast(2)) : nil
        }
    }

    /// Presents a page, and returns the presenter that reports its events.
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

/// Connections whose `send` blocks on the text `hold`.
private final class BusySockets: SocketTransport {
    let inner = ScriptedSockets()
    private let signals = Locked((started: TestSignal(), resume: TestSignal()))

    /// Creates the signals of the next blocking `send`.
    func renew() -> (started: TestSignal, resume: TestSignal) {
        self.signals.withLock { signals in
            signals = (TestSignal(), TestSignal())
            return signals
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
            let signals = self.sockets.signals.withLock { $0 }
            signals.started.set()
            signals.resume.wait()
        }
    }
}
