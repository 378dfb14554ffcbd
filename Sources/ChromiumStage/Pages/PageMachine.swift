import AdCore

/// Decides what a provider's page may do, which is there at its real address as a whole, and what is told of it.
///
/// loading → ready → revealed → over; `fail` leaves loading for over. It has its own origin and storage, may go where it
/// likes on its own server, and speaks with the app by its bridges. All else that would lead elsewhere needs a user's
/// gesture, and leads to the app instead.
struct PageMachine: StageMachine {
    private enum Phase: Hashable, Sendable {
        case loading, ready, revealed, over
    }

    /// How long the page may take to load.
    private static let patience = Duration.seconds(10)
    /// The most bytes of a message that are passed on; whoever reads it has a bound of its own.
    private static let longest = 1 << 20

    private(set) var plan: StagePlan
    let page: DevToolsSession
    private let mainFrame: String
    private let creativePage: PageCreative
    private var phase = Phase.loading
    private var frames = FrameBook()
    /// The page is the browser's whole page, which may lead to one of http.
    private var watch = SessionWatch(loadsHTTP: true)
    private var pulse = Pulse()
    private var contexts = PageContexts()
    /// Where the page is; nil until it is anywhere.
    private var origin: String?
    private var controls: Set<StageControl> = []
    private var hasCrashed = false
    /// The page of ours is on its way that takes a crashed one's place.
    private var isReplaced = false
    /// How long a process may take to end that was told to.
    private static let farewell = Duration.seconds(2)

    init(_ creative: PageCreative, _ plan: StagePlan, page: DevToolsSession, mainFrame: String) {
        self.creativePage = creative
        self.plan = plan
        self.page = page
        self.mainFrame = mainFrame
    }

    var creative: DevToolsSession? { self.page }
    var gestures: Int? { self.watch.gestures }
    var hasPendingTap: Bool { self.watch.taps.isPending }
    var world: Int? { self.contexts.ours }

    func place(of control: StageControl) -> DevToolsCommand {
        // Without our world nothing of ours is there, and the page's own is not asked.
        let place = self.contexts.ours == nil ? "null" : "yabbiPlace()"
        var params: [JSON.Member] = [.init("expression", .string(place)), .init("returnByValue", true)]
        if let world = self.contexts.ours { params.append(.init("contextId", .int(world))) }
        return DevToolsCommand("Runtime.evaluate", .object(params), in: self.page)
    }

    /// A popup lies in a frame of the page, other pages are what they are.
    var clickable: (box: DevToolsCommand, inside: DevToolsSession?) {
        let inner = self.frames.first?.session
        let box = """
            (() => {
              const { x, y, width, height } = (document.querySelector("iframe") ?? document.documentElement)
                .getBoundingClientRect();
              return [x, y, width, Math.min(height, innerHeight)];
            })()
            """
        let whole = "[0, 0, innerWidth, innerHeight]"
        return (self.evaluation(inner == nil ? whole : box, in: self.page), inner ?? self.page)
    }

    mutating func begin() -> [StageOutput] {
        let world = JSON.string(SessionArming.worldName)
        let names = JSON.array(self.creativePage.bridges.map(JSON.string)).text()
        let bridge = Scripts.bridge.replacing("BRIDGES", with: names)
        let scripts = [
            DevToolsCommand("Runtime.addBinding", ["name": "__yabbi_bridge"], in: self.page),
            DevToolsCommand("Runtime.addBinding", ["name": "__yabbi", "executionContextName": world], in: self.page),
            DevToolsCommand("Page.addScriptToEvaluateOnNewDocument", ["source": .string(bridge)], in: self.page),
            DevToolsCommand(
                "Page.addScriptToEvaluateOnNewDocument",
                ["source": .string(Scripts.cover), "worldName": world],
                in: self.page
            ),
        ]
        // What is still on its way to a page that changes its process may hold that up for ever.
        let fence = DevToolsCommand("Runtime.evaluate", ["expression": "0"], in: self.page)
        return [.listen(self.page)] + SessionArming.guarded(self.page) + scripts.map(StageOutput.say)
            + [
                self.calling(self.page), SessionArming.screen(self.plan.screen, in: self.page), .ask(fence, .armed),
                .setAlarm(.patience, after: PageMachine.patience),
            ]
    }

