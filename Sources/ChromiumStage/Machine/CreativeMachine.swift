import AdCore

/// Decides what one creative in the browser may do, and what is told of it.
///
/// preparing → ready → revealed → over; `fail` leaves preparing for over.
struct CreativeMachine: StageMachine {
    enum Phase: Hashable, Sendable {
        case preparing, ready, revealed, over
    }

    /// How long a creative may take until there is something to see.
    private static let patience = Duration.seconds(10)
    /// How long its parts may take when its document is there.
    private static let settling = Duration.seconds(3)

    var plan: StagePlan
    /// The room as the host has it; the ad may have the screen turned.
    var hostRoom: StageRoom
    private(set) var wrapper: WrapperPage
    private(set) var phase = Phase.preparing
    private(set) var frames = FrameBook()
    var watch: SessionWatch
    var blank = BlankDetector()
    /// What is reported when the ad's last look is over.
    var farewell: [StageOutput] = []
    private var pulse = Pulse()
    var bridge: MRAIDBridge
    /// What was reported last of how much is in sight.
    var lastRatio: Double?
    /// Where the ad's own place was on the screen last.
    var lastPlace: MRAIDRect?
    /// The loading of the creative's document, which has begun.
    private var creativeLoad: String?
    /// Its document is in its frame.
    private var isCreativeThere = false
    private var hasCrashed = false

    init(_ plan: StagePlan, in wrapper: WrapperPage) {
        self.plan = plan
        self.hostRoom = plan.room
        self.watch = SessionWatch(of: plan.document)
        self.bridge = MRAIDBridge(plan)
        self.wrapper = wrapper
    }

    var page: DevToolsSession { self.wrapper.session }
    var creative: DevToolsSession? { self.frames.root?.session }
    var gestures: Int? { self.watch.gestures }
    var isLooking: Bool { self.blank.isUndecided }
    var hasPendingTap: Bool { self.watch.taps.isPending }
    var isLarge: Bool { self.bridge.host.isLarge }
    /// What failed in the creative so far.
    var troubles: CreativeTroubles { self.watch.troubles }
    private var isOver: Bool { self.phase == .over }

    /// Gets everything ready and asks for our page.
    mutating func begin() -> [StageOutput] {
        self.wrapper.open(on: self.plan.screen) + [.setAlarm(.patience, after: CreativeMachine.patience)]
    }

    mutating func handle(_ input: StageInput, at now: Duration) -> [StageOutput] {
        guard !self.isOver else { return self.refuse(input) }
        switch input {
        case .event(let event): return self.hear(event, at: now)
        case .answer(let question, let answer): return self.take(answer, to: question, at: now)
        case .alarm(.look): return self.look(at: now)
        case .alarm(let alarm): return self.wake(alarm)
        case .leaving: return self.leave([.left], at: now)
        case .reveal:
            guard self.phase == .ready else { return [] }
            self.phase = .revealed
            return [self.wrapper.run("yabbiReveal()"), .report(.revealed)] + self.watchAll() + self.beginLooks(at: now)
        case .reach:
            self.watch.taps.reach()
            return []
        case .tap(let place):
            return self.phase == .revealed ? self.watch.taps.pressed(at: self.place(of: place)) : []
        case .size(let room): return self.take(room)
        case .volume(let volume): return self.mraid(.volume(volume))
        case .control(let control, let visible):
            return [self.wrapper.run("yabbiControl(\"\(control.rawValue)\", \(visible))")]
        case .pressed(let control):
            let isHeard = control == .close && self.farewell.contains(CreativeMachine.closeRequest)
            return self.watch.taps.settle() + self.closeLooks() + (isHeard ? [] : self.pressed(control))
        case .video, .fetched, .post: return []
        case .close:
            self.phase = .over
            return self.watch.taps.settle()
        }
    }

    // MARK: Answers and alarms

