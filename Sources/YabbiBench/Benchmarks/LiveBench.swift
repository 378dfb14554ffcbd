import AdCore
import AdProviders
import AdRuntime
import CurlTransport
import SandboxSSP
import SystemSupport
import YabbiAds

/// Live sessions with the sandbox in the same process; its work is part of all figures.
enum LiveBench {
    static let user = "u-bench"

    static func run(_ bench: BenchContext) async throws {
        for count in bench.full([1, 10, 100, 1_000], quick: [1, 10]) { try await self.sessions(count, bench) }
    }

    // MARK: WebSockets without sessions

    /// The memory of a WebSocket after the handshake, in KiB, without messages.
    private static func bareConnection(among count: Int) async throws -> Double {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        let transport = try CurlTransport()
        let url = try self.app(sandbox).socket.http.text + "?master&domain=bench&version=1.0.0"
        guard let address = HTTPURL(url).map({ SocketURL($0) }) else {
            throw BenchError(message: "invalid URL: \(url)")
        }
        func open(_ count: Int) async -> [any SocketConnection] {
            let opened = AsyncStream<SocketEvent>.makeStream()
            let connections = (0..<count).map { _ in
                transport.open(SocketRequest(address)) { opened.continuation.yield($0) }
            }
            var left = count
            for await _ in opened.stream {
                left -= 1
                if left == 0 { break }
            }
            return connections
        }
        ProcessMetrics.releaseFreeMemory()
        let first = await open(1)
        let before = ProcessMetrics.residentBytes
        let connections = await open(count)
        let after = ProcessMetrics.residentBytes
        for connection in first + connections { connection.close() }
        transport.shutDown()
        return Double(max(0, after - before)) / 1024 / Double(count)
    }

    // MARK: Sessions

    /// Sessions that are logged in, all at once.
    static func logIn(_ count: Int, _ make: () -> Smartico) async throws -> [Smartico] {
        let sessions = (0..<count).map { _ in make() }
        let iterators = sessions.map { $0.events.makeAsyncIterator() }
        for session in sessions { session.logIn(userID: self.user) }
        for iterator in iterators {
            var iterator = iterator
            while let event = await iterator.next() {
                if case .identified = event { break }
                if case .disconnected(let end, _) = event { throw BenchError(message: end.message) }
            }
        }
        return sessions
    }

    private static func sessions(_ count: Int, _ bench: BenchContext) async throws {
        let bare = try await self.bareConnection(among: count)
        let size = Figure.Amount(count, "sessions")
        var configuration = Sandbox.Configuration()
        configuration.pingInterval = bench.full(.seconds(3), quick: .milliseconds(50))
        let sandbox = try Sandbox.start(configuration)
        defer { sandbox.stop() }
        let transport = try CurlTransport()
        let sockets = MeasuredSockets(transport)
        let services = AdServices(transport: transport, opener: NoOpener())
        let app = try self.app(sandbox)
        let make = { Smartico(app, services: services, sockets: sockets) }
        ProcessMetrics.releaseFreeMemory()
        // The first session allocates what all sessions share.
        let first = try await self.logIn(1, make)
        let before = ProcessMetrics.residentBytes
        let clock = ContinuousClock()
        var sessions: [Smartico] = []
        let login = try await clock.measure { sessions = try await self.logIn(count, make) }
        let after = ProcessMetrics.residentBytes
        var memory = PairedSamples()
        memory.add(Double(max(0, after - before)) / 1024 / Double(count), baseline: bare)
        bench.report(
            "memory per session, both sides",
            memory,
            against: "WebSockets alone",
            .each("KiB"),
            at: size,
            target: count >= 1_000 ? .valueAtMost(40) : nil
        )
        bench.report("logins, all at once", [Double(count) / login.inSeconds], .rate("logins"), at: size)

        // While idle there is a ping per session every three seconds.
        let idle = bench.full(Duration.seconds(15), quick: .milliseconds(150))
        let processor = ProcessMetrics.processorSeconds
        try await clock.sleep(for: idle)
        let share = (ProcessMetrics.processorSeconds - processor) / idle.inSeconds
        let latencies = self.latencies(of: sandbox, sockets)
        bench.report("ping handled", latencies.own, .each("µs"), at: size)
        bench.report("from ping to pong, at the server", latencies.server, .each("ms"), at: size)
        bench.report("CPU use for pings, both sides", [share * 100], .all("%"), at: size)

        // The same popup repeatedly: each one is parsed and dropped as a duplicate.
        let popup: AdJSON = [
            "cid": 110, "engagement_uid": "bench", "template_html": .string(String(repeating: "<b>x</b>", count: 60)),
            "params": [:], "ts": 1, "uuid": "bench",
        ]
        let busy = ProcessMetrics.processorSeconds
        let pushes = bench.full(min(1_000, 100_000 / count), quick: 20)
        let messages = (count + 1) * pushes
        let goal = sockets.texts + messages
        let flood = try await clock.measure {
            guard sandbox.push(.raw(popup), to: self.user, count: pushes) == count + 1 else {
                throw BenchError(message: "a session lost its connection")
            }
            await sockets.wait(forTexts: goal)
        }
        let work = (ProcessMetrics.processorSeconds - busy) * 1e6 / Double(messages)
        for session in first + sessions { session.end() }
        transport.shutDown()
        bench.report("messages received", [Double(messages) / flood.inSeconds], .rate("messages"), at: size)
        bench.report("CPU time per message, both sides", [work], .each("µs"), at: size)
    }

