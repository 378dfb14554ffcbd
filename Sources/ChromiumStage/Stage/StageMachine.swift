import AdCore

/// What a stage is told.
enum StageInput: Sendable {
    /// The browser says something in one of the stage's sessions.
    case event(DevToolsEvent)
    /// The browser answers.
    case answer(StageQuestion, Result<JSON, DevToolsFault>)
    /// Time has passed.
    case alarm(StageAlarm)
    /// Bring it into sight.
    case reveal
    /// Show or hide a control.
    case control(StageControl, visible: Bool)
    /// The ad is over.
    case close
}

/// What a stage does.
enum StageOutput: Hashable, Sendable {
    /// Tell the browser.
    case say(DevToolsCommand)
    /// Ask the browser.
    case ask(DevToolsCommand, StageQuestion, within: Duration = DevToolsPipe.patience)
    /// Hear what is said in a session from now on.
    case listen(DevToolsSession)
    /// Hear nothing of a session any more: it is over.
    case forget(DevToolsSession)
    /// Ask a server on this machine, and give the answer to the page that wants it.
    case serve(PausedRequest)
    /// Tell the ad.
    case report(StageEvent)
    /// Tell whoever watches.
    case note(StageNote)
    /// Wait so long.
    case setAlarm(StageAlarm, after: Duration)
    /// It can't be shown.
    case fail(StageError)
}

/// What a stage asks the browser.
enum StageQuestion: Hashable, Sendable {
    case navigated, world, hostReady
    /// Whether the creative's frame still answers.
    case pulse
    /// Whether a user's gesture is on its way behind this attempt.
    case gesture(Attempt)
    /// Whether what is sent to a page was taken; nobody minds.
    case nothing
}

/// What a stage waits for.
enum StageAlarm: Hashable, Sendable {
    /// The creative has had its time to become ready.
    case patience
    /// The creative's parts have had their time; what is there is shown.
    case settling
    /// Look whether the creative still answers.
    case pulse
}

/// A request that the browser holds until it is told what to do with it.
struct PausedRequest: Hashable, Sendable {
    let number: String
    let session: DevToolsSession
    let url: String
    let method: String
    let kind: String
    let frame: String
    let headers: [JSON.Member]
    let body: String?
    /// Where it is for a document: the document's loading.
    let load: String

    init?(_ event: DevToolsEvent) {
        guard let session = event.session, let number = event.params["requestId"]?.string,
            let request = event.params["request"], let url = request["url"]?.string
        else { return nil }
        self.number = number
        self.session = session
        self.url = url
        self.method = request["method"]?.string ?? "GET"
        self.kind = event.params["resourceType"]?.string ?? "Other"
        self.frame = event.params["frameId"]?.string ?? ""
        self.body = request["postData"]?.string
        self.load = event.params["networkId"]?.string ?? ""
        guard case .object(let headers)? = request["headers"] else {
            self.headers = []
            return
        }
        self.headers = headers
    }
}

/// Something that would lead elsewhere.
struct Attempt: Hashable, Sendable {
    /// How it was tried.
    enum Means: String, Hashable, Sendable {
        /// The frame, or the page around it, was to go somewhere.
        case navigation
        /// A window was to be opened.
        case window
        /// A link was clicked, whose target is elsewhere.
        case link
    }

    let means: Means
    let url: String
}

/// Decides what one creative in the browser may do, and what is told of it.
///
/// preparing → ready → revealed → over; `fail` leaves preparing for over.
struct StageMachine: Sendable {
    private enum Phase: Hashable, Sendable {
        case preparing, ready, revealed, over
    }

    /// How long a creative may take until there is something to see.
    private static let patience = Duration.seconds(10)
    /// How long its parts may take when its document is there.
    private static let settling = Duration.seconds(3)
    /// How often it is asked whether it still answers, and how long it has for the answer.
    private static let pulse = Duration.seconds(2)
    private static let silence = Duration.seconds(5)

    let plan: StagePlan
    let page: DevToolsSession
    /// Our page's frame.
    private let mainFrame: String
    private var phase = Phase.preparing
    /// The world in which our own script runs.
    private var world: Int?
    private var frames = FrameBook()
    private var gestures = GestureBook()
    private var requests = RequestLog()
    private var hasServedWrapper = false
    /// The loading of the creative's document, which has begun.
    private var creativeLoad: String?
    /// Its document is in its frame.
    private var isCreativeThere = false
    private var hasCrashed = false

