import AdCore
import AdProviders
import AdRuntime
import CurlTransport
import SandboxSSP
import SystemSupport
import Testing
import YabbiAds
import YabbiTesting

/// A Smartico client over real sockets, and a sandbox.
final class SmarticoFixture: Sendable {
    let sandbox: Sandbox
    let services: AdServices
    let observer = RecordingObserver()
    let hostSignals = HostSignalSource()
    let smartico: Smartico

    init(
        pingInterval: Duration = .seconds(10),
        timeout: Duration = .seconds(15),
        faults: [Sandbox.Fault] = [],
        mostUnsent: Int? = nil
    ) throws {
        var configuration = Sandbox.Configuration()
        configuration.seed = 1
        configuration.pingInterval = pingInterval
        self.sandbox = try Sandbox.start(configuration)
        if !faults.isEmpty { try self.sandbox.setFaults(["/websocket/services": faults]) }
        self.services = try AdServices.standard(opener: NoOpener(), signals: self.hostSignals, observer: self.observer)
        var rules = SmarticoSession.Rules()
        rules.timeout = timeout
        self.smartico = Smartico(
            try SmarticoFixture.app(port: self.sandbox.port),
            rules: rules,
            services: self.services,
            sockets: try mostUnsent.map { LimitedSockets(inner: try CurlTransport(), mostUnsent: $0) }
        )
    }

    deinit {
        self.smartico.end()
        self.sandbox.stop()
    }

    /// The sandbox's app, with a server on a local port.
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

    /// The `cid` of each message that the server received, in order.
    var classes: [Int] {
        self.sandbox.hits().filter { $0.method == "WS" }
            .compactMap { (try? AdJSON(parsing: $0.body))?["cid"]?.number.map { Int($0) } }
    }

    /// The number of connections.
    var connections: Int {
        self.observer.sessions.count { if case .connecting = $0.event { true } else { false } }
    }

    /// How connections ended.
    var ends: [SocketEnd.Cause] {
        self.observer.sessions.compactMap { if case .closed(let end) = $0.event { end.cause } else { nil } }
    }
}

/// Sockets with another limit of unsent bytes.
private struct LimitedSockets: SocketTransport {
    let inner: any SocketTransport
    let mostUnsent: Int

    func open(_ request: SocketRequest, report: @escaping @Sendable (SocketEvent) -> Void) -> any SocketConnection {
        self.inner.open(SocketRequest(request.url, limits: .init(unsent: self.mostUnsent)), report: report)
    }
}

/// Waits for the events of a session, in order.
struct SessionEventWaiter {
    private var events: AsyncStream<SmarticoEvent>.Iterator
    private let smartico: Smartico
    private var tokens = 0

    init(_ smartico: Smartico) {
        self.smartico = smartico
        self.events = smartico.events.makeAsyncIterator()
    }

    /// Waits for the server's response to IDENTIFY.
    mutating func identified() async -> Bool {
        while let event = await self.events.next() { if case .identified = event { return true } }
        return false
    }

    /// Waits for the server's response to INIT.
    mutating func initialized() async -> Bool {
        while let event = await self.events.next() { if case .initialized = event { return true } }
        return false
    }

    /// Waits for a deep link of a page.
    mutating func deepLink() async -> String? {
        while let event = await self.events.next() { if case .deepLink(let link) = event { return link } }
        return nil
    }

    /// Waits until the connection is gone.
    mutating func disconnected() async -> SocketEnd? {
        while let event = await self.events.next() { if case .disconnected(let end, _) = event { return end } }
        return nil
    }

    /// Waits until the server has received everything that was sent so far, by a push token that it confirms.
    mutating func caughtUp() async -> Bool {
        self.tokens += 1
        self.smartico.changePush(SmarticoPush(token: "token-\(self.tokens)", platform: .iOS))
        while let event = await self.events.next() { if event == .pushTokenAccepted { return true } }
        return false
    }
}

/// A page whose messages come from the test; it responds to a popup's event as Smartico's page does.
final class ScriptedPage: Presenter {
    private let state = Locked<(report: (@Sendable (StageEvent) -> Void)?, posts: [String])>((nil, []))

    /// The messages that the page received.
    var posts: [AdJSON] { self.state.withLock { $0.posts }.compactMap { try? AdJSON(parsing: $0) } }

    /// Sends a message to the app.
    func send(_ message: AdJSON) { self.state.withLock { $0.report }?(.message(message.text())) }

    func container(for kind: ShowRules.Kind) async -> AdContainer { .fullScreen(Size(width: 390, height: 844)) }

    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        guard case .page(let page) = creative else { throw StageError("the creative is not a page") }
        self.state.withLock { $0.report = report }
        self.send(["bcid": 1])
        if page.address.target.hasPrefix("/wrapper-gf") { self.send(["bcid": 5]) }
        return Shown(page: self, report: report)
    }

    private func receive(_ message: String) {
        self.state.withLock { $0.posts.append(message) }
        guard let json = try? AdJSON(parsing: message), let name = json["engagement_uid"] else { return }
        self.send(["bcid": 5])
        self.send(["bcid": 6, "cid": 1101, "engagement_uid": name])
    }

    private struct Shown: Stage {
        let page: ScriptedPage
        let report: @Sendable (StageEvent) -> Void

        func reveal() async {
            self.report(.revealed)
            self.report(.visible(ratio: 1))
        }

        func setControl(_ control: StageControl, visible: Bool) async {}
        func control(_ command: VideoCommand) async {}
        func post(_ message: String) async { self.page.receive(message) }
        func close(_ reason: CloseReason) async {}
    }
}

extension Ad {
    /// The URL of the ad's page.
    var page: HTTPURL? {
        guard case .page(let page)? = self.offer?.creative else { return nil }
        return page.address
    }
}
