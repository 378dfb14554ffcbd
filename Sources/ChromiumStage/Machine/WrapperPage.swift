import AdCore

/// Our page around a creative: how it is opened, and how our script in it is told something.
struct WrapperPage: Hashable, Sendable {
    /// How far it is.
    enum Progress: Hashable, Sendable {
        /// This is to be done next.
        case doing([StageOutput])
        /// Our script is there, and can be told something.
        case ready
        case failed(String)
    }

    let kind: WrapperKind
    let session: DevToolsSession
    let frame: String
    private let address: String
    /// The world in which our own script runs.
    private var world: Int?
    private var hasBeenServed = false

    /// A page in the browser's page `session`, whose frame is `frame`, under a name that none had before.
    init(_ kind: WrapperKind, _ name: String, in session: DevToolsSession, frame: String) {
        self.kind = kind
        self.session = session
        self.frame = frame
        self.address = WrapperPage.address(name)
    }

    /// Where the page is that has this name.
    static func address(_ name: String) -> String { "https://\(name).yabbi-stage.invalid/" }

    /// Asks for it on a screen of this size; one that was opened ahead is asked whether it is there.
    func open(on screen: Size) -> [StageOutput] {
        guard self.world == nil else { return [.listen(self.session), .ask(self.evaluation("0"), .hostReady)] }
        // What is still on its way to a page that changes its process may hold that up for ever.
        let fence = DevToolsCommand("Runtime.evaluate", ["expression": "0"], in: self.session)
        return [.listen(self.session)] + SessionArming.page(self.session) + [
            self.show(on: screen), .ask(fence, .armed),
        ]
    }

    /// Gives the screen another size.
    func show(on screen: Size) -> StageOutput { SessionArming.screen(screen, in: self.session) }

    /// Takes an answer to one of its own questions; nil where the question was none of them.
    mutating func take(_ answer: Result<JSON, DevToolsFault>, to question: StageQuestion) -> Progress? {
        switch (question, answer) {
        case (.armed, .success):
            let address: JSON = ["url": .string(self.address)]
            return .doing([.ask(DevToolsCommand("Page.navigate", address, in: self.session), .navigated)])
        case (.navigated, .success(let result)):
            if let reason = result["errorText"]?.string { return .failed("our own page did not load: \(reason)") }
            let world: JSON = ["frameId": .string(self.frame), "worldName": .string(SessionArming.worldName)]
            return .doing([.ask(DevToolsCommand("Page.createIsolatedWorld", world, in: self.session), .world)])
        case (.world, .success(let result)):
            guard let number = result["executionContextId"]?.number.flatMap(Int.init(exactly:)) else {
                return .failed("the browser made no world for our page")
            }
            self.world = number
            let binding: JSON = ["name": "__yabbi", "executionContextName": .string(SessionArming.worldName)]
            return .doing([
                .say(DevToolsCommand("Runtime.addBinding", binding, in: self.session)),
                .ask(self.evaluation(self.kind.script), .hostReady),
            ])
        case (.hostReady, .success(let result)):
            if let details = result["exceptionDetails"] { return .failed("our own page failed: \(details.text())") }
            return .ready
        case (.armed, .failure(let fault)), (.navigated, .failure(let fault)), (.world, .failure(let fault)),
            (.hostReady, .failure(let fault)):
            return .failed(fault.description)
        default: return nil
        }
    }

    /// Gives the page to the browser, which asks for it once; nil where something else is asked for.
    mutating func serve(_ request: PausedRequest) -> StageOutput? {
        guard self.isAsked(by: request), request.url == self.address, !self.hasBeenServed else { return nil }
        self.hasBeenServed = true
        return .say(request.document(self.kind.document, self.kind.headers))
    }

    /// Whether something else has come into the place of our whole page: nothing of it can be seen or pressed any more.
    func isReplaced(_ event: DevToolsEvent) -> Bool {
        guard event.method == "Page.frameNavigated", event.session == self.session, self.hasBeenServed,
            let frame = event.params["frame"], frame["id"]?.string == self.frame, let url = frame["url"]?.string
        else { return false }
        return !url.hasPrefix(self.address)
    }

    /// Whether a request would put something into the place of our whole page.
    func isAsked(by request: PausedRequest) -> Bool {
        request.session == self.session && request.kind == "Document" && request.frame == self.frame
    }

    /// Has our script do something.
    func run(_ expression: String) -> StageOutput { .ask(self.evaluation(expression), .nothing) }

    /// Asks our script something.
    func call(_ expression: String) -> DevToolsCommand { self.evaluation(expression) }

    private func evaluation(_ expression: String) -> DevToolsCommand {
        var members: [JSON.Member] = [
            .init("expression", .string(expression)), .init("returnByValue", true), .init("awaitPromise", true),
            // Our player may be heard when the ad is on screen; frames within our page inherit nothing of it.
            .init("userGesture", true),
        ]
        if let world { members.append(.init("contextId", .int(world))) }
        return DevToolsCommand("Runtime.evaluate", .object(members), in: self.session)
    }
}