    private var going: StageOutput {
        let address: JSON = ["url": .string(self.creativePage.address.text)]
        return .ask(DevToolsCommand("Page.navigate", address, in: self.page), .navigated, within: PageMachine.patience)
    }

    /// What a page sees as its user agent, from its first request on.
    private func calling(_ session: DevToolsSession) -> StageOutput {
        let name: JSON = ["userAgent": .string(self.creativePage.userAgent)]
        return .say(DevToolsCommand("Emulation.setUserAgentOverride", name, in: session))
    }

    mutating func handle(_ input: StageInput, at now: Duration) -> [StageOutput] {
        guard self.phase != .over else { return self.refuse(input) }
        switch input {
        case .event(let event): return self.hear(event, at: now)
        case .answer(let question, let answer): return self.take(answer, to: question, at: now)
        case .alarm(.patience) where self.phase == .loading:
            return self.fail("the page did not load within \(PageMachine.patience)")
        case .alarm(.pulse(let session)): return self.pulse.wake(session)
        case .alarm(.settling): return self.replace()
        case .alarm(.surfeit):
            return self.hasCrashed
                ? [] : self.put(away: "the page loads more than \(SessionWatch.mostBytes / 1_000_000) MB")
        case .alarm(.tap(let number)): return self.watch.taps.wake(number, creative: self.page)
        case .alarm: return []
        case .reveal:
            guard self.phase == .ready else { return [] }
            self.phase = .revealed
            return [.report(.revealed), .report(.visible(ratio: 1))] + self.dress()
        case .reach:
            self.watch.taps.reach()
            return []
        case .tap(let place):
            return self.phase == .revealed ? self.watch.taps.pressed(at: TapPlace(x: place.x, y: place.y)) : []
        case .size(let room):
            self.plan.room = room
            return [SessionArming.screen(room.screen, in: self.page)]
        case .control(let control, let visible):
            if visible { self.controls.insert(control) } else { self.controls.remove(control) }
            return self.run("yabbiControl(\"\(control.rawValue)\", \(visible))")
        case .pressed(let control): return self.watch.taps.settle() + self.pressed(control)
        case .leaving: return self.watch.taps.settle() + [.left]
        case .video, .volume, .fetched: return []
        case .post(let text): return self.post(text)
        case .close:
            self.phase = .over
            return self.watch.taps.settle()
        }
    }

    // MARK: Answers

    private mutating func take(
        _ answer: Result<JSON, DevToolsFault>,
        to question: StageQuestion,
        at now: Duration
    ) -> [StageOutput] {
        switch (question, answer) {
        case (.armed, .success): return [self.going]
        case (.armed, .failure(let fault)): return self.fail(fault.description)
        case (.navigated, .success(let result)):
            return result["errorText"]?.string.map { self.fail("the page did not load: \($0)") } ?? []
        case (.navigated, .failure(let fault)): return self.fail(fault.description)
        case (.pulse(let session), let answer):
            switch self.pulse.take(answer, of: session) {
            case .well(let outputs): return outputs
            case .ill(let illness):
                guard session == self.page else { return [Pulse.end(session), Pulse.lost(illness)] }
                return self.put(away: "the page \(illness)")
            }
        case (.tap(let number), let answer): return self.watch.taps.answered(number, answer)
        case (.gesture(let attempt), _): return self.watch.decide(attempt, at: now).outputs
        default: return []
        }
    }

    private mutating func fail(_ reason: String) -> [StageOutput] {
        guard self.phase == .loading else { return [] }
        self.phase = .over
        return [.fail(StageError("the page could not be shown: \(reason)"))]
    }

    /// Ends what would go on taking all there is; only when it is gone, something else can take its place.
    private mutating func put(away reason: String, cause: StageEvent.CrashCause = .crash) -> [StageOutput] {
        [Pulse.end(self.page)] + self.crash(reason, cause: cause)
            + [.setAlarm(.settling, after: PageMachine.farewell)]
    }

    /// A session says more than is read: what lasts is ended, with the page unless it is a frame within it.
    private mutating func take(_ flood: SessionFlood, of session: DevToolsSession?) -> [StageOutput] {
        guard !self.hasCrashed else { return [] }
        let told: [StageOutput] = [.report(.blocked(BlockedAttempt(.other, flood.words("the page"))))]
        guard flood.lasts else { return told }
        if let session, self.frames.sessions.contains(session) { return told + [Pulse.end(session)] }
        return self.put(away: flood.words("the page"), cause: .flood)
    }