    private mutating func take(
        _ answer: Result<JSON, DevToolsFault>,
        to question: StageQuestion,
        at now: Duration
    ) -> [StageOutput] {
        switch self.wrapper.take(answer, to: question) {
        case .doing(let outputs): return outputs
        case .ready:
            return [
                self.arrange(),
                self.wrapper.run("yabbiBegin(\(JSON.string(self.plan.creativeAddress).text()))"),
            ]
        case .failed(let reason): return self.fail(reason)
        case nil: break
        }
        switch (question, answer) {
        case (.pulse(let session), let answer):
            switch self.pulse.take(answer, of: session) {
            case .well(let outputs): return outputs
            case .ill(let illness):
                // Nothing of ours keeps our page busy: what does is ended, and our page is there again.
                if session == self.page, !self.hasCrashed, let root = self.frames.root?.session {
                    let words = "the creative keeps our page from answering, and was ended"
                    return [Pulse.end(root)] + self.crash(words, cause: .flood) + self.pulse.watchAgain(session)
                }
                return [Pulse.end(session)] + self.lose(session, illness)
            }
        case (.look(let step), let answer): return self.look(step, answer, at: now)
        case (.tap(let number), let answer): return self.watch.taps.answered(number, answer)
        case (.gesture(let attempt), _): return self.settle(attempt, self.watch.decide(attempt, at: now))
        default: return []
        }
    }

    private mutating func wake(_ alarm: StageAlarm) -> [StageOutput] {
        switch alarm {
        case .patience:
            guard self.phase == .preparing else { return [] }
            return self.fail("the creative showed nothing within \(CreativeMachine.patience)")
        case .settling: return self.becomeReady()
        case .pulse(let session): return self.pulse.wake(session)
        case .surfeit:
            guard let root = self.frames.root?.session, !self.hasCrashed else { return [] }
            return [Pulse.end(root)]
                + self.crash("the creative loads more than \(SessionWatch.mostBytes / 1_000_000) MB")
        case .second(let name): return self.missSecond(name)
        case .tap(let number):
            return self.watch.taps.wake(number, creative: self.bridge.second?.session ?? self.creative)
        case .lastLook: return self.blank.isLeaving ? self.closeLooks() : []
        case .player, .partTap, .look: return []
        }
    }

    private mutating func fail(_ reason: String) -> [StageOutput] {
        guard self.phase == .preparing else { return [] }
        self.phase = .over
        return [.fail(StageError("the creative could not be shown: \(reason)"))]
    }

    private mutating func crash(_ reason: String, cause: StageEvent.CrashCause = .crash) -> [StageOutput] {
        guard !self.hasCrashed else { return [] }
        if self.phase == .preparing { return self.fail(reason) }
        self.hasCrashed = true
        let taps = self.watch.taps.settle()
        // Our button to end the ad is in the ad's own place.
        return taps + [.report(.crashed(reason, cause: cause))] + self.mraid(.collapse) + self.endLooks()
    }

    /// A session says more than is read: what lasts is ended, with the creative unless it is a frame within it.
    private mutating func take(_ flood: SessionFlood, of session: DevToolsSession?) -> [StageOutput] {
        let told: [StageOutput] = [.report(.blocked(BlockedAttempt(.other, flood.words("the creative"))))]
        guard flood.lasts, !self.hasCrashed else { return self.hasCrashed ? [] : told }
        if let session, session != self.page, session != self.creative, self.frames.sessions.contains(session) {
            return told + [Pulse.end(session)]
        }
        let end = self.creative.map { [Pulse.end($0)] } ?? []
        return end + self.crash(flood.words("the creative"), cause: .flood)
    }

    /// Our own page is gone, and its close button with it.
    private mutating func lose(_ reason: String) -> [StageOutput] {
        self.phase == .preparing
            ? self.fail(reason) : [.report(.blocked(BlockedAttempt(.other, reason))), .report(.gone)]
    }

    /// One of the creative's processes is gone, or is ended by us; why, as in "crashed".
    private mutating func lose(_ session: DevToolsSession?, _ reason: String) -> [StageOutput] {
        if session == self.page { return self.lose("our own page \(reason)") }
        if session == self.frames.root?.session { return self.crash("the creative \(reason)") }
        guard session == self.bridge.second?.session else { return [Pulse.lost(reason)] }
        // Our page around it is there still: the ad is as it was before.
        let words = "the page that the ad expanded to \(reason)"
        // The ad hears of it as an error, which is no second trouble.
        let errors = self.mraid(.secondFailed(words)).filter {
            if case .report(.diagnostic(.scriptError)) = $0 { false } else { true }
        }
        return [.report(.blocked(BlockedAttempt(.other, words)))] + errors
    }