    /// The times from the server's ping to the arrival of its pong, by the ping's timestamp and the sandbox's log (in
    /// milliseconds), and the times to handle a ping in this process (in microseconds).
    private static func latencies(
        of sandbox: Sandbox,
        _ sockets: MeasuredSockets
    ) -> (server: [Double], own: [Double]) {
        let (pings, own) = sockets.drainPings()
        var sent: [String: Double] = [:]
        for ping in pings {
            guard let json = try? AdJSON(parsing: ping), let name = json["uuid"]?.string else { continue }
            sent[name] = json["ts"]?.number
        }
        let server = sandbox.hits().compactMap { hit -> Double? in
            guard hit.method == "WS", let json = try? AdJSON(parsing: hit.body), json["cid"]?.number == 2,
                let ping = json["uuid"]?.string.flatMap({ sent[$0] })
            else { return nil }
            return Double(hit.at.milliseconds) - ping
        }
        return (server, own.map { $0 * 1e6 })
    }

    private static func app(_ sandbox: Sandbox) throws -> SmarticoApp {
        guard let socket = sandbox.url(Sandbox.socketPath) else {
            throw BenchError(message: "the sandbox has no socket URL")
        }
        return self.app(socket)
    }

    static func app(_ socket: HTTPURL) -> SmarticoApp {
        SmarticoApp(
            labelKey: Sandbox.TestKeys.smarticoLabelKey,
            brandKey: Sandbox.TestKeys.smarticoBrandKey,
            id: "bench",
            version: "1.0.0",
            deviceID: "device",
            socket: SocketURL(socket)
        )
    }
}

/// A socket transport that counts received texts and measures how long pings take.
private final class MeasuredSockets: SocketTransport {
    private struct State {
        var texts = 0
        var waiter: (count: Int, OneShot<Void>)?
        var pings: [String] = []
        var durations: [Double] = []
    }

    private let transport: CurlTransport
    private let state = Locked(State())

    init(_ transport: CurlTransport) { self.transport = transport }

    /// The number of handled texts.
    var texts: Int { self.state.withLock { $0.texts } }

    /// Waits until a number of texts was handled.
    func wait(forTexts count: Int) async {
        let arrival = OneShot<Void>()
        let isReached = self.state.withLock { state in
            if state.texts < count { state.waiter = (count, arrival) }
            return state.texts >= count
        }
        if !isReached { await arrival.value }
    }

    /// Removes and returns the pings, and the seconds until the pong of each was sent.
    func drainPings() -> (pings: [String], durations: [Double]) {
        self.state.withLock { state in
            defer { (state.pings, state.durations) = ([], []) }
            return (state.pings, state.durations)
        }
    }

    func open(_ request: SocketRequest, report: @escaping @Sendable (SocketEvent) -> Void) -> any SocketConnection {
        self.transport.open(request) { event in
            guard case .text(let text) = event else { return report(event) }
            let start = ContinuousClock.now
            // The pong is sent before this returns.
            report(event)
            let time = start.duration(to: .now).inSeconds
            let arrival = self.state.withLock { state -> OneShot<Void>? in
                state.texts += 1
                if text.utf8.count < 100, text.contains(#""cid":1,"#) {
                    state.pings.append(text)
                    state.durations.append(time)
                }
                guard let waiter = state.waiter, state.texts >= waiter.count else { return nil }
                state.waiter = nil
                return waiter.1
            }
            arrival?.set(())
        }
    }
}