    private mutating func crash(_ reason: String, cause: StageEvent.CrashCause = .crash) -> [StageOutput] {
        guard !self.hasCrashed else { return [] }
        if self.phase == .loading { return self.fail(reason) }
        self.hasCrashed = true
        self.pulse.forget(self.page)
        return [.report(.crashed(reason, cause: cause))]
    }

    /// The page is gone, and our button with it: a page of ours takes its place, and has the button.
    private mutating func replace() -> [StageOutput] {
        guard self.hasCrashed, !self.isReplaced else { return [] }
        self.isReplaced = true
        let ours: JSON = ["url": .string(self.plan.wrapperAddress)]
        return [.ask(DevToolsCommand("Page.navigate", ours, in: self.page), .nothing)]
    }

    // MARK: Our scripts and the page's

    /// Has our script in the page do something, where the page is there.
    private func run(_ expression: String) -> [StageOutput] {
        guard let world = self.contexts.ours else { return [] }
        let params: JSON = ["expression": .string(expression), "contextId": .int(world)]
        return [.ask(DevToolsCommand("Runtime.evaluate", params, in: self.page), .nothing)]
    }

    /// What a document of the page must have of ours, by now.
    private func dress() -> [StageOutput] {
        guard self.phase == .revealed else { return [] }
        return self.run("yabbiReveal()")
            + self.controls.flatMap { self.run("yabbiControl(\"\($0.rawValue)\", true)") }
    }

    /// Tells the page something: the one argument of a call, and never a part of its code.
    private func post(_ text: String) -> [StageOutput] {
        guard let context = self.contexts.pages, !self.hasCrashed else { return [] }
        let params: JSON = [
            "functionDeclaration": "function (text) { window.postMessage(text, \"*\"); }",
            "executionContextId": .int(context), "arguments": [["value": .string(text)]],
        ]
        return [.ask(DevToolsCommand("Runtime.callFunctionOn", params, in: self.page), .nothing)]
    }

    // MARK: Events

    private mutating func hear(_ event: DevToolsEvent, at now: Duration) -> [StageOutput] {
        if let status = self.refusal(event) { return self.fail("its server answered with status \(status)") }
        if let outputs = self.watch.hear(event, else: self.page, at: now) { return outputs }
        let isPages = event.session == self.page
        switch event.method {
        case "Fetch.requestPaused":
            guard let request = PausedRequest(event) else { return [] }
            return self.judge(request, at: now)
        case "Target.attachedToTarget":
            return (Attachment(event).map { self.attach($0) } ?? []) + self.watchFrames()
        case "Target.detachedFromTarget":
            guard let session = Attachment.detached(event) else { return [] }
            self.frames.remove(session)
            self.pulse.forget(session)
            return [.forget(session)]
        case "Runtime.executionContextCreated" where isPages:
            let isNew = self.contexts.add(event.params["context"] ?? .null, mainFrame: self.mainFrame)
            return isNew ? self.dress() : []
        case "Runtime.executionContextDestroyed" where isPages:
            self.contexts.remove(event.params["executionContextId"])
            return []
        case "Runtime.executionContextsCleared" where isPages:
            self.contexts = PageContexts()
            return []
        case "Page.frameNavigated" where isPages:
            let frame = event.params["frame"]
            guard frame?["id"]?.string == self.mainFrame, let url = frame?["url"]?.string else { return [] }
            self.origin = HTTPURL(url)?.origin ?? self.origin
            return []
        case "Page.loadEventFired" where isPages && self.phase == .loading && self.origin != nil:
            self.phase = .ready
            return [.report(.ready)] + self.pulse.watch(self.page) + self.watchFrames()
        case "Inspector.detached" where isPages:
            return self.phase == .loading ? self.fail("its window was closed") : [.report(.gone)]
        case "Inspector.targetCrashed" where isPages: return self.crash("the page crashed") + self.replace()
        case "Inspector.targetCrashed": return self.pulse.hasEnded(event.session) ? [] : [Pulse.lost("crashed")]
        case SessionFlood.method: return SessionFlood(event).map { self.take($0, of: event.session) } ?? []
        case "Runtime.bindingCalled": return self.listen(event, at: now)
        default: return []
        }
    }