    /// What is on screen must answer.
    private mutating func watchAll() -> [StageOutput] {
        guard self.phase == .revealed else { return [] }
        // Our own page is kept from answering by what the creative makes it do (`postMessage`).
        let sessions = [self.page] + self.frames.sessions + [self.bridge.second?.session].compactMap { $0 }
        return sessions.flatMap { self.pulse.watch($0) }
    }

    private mutating func becomeReady() -> [StageOutput] {
        guard self.phase == .preparing, self.frames.root != nil else { return [] }
        self.phase = .ready
        return self.mraid(.loaded(.main)) + [.report(.ready)]
    }

    // MARK: Events

    private mutating func hear(_ event: DevToolsEvent, at now: Duration) -> [StageOutput] {
        switch event.method {
        case "Fetch.requestPaused":
            guard let request = PausedRequest(event) else { return [] }
            return self.judge(request, at: now)
        case "Target.attachedToTarget":
            let outputs = Attachment(event).map { self.attach($0, in: event.session) } ?? []
            return outputs + self.watchAll()
        case "Target.detachedFromTarget":
            guard let session = Attachment.detached(event) else { return [] }
            self.frames.remove(session)
            self.pulse.forget(session)
            return [.forget(session)]
        case SessionFlood.method: return SessionFlood(event).map { self.take($0, of: event.session) } ?? []
        case "Runtime.bindingCalled": return self.listen(event, at: now)
        case "Runtime.executionContextCreated":
            self.bridge.note(event)
            return []
        case "Page.lifecycleEvent": return self.progress(event) + self.followSecond(event)
        case "Page.frameNavigated" where self.wrapper.isReplaced(event):
            return self.lose("our own page was led elsewhere")
        case "Inspector.detached" where event.session == self.page:
            // Somebody has closed its window.
            return self.phase == .preparing ? self.fail("its window was closed") : [.report(.gone)]
        case "Page.frameNavigated":
            return self.follow(event)
        case "Page.frameStoppedLoading":
            // A document that was to be left before it was whole says no more than this.
            let isCreative = event.session == self.frames.root?.session && self.isCreativeThere
            return isCreative && event.params["frameId"]?.string == self.frames.root?.id ? self.becomeReady() : []
        case "Inspector.targetCrashed":
            return self.pulse.hasEnded(event.session) ? [] : self.lose(event.session, "crashed")
        default:
            return (self.watch.hear(event, else: self.creative, at: now) ?? []) + self.followSecond(event)
        }
    }

    /// A frame or a worker has begun, and waits until it is told to go on.
    private mutating func attach(_ new: Attachment, in parent: DevToolsSession?) -> [StageOutput] {
        switch new.kind {
        case .frame:
            let isOurs = parent == self.page
            if isOurs, self.frames.root != nil { return self.attachSecond(new) }
            let frame = FrameBook.Frame(id: new.target, session: new.session)
            guard self.frames.add(frame, isRoot: isOurs) else { return self.frames.refusal }
            let mraid = isOurs ? self.bridge.arm(.main, new.session, frame: new.target) : []
            return new.begin(SessionArming.frame(new.session, hasDocument: new.hasDocument) + mraid)
        case .worker: return new.asWorker
        // No creative may have anything else.
        case .serviceWorker, .other: return new.refusal
        }
    }

    /// A document is in one of the frames: the creative's is the only one that its own frame may ever have.
    private mutating func follow(_ event: DevToolsEvent) -> [StageOutput] {
        guard let root = self.frames.root, event.session == root.session, let frame = event.params["frame"],
            frame["id"]?.string == root.id, let load = self.creativeLoad
        else { return [] }
        if frame["loaderId"]?.string == load { self.isCreativeThere = true }
        guard self.isCreativeThere, frame["loaderId"]?.string != load, !self.hasCrashed else { return [] }
        // Nothing is asked for such a page, so that nothing can be held on its way.
        let address = Redaction.address((frame["url"]?.string ?? "another page").excerpt(500))
        return [.report(.blocked(BlockedAttempt(.navigation, address))), Pulse.end(root.session)]
            + self.crash("the creative put another page into its own place", cause: .replacement)
    }

