import AdCore
import EngineSupport
import SystemSupport
import WebStage

/// A page of WebKitGTK with a process of its own.
final class WebKitPage: EnginePage {
    private struct State {
        var translator: PageTranslator
        var handler: (@Sendable (EngineEvent) -> Void)?
        var network: EngineNetwork?
        /// What the process had used when the stage began to measure a target.
        var baselines: [EngineTarget: Duration] = [:]
        /// The memory of the empty page.
        var emptyMemory = 0
        var isDisposed = false
    }

    let engine: WebKitEngine
    let number: Int
    let target: EngineTarget
    private let fetcher: PageFetcher
    private let state: Locked<State>
    /// Resolved when the main frame is known.
    private let opened = OneShot<Void>()

    init(in engine: WebKitEngine, _ number: Int) {
        let translator = PageTranslator(page: number)
        self.engine = engine
        self.number = number
        self.target = translator.target
        self.fetcher = PageFetcher(engine.transport)
        self.state = Locked(State(translator: translator))
    }

    var hasEnded: Bool { self.engine.hasEnded }
    var lastError: String? { self.engine.lastError }
    var frame: String { self.state.withLock { ($0.translator.frames.main.map($0.translator.frames.name)) ?? "" } }

    /// WebKitGTK takes the end of an answer for the end of the film, so that a film is one answer.
    static let answerByteLimit = 200 << 20

    /// The language without a simulated device, as that of most tests with other browsers.
    private static let language = "en-US"

    /// Opens the page; returns when its process has started and its main frame is known.
    func open(on screen: Size, within limit: Duration) async throws(EngineError) {
        self.engine.listen(to: self.number) { [weak self] in self?.handle($0) }
        let sides = [screen.width, screen.height].map { "\(Int($0.rounded(.up)))" }
        let device = ["", self.engine.timeZone ?? "", WebKitPage.language]
        _ = try await self.engine.call(WireCommand("open", self.number, sides + device), within: limit)
        self.engine.after(limit) { [opened] in opened.set(()) }
        await self.opened.value
        guard !self.frame.isEmpty else { throw .late("open") }
        let reply = try await self.engine.call(.script("measure", self.number), within: limit)
        self.state.withLock { $0.emptyMemory = Use(reply).memory }
    }

    func setHandler(_ handler: (@Sendable (EngineEvent) -> Void)?) {
        self.state.withLock { $0.handler = handler }
    }

    // MARK: Messages

    private func handle(_ report: WireReport) {
        switch report {
        case .event(let message):
            self.execute(self.state.withLock { $0.translator.handle(message) })
            if message.name == "document" { self.opened.set(()) }
            if message.name == "cancelled" { self.fetcher.cancel(message.text(2)) }
        case .flood(let flood, _, let frame):
            let target = self.state.withLock { $0.translator.frames.target(of: frame) }
            self.deliver(EngineEvent(.flooded(flood), in: target ?? self.target))
        }
    }

    private func deliver(_ event: EngineEvent) { self.state.withLock(\.handler)?(event) }

    /// How long a new frame waits for the stage.
    private static let resumeLimit = Duration.seconds(2)

    private func execute(_ actions: [PageTranslator.Action]) {
        for action in actions {
            switch action {
            case .event(let event): self.deliver(event)
            case .send(let command): self.engine.post(command)
            case .expectResume(let target):
                self.engine.after(WebKitPage.resumeLimit) { [weak self] in
                    guard let self else { return }
                    let commands = self.state.withLock { $0.translator.giveUp(target) }
                    for command in commands { self.engine.post(command) }
                }
            }
        }
    }

    // MARK: Commands

    func send(_ command: EngineCommand) {
        if self.handleRequest(command) { return }
        switch command {
        case .startMeasuring: self.query(command, within: EngineTime.limit) { _ in }
        case .throttle(let network, _): self.state.withLock { $0.network = network }
        default: for command in self.commands(for: command) { self.engine.post(command) }
        }
    }

    private func commands(for command: EngineCommand) -> [WireCommand] {
        self.state.withLock { $0.translator.commands(for: command) }
    }

    func query(
        _ command: EngineCommand,
        within limit: Duration,
        reply: @escaping @Sendable (Result<EngineReply, EngineError>) -> Void
    ) {
        if self.handleRequest(command) { return reply(.success(.done)) }
        var commands = self.commands(for: command)
        guard let last = commands.popLast() else {
            return reply(.failure(.refused("the JavaScript world does not exist")))
        }
        for command in commands { self.engine.post(command) }
        self.engine.call(last, within: limit) { [weak self] result in
            guard let self else { return reply(.failure(.gone)) }
            reply(self.translate(result, command))
        }
    }

