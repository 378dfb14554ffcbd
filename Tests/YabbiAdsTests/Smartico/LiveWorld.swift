import AdCore
import AdProviders
import AdRuntime
import CurlTransport
import SandboxSSP
import SystemSupport
import Testing
import YabbiAds
import YabbiTesting

/// Smartico over real sockets, against the sandbox or another server.
final class LiveWorld: Sendable {
    let sandbox: Sandbox
    let services: AdServices
    let observer = RecordingObserver()
    let board = HostSignalSource()
    let smartico: Smartico

    init(
        pingInterval: Duration = .seconds(10),
        patience: Duration = .seconds(15),
        faults: [Sandbox.Fault] = [],
        mostUnsent: Int? = nil
    ) throws {
        var configuration = Sandbox.Configuration()
        configuration.seed = 1
        configuration.pingInterval = pingInterval
        self.sandbox = try Sandbox.start(configuration)
        if !faults.isEmpty { try self.sandbox.setFaults(["/websocket/services": faults]) }
        self.services = try AdServices.standard(signals: self.board, observer: self.observer)
        var rules = SmarticoSession.Rules()
        rules.timeout = patience
        self.smartico = Smartico(
            try LiveWorld.app(port: self.sandbox.port),
            rules: rules,
            services: self.services,
            sockets: try mostUnsent.map { NarrowSockets(inner: try CurlTransport(), mostUnsent: $0) }
        )
    }

    deinit {
        self.smartico.end()
        self.sandbox.stop()
    }

    /// The sandbox's app at a port of this machine.
    static func app(port: Int) throws -> SmarticoApp {
        SmarticoApp(
            labelKey: Sandbox.TestKeys.smarticoLabelKey,
            brandKey: Sandbox.TestKeys.smarticoBrandKey,
            id: "com.example.live",
            version: "1.2.29",
            deviceID: "device-1",
            socket: try #require(SocketURL("ws://127.0.0.1:\(port)/websocket/services")),
            services: try #require(HTTPURL("http://127.0.0.1:\(port)/services/public"))
        )
    }

    /// The classes of what arrived over sockets, in order.
    var classes: [Int] {
        self.sandbox.hits().filter { $0.method == "WS" }
            .compactMap { (try? AdJSON(parsing: $0.body))?["cid"]?.number.map { Int($0) } }
    }

    /// How often a connection was opened.
    var connections: Int {
        self.observer.sessions.count { if case .connecting = $0.event { true } else { false } }
    }

    /// How connections ended.
    var ends: [SocketEnd.Cause] {
        self.observer.sessions.compactMap { if case .closed(let end) = $0.event { end.cause } else { nil } }
    }
}

/// Sockets on which less may wait to be sent.
private struct NarrowSockets: SocketTransport {
    let inner: any SocketTransport
    let mostUnsent: Int

    func open(_ request: SocketRequest, report: @escaping @Sendable (SocketEvent) -> Void) -> any SocketConnection {
        self.inner.open(SocketRequest(request.url, limits: .init(unsent: self.mostUnsent)), report: report)
    }
}

/// Hears a session's news, one after the other.
struct LiveEar {
    private var news: AsyncStream<SmarticoEvent>.Iterator
    private let smartico: Smartico
    private var tokens = 0

    init(_ smartico: Smartico) {
        self.smartico = smartico
        self.news = smartico.events.makeAsyncIterator()
    }

    /// Waits until the server knows the user.
    mutating func identified() async -> Bool {
        while let news = await self.news.next() { if case .identified = news { return true } }
        return false
    }

    /// Waits until the server knows the app.
    mutating func initialized() async -> Bool {
        while let news = await self.news.next() { if case .initialized = news { return true } }
        return false
    }

    /// Waits for a deep link of a page.
    mutating func deepLink() async -> String? {
        while let news = await self.news.next() { if case .deepLink(let link) = news { return link } }
        return nil
    }

    /// Waits until the connection is gone.
    mutating func disconnected() async -> SocketEnd? {
        while let news = await self.news.next() { if case .disconnected(let end, _) = news { return end } }
        return nil
    }

    /// Waits until the server has taken everything that was said so far: it answers to a token behind it.
    mutating func caughtUp() async -> Bool {
        self.tokens += 1
        self.smartico.changePush(SmarticoPush(token: "token-\(self.tokens)", platform: .iOS))
        while let news = await self.news.next() { if news == .pushTokenAccepted { return true } }
        return false
    }
}

/// Plays a page: it says what a test says, and answers to a popup as Smartico's page does.
final class LivePage: Presenter {
    private let state = Locked<(report: (@Sendable (StageEvent) -> Void)?, posts: [String])>((nil, []))

    /// What the page was told.
    var posts: [AdJSON] { self.state.withLock { $0.posts }.compactMap { try? AdJSON(parsing: $0) } }

    /// Says something to the app.
    func say(_ message: AdJSON) { self.state.withLock { $0.report }?(.message(message.text())) }

    func container(for kind: ShowRules.Kind) async -> AdContainer { .fullScreen(Size(width: 390, height: 844)) }

    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        guard case .page(let page) = creative else { throw StageError("this is no page") }
        self.state.withLock { $0.report = report }
        self.say(["bcid": 1])
        if page.address.target.hasPrefix("/wrapper-gf") { self.say(["bcid": 5]) }
        return Shown(page: self, report: report)
    }

    private func hear(_ message: String) {
        self.state.withLock { $0.posts.append(message) }
        guard let json = try? AdJSON(parsing: message), let name = json["engagement_uid"] else { return }
        self.say(["bcid": 5])
        self.say(["bcid": 6, "cid": 1101, "engagement_uid": name])
    }

    private struct Shown: Stage {
        let page: LivePage
        let report: @Sendable (StageEvent) -> Void

        func reveal() async {
            self.report(.revealed)
            self.report(.visible(ratio: 1))
        }

        func setControl(_ control: StageControl, visible: Bool) async {}
        func control(_ command: VideoCommand) async {}
        func post(_ message: String) async { self.page.hear(message) }
        func close(_ reason: CloseReason) async {}
    }
}

extension Ad {
    /// Where its page is.
    var page: HTTPURL? {
        guard case .page(let page)? = self.offer?.creative else { return nil }
        return page.address
    }
}
