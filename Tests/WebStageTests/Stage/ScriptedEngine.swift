import AdCore
import SystemSupport

@testable import WebStage

/// An engine without a browser: its pages carry out commands at once, on the thread that sends them.
final class ScriptedEngine: BrowserEngine {
    /// What an engine does with its pages.
    enum Behavior: Sendable {
        case works
        /// It ends when a page loads a document.
        case endsWhileLoading
        /// It makes no page in time.
        case makesNoPage
        /// It holds pages that are made for an address.
        case holdsPages
    }

    private struct State {
        var pages: [ScriptedPage] = []
        var hasEnded = false
        var onEnd: [Int: @Sendable () -> Void] = [:]
        var last = 0
    }

    let behavior: Behavior
    let opensPagesAhead: Bool
    /// Whether pages can be renewed.
    let renewsPages: Bool
    /// The last error in its log.
    let lastError: String?
    private let state = Locked(State())

    init(
        _ behavior: Behavior = .works,
        opensPagesAhead: Bool = false,
        renewsPages: Bool = false,
        lastError: String? = nil
    ) {
        self.renewsPages = renewsPages
        self.behavior = behavior
        self.opensPagesAhead = opensPagesAhead
        self.lastError = lastError
    }

    var hasEnded: Bool { self.state.withLock(\.hasEnded) }
    var isGone: Bool { self.hasEnded }
    /// All pages that were made, in order.
    var pages: [ScriptedPage] { self.state.withLock(\.pages) }

    func makePage(
        at address: String?,
        on screen: Size,
        within limit: Duration
    ) async throws(EngineError) -> ScriptedPage {
        guard !self.hasEnded else { throw .gone }
        guard self.behavior != .makesNoPage else { throw .late("makePage") }
        return self.state.withLock { state in
            let held = self.behavior == .holdsPages ? address : nil
            let page = ScriptedPage(state.pages.count + 1, in: self, heldBefore: held)
            state.pages.append(page)
            return page
        }
    }

    /// Ends the engine, as by a crash.
    func close() {
        let handlers = self.state.withLock { state in
            state.hasEnded = true
            defer { state.onEnd = [:] }
            return state.onEnd.sorted { $0.key < $1.key }.map(\.value)
        }
        for handler in handlers { handler() }
    }

    func untilGone() async {}

    static func explanation(of error: String) -> String? { error == "no screen" ? "connect a screen" : nil }

    fileprivate func addEndHandler(_ body: @escaping @Sendable () -> Void) -> Int? {
        self.state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.last += 1
            state.onEnd[state.last] = body
            return state.last
        }
    }

    fileprivate func removeEndHandler(_ number: Int) { self.state.withLock { $0.onEnd[number] = nil } }
}

/// A page of a scripted engine: loads documents that the stage serves, and records all commands.
final class ScriptedPage: EnginePage {
    private struct State {
        var handler: (@Sendable (EngineEvent) -> Void)?
        var commands: [EngineCommand] = []
        var creativeURL: String?
        var lastRequest = 0
        var scheduled: [@Sendable () -> Void] = []

        mutating func takeScheduled() -> [@Sendable () -> Void] {
            defer { self.scheduled = [] }
            return self.scheduled
        }
    }

    let target: EngineTarget
    let frame: String
    /// The address before which it is held; nil if it is not.
    private let heldAddress: String?
    /// The creative's frame.
    let creative: EngineTarget
    /// Resolved when the page is disposed of.
    let disposal = OneShot<Void>()
    /// Commands as they come, for tests that wait for one.
    let sent: AsyncStream<EngineCommand>
    private let sending: AsyncStream<EngineCommand>.Continuation
    private let engine: ScriptedEngine
    private let hasCrashed = Locked(false)
    private let state = Locked(State())

    init(_ number: Int, in engine: ScriptedEngine, heldBefore address: String?) {
        self.heldAddress = address
        self.target = EngineTarget(name: "page-\(number)")
        self.frame = "main-\(number)"
        self.creative = EngineTarget(name: "creative-\(number)")
        self.engine = engine
        (self.sent, self.sending) = AsyncStream.makeStream()
    }

    var isHeld: Bool { self.heldAddress != nil }
    var hasEnded: Bool { self.engine.hasEnded }
    var lastError: String? { self.engine.lastError }
    var commands: [EngineCommand] { self.state.withLock(\.commands) }
    /// The scripts that were run once, in order.
    var scripts: [String] {
        self.commands.compactMap { if case .evaluate(let run, _) = $0 { run.script } else { nil } }
    }

    func setHandler(_ handler: (@Sendable (EngineEvent) -> Void)?) { self.state.withLock { $0.handler = handler } }

    func send(_ command: EngineCommand) { _ = self.execute(command) }

    func query(
        _ command: EngineCommand,
        within limit: Duration,
        reply: @escaping @Sendable (Result<EngineReply, EngineError>) -> Void
    ) {
        reply(self.execute(command))
    }

