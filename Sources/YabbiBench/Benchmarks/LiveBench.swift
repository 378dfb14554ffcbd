import AdCore
import AdProviders
import AdRuntime
import CurlTransport
import SandboxSSP
import SystemSupport
import YabbiAds

/// Live sessions in one process against the sandbox, which is in the same one: its share is in all figures.
enum LiveBench {
    private static let user = "u-bench"

    static func run(_ bench: Bench) async throws {
        for count in bench.full([1, 10, 100, 1_000], quick: [1, 10]) { try await self.sessions(count, bench) }
    }

    // MARK: Bare connections

    /// What a connection costs of which nothing is wanted, in KiB: the handshake is made, and nothing said.
    private static func bareConnection(among count: Int) async throws -> Double {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        let transport = try CurlTransport()
        let url = try self.app(sandbox).socket.http.text + "?master&domain=bench&version=1.0.0"
        guard let address = HTTPURL(url).map({ SocketURL($0) }) else {
            throw WishError(message: "\(url) is no address")
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
        ProcessFigures.giveMemoryBack()
        let first = await open(1)
        let before = ProcessFigures.residentBytes
        let connections = await open(count)
        let after = ProcessFigures.residentBytes
        for connection in first + connections { connection.close() }
        transport.shutDown()
        return Double(max(0, after - before)) / 1024 / Double(count)
    }

    // MARK: Sessions

    private static func sessions(_ count: Int, _ bench: Bench) async throws {
        let bare = try await self.bareConnection(among: count)
        let size = Figure.Amount(count, "sessions")
        var configuration = Sandbox.Configuration()
        configuration.pingInterval = bench.full(.seconds(3), quick: .milliseconds(50))
        let sandbox = try Sandbox.start(configuration)
        defer { sandbox.stop() }
        let transport = try CurlTransport()
        let sockets = WatchedSockets(transport)
        let services = AdServices(transport: transport)
        let app = try self.app(sandbox)
        func logIn(_ count: Int) async throws -> [Smartico] {
            let sessions = (0..<count).map { _ in Smartico(app, services: services, sockets: sockets) }
            let ears = sessions.map { $0.news.makeAsyncIterator() }
            for session in sessions { session.logIn(userID: self.user) }
            for ear in ears {
                var ear = ear
                while let news = await ear.next() {
                    if case .identified = news { break }
                    if case .disconnected(let end, _) = news { throw WishError(message: end.message) }
                }
            }
            return sessions
        }
        ProcessFigures.giveMemoryBack()
        // The first pays for what all share.
        let first = try await logIn(1)
        let before = ProcessFigures.residentBytes
        let clock = ContinuousClock()
        var sessions: [Smartico] = []
        let login = try await clock.measure { sessions = try await logIn(count) }
        let after = ProcessFigures.residentBytes
        var memory = Pairs()
        memory.take(Double(max(0, after - before)) / 1024 / Double(count), floor: bare)
        bench.tell("memory of a session and its server's side", memory, against: "bare sockets", .each("KiB"), at: size)
        bench.tell("logins, all at once", [Double(count) / login.inSeconds], .rate("logins"), at: size)

        // Nothing but pings, to each of them each three seconds.
        let idle = bench.full(Duration.seconds(15), quick: .milliseconds(150))
        let processor = ProcessFigures.processorSeconds
        try await clock.sleep(for: idle)
        let share = (ProcessFigures.processorSeconds - processor) / idle.inSeconds
        let latencies = self.latencies(of: sandbox, sockets)
        bench.tell("a ping handled", latencies.own, .each("µs"), at: size)
        bench.tell("from the server's ping to its pong", latencies.server, .each("ms"), at: size)
        bench.tell("a core's share for pings, both sides", [share * 100], .all("%"), at: size)

        // The same popup again and again: it is read whole, and dropped as known.
        let popup: AdJSON = [
            "cid": 110, "engagement_uid": "bench", "template_html": .string(String(repeating: "<b>x</b>", count: 60)),
            "params": [:], "ts": 1, "uuid": "bench",
        ]
        let busy = ProcessFigures.processorSeconds
        let pushes = bench.full(min(1_000, 100_000 / count), quick: 20)
        let messages = (count + 1) * pushes
        let goal = sockets.texts + messages
        let flood = try await clock.measure {
            guard sandbox.push(.raw(popup), to: self.user, count: pushes) == count + 1 else {
                throw WishError(message: "a session of the benchmark has lost its connection")
            }
            await sockets.reached(goal)
        }
        let work = (ProcessFigures.processorSeconds - busy) * 1e6 / Double(messages)
        for session in first + sessions { session.end() }
        transport.shutDown()
        bench.tell("messages taken", [Double(messages) / flood.inSeconds], .rate("messages"), at: size)
        bench.tell("processor time of a message, both sides", [work], .each("µs"), at: size)
    }

    /// From the server's ping, by the time that it bears, to the arrival of our pong, by the sandbox's books (both in whole
    /// milliseconds); and from the arrival of a ping here until its pong was handed over.
    private static func latencies(
        of sandbox: Sandbox,
        _ sockets: WatchedSockets
    ) -> (server: [Double], own: [Double]) {
        let (pings, own) = sockets.takePings()
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
            throw WishError(message: "the sandbox has no address")
        }
        return SmarticoApp(
            labelKey: Sandbox.TestKeys.smarticoLabelKey,
            brandKey: Sandbox.TestKeys.smarticoBrandKey,
            id: "bench",
            version: "1.0.0",
            deviceID: "device",
            socket: SocketURL(socket)
        )
    }
}

/// Sockets that count what comes, and take the time of pings.
private final class WatchedSockets: SocketTransport {
    private struct State {
        var texts = 0
        var waiting: (count: Int, OneShot<Void>)?
        var pings: [String] = []
        var answers: [Double] = []
    }

    private let inner: CurlTransport
    private let state = Locked(State())

    init(_ inner: CurlTransport) { self.inner = inner }

    /// How many texts were taken.
    var texts: Int { self.state.withLock { $0.texts } }

    /// Waits until so many texts were taken.
    func reached(_ count: Int) async {
        let arrival = OneShot<Void>()
        let isThere = self.state.withLock { state in
            if state.texts < count { state.waiting = (count, arrival) }
            return state.texts >= count
        }
        if !isThere { await arrival.value }
    }

    /// The pings as they came, and how long each waited for its answer, in seconds.
    func takePings() -> (pings: [String], answers: [Double]) {
        self.state.withLock { state in
            defer { (state.pings, state.answers) = ([], []) }
            return (state.pings, state.answers)
        }
    }

    func open(_ request: SocketRequest, report: @escaping @Sendable (SocketEvent) -> Void) -> any SocketConnection {
        self.inner.open(request) { event in
            guard case .text(let text) = event else { return report(event) }
            let start = ContinuousClock.now
            // The pong is handed over before this returns.
            report(event)
            let time = start.duration(to: .now).inSeconds
            let arrival = self.state.withLock { state -> OneShot<Void>? in
                state.texts += 1
                if text.utf8.count < 100, text.contains(#""cid":1,"#) {
                    state.pings.append(text)
                    state.answers.append(time)
                }
                guard let waiting = state.waiting, state.texts >= waiting.count else { return nil }
                state.waiting = nil
                return waiting.1
            }
            arrival?.resolve(())
        }
    }
}