    private func translate(
        _ result: Result<WireReply, EngineError>,
        _ command: EngineCommand
    ) -> Result<EngineReply, EngineError> {
        self.state.withLock { state in
            let reply = state.translator.reply(result, to: command)
            switch (command, reply, result) {
            case (.startMeasuring(let target), _, .success(let figures)):
                state.baselines[target] = Use(figures).processor
                return reply
            case (.measureUse(let target), .success(.use(let processor)), _):
                // All frames have one process, whose time counts once.
                guard state.translator.frames.isMeasured(target) else { return .success(.use(processor: .zero)) }
                return .success(.use(processor: max(.zero, processor - state.baselines[target, default: .zero])))
            case (.measureMemory(let target), .success(.memory(let bytes)), _):
                guard state.translator.frames.isMeasured(target) else { return .success(.memory(0)) }
                return .success(.memory(max(0, bytes - state.emptyMemory)))
            default: return reply
            }
        }
    }

    // MARK: Requests

    /// Decides on a held request; false for other commands.
    private func handleRequest(_ command: EngineCommand) -> Bool {
        switch command {
        case .proceed(let id): self.proceed(id)
        case .answer(let id, let response):
            self.answer(id.number, response)
        case .fail(let id, let failure):
            for command in self.commands(for: command) { self.engine.post(command) }
            self.report { $0.finish(id.number, StageRequest.Failure(failure)) }
        default: return false
        }
        return true
    }

    private func proceed(_ id: EngineRequestID) {
        let (request, network) = self.state.withLock { ($0.translator.requests[id.number], $0.network) }
        guard let request else { return }
        guard network?.isOffline != true else {
            return self.fail(id.number, "the simulated network is offline")
        }
        self.fetcher.send(request) { [weak self, engine] outcome in
            switch outcome {
            case .answered(let response):
                let delay = network?.delay(of: response) ?? .zero
                engine.after(delay) { [weak self] in self?.answer(id.number, response) }
            case .failed(let reason): self?.fail(id.number, reason)
            }
        }
    }

    private func answer(_ number: String, _ response: EngineResponse) {
        self.engine.postInTurn(self.state.withLock { $0.translator.answer(number, response) })
        self.report { $0.answered(number, response) }
    }

    private func fail(_ number: String, _ reason: String) {
        self.engine.post(WireCommand("fail", self.number, [number]))
        self.report { $0.finish(number, .other(reason)) }
    }

    /// Reports events on the engine's thread, where all events are reported.
    private func report(_ events: @escaping @Sendable (inout PageTranslator) -> [PageTranslator.Action]) {
        self.engine.after(.zero) { [weak self] in
            guard let self else { return }
            self.execute(self.state.withLock { events(&$0.translator) })
        }
    }

    // MARK: The engine

    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) { self.engine.after(delay, body) }
    func addEndHandler(_ body: @escaping @Sendable () -> Void) -> Int? { self.engine.whenEnded(body) }
    func removeEndHandler(_ number: Int) { self.engine.forget(number) }
    func resizeWindow(to screen: Size) { self.send(.setScreen(screen, in: self.target)) }

    /// Always by a finger, which ends with a click as well: WebKit does not tell which elements have listeners.
    func listensToTouches(x: Double, y: Double, in target: EngineTarget, within limit: Duration) async -> Bool { true }

    /// How long a step of renewing the page may take.
    private static let renewalLimit = Duration.seconds(1)

    func renew() async -> Bool {
        guard !self.engine.hasWindows, !self.state.withLock(\.isDisposed), !self.hasEnded else { return false }
        self.fetcher.cancelAll(forever: false)
        // The frames of the last creative are removed with their scripts. Requests that they still send fail.
        self.setHandler { [weak self] event in
            if case .requestHeld(let request) = event.kind { self?.send(.fail(request.id, .aborted)) }
        }
        // Beacons of the last creative would hold connections.
        for number in self.state.withLock({ Array($0.translator.requests.keys) }) {
            self.send(.fail(EngineRequestID(number: number, target: self.target), .aborted))
        }
        let emptied = EngineEvaluation("document.body?.replaceChildren()", isSilent: true)
        do throws(EngineError) {
            _ = try await self.query(.evaluate(emptied, in: self.target), within: Self.renewalLimit)
            _ = try await self.engine.call(WireCommand("clear", self.number), within: Self.renewalLimit)
        } catch {
            return false
        }
        self.state.withLock { state in
            state.translator.frames.forgetSetup()
            state.translator.device = nil
            (state.translator.failing, state.translator.isUsersNavigation) = (nil, false)
            state.network = nil
            state.baselines = [:]
        }
        return true
    }

    func dispose() async {
        let isFirst = self.state.withLock { state in
            defer { (state.isDisposed, state.handler) = (true, nil) }
            return !state.isDisposed
        }
        guard isFirst else { return }
        self.fetcher.cancelAll(forever: true)
        _ = try? await self.engine.call(WireCommand("close", self.number), within: .seconds(1))
        self.engine.listen(to: self.number, nil)
    }
}
