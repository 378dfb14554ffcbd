package import AdCore

/// The page around a creative with the host's controls: opens it, serves its document, runs scripts in it.
package struct HostPage: Hashable, Sendable {
    /// The progress of opening the page.
    package enum Progress: Hashable, Sendable {
        /// The next step.
        case next([StageOutput])
        /// The host's script runs in the page.
        case ready
        case failed(String)
    }

    package let kind: HostPageKind
    package let target: EngineTarget
    package let frame: String
    private let address: String
    /// Whether the engine made its page for this one and has not committed it yet.
    private(set) var isHeld: Bool
    /// Whether the isolated world of the host's script exists.
    private var hasWorld = false
    private var wasServed = false

    /// Creates a host page in an engine's page.
    ///
    /// - Parameters:
    ///   - kind: What it is for.
    ///   - name: A unique name, because storage is partitioned by the URL.
    ///   - target: The engine's page.
    ///   - frame: The outermost frame of that page.
    ///   - isHeld: Whether the engine made its page for this one, and holds it before it loads it.
    package init(_ kind: HostPageKind, _ name: String, in target: EngineTarget, frame: String, isHeld: Bool = false) {
        self.isHeld = isHeld
        self.kind = kind
        self.target = target
        self.frame = frame
        self.address = HostPage.address(name)
    }

    /// The URL of the page with this name.
    static func address(_ name: String) -> String { StageDomain.hostPage.address(name) }

    /// Whether the page is open, as one that was opened ahead of time.
    var isOpen: Bool { self.hasWorld }

    /// The query that an open page answers as long as its process lives.
    var ping: EngineCommand { self.evaluation("0") }

    /// Opens the page.
    package func open(on screen: Size) -> [StageOutput] {
        let setup = [StageOutput.send(.observe(self.target)), self.show(on: screen)]
        // A held page has no document yet, so nothing has to be awaited before it loads one.
        guard !self.isHeld else { return setup + [.send(.resume(self.target))] }
        // A command in flight while a page changes its process can block the page forever, so the ping comes first.
        return setup + [.query(.ping(self.target), .armed)]
    }

    /// Handles a committed document; nil unless it is the one for which the page was held.
    package mutating func handle(_ document: EngineDocument, in target: EngineTarget?) -> Progress? {
        guard self.isHeld, target == self.target, document.frame == self.frame else { return nil }
        self.isHeld = false
        guard document.url == self.address, !document.isErrorPage else { return .failed("the host page did not load") }
        return .next([self.worldCreation])
    }

    private var worldCreation: StageOutput { .query(.createWorld(frame: self.frame, in: self.target), .world) }

    /// Changes the screen's size.
    func show(on screen: Size) -> StageOutput { .send(.setScreen(screen, in: self.target)) }

    /// Handles the reply to one of the page's queries; nil for other queries.
    package mutating func handle(_ reply: Result<EngineReply, EngineError>, to query: StageQuery) -> Progress? {
        switch (query, reply) {
        case (.armed, .success): return .next([.query(.load(self.address, in: self.target), .navigated)])
        case (.navigated, .success): return .next([self.worldCreation])
        case (.world, .success):
            self.hasWorld = true
            return .next([
                .send(.addChannel(.host, in: self.target)), .query(self.evaluation(self.kind.script), .hostReady),
            ])
        case (.hostReady, .success(.exception(let text))): return .failed("the host page failed: \(text)")
        case (.hostReady, .success): return .ready
        case (.navigated, .failure(.notLoaded(let reason))): return .failed("the host page did not load: \(reason)")
        case (.armed, .failure(let error)), (.navigated, .failure(let error)), (.world, .failure(let error)),
            (.hostReady, .failure(let error)):
            return .failed(error.description)
        default: return nil
        }
    }

    /// Answers the request for the page, once; nil for other requests.
    package mutating func serve(_ request: EngineRequest) -> StageOutput? {
        guard self.isWholePage(request), request.url == self.address, !self.wasServed else { return nil }
        self.wasServed = true
        return .send(request.response(document: self.kind.document, self.kind.headers))
    }

    /// Whether another document has replaced the host page, and its controls with it.
    func isReplaced(by document: EngineDocument, in target: EngineTarget?) -> Bool {
        guard target == self.target, self.wasServed, document.frame == self.frame, let url = document.url else {
            return false
        }
        return !url.hasPrefix(self.address)
    }

    /// Whether a request would replace the host page.
    func isWholePage(_ request: EngineRequest) -> Bool {
        request.target == self.target && request.kind == .document && request.frame == self.frame
    }

    /// Runs a script in the page.
    func run(_ script: String) -> StageOutput { .send(self.evaluation(script)) }

    /// The command that evaluates a script in the page.
    func evaluation(_ script: String) -> EngineCommand {
        // The user activation lets the video player start with sound. Cross-site frames in the page do not inherit it.
        let world = self.hasWorld ? EngineWorld.host(frame: self.frame) : .main
        return .evaluate(EngineEvaluation(script, world, isUserGesture: true), in: self.target)
    }
}
