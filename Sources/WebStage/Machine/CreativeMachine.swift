import AdCore

/// The state machine of an HTML creative or card: what it may do, and what is reported.
package struct CreativeMachine: CommonStageMachine {
    static let subject = "the creative"
    /// How long subresources may load after the document is parsed.
    private static let settlingLimit = Duration.seconds(3)

    package var plan: StagePlan
    package internal(set) var appGeometry: StageGeometry
    var lifecycle = StageLifecycle()
    var hostPage: HostPage?
    package let page: EngineTarget
    private(set) var frames = FrameTable()
    var policy: PagePolicy
    var blank = BlankDetector()
    /// Reports that wait for the final blank check.
    var deferredReports: [StageOutput] = []
    var mraid: MRAIDBridge
    /// Measures the ad for scripts in it.
    var omid: OMIDSession
    /// Where the ad is on the screen, for these scripts.
    var geometry: OMIDGeometry
    /// Whether the host page reports the ad's geometry.
    var isMeasuring = false
    /// The ad's position as the host page measured it, in the screen's points.
    var lastPlace: MRAIDRect?
    /// The last reported place on the screen.
    var lastCreativePlace: CreativePlace?
    /// The last reported visible ratio, and the visible part of the ad in its own points.
    var lastRatio: Double?
    /// The visible share that was reported last, without what views of the app cover.
    var lastReportedRatio: Double?
    var lastVisible: MRAIDRect?
    /// The engine's identifier of the load of the creative's document.
    private var creativeLoad: String?
    private var hasDocument = false

    package init(_ plan: StagePlan, in hostPage: HostPage) {
        self.plan = plan
        self.appGeometry = plan.geometry
        self.policy = PagePolicy(of: plan.document, files: plan.files)
        self.mraid = MRAIDBridge(plan)
        self.geometry = OMIDGeometry(viewport: plan.screen)
        let subject = OMIDSubject(kind: .html, isMobile: plan.isMobile)
        self.omid = OMIDSession(plan.name, subject, [], self.geometry, at: .zero)
        self.hostPage = hostPage
        self.page = hostPage.target
    }

    package var creative: EngineTarget? { self.frames.root?.target }
    package var measuredFrames: [MeasuredFrame] { self.frames.all.map { MeasuredFrame(target: $0.target, id: $0.id) } }
    package var gestures: Int? { self.policy.gestures }
    package var isCheckingBlank: Bool { self.blank.isUndecided }
    package var hasPendingTap: Bool { self.policy.taps.isPending }
    package var isLarge: Bool { self.mraid.host.isLarge }
    package var expandedPageTarget: EngineTarget? { self.mraid.expandedPage?.target }
    package var placeOfCollapseButton: EngineCommand? { Self.place(ofElement: "collapse", in: self.page) }

    // MARK: Commands of the ad

    mutating func reveal(at now: Duration) -> [StageOutput] {
        self.run("yabbiReveal()") + [.report(.revealed)] + self.monitorAll() + self.startBlankChecks(at: now)
            + self.updateGeometry(at: now) { $0.isHidden = false }
    }

    mutating func handleCommand(_ input: StageInput, at now: Duration) -> [StageOutput] {
        switch input {
        case .willTap: self.policy.taps.expectPress()
        case .tap(let place) where self.lifecycle.phase == .revealed:
            return self.policy.taps.startScriptedPress(at: self.place(of: place))
        case .notice(let notice): return self.handle(notice, at: now)
        default: break
        }
        return []
    }

    mutating func prepareToClose(at now: Duration) -> [StageOutput] { self.finish(with: [.readyToClose], at: now) }

    mutating func close(at now: Duration) -> [StageOutput] {
        let hiding = self.isMeasuring ? self.run("yabbiHide()") : []
        return self.settleTaps() + self.omid.finish(at: now) + hiding
    }

    mutating func pressed(_ control: StageControl) -> [StageOutput] {
        let isReported = control == .close && self.deferredReports.contains(CreativeMachine.closeRequest)
        return self.settleTaps() + self.decideBlankCheck() + (isReported ? [] : Self.reportMissedPress(control))
    }

    // MARK: Replies and alarms

    mutating func hostPageIsReady(at now: Duration) -> [StageOutput] {
        self.arrange() + self.run("yabbiLoadCreative(\(AdJSON.string(self.plan.creativeAddress).text()))")
    }

    mutating func handle(
        _ reply: Result<EngineReply, EngineError>,
        to query: StageQuery,
        at now: Duration
    ) -> [StageOutput] {
        switch query {
        case .blankCheck(let step): self.handleBlankCheck(step, reply, at: now)
        case .tap(let number): self.policy.taps.handleReply(number, reply)
        case .gesture(let attempt): self.settle(attempt, self.policy.decide(attempt, at: now))
        default: []
        }
    }

    var timeoutReason: String { "the creative did not load within \(Self.loadLimit)" }

    mutating func handle(_ alarm: StageAlarm, at now: Duration) -> [StageOutput] {
        switch alarm {
        case .blankCheck: return self.startBlankCheck(at: now)
        case .settleTimeout: return self.becomeReady(at: now)
        case .byteLimit:
            guard let root = self.creative, !self.lifecycle.hasCrashed else { return [] }
            return [RendererMonitor.end(root)]
                + self.crash("the creative loaded more than \(PagePolicy.byteLimit / 1_000_000) MB")
        case .expandedPage(let name): return self.expandedPageTimedOut(name)
        case .tap(let number):
            return self.policy.taps.decide(number, creative: self.mraid.expandedPage?.target ?? self.creative)
        case .finalBlankCheck: return self.blank.isClosing ? self.decideBlankCheck() : []
        case .geometry: return self.omid.geometryIsDue(at: now)
        case .loadTimeout, .monitor, .player, .partTap, .interactive, .program: return []
        }
    }

    // MARK: Failures

    mutating func finishCrash(_ report: StageOutput) -> [StageOutput] {
        let taps = self.settleTaps()
        // The close button is at the default position, so a large ad is collapsed.
        return taps + [report] + self.handle(.collapse) + self.endBlankChecks()
    }

    mutating func endUnhealthy(_ target: EngineTarget, _ problem: String, at now: Duration) -> [StageOutput] {
        // If the host page does not answer, the creative keeps it busy (`postMessage`). Its process is ended.
        if target == self.page, !self.lifecycle.hasCrashed, let root = self.creative {
            let text = "the creative kept the host page from answering and was ended"
            return [RendererMonitor.end(root)] + self.crash(text, cause: .flood)
                + self.lifecycle.monitor.watchAgain(target)
        }
        return [RendererMonitor.end(target)] + self.targetLost(target, problem, at: now)
    }

    func isNestedFrame(_ target: EngineTarget) -> Bool {
        target != self.page && target != self.creative && self.frames.targets.contains(target)
    }

    mutating func endFlood(_ text: String, in target: EngineTarget?, at now: Duration) -> [StageOutput] {
        let end = self.creative.map { [RendererMonitor.end($0)] } ?? []
        return end + self.crash(text, cause: .flood)
    }

    mutating func targetLost(_ target: EngineTarget?, _ reason: String, at now: Duration) -> [StageOutput] {
        if target == self.page { return self.hostPageLost("the host page \(reason)") }
        if target == self.creative { return self.crash("the creative \(reason)") }
        guard target == self.mraid.expandedPage?.target else { return [RendererMonitor.frameEnded(reason)] }
        // The host page and the creative are intact: the ad is collapsed.
        let text = "the expanded page \(reason)"
        // The creative gets an `error` event, which is not reported a second time.
        let errors = self.handle(.expandedPageFailed(text)).filter {
            if case .report(.diagnostic(.scriptError)) = $0 { false } else { true }
        }
        return [.report(.blocked(BlockedAttempt(.other, text)))] + errors
    }

    /// Monitors all targets that are on screen.
    private mutating func monitorAll() -> [StageOutput] {
        guard self.lifecycle.phase == .revealed else { return [] }
        // The host page too: a creative can keep it busy (`postMessage`).
        let targets = [self.page] + self.frames.targets + [self.mraid.expandedPage?.target].compactMap { $0 }
        return targets.flatMap { self.lifecycle.monitor.watch($0) }
    }

    private mutating func becomeReady(at now: Duration) -> [StageOutput] {
        guard self.lifecycle.phase == .preparing, self.frames.root != nil else { return [] }
        self.lifecycle.phase = .ready
        let loaded = self.loadedEvent
        return self.handle(.loaded(.main)) + self.omid.send(loaded, at: now) + [.report(.ready)]
    }

    // MARK: Targets

    mutating func attach(_ new: AttachedTarget, in parent: EngineTarget?) -> [StageOutput] {
        let outputs: [StageOutput]
        switch new.kind {
        case .frame: outputs = self.attachFrame(new, isHostPageFrame: parent == self.page)
        case .worker: outputs = new.startAsWorker
        // Windows and service workers are not allowed.
        case .serviceWorker, .other: outputs = new.refusal
        }
        return outputs + self.monitorAll()
    }

    private mutating func attachFrame(_ new: AttachedTarget, isHostPageFrame: Bool) -> [StageOutput] {
        if isHostPageFrame, self.frames.root != nil { return self.attachExpandedPage(new) }
        guard self.frames.add(FrameTable.Frame(id: new.id, target: new.target), isRoot: isHostPageFrame) else {
            return self.frames.refusal(of: new.target)
        }
        let mraid = isHostPageFrame ? self.mraid.prepare(.main, new.target, frame: new.id) : []
        let omid = OMIDInjection.setup(new.target, self.plan.name, hasDocument: new.hasDocument)
        return new.start(
            TargetSetup.creative(new.target, hasDocument: new.hasDocument, isMeasured: self.plan.isMeasured) + omid
                + mraid
        )
    }

    mutating func remove(_ target: EngineTarget) {
        self.omid.remove(target)
        self.frames.remove(target)
    }

    // MARK: Events

    mutating func handleOther(_ event: EngineEvent, at now: Duration) -> [StageOutput] {
        switch event.kind {
        case .committed(let document): return self.handle(document, in: event.target)
        case .parsed(let frame, let load):
            let isOwn = self.isCreative(event.target, frame, load)
            let settling: [StageOutput] =
                isOwn && self.lifecycle.phase == .preparing
                ? [.setAlarm(.settleTimeout, after: Self.settlingLimit)] : []
            return settling + self.handleExpandedPage(event)
        case .loaded(let frame, let load):
            return self.isCreative(event.target, frame, load) ? self.becomeReady(at: now) : []
        case .loadingStopped(let frame):
            // A document that navigates away before it is loaded reports only this event.
            let isCreative = event.target == self.creative && self.hasDocument
            return isCreative && frame == self.frames.root?.id ? self.becomeReady(at: now) : []
        default:
            return (self.policy.handle(event, fallback: self.creative, at: now) ?? []) + self.handleExpandedPage(event)
        }
    }

    /// Whether an event is about the creative's own document.
    private func isCreative(_ target: EngineTarget?, _ frame: String, _ load: String) -> Bool {
        guard let root = self.frames.root, let creativeLoad else { return false }
        return target == root.target && frame == root.id && load == creativeLoad
    }

    /// Handles a committed document: the creative's frame may never have another one than the creative.
    private mutating func handle(_ document: EngineDocument, in target: EngineTarget?) -> [StageOutput] {
        if self.mraid.expandedPage?.isReplaced(by: document, in: target) == true {
            let address = Redaction.address((document.url ?? "another page").excerpt(500))
            return [.report(.blocked(BlockedAttempt(.navigation, address)))]
                + self.handle(.expandedPageFailed("the page replaced itself with another one"))
        }
        guard let root = self.frames.root, target == root.target, document.frame == root.id, let creativeLoad else {
            return []
        }
        if document.load == creativeLoad { self.hasDocument = true }
        guard self.hasDocument, document.load != creativeLoad, !self.lifecycle.hasCrashed else { return [] }
        // `data:`, `blob:` and `about:` pages are loaded without a request that could be held.
        let address = Redaction.address((document.url ?? "another page").excerpt(500))
        return [.report(.blocked(BlockedAttempt(.navigation, address))), RendererMonitor.end(root.target)]
            + self.crash("the creative replaced itself with another page", cause: .replacement)
    }

    // MARK: Messages

    mutating func handle(_ message: EngineMessage, in target: EngineTarget?, at now: Duration) -> [StageOutput] {
        if message.channel == .mraid {
            if let call = self.mraid.call(message, in: target, at: now) {
                return MRAIDUpdate.messages(of: message) + self.handle(call, at: now)
            }
            return self.mraid.error(message, in: target).map { self.policy.handle($0) } ?? []
        }
        if message.channel == .omid { return self.handleMeasuring(message, in: target, at: now) }
        guard let json = message.json() else { return [] }
        switch message.channel {
        case .host where target == self.page:
            switch json["k"]?.string {
            case "close": return self.closeByUser(at: now)
            case "skip": return [.report(.skipRequested)]
            default: return self.handle(placement: json, at: now)
            }
        case .gesture:
            let isGesture = json["k"] == "gesture" && UserGesture(json).activates
            let outputs = isGesture ? self.handle(.gesture(at: now)) : []
            return outputs + self.policy.handle(gesture: json, in: target, at: now)
        case .creative:
            guard let url = json["url"]?.string else { return [] }
            switch json["k"]?.string {
            case "open": return self.decide(NavigationAttempt(trigger: .window, url: url), in: target, at: now)
            case "download": return PagePolicy.blockDownload(of: url)
            case "absent": return PagePolicy.reportRemovedInterface(url)
            default: return []
            }
        case .calls: return self.policy.handle(call: json)
        case .host, .mraid, .omid, .vpaid, .bridge: return []
        }
    }

    /// Handles a press on the close button.
    mutating func closeByUser(at now: Duration) -> [StageOutput] {
        self.finish(with: [CreativeMachine.closeRequest], at: now)
    }

    private static let closeRequest = StageOutput.report(.closeRequested(by: .user))

    mutating func decide(_ attempt: NavigationAttempt, in target: EngineTarget?, at now: Duration) -> [StageOutput] {
        self.settle(attempt, self.policy.decide(attempt, in: target ?? self.creative, at: now))
    }

    /// Replies to `mraid.open` when the decision is known.
    private mutating func settle(_ attempt: NavigationAttempt, _ decision: NavigationDecision) -> [StageOutput] {
        guard let commandID = attempt.commandID else { return decision.outputs }
        switch decision.outcome {
        case .pending: return decision.outputs
        case .done: return decision.outputs + self.handle(.openDecided(commandID, refusal: nil))
        case .refused(let reason): return decision.outputs + self.handle(.openDecided(commandID, refusal: reason))
        }
    }

    // MARK: Requests

    mutating func decide(_ request: EngineRequest, at now: Duration) -> [StageOutput] {
        if let served = self.hostPage?.serve(request) { return [served] }
        if self.hostPage?.isWholePage(request) == true { return self.stop(request, at: now) }
        if request.kind == .document, request.url == self.plan.creativeAddress, self.creativeLoad == nil {
            self.creativeLoad = request.load
            return [.send(request.response(document: self.plan.document, []))]
        }
        if let outputs = self.decideExpandedPage(request, at: now) ?? self.mraid.serve(request) { return outputs }
        if request.kind == .document, request.frame == self.frames.root?.id || self.frames.root == nil {
            return self.stop(request, at: now)
        }
        return self.applyRules(to: request, at: now)
    }

    /// Refuses a navigation of a whole document, and decides on it as an attempt to open a link.
    mutating func stop(_ request: EngineRequest, in target: EngineTarget? = nil, at now: Duration) -> [StageOutput] {
        let attempt = NavigationAttempt(trigger: .navigation, url: request.urlWithFragment)
        let target = target ?? self.frames.target(of: request.frame)
        // The request fails first, because the frame does not answer while its request is held.
        return [.send(request.failing(.aborted))] + self.decide(attempt, in: target, at: now)
    }
}