    private mutating func progress(_ event: DevToolsEvent) -> [StageOutput] {
        guard let root = self.frames.root, event.session == root.session, event.params["frameId"]?.string == root.id,
            let load = self.creativeLoad, event.params["loaderId"]?.string == load
        else { return [] }
        switch event.params["name"]?.string {
        case "load": return self.becomeReady()
        case "DOMContentLoaded":
            return self.phase == .preparing ? [.setAlarm(.settling, after: CreativeMachine.settling)] : []
        default: return []
        }
    }

    // MARK: What scripts say

    private mutating func listen(_ event: DevToolsEvent, at now: Duration) -> [StageOutput] {
        if let call = self.bridge.call(event, at: now) { return self.mraid(call, at: now) }
        if let error = self.bridge.complaint(event) { return self.watch.note(error) }
        guard let payload = event.params["payload"]?.string, payload.utf8.count <= 65_536,
            let message = try? JSON(parsing: payload)
        else { return [] }
        switch event.params["name"]?.string {
        case "__yabbi" where event.session == self.page:
            switch message["k"]?.string {
            case "close":
                return self.closeByUser(at: now)
            case "skip": return [.report(.skipRequested)]
            default: return self.hearOfPlace(message, at: now)
            }
        case "__yabbi_guard":
            let isGesture = message["k"] == "gesture" && UserGesture(message).activates
            let news = isGesture ? self.mraid(.gesture(at: now)) : []
            return news + self.watch.hear(guard: message, in: event.session, at: now)
        case "__yabbi_page":
            guard let url = message["url"]?.string else { return [] }
            switch message["k"]?.string {
            case "open": return self.consider(Attempt(means: .window, url: url), in: event.session, at: now)
            case "download": return SessionWatch.stopDownload(of: url)
            case "absent": return SessionWatch.missing(url)
            default: return []
            }
        default: return []
        }
    }

    /// The user has pressed a button that ends the ad: what was still open is decided first.
    mutating func closeByUser(at now: Duration) -> [StageOutput] { self.leave([CreativeMachine.closeRequest], at: now) }

    private static let closeRequest = StageOutput.report(.closeRequested(by: .user))

    mutating func consider(_ attempt: Attempt, in session: DevToolsSession?, at now: Duration) -> [StageOutput] {
        self.settle(attempt, self.watch.consider(attempt, in: session ?? self.creative, at: now))
    }

    /// Tells whoever called MRAID's `open` what became of it, when that is known.
    private mutating func settle(_ attempt: Attempt, _ ruling: Ruling) -> [StageOutput] {
        guard let ticket = attempt.ticket else { return ruling.outputs }
        switch ruling.outcome {
        case .pending: return ruling.outputs
        case .done: return ruling.outputs + self.mraid(.opened(ticket, refusal: nil))
        case .refused(let reason): return ruling.outputs + self.mraid(.opened(ticket, refusal: reason))
        }
    }

    // MARK: Requests

    private mutating func judge(_ request: PausedRequest, at now: Duration) -> [StageOutput] {
        if let served = self.wrapper.serve(request) { return [served] }
        if self.wrapper.isAsked(by: request) { return self.stop(request, at: now) }
        if request.kind == "Document", request.url == self.plan.creativeAddress, self.creativeLoad == nil {
            self.creativeLoad = request.load
            return [.say(request.document(self.plan.document, []))]
        }
        if let outputs = self.judgeSecond(request, at: now) ?? self.bridge.serve(request) { return outputs }
        if request.kind == "Document", request.frame == self.frames.root?.id || self.frames.root == nil {
            return self.stop(request, at: now)
        }
        return self.pass(request)
    }

    /// Lets a request go where it may go.
    mutating func pass(_ request: PausedRequest) -> [StageOutput] {
        self.watch.pass(request, neighbours: self.plan.neighbours)
    }

    /// A whole page would go elsewhere: it stays, and whoever wanted that is looked for.
    mutating func stop(
        _ request: PausedRequest,
        in session: DevToolsSession? = nil,
        at now: Duration
    ) -> [StageOutput] {
        let attempt = Attempt(means: .navigation, url: request.landing)
        let session = session ?? self.frames.session(of: request.frame)
        // While it is held, the frame answers nothing.
        return [.say(request.refusal("Aborted"))] + self.consider(attempt, in: session, at: now)
    }
}