    /// The status with which a server gave no page; nil where this is about something else.
    private func refusal(_ event: DevToolsEvent) -> Int? {
        guard self.phase == .loading, event.method == "Network.responseReceived", event.session == self.page,
            event.params["type"] == "Document", event.params["frameId"]?.string == self.mainFrame,
            let status = event.params["response"]?["status"]?.number.flatMap(Int.init(exactly:)), status >= 400
        else { return nil }
        return status
    }

    private mutating func listen(_ event: DevToolsEvent, at now: Duration) -> [StageOutput] {
        guard let payload = event.params["payload"]?.string else { return [] }
        switch event.params["name"]?.string {
        case "__yabbi_bridge":
            let context = event.params["executionContextId"]?.number.flatMap(Int.init(exactly:))
            guard !self.hasCrashed else { return [] }
            guard event.session == self.page, context == self.contexts.pages else {
                return [.report(.blocked(BlockedAttempt(.other, "a frame of the page spoke as if it were the page")))]
            }
            guard payload.utf8.count <= PageMachine.longest else {
                let words = "the page said \(payload.utf8.count) bytes at once"
                return [.report(.blocked(BlockedAttempt(.other, words)))]
            }
            self.watch.taps.did("a message to the app")
            return [.report(.message(payload))]
        case "__yabbi_guard":
            guard payload.utf8.count <= 65_536, let message = try? JSON(parsing: payload) else { return [] }
            return self.watch.hear(guard: message, in: event.session, at: now)
        case "__yabbi" where event.session == self.page:
            let isOurs = event.params["executionContextId"]?.number.flatMap(Int.init(exactly:)) == self.contexts.ours
            guard isOurs, !self.hasCrashed || self.isReplaced else { return [] }
            switch (try? JSON(parsing: payload))?["k"]?.string {
            case "close": return self.watch.taps.settle() + [.report(.closeRequested(by: .user))]
            case "lost" where !self.hasCrashed: return self.put(away: "the page keeps the close button from the user")
            default: return []
            }
        default: return []
        }
    }

    /// A frame, a worker or a window has begun, and waits until it is told to go on.
    private mutating func attach(_ new: Attachment) -> [StageOutput] {
        switch new.kind {
        case .frame:
            let frame = FrameBook.Frame(id: new.target, session: new.session)
            guard self.frames.add(frame, isRoot: false) else { return self.frames.refusal }
            return new.begin(
                SessionArming.guarded(new.session, hasDocument: new.hasDocument) + [self.calling(new.session)]
            )
        case .worker, .serviceWorker: return new.asWorker
        // Where a window would have led was told when it was asked for.
        case .other: return [new.ending]
        }
    }

    /// What is within the page must answer, as the page must.
    private mutating func watchFrames() -> [StageOutput] {
        guard self.phase != .loading else { return [] }
        return self.frames.sessions.flatMap { self.pulse.watch($0) }
    }

    // MARK: Requests

    private mutating func judge(_ request: PausedRequest, at now: Duration) -> [StageOutput] {
        let isWhole = request.session == self.page && request.kind == "Document" && request.frame == self.mainFrame
        if isWhole, request.url == self.plan.wrapperAddress, self.hasCrashed {
            return [.say(request.document(Scripts.ended, WrapperKind.headers))]
        }
        if isWhole, let origin, HTTPURL(request.url)?.origin != origin {
            let attempt = Attempt(means: .navigation, url: request.landing)
            // While it is held, the page answers nothing.
            return [.say(request.refusal("Aborted"))] + self.watch.consider(attempt, in: self.page, at: now).outputs
        }
        return self.watch.pass(request, neighbours: self.plan.neighbours)
    }
}

/// The worlds of a page's own frame: its scripts', and ours.
struct PageContexts: Hashable, Sendable {
    private(set) var pages: Int?
    private(set) var ours: Int?

    /// Takes a new one; true where it is ours.
    mutating func add(_ context: JSON, mainFrame: String) -> Bool {
        guard let number = context["id"]?.number.flatMap(Int.init(exactly:)),
            context["auxData"]?["frameId"]?.string == mainFrame
        else { return false }
        if context["auxData"]?["isDefault"] == true {
            self.pages = number
            return false
        }
        guard context["name"]?.string == SessionArming.worldName else { return false }
        self.ours = number
        return true
    }

    mutating func remove(_ number: JSON?) {
        let number = number?.number.flatMap(Int.init(exactly:))
        if self.pages == number { self.pages = nil }
        if self.ours == number { self.ours = nil }
    }
}
