package import AdCore

/// Our page around a creative: how it is opened, and how scripts are run in it.
package struct HostPage: Hashable, Sendable {
    /// How far it is.
    package enum Progress: Hashable, Sendable {
        /// This has to be done next.
        case next([StageOutput])
        /// Our script runs in it.
        case ready
        case failed(String)
    }

    package let kind: HostPageKind
    package let target: EngineTarget
    package let frame: String
    private let address: String
    /// Whether the world exists in which our script runs.
    private var hasWorld = false
    private var wasServed = false

    /// A page in the engine's page `target`, whose outermost frame is `frame`, under a name that no other page has or had.
    package init(_ kind: HostPageKind, _ name: String, in target: EngineTarget, frame: String) {
        self.kind = kind
        self.target = target
        self.frame = frame
        self.address = HostPage.address(name)
    }

    /// The address of the page with this name.
    static func address(_ name: String) -> String { "https://\(name).yabbi-stage.invalid/" }

    /// Opens it on a screen of this size; where it was opened ahead, queries whether it still answers.
    package func open(on screen: Size) -> [StageOutput] {
        guard !self.hasWorld else { return [.query(self.evaluation("0"), .hostReady)] }
        // A command that is on its way while a page changes its process may hold the page up for ever.
        return [.send(.observe(self.target)), self.show(on: screen), .query(.ping(self.target), .armed)]
    }

    /// Gives the screen another size.
    func show(on screen: Size) -> StageOutput { .send(.setScreen(screen, in: self.target)) }

    /// Handles the reply to one of its own queries; nil where the query is none of them.
    package mutating func handle(_ reply: Result<EngineReply, EngineFault>, to query: StageQuery) -> Progress? {
        switch (query, reply) {
        case (.armed, .success): return .next([.query(.load(self.address, in: self.target), .navigated)])
        case (.navigated, .success):
            return .next([.query(.createWorld(frame: self.frame, in: self.target), .world)])
        case (.world, .success):
            self.hasWorld = true
            return .next([
                .send(.addChannel(.host, in: self.target)), .query(self.evaluation(self.kind.script), .hostReady),
            ])
        case (.hostReady, .success(.exception(let text))): return .failed("our own page failed: \(text)")
        case (.hostReady, .success): return .ready
        case (.navigated, .failure(.notLoaded(let reason))): return .failed("our own page did not load: \(reason)")
        case (.armed, .failure(let fault)), (.navigated, .failure(let fault)), (.world, .failure(let fault)),
            (.hostReady, .failure(let fault)):
            return .failed(fault.description)
        default: return nil
        }
    }

    /// Answers the one request for the page; nil where the request is another.
    package mutating func serve(_ request: EngineRequest) -> StageOutput? {
        guard self.isWholePage(request), request.url == self.address, !self.wasServed else { return nil }
        self.wasServed = true
        return .send(request.answered(document: self.kind.document, self.kind.headers))
    }

    /// Whether another document has replaced our whole page: nothing of it can be seen or pressed any more.
    func isReplaced(by document: EngineDocument, in target: EngineTarget?) -> Bool {
        guard target == self.target, self.wasServed, document.frame == self.frame, let url = document.url else {
            return false
        }
        return !url.hasPrefix(self.address)
    }

    /// Whether a request would replace our whole page.
    func isWholePage(_ request: EngineRequest) -> Bool {
        request.target == self.target && request.kind == .document && request.frame == self.frame
    }

    /// Runs a script in it.
    func run(_ script: String) -> StageOutput { .send(self.evaluation(script)) }

    /// Evaluates a script in it.
    func evaluation(_ script: String) -> EngineCommand {
        // By this user activation our player may play with sound; frames inside of our page do not inherit it.
        let world = self.hasWorld ? EngineWorld.host(frame: self.frame) : .main
        return .evaluate(EngineEvaluation(script, world, isUserGesture: true), in: self.target)
    }
}