    init(_ plan: StagePlan, page: DevToolsSession, mainFrame: String) {
        self.plan = plan
        self.page = page
        self.mainFrame = mainFrame
    }

    private var isOver: Bool { self.phase == .over }
    /// The creative's frame.
    var creative: DevToolsSession? { self.frames.root?.session }

    /// Gets everything ready and asks for our page.
    mutating func begin() -> [StageOutput] {
        var outputs: [StageOutput] = [.listen(self.page)]
        outputs += self.arm(self.page)
        outputs.append(
            .say(
                DevToolsCommand(
                    "Emulation.setDeviceMetricsOverride",
                    [
                        "width": .double(self.plan.screen.width), "height": .double(self.plan.screen.height),
                        // Another ratio would shift where a press in a frame lands.
                        "deviceScaleFactor": 1, "mobile": true,
                    ],
                    in: self.page
                )
            )
        )
        let address: JSON = ["url": .string(self.plan.wrapperAddress)]
        outputs.append(.ask(DevToolsCommand("Page.navigate", address, in: self.page), .navigated))
        outputs.append(.setAlarm(.patience, after: StageMachine.patience))
        return outputs
    }

    /// What every session of the stage is told first.
    private func arm(_ session: DevToolsSession) -> [StageOutput] {
        let attach: JSON = ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true]
        return [
            DevToolsCommand("Page.enable", in: session),
            DevToolsCommand("Page.setLifecycleEventsEnabled", ["enabled": true], in: session),
            // Without it bindings are lost when a frame changes its process.
            DevToolsCommand("Runtime.enable", in: session),
            DevToolsCommand("Network.enable", in: session),
            DevToolsCommand("Log.enable", in: session),
            DevToolsCommand("Inspector.enable", in: session),
            DevToolsCommand("Fetch.enable", ["patterns": [["urlPattern": "*"]]], in: session),
            DevToolsCommand("Target.setAutoAttach", attach, in: session),
        ].map(StageOutput.say)
    }

    mutating func handle(_ input: StageInput, at now: Duration) -> [StageOutput] {
        guard !self.isOver else {
            if case .event(let event) = input { return self.refuse(event) }
            return []
        }
        switch input {
        case .event(let event): return self.hear(event, at: now)
        case .answer(let question, let answer): return self.take(answer, to: question, at: now)
        case .alarm(let alarm): return self.wake(alarm)
        case .reveal:
            guard self.phase == .ready else { return [] }
            self.phase = .revealed
            return [
                self.run("yabbiReveal()"), .report(.revealed), .setAlarm(.pulse, after: StageMachine.pulse),
            ]
        case .control(let control, let visible):
            return [self.run("yabbiControl(\"\(control.rawValue)\", \(visible))")]
        case .close:
            self.phase = .over
            return []
        }
    }

    /// When all is over, nothing is let through any more.
    private func refuse(_ event: DevToolsEvent) -> [StageOutput] {
        guard event.method == "Fetch.requestPaused", let request = PausedRequest(event) else { return [] }
        return [.say(request.refusal("Aborted"))]
    }

    // MARK: Answers and alarms

    private mutating func take(
        _ answer: Result<JSON, DevToolsFault>,
        to question: StageQuestion,
        at now: Duration
    ) -> [StageOutput] {
        switch (question, answer) {
        case (.navigated, .success(let result)):
            if let reason = result["errorText"]?.string { return self.fail("our own page did not load: \(reason)") }
            let world: JSON = ["frameId": .string(self.mainFrame), "worldName": .string(StageMachine.worldName)]
            return [.ask(DevToolsCommand("Page.createIsolatedWorld", world, in: self.page), .world)]
        case (.world, .success(let result)):
            guard let number = result["executionContextId"]?.number.flatMap(Int.init(exactly:)) else {
                return self.fail("the browser made no world for our page")
            }
            self.world = number
            let binding: JSON = ["name": "__yabbi", "executionContextName": .string(StageMachine.worldName)]
            return [
                .say(DevToolsCommand("Runtime.addBinding", binding, in: self.page)),
                .ask(self.evaluation(Scripts.host), .hostReady),
            ]
        case (.hostReady, .success(let result)):
            if let details = result["exceptionDetails"] { return self.fail("our own page failed: \(details.text())") }
            return [
                self.run("yabbiLayout(\(self.layout.text()))"),
                self.run("yabbiBegin(\(JSON.string(self.plan.creativeAddress).text()))"),
            ]
        case (.navigated, .failure(let fault)), (.world, .failure(let fault)), (.hostReady, .failure(let fault)):
            return self.fail(fault.description)
        case (.pulse, .success): return [.setAlarm(.pulse, after: StageMachine.pulse)]
        case (.pulse, .failure(.late)): return self.crash("the creative does not answer any more")
        case (.gesture(let attempt), _): return self.decide(attempt, at: now)
        case (.pulse, .failure), (.nothing, _): return []
        }
    }

    private mutating func wake(_ alarm: StageAlarm) -> [StageOutput] {
        switch alarm {
        case .patience:
            guard self.phase == .preparing else { return [] }
            return self.fail("the creative showed nothing within \(StageMachine.patience)")
        case .settling: return self.becomeReady()
        case .pulse:
            guard let session = self.frames.root?.session, !self.hasCrashed else { return [] }
            let ask = DevToolsCommand("Runtime.evaluate", ["expression": "0"], in: session)
            return [.ask(ask, .pulse, within: StageMachine.silence)]
        }
    }

    private mutating func fail(_ reason: String) -> [StageOutput] {
        guard self.phase == .preparing else { return [] }
        self.phase = .over
        return [.fail(StageError("the creative could not be shown: \(reason)"))]
    }

    private mutating func crash(_ reason: String) -> [StageOutput] {
        guard !self.hasCrashed else { return [] }
        if self.phase == .preparing { return self.fail(reason) }
        self.hasCrashed = true
        return [.report(.crashed(reason))]
    }

    private mutating func becomeReady() -> [StageOutput] {
        guard self.phase == .preparing, self.frames.root != nil else { return [] }
        self.phase = .ready
        return [.report(.ready)]
    }

    // MARK: Our page

    /// The name of the worlds in which our scripts run.
    static let worldName = "yabbi"

    private var layout: JSON {
        [
            "width": .double(self.plan.size.resolved.width), "height": .double(self.plan.size.resolved.height),
            "scale": .double(self.plan.size.scale),
        ]
    }

    private func evaluation(_ expression: String) -> DevToolsCommand {
        var members: [JSON.Member] = [
            .init("expression", .string(expression)), .init("returnByValue", true), .init("awaitPromise", true),
        ]
        if let world { members.append(.init("contextId", .int(world))) }
        return DevToolsCommand("Runtime.evaluate", .object(members), in: self.page)
    }

    /// Has our script do something.
    private func run(_ expression: String) -> StageOutput { .ask(self.evaluation(expression), .nothing) }

    // MARK: Events

    private mutating func hear(_ event: DevToolsEvent, at now: Duration) -> [StageOutput] {
        switch event.method {
        case "Fetch.requestPaused":
            guard let request = PausedRequest(event) else { return [] }
            return self.judge(request, at: now)
        case "Target.attachedToTarget": return self.attach(event)
        case "Target.detachedFromTarget":
            guard let name = event.params["sessionId"]?.string else { return [] }
            let session = DevToolsSession(name: name)
            self.frames.remove(session)
            return [.forget(session)]
        case "Runtime.bindingCalled": return self.listen(event, at: now)
        case "Page.lifecycleEvent": return self.progress(event)
        case "Page.frameNavigated":
            let frame = event.params["frame"]
            if let load = self.creativeLoad, frame?["loaderId"]?.string == load { self.isCreativeThere = true }
            return []
        case "Page.frameStoppedLoading":
            // A document that was to be left before it was whole says no more than this.
            let isCreative = event.session == self.frames.root?.session && self.isCreativeThere
            return isCreative && event.params["frameId"]?.string == self.frames.root?.id ? self.becomeReady() : []
        case "Inspector.targetCrashed":
            guard event.session == self.page else { return self.crash("the creative crashed") }
            // Our own page is gone, and its close button with it.
            return self.phase == .preparing ? self.fail("our own page crashed") : [.report(.gone)]
        case "Page.windowOpen":
            // The sandbox lets none open; where it would have led is told all the same.
            guard let url = event.params["url"]?.string, !url.isEmpty, !url.hasPrefix("about:") else { return [] }
            return self.consider(Attempt(means: .window, url: url), in: event.session, at: now)
        case "Page.frameRequestedNavigation":
            // To another program, which the browser does not start from here: no request of it will be seen.
            guard let url = event.params["url"]?.string, !StageMachine.isOfTheBrowser(url) else { return [] }
            return self.consider(Attempt(means: .navigation, url: url), in: event.session, at: now)
        case "Page.javascriptDialogOpening":
            let text = event.params["message"]?.string ?? ""
            let kind = event.params["type"]?.string ?? "dialog"
            let answer = DevToolsCommand("Page.handleJavaScriptDialog", ["accept": false], in: event.session)
            return [.say(answer), .report(.blocked(BlockedAttempt(.dialog, "\(kind): \(text.excerpt(200))")))]
        case "Page.downloadWillBegin": return self.stopDownload(of: event.params["url"]?.string ?? "")
        case "Log.entryAdded":
            let text = event.params["entry"]?["text"]?.string ?? ""
            return BrowserComplaint.attempt(text).map { [.report(.blocked($0))] } ?? []
        case "Network.requestWillBeSent", "Network.responseReceived", "Network.loadingFinished",
            "Network.loadingFailed":
            return self.requests.hear(event, at: now).map { [.note(.request($0))] } ?? []
        default: return []
        }
    }

    /// Whether an address is one that the browser opens by itself.
    private static func isOfTheBrowser(_ url: String) -> Bool {
        let own = ["http:", "https:", "about:", "data:", "blob:", "javascript:", "filesystem:", "chrome-error:"]
        let start = url.prefix(12).asciiLowercased
        return own.contains(where: start.hasPrefix)
    }

    /// A frame or a worker has begun, and waits until it is told to go on.
    private mutating func attach(_ event: DevToolsEvent) -> [StageOutput] {
        guard let name = event.params["sessionId"]?.string, let info = event.params["targetInfo"],
            let target = info["targetId"]?.string
        else { return [] }
        let session = DevToolsSession(name: name)
        let goOn = StageOutput.say(DevToolsCommand("Runtime.runIfWaitingForDebugger", in: session))
        switch info["type"]?.string {
        case "iframe":
            self.frames.add(FrameBook.Frame(id: target, session: session), isRoot: event.session == self.page)
            return [.listen(session)] + self.arm(session) + self.guardScripts(session) + [goOn]
        case "worker", "shared_worker":
            let fetch = DevToolsCommand("Fetch.enable", ["patterns": [["urlPattern": "*"]]], in: session)
            return [.listen(session), .say(fetch), goOn]
        default:
            // No creative may have anything else: a window or a service worker ends before it begins.
            let close = DevToolsCommand("Target.closeTarget", ["targetId": .string(target)])
            let url = info["url"]?.string ?? ""
            let kind = info["type"]?.string ?? "window"
            return [
                .say(close),
                .report(.blocked(BlockedAttempt(.popup, "\(kind) \(Redaction.address(url.excerpt(500)))"))),
            ]
        }
    }

    private func guardScripts(_ session: DevToolsSession) -> [StageOutput] {
        let world = JSON.string(StageMachine.worldName)
        return [
            DevToolsCommand(
                "Runtime.addBinding",
                ["name": "__yabbi_guard", "executionContextName": world],
                in: session
            ),
            DevToolsCommand("Runtime.addBinding", ["name": "__yabbi_page"], in: session),
            DevToolsCommand(
                "Page.addScriptToEvaluateOnNewDocument",
                ["source": .string(Scripts.guardian), "worldName": world],
                in: session
            ),
            DevToolsCommand("Page.addScriptToEvaluateOnNewDocument", ["source": .string(Scripts.page)], in: session),
        ].map(StageOutput.say)
    }

    private mutating func progress(_ event: DevToolsEvent) -> [StageOutput] {
        guard let root = self.frames.root, event.session == root.session, event.params["frameId"]?.string == root.id,
            let load = self.creativeLoad, event.params["loaderId"]?.string == load
        else { return [] }
        switch event.params["name"]?.string {
        case "load": return self.becomeReady()
        case "DOMContentLoaded":
            return self.phase == .preparing ? [.setAlarm(.settling, after: StageMachine.settling)] : []
        default: return []
        }
    }

    // MARK: What scripts say

    private mutating func listen(_ event: DevToolsEvent, at now: Duration) -> [StageOutput] {
        guard let payload = event.params["payload"]?.string, payload.utf8.count <= 65_536,
            let message = try? JSON(parsing: payload)
        else { return [] }
        switch event.params["name"]?.string {
        case "__yabbi" where event.session == self.page:
            switch message["k"]?.string {
            case "close": return [.report(.closeRequested(by: .user))]
            case "skip": return [.report(.skipRequested)]
            case "visible":
                guard self.phase == .revealed, let ratio = message["ratio"]?.number else { return [] }
                return [.report(.visible(ratio: min(max(ratio, 0), 1)))]
            default: return []
            }
        case "__yabbi_guard":
            switch message["k"]?.string {
            case "gesture":
                self.gestures.note(message["type"]?.string ?? "", at: now)
                return []
            case "link":
                guard let url = message["url"]?.string else { return [] }
                return self.consider(Attempt(means: .link, url: url), in: event.session, at: now)
            case "download": return self.stopDownload(of: message["url"]?.string ?? "")
            default: return []
            }
        case "__yabbi_page":
            guard let url = message["url"]?.string else { return [] }
            switch message["k"]?.string {
            case "open": return self.consider(Attempt(means: .window, url: url), in: event.session, at: now)
            case "download": return self.stopDownload(of: url)
            default: return []
            }
        default: return []
        }
    }

    private func stopDownload(of url: String) -> [StageOutput] {
        [.report(.blocked(BlockedAttempt(.download, Redaction.address(url.excerpt(500)))))]
    }

    // MARK: Ways out

    /// Something would lead elsewhere: a user's gesture that is known decides at once; one that may be on its way is
    /// waited for.
    private mutating func consider(_ attempt: Attempt, in session: DevToolsSession?, at now: Duration) -> [StageOutput]
    {
        if self.gestures.allows(attempt.url, at: now) != nil { return self.decide(attempt, at: now) }
        guard let session = session ?? self.frames.root?.session else { return self.decide(attempt, at: now) }
        // Whatever that frame had to say before is heard before its answer.
        let fence = DevToolsCommand("Runtime.evaluate", ["expression": "0"], in: session)
        return [.ask(fence, .gesture(attempt), within: .seconds(1))]
    }

    private mutating func decide(_ attempt: Attempt, at now: Duration) -> [StageOutput] {
        let shown = Redaction.address(attempt.url.excerpt(500))
        switch self.gestures.spend(on: attempt.url, at: now) {
        case .again: return []
        case .fresh:
            guard let link = LandingURL(attempt.url) else {
                return [.report(.blocked(BlockedAttempt(.navigation, "\(shown) leads nowhere")))]
            }
            return [.report(.click(link, byUser: true))]
        case nil:
            let kind: BlockedAttempt.Kind = attempt.means == .navigation ? .navigation : .popup
            return [.report(.blocked(BlockedAttempt(kind, "\(shown), without a user's gesture")))]
        }
    }

    // MARK: Requests

    private mutating func judge(_ request: PausedRequest, at now: Duration) -> [StageOutput] {
        if request.session == self.page, request.kind == "Document", request.frame == self.mainFrame {
            if request.url == self.plan.wrapperAddress, !self.hasServedWrapper {
                self.hasServedWrapper = true
                return [.say(request.document(self.plan.wrapper, StagePlan.wrapperHeaders))]
            }
            return self.stop(request, at: now)
        }
        if request.kind == "Document", request.url == self.plan.creativeAddress, self.creativeLoad == nil {
            self.creativeLoad = request.load
            return [.say(request.document(self.plan.document, []))]
        }
        if request.kind == "Document", request.frame == self.frames.root?.id || self.frames.root == nil {
            return self.stop(request, at: now)
        }
        switch RequestRules.verdict(request.url, neighbours: self.plan.neighbours) {
        case .proceed: return [.say(request.goingOn)]
        case .serve: return [.serve(request)]
        case .refuse(let reason):
            let text = "\(reason): \(Redaction.address(request.url.excerpt(500)))"
            return [.say(request.refusal("BlockedByClient")), .report(.blocked(BlockedAttempt(.other, text)))]
        case .missing: return [.say(request.answer(404, [], nil))]
        }
    }

    /// A whole page would go elsewhere: it stays, and whoever wanted that is looked for.
    private mutating func stop(_ request: PausedRequest, at now: Duration) -> [StageOutput] {
        let attempt = Attempt(means: .navigation, url: request.url)
        let session = self.frames.session(of: request.frame)
        // While it is held, the frame answers nothing.
        return [.say(request.refusal("Aborted"))] + self.consider(attempt, in: session, at: now)
    }
}
