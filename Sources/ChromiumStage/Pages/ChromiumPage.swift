import AdCore
import EngineSupport
import SystemSupport
import WebStage

/// A page of Chromium in a browser context of its own.
final class ChromiumPage: EnginePage {
    private struct State {
        var translator: DevToolsTranslator
        var handler: (@Sendable (EngineEvent) -> Void)?
        /// The sessions with a listener.
        var sessions: Set<DevToolsSession> = []
        /// For how many renewals the browser's caches may have responses: a request may end after its creative.
        var dirtyRenewals = 0
        var isDisposed = false
    }

    let browser: Browser
    /// The browser context, which has no other page.
    let context: String
    let target: EngineTarget
    let frame: String
    let isHeld: Bool
    /// The page's visible window; nil for none.
    private let window: BrowserWindow?
    private let state: Locked<State>

    init(
        in browser: Browser,
        context: String,
        target: EngineTarget,
        frame: String,
        isHeld: Bool,
        window: BrowserWindow?
    ) {
        self.browser = browser
        self.context = context
        self.target = target
        self.frame = frame
        self.isHeld = isHeld
        self.window = window
        self.state = Locked(State(translator: DevToolsTranslator(browserContext: context)))
    }

    var hasEnded: Bool { self.browser.hasEnded }
    var lastError: String? { self.browser.lastError }

    func setHandler(_ handler: (@Sendable (EngineEvent) -> Void)?) {
        self.state.withLock { $0.handler = handler }
    }

    func send(_ command: EngineCommand) {
        for command in self.translate(command) { self.browser.post(command) }
    }

    func query(
        _ command: EngineCommand,
        within limit: Duration,
        reply: @escaping @Sendable (Result<EngineReply, EngineError>) -> Void
    ) {
        var commands = self.translate(command)
        guard let last = commands.popLast() else {
            return reply(.failure(.refused("the JavaScript world does not exist")))
        }
        for command in commands { self.browser.post(command) }
        self.browser.call(last, within: limit) { reply(DevToolsTranslator.reply($0, to: command)) }
    }

    private func translate(_ command: EngineCommand) -> [DevToolsCommand] {
        switch command {
        case .observe(let target), .observeWorker(let target): self.observe(target)
        case .forget(let target): self.forget(target)
        default: break
        }
        return self.state.withLock { state in
            switch command {
            case .emulate(let device, _): state.translator.device = device
            case .proceed: state.dirtyRenewals = 2
            case .answer(_, let response) where response.mayBeCached: state.dirtyRenewals = 2
            case .throttle(let network, _):
                state.translator.network = network
                return state.sessions.map { DevToolsTranslator.throttling(network, in: $0) }
            default: break
            }
            return state.translator.commands(for: command)
        }
    }

    private func observe(_ session: DevToolsSession) {
        let isDisposed = self.state.withLock { state in
            state.sessions.insert(session)
            return state.isDisposed
        }
        guard !isDisposed else { return }
        self.browser.listen(to: session) { [weak self] in self?.handle($0) }
    }

    private func forget(_ session: DevToolsSession) {
        self.state.withLock { _ = $0.sessions.remove(session) }
        self.browser.listen(to: session, nil)
    }

    private func handle(_ report: DevToolsReport) {
        let (event, handler) = self.state.withLock { state -> (EngineEvent?, (@Sendable (EngineEvent) -> Void)?) in
            let event =
                switch report {
                case .event(let event): state.translator.event(event)
                case .flood(let flood, let session): EngineEvent(.flooded(flood), in: session)
                }
            return (event, state.handler)
        }
        if let event { handler?(event) }
    }

    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) { self.browser.after(delay, body) }

    func addEndHandler(_ body: @escaping @Sendable () -> Void) -> Int? { self.browser.whenEnded(body) }

    func removeEndHandler(_ number: Int) { self.browser.forget(number) }

    func resizeWindow(to screen: Size) {
        if let window { self.browser.post(window.resizing(to: screen)) }
    }

    func listensToTouches(x: Double, y: Double, in target: EngineTarget, within limit: Duration) async -> Bool {
        await TouchListenerSearch(self.browser, target, until: .now + limit).find(x: x, y: y)
    }

    /// How long a step of renewing the page may take.
    private static let renewalLimit = Duration.seconds(1)

    func renew() async -> Bool {
        guard self.window == nil, !self.state.withLock(\.isDisposed), !self.hasEnded else { return false }
        // The frames of the last creative are removed with their scripts. Requests that they still send fail.
        self.setHandler { [weak self] event in
            if case .requestHeld(let request) = event.kind { self?.send(.fail(request.id, .aborted)) }
        }
        let emptied = EngineEvaluation("document.body?.replaceChildren()", isSilent: true)
        var steps = [
            DevToolsCommand("Storage.clearCookies", ["browserContextId": .string(self.context)]),
            // A creative sees the number of its entries.
            DevToolsCommand("Page.resetNavigationHistory", in: self.target),
        ]
        do throws(EngineError) {
            _ = try await self.query(.evaluate(emptied, in: self.target), within: Self.renewalLimit)
            let isDirty = self.state.withLock { state in
                defer { state.dirtyRenewals = max(0, state.dirtyRenewals - 1) }
                return state.dirtyRenewals > 0
            }
            // It costs as much as loading a small creative.
            if isDirty { steps.append(DevToolsCommand("Network.clearBrowserCache", in: self.target)) }
            for step in steps { _ = try await self.browser.call(step, within: Self.renewalLimit) }
        } catch {
            return false
        }
        let others = self.state.withLock { state in
            let others = state.sessions.filter { $0 != self.target }
            state.sessions.subtract(others)
            state.translator.device = nil
            state.translator.network = nil
            return others
        }
        for session in others { self.browser.listen(to: session, nil) }
        self.send(.throttle(nil, in: self.target))
        return true
    }

    func dispose() async {
        await self.browser.dispose(of: self.context)
        self.stopListening()
    }

    /// Removes all listeners, and adds no more.
    private func stopListening() {
        let sessions = self.state.withLock { state in
            state.isDisposed = true
            state.handler = nil
            defer { state.sessions = [] }
            return state.sessions
        }
        for session in sessions { self.browser.listen(to: session, nil) }
    }

    /// The command that removes a browser context with its pages.
    static func disposeCommand(_ context: String) -> DevToolsCommand {
        DevToolsCommand("Target.disposeBrowserContext", ["browserContextId": .string(context)])
    }
}
