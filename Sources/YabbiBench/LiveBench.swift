import AdCore
import AdProviders
import AdRuntime
import CurlTransport
import SandboxSSP
import SystemLock
import YabbiAds

/// A thousand live sessions in one process against the sandbox, which is in the same one: its share is in all figures.
enum LiveBench {
    private static let user = "u-bench"
    private static let count = 1_000
    private static let pushes = 100

    static func run() async throws -> [JSON] {
        [try await self.bare(), try await self.sessions()]
    }

    // MARK: Bare connections

    /// What a connection costs of which nothing is wanted: the handshake is made, and nothing said.
    private static func bare() async throws -> JSON {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        let transport = try CurlTransport()
        let url = try self.app(sandbox).socket.http.text + "?master&domain=bench&version=1.0.0"
        guard let address = HTTPURL(url).map({ SocketURL($0) }) else { return .null }
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
        let first = await open(1)
        let before = ProcessFigures.residentBytes
        let connections = await open(self.count)
        let after = ProcessFigures.residentBytes
        for connection in first + connections { connection.close() }
        transport.shutDown()
        return [
            "benchmark": "bareSockets", "connections": .int(self.count),
            "kibPerConnectionOfBothSides": ProcessFigures.rounded(Double(after - before) / 1024 / Double(self.count)),
        ]
    }

    // MARK: Sessions

    private static func sessions() async throws -> JSON {
        var configuration = Sandbox.Configuration()
        configuration.pingInterval = .seconds(3)
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
                    if case .disconnected(let end, _) = news { throw SocketBenchError(description: end.message) }
                }
            }
            return sessions
        }
        // The first pays for what all share.
        let first = try await logIn(1)
        let before = ProcessFigures.residentBytes
        let clock = ContinuousClock()
        var sessions: [Smartico] = []
        let login = try await clock.measure { sessions = try await logIn(self.count) }
        let after = ProcessFigures.residentBytes

        // Nothing but pings: a thousand of them each three seconds.
        let idle = Duration.seconds(15)
        let processor = ProcessFigures.processorSeconds
        try await clock.sleep(for: idle)
        let idleShare = (ProcessFigures.processorSeconds - processor) / idle.inSeconds
        let latencies = self.latencies(of: sandbox, sockets)

        // The same popup again and again: it is read whole, and dropped as known.
        let popup: JSON = [
            "cid": 110, "engagement_uid": "bench", "template_html": .string(String(repeating: "<b>x</b>", count: 60)),
            "params": [:], "ts": 1, "uuid": "bench",
        ]
        let busy = ProcessFigures.processorSeconds
        let goal = sockets.texts + (self.count + 1) * self.pushes
        let flood = try await clock.measure {
            guard sandbox.push(.raw(popup), to: self.user, count: self.pushes) == self.count + 1 else {
                throw SocketBenchError(description: "a session of the benchmark has lost its connection")
            }
            await sockets.reached(goal)
        }
        let cores = (ProcessFigures.processorSeconds - busy) / flood.inSeconds
        let largest = ProcessFigures.residentBytes
        for session in first + sessions { session.end() }
        transport.shutDown()
        return [
            "benchmark": "liveSessions", "sessions": .int(self.count),
            "kibPerSessionOfBothSides": ProcessFigures.rounded(Double(after - before) / 1024 / Double(self.count)),
            "loginsPerSecond": .int(Int(Double(self.count) / login.inSeconds)),
            "pings": .int(latencies.server.count),
            "serverPingToPongP50Milliseconds": self.quantile(latencies.server, 0.5),
            "serverPingToPongP99Milliseconds": self.quantile(latencies.server, 0.99),
            "answerP50Microseconds": self.quantile(latencies.own, 0.5),
            "answerP99Microseconds": self.quantile(latencies.own, 0.99),
            "pingingProcessorPercent": ProcessFigures.rounded(idleShare * 100),
            "messagesPerSecond": .int(Int(Double((self.count + 1) * self.pushes) / flood.inSeconds)),
            "coresOfBothSides": ProcessFigures.rounded(cores),
            "processorMicrosecondsPerMessageOfBothSides": ProcessFigures.rounded(
                cores * flood.inSeconds * 1e6 / Double((self.count + 1) * self.pushes)
            ),
            "mibMoreAfterTheFlood": ProcessFigures.rounded(Double(largest - after) / 1_048_576),
        ]
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
            guard let json = try? JSON(parsing: ping), let name = json["uuid"]?.string else { continue }
            sent[name] = json["ts"]?.number
        }
        let server = sandbox.hits().compactMap { hit -> Double? in
            guard hit.method == "WS", let json = try? JSON(parsing: hit.body), json["cid"]?.number == 2,
                let ping = json["uuid"]?.string.flatMap({ sent[$0] })
            else { return nil }
            return Double(hit.at.milliseconds) - ping
        }
        return (server.sorted(), own.map { $0 * 1e6 }.sorted())
    }

    private static func quantile(_ sorted: [Double], _ share: Double) -> JSON {
        sorted.isEmpty ? .null : ProcessFigures.rounded(sorted[Int(Double(sorted.count - 1) * share)])
    }

    private static func app(_ sandbox: Sandbox) throws -> SmarticoApp {
        guard let socket = sandbox.url("/websocket/services") else {
            throw SocketBenchError(description: "the sandbox has no address")
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
