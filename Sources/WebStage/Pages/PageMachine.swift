package import AdCore

/// The state machine of a provider's page, which is loaded as the top-level page from its own URL.
///
/// The page has its own origin and storage, may navigate within its origin, and exchanges messages with the app. Every
/// other navigation needs a user's gesture, and is reported to the app as a click instead.
package struct PageMachine: CommonStageMachine {
    static let subject = "the page"
    /// The maximum size of a message to the app, in bytes.
    private static let messageLimit = 1 << 20
    /// How long a process may take to end after `terminate`.
    private static let terminationLimit = Duration.seconds(2)

    package private(set) var plan: StagePlan
    package let page: EngineTarget
    var lifecycle = StageLifecycle()
    var hostPage: HostPage?
    private let mainFrame: String
    private let creativePage: PageCreative
    private var frames = FrameTable()
    /// The rules of a top-level page, in which http pages can be loaded.
    var policy = PagePolicy(loadsHTTP: true)
    /// The origin of the current document; nil until one is committed.
    private var origin: String?
    private var controls: Set<StageControl> = []
    /// The views of the app over it.
    private var geometry: OMIDGeometry
    /// Whether `ended.html` replaces the crashed page.
    private var isReplaced = false

    package init(_ creative: PageCreative, _ plan: StagePlan, page: EngineTarget, mainFrame: String) {
        self.creativePage = creative
        self.plan = plan
        self.geometry = OMIDGeometry(viewport: plan.screen)
        self.page = page
        self.mainFrame = mainFrame
    }

    package var creative: EngineTarget? { self.page }
    package var gestures: Int? { self.policy.gestures }
    package var hasPendingTap: Bool { self.policy.taps.isPending }
    package var drawingWorld: EngineWorld { .hostIfExisting(frame: self.mainFrame) }

    /// The isolated world of the host's scripts.
    private var hostWorld: EngineWorld { .host(frame: self.mainFrame) }

    package func place(of control: StageControl) -> EngineCommand {
        .evaluate(EngineEvaluation("yabbiPlace()", self.hostWorld), in: self.page)
    }

    /// The page's first frame, which contains a popup, or else the whole page.
    package var clickable: (box: EngineCommand, inside: EngineTarget?) {
        let inner = self.frames.first?.target
        let box = """
            (() => {
              const { x, y, width, height } = (document.querySelector("iframe") ?? document.documentElement)
                .getBoundingClientRect();
              return [x, y, width, Math.min(height, innerHeight)];
            })()
            """
        let whole = "[0, 0, innerWidth, innerHeight]"
        return (.evaluate(EngineEvaluation(inner == nil ? whole : box), in: self.page), inner ?? self.page)
    }

    package mutating func start() -> [StageOutput] {
        let bridge = EngineScript(PageScript.bridge(self.creativePage.bridges), isHost: false)
        let cover = EngineScript(Scripts.cover, isHost: true)
        return TargetSetup.guarded(self.page) + [
            .send(.addChannel(.bridge, in: self.page)), .send(.addChannel(.host, in: self.page)),
            .send(.addScript(bridge, in: self.page)), .send(.addScript(cover, in: self.page)),
            self.userAgent(of: self.page), .send(.setScreen(self.plan.screen, in: self.page)),
            // A command in flight while a page changes its process can block the page forever, so the ping comes first.
            .query(.ping(self.page), .armed), .setAlarm(.loadTimeout, after: Self.loadLimit),
        ]
    }

    /// Sets a target's user agent before its first request.
    private func userAgent(of target: EngineTarget) -> StageOutput {
        .send(.setUserAgent(self.creativePage.userAgent, in: target))
    }

    // MARK: Commands of the ad

    mutating func reveal(at now: Duration) -> [StageOutput] {
        [.report(.revealed), self.visible] + self.updateDocument()
    }

    /// The page fills the screen; views of the app may cover a part of it.
    private var visible: StageOutput {
        let screen = self.plan.screen
        let whole = MRAIDRect(x: 0, y: 0, width: screen.width, height: screen.height)
        return .report(.visible(ratio: self.geometry.clearShare(of: whole, on: screen)))
    }

    mutating func setGeometry(_ geometry: StageGeometry, at now: Duration) -> [StageOutput] {
        self.plan.geometry = geometry
        return [.send(.setScreen(geometry.screen, in: self.page))]
    }

    mutating func show(_ control: StageControl, visible: Bool) -> [StageOutput] {
        if visible { self.controls.insert(control) } else { self.controls.remove(control) }
        return self.run("yabbiControl(\"\(control.rawValue)\", \(visible))")
    }

    mutating func handleCommand(_ input: StageInput, at now: Duration) -> [StageOutput] {
        switch input {
        case .notice(.host(.obstructed(let views))):
            self.geometry.setAppViews(views)
            return self.lifecycle.phase == .revealed ? [self.visible] : []
        case .willTap: self.policy.taps.expectPress()
        case .tap(let place) where self.lifecycle.phase == .revealed:
            return self.policy.taps.startScriptedPress(at: TapPoint(x: place.x, y: place.y))
        case .post(let text) where !self.lifecycle.hasCrashed:
            // The text is the argument of a function call, so that it is never parsed as code.
            let function = "function (text) { window.postMessage(text, \"*\"); }"
            return [.send(.call(function: function, argument: text, .page(frame: self.mainFrame), in: self.page))]
        default: break
        }
        return []
    }

    // MARK: Replies and alarms

    mutating func hostPageIsReady(at now: Duration) -> [StageOutput] { [] }

    mutating func handle(
        _ reply: Result<EngineReply, EngineError>,
        to query: StageQuery,
        at now: Duration
    ) -> [StageOutput] {
        switch (query, reply) {
        case (.armed, .success):
            return [.query(.load(self.creativePage.address.text, in: self.page), .navigated, within: Self.loadLimit)]
        case (.navigated, .failure(.notLoaded(let reason))): return self.fail("the page did not load: \(reason)")
        case (.armed, .failure(let error)), (.navigated, .failure(let error)): return self.fail(error.description)
        case (.tap(let number), let reply): return self.policy.taps.handleReply(number, reply)
        case (.gesture(let attempt), _): return self.policy.decide(attempt, at: now).outputs
        default: return []
        }
    }

    var timeoutReason: String { "the page did not load within \(Self.loadLimit)" }

    mutating func handle(_ alarm: StageAlarm, at now: Duration) -> [StageOutput] {
        switch alarm {
        case .settleTimeout: return self.replace()
        case .byteLimit:
            return self.lifecycle.hasCrashed
                ? [] : self.end("the page loaded more than \(PagePolicy.byteLimit / 1_000_000) MB")
        case .tap(let number): return self.policy.taps.decide(number, creative: self.page)
        default: return []
        }
    }

    // MARK: Failures

    mutating func endUnhealthy(_ target: EngineTarget, _ problem: String, at now: Duration) -> [StageOutput] {
        target == self.page
            ? self.end("the page \(problem)") : [RendererMonitor.end(target), RendererMonitor.frameEnded(problem)]
    }

    /// Ends the page; `ended.html` replaces it when its process is gone.
    private mutating func end(_ reason: String, cause: StageEvent.CrashCause = .crash) -> [StageOutput] {
        [RendererMonitor.end(self.page)] + self.crash(reason, cause: cause)
            + [.setAlarm(.settleTimeout, after: Self.terminationLimit)]
    }

    func isNestedFrame(_ target: EngineTarget) -> Bool { self.frames.targets.contains(target) }

    mutating func endFlood(_ text: String, in target: EngineTarget?, at now: Duration) -> [StageOutput] {
        self.end(text, cause: .flood)
    }

    mutating func processEnded(_ target: EngineTarget?, at now: Duration) -> [StageOutput] {
        guard target != self.page else { return self.crash("the page crashed") + self.replace() }
        return self.lifecycle.monitor.hasEnded(target) ? [] : self.targetLost(target, "crashed", at: now)
    }

    mutating func targetLost(_ target: EngineTarget?, _ reason: String, at now: Duration) -> [StageOutput] {
        [RendererMonitor.frameEnded(reason)]
    }

    mutating func finishCrash(_ report: StageOutput) -> [StageOutput] {
        self.lifecycle.monitor.forget(self.page)
        return [report]
    }

    /// Replaces the crashed page with `ended.html`, which has the close button.
    private mutating func replace() -> [StageOutput] {
        guard self.lifecycle.hasCrashed, !self.isReplaced else { return [] }
        self.isReplaced = true
        return [.send(.load(self.plan.hostPageAddress, in: self.page))]
    }

    // MARK: The host's scripts in the page

    /// Runs a script in the host's world; without that world nothing happens.
    func run(_ script: String) -> [StageOutput] {
        [.send(.evaluate(EngineEvaluation(script, self.hostWorld), in: self.page))]
    }

    /// Shows a new document and the controls if the page is revealed.
    private func updateDocument() -> [StageOutput] {
        guard self.lifecycle.phase == .revealed else { return [] }
        return self.run("yabbiReveal()")
            + self.controls.flatMap { self.run("yabbiControl(\"\($0.rawValue)\", true)") }
    }

    // MARK: Events

    mutating func handleOther(_ event: EngineEvent, at now: Duration) -> [StageOutput] {
        if let status = self.refusal(event) { return self.fail("its server responded with status \(status)") }
        if let outputs = self.policy.handle(event, fallback: self.page, at: now) { return outputs }
        guard event.target == self.page else { return [] }
        switch event.kind {
        case .worldCreated(self.mainFrame): return self.updateDocument()
        case .committed(let document):
            guard document.frame == self.mainFrame, let url = document.url else { return [] }
            self.origin = HTTPURL(url)?.origin ?? self.origin
            return []
        case .pageLoaded where self.lifecycle.phase == .preparing && self.origin != nil:
            self.lifecycle.phase = .ready
            return [.report(.ready)] + self.lifecycle.monitor.watch(self.page) + self.monitorFrames()
        default: return []
        }
    }

    /// The HTTP error status of the page's response; nil for other events.
    private func refusal(_ event: EngineEvent) -> Int? {
        guard self.lifecycle.phase == .preparing, event.target == self.page,
            case .network(.responded(_, let response, .document, self.mainFrame)) = event.kind,
            response.status >= 400
        else { return nil }
        return response.status
    }

    mutating func handle(_ message: EngineMessage, in target: EngineTarget?, at now: Duration) -> [StageOutput] {
        switch message.channel {
        case .bridge: return self.handleBridge(message, in: target)
        case .gesture: return message.json().map { self.policy.handle(gesture: $0, in: target, at: now) } ?? []
        case .host where target == self.page && message.sender == self.hostWorld:
            guard !self.lifecycle.hasCrashed || self.isReplaced else { return [] }
            switch message.json()?["k"]?.string {
            case "close": return self.settleTaps() + [.report(.closeRequested(by: .user))]
            case "lost" where !self.lifecycle.hasCrashed: return self.end("the page keeps hiding the close button")
            default: return []
            }
        case .host, .creative, .calls, .mraid, .omid, .vpaid: return []
        }
    }

    /// Handles a message to the app, which only the page's main frame may send.
    private mutating func handleBridge(_ message: EngineMessage, in target: EngineTarget?) -> [StageOutput] {
        guard !self.lifecycle.hasCrashed else { return [] }
        guard target == self.page, message.sender == .page(frame: self.mainFrame) else {
            return [.report(.blocked(BlockedAttempt(.other, "a nested frame sent a message to the app")))]
        }
        let length = message.payload.utf8.count
        guard length <= PageMachine.messageLimit else {
            return [.report(.blocked(BlockedAttempt(.other, "the page sent a message of \(length) bytes")))]
        }
        self.policy.taps.recordEffect("a message to the app")
        return [.report(.message(message.payload))]
    }

    // MARK: Targets

    mutating func attach(_ new: AttachedTarget, in parent: EngineTarget?) -> [StageOutput] {
        let outputs: [StageOutput]
        switch new.kind {
        case .frame:
            if self.frames.add(FrameTable.Frame(id: new.id, target: new.target), isRoot: false) {
                let setup = TargetSetup.guarded(new.target, hasDocument: new.hasDocument)
                outputs = new.start(setup + [self.userAgent(of: new.target)])
            } else {
                outputs = self.frames.refusal(of: new.target)
            }
        case .worker, .serviceWorker: outputs = new.startAsWorker
        // The URL of a window was reported by `windowRequested`.
        case .other: outputs = [new.ending]
        }
        return outputs + self.monitorFrames()
    }

    mutating func remove(_ target: EngineTarget) { self.frames.remove(target) }

    /// Monitors the nested frames.
    private mutating func monitorFrames() -> [StageOutput] {
        guard self.lifecycle.phase != .preparing else { return [] }
        return self.frames.targets.flatMap { self.lifecycle.monitor.watch($0) }
    }

    // MARK: Requests

    mutating func decide(_ request: EngineRequest, at now: Duration) -> [StageOutput] {
        let isWhole = request.target == self.page && request.kind == .document && request.frame == self.mainFrame
        if isWhole, request.url == self.plan.hostPageAddress, self.lifecycle.hasCrashed {
            return [.send(request.response(document: Scripts.ended, HostPageKind.headers))]
        }
        if isWhole, let origin, HTTPURL(request.url)?.origin != origin {
            let attempt = NavigationAttempt(trigger: .navigation, url: request.urlWithFragment)
            // The request fails first, because the page does not answer while its request is held.
            return [.send(request.failing(.aborted))] + self.policy.decide(attempt, in: self.page, at: now).outputs
        }
        return self.applyRules(to: request, at: now)
    }
}