    /// Time passes only with `passTime`.
    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        self.state.withLock { $0.scheduled.append(body) }
    }

    /// Does what was scheduled until now.
    func passTime() { for body in self.state.withLock({ $0.takeScheduled() }) { body() } }

    func addEndHandler(_ body: @escaping @Sendable () -> Void) -> Int? { self.engine.addEndHandler(body) }

    func removeEndHandler(_ number: Int) { self.engine.removeEndHandler(number) }

    func resizeWindow(to screen: Size) {}

    func listensToTouches(x: Double, y: Double, in target: EngineTarget, within limit: Duration) async -> Bool { false }

    func renew() async -> Bool {
        self.state.withLock { $0.creativeURL = nil }
        return self.engine.renewsPages
    }

    func dispose() async { self.disposal.set(()) }

    // MARK: What happens in the page

    /// Reports an event.
    func report(_ kind: EngineEvent.Kind, in target: EngineTarget? = nil) {
        self.state.withLock(\.handler)?(EngineEvent(kind, in: target ?? self.target))
    }

    /// Lets a script of the page send a message.
    func message(_ channel: EngineChannel, _ json: AdJSON, in target: EngineTarget) {
        self.report(.message(EngineMessage(channel, json.text(), from: .host(frame: target.name))), in: target)
    }

    /// A user's press in the creative, as `gesture.js` reports it.
    func press() {
        let press: AdJSON = ["k": "gesture", "type": "pointerdown", "pointer": "mouse"]
        self.message(.gesture, press, in: self.creative)
    }

    /// Requests a URL from the creative's frame; returns the request's identifier.
    @discardableResult
    func request(_ url: String, _ kind: EngineRequest.Kind = .other) -> EngineRequestID {
        self.hold(url, kind, frame: self.creative.name, in: self.creative)
    }

    /// Makes the page not answer any more.
    func crash() { self.hasCrashed.withLock { $0 = true } }

    @discardableResult
    private func hold(
        _ url: String,
        _ kind: EngineRequest.Kind,
        frame: String,
        in target: EngineTarget
    ) -> EngineRequestID {
        let number = self.state.withLock { state in
            state.lastRequest += 1
            return state.lastRequest
        }
        let id = EngineRequestID(number: "\(number)", target: target)
        self.report(
            .requestHeld(EngineRequest(id, url: url, kind: kind, frame: frame, load: "load-\(frame)")),
            in: target
        )
        return id
    }

    // MARK: Commands

    private func execute(_ command: EngineCommand) -> Result<EngineReply, EngineError> {
        guard !self.hasEnded else { return .failure(.gone) }
        self.state.withLock { $0.commands.append(command) }
        self.sending.yield(command)
        guard !self.hasCrashed.withLock({ $0 }) else { return .failure(.late("the command")) }
        switch command {
        case .load(let url, _): return self.load(url)
        case .resume(self.target): return self.load(self.heldAddress ?? "")
        case .resume(self.creative):
            let url = self.state.withLock { $0.creativeURL } ?? ""
            self.hold(url, .document, frame: self.creative.name, in: self.creative)
        case .answer(let id, _) where id.target == self.target && self.isHeld: self.commitHostPage()
        case .answer(let id, _) where id.target == self.creative: self.finishLoading(self.creative.name, self.creative)
        case .proceed(let id) where id.target == self.target: self.finishLoading(self.frame, self.target)
        case .evaluate(let run, _): return .success(.value(self.run(run.script)))
        case .capture: return .success(.picture("aGVsbG8="))
        case .measureMemory: return .success(.memory(0))
        default: break
        }
        return .success(.done)
    }

    private func load(_ url: String) -> Result<EngineReply, EngineError> {
        if self.engine.behavior == .endsWhileLoading {
            self.engine.close()
            return .failure(.gone)
        }
        self.hold(url, .document, frame: self.frame, in: self.target)
        return .success(.done)
    }

    private func commitHostPage() {
        let document = EngineDocument(frame: self.frame, load: "host", url: self.heldAddress, isErrorPage: false)
        self.report(.committed(document))
    }

    private func finishLoading(_ frame: String, _ target: EngineTarget) {
        let load = "load-\(frame)"
        let url = target == self.target ? "https://p.example/" : self.state.withLock(\.creativeURL)
        let document = EngineDocument(frame: frame, load: load, url: url, isErrorPage: false)
        self.report(.committed(document), in: target)
        self.report(.parsed(frame: frame, load: load), in: target)
        self.report(.loaded(frame: frame, load: load), in: target)
        if target == self.target { self.report(.pageLoaded) }
    }

    /// What the host's scripts do: they load the creative in a frame, and report that it is visible.
    private func run(_ script: String) -> AdJSON {
        if script.hasPrefix("yabbiLoadCreative(") {
            let url = script.dropFirst("yabbiLoadCreative(\"".count).prefix { $0 != "\"" }
            self.state.withLock { $0.creativeURL = String(url) }
            let frame = AttachedTarget(.frame, self.creative, id: self.creative.name, url: "")
            self.report(.attached(frame))
        } else if script == "yabbiReveal()" {
            self.message(.host, ["k": "visible", "ratio": 1], in: self.target)
        }
        return .null
    }
}
