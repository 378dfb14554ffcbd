import AdCore
import WebStage

/// Translates between one page's stage and its WKWebView.
///
/// It decides everything that can be decided without a view, so that it runs and is tested on every platform.
struct PageTranslator: Sendable {
    /// What follows from a command, or from something in the view: events for the stage, in order, then calls.
    struct Step: Hashable, Sendable {
        var events: [EngineEvent] = []
        var calls: [WebCall] = []
        /// The reply to a command; nil if it is the result of the last call.
        var reply: Result<EngineReply, EngineError>? = .success(.done)
    }

    /// A request that is not decided yet.
    struct Held: Hashable, Sendable {
        let request: EngineRequest
        /// Whether it is a navigation to a server; otherwise it is of the stage's scheme.
        let isNavigation: Bool
        /// The call that waits until the frame is resumed.
        var waiting: WebCall?
    }

    let rules: ContentRules
    let scripts: PageScripts
    var frames: PageFrames
    /// The requests that wait for a decision, by their identifiers.
    var held: [String: Held] = [:]
    /// The frames of navigations of the stage's scheme that were let through, by URL; their requests follow.
    var expected: [String: NavigationFacts.Target] = [:]
    /// The frames that a navigation was redirected to by the stage, by the new URL.
    var redirected: [String: String] = [:]
    /// The page has ended.
    private(set) var hasEnded = false
    private var meter = FloodMeter()
    private var lastNumber = 0

    init(page: Int, token: String, rules: ContentRules) {
        self.rules = rules
        self.scripts = PageScripts(token: token)
        self.frames = PageFrames(page: page)
    }

    var target: EngineTarget { self.frames.page }

    /// The call that installs all scripts.
    var injection: WebCall { .setScripts(self.scripts.scripts(for: self.frames)) }

    /// A new identifier.
    mutating func number() -> String {
        self.lastNumber += 1
        return "r\(self.lastNumber)"
    }

    /// Lets a target's document run that waits for its scripts.
    mutating func resume(_ target: EngineTarget) -> Step {
        guard let frame = self.frames.frame(of: target) else { return Step() }
        self.frames.change(frame.id) { $0.isResumed = true }
        return Step(calls: [self.injection] + self.release(frame.id))
    }

    /// The calls that wait for a frame.
    private mutating func release(_ frame: String) -> [WebCall] {
        let waiting = self.held.filter { $0.value.request.frame == frame && $0.value.waiting != nil }
        for key in waiting.keys { self.held[key] = nil }
        return waiting.sorted { $0.key < $1.key }.compactMap(\.value.waiting)
    }

    /// Refuses what still waits for a frame that the stage has not resumed in time.
    mutating func giveUp(_ target: EngineTarget) -> Step {
        guard let frame = self.frames.frame(of: target), !frame.isResumed else { return Step() }
        let calls = self.release(frame.id).compactMap { call -> WebCall? in
            switch call {
            case .decide(let number, _): .decide(number, isAllowed: false)
            case .answer(let number, _): .fail(number)
            default: nil
            }
        }
        return Step(calls: calls)
    }

    /// Ends the page; everything that waits is refused.
    mutating func end() -> Step {
        guard !self.hasEnded else { return Step() }
        self.hasEnded = true
        let refused = self.held.values.compactMap { held -> WebCall? in
            guard let number = Int(held.request.id.number) else { return nil }
            return held.isNavigation ? .decide(number, isAllowed: false) : .fail(number)
        }
        self.held = [:]
        let lost = self.frames.removeAll().map { EngineEvent(.detached($0), in: nil) }
        return Step(events: lost + [EngineEvent(.crashed, in: self.target)], calls: refused + [.end])
    }

    // MARK: Messages

    /// Whether a message is of an injected script, and of no other one.
    func isGenuine(_ report: ScriptReport) -> Bool {
        report.token == self.scripts.token && report.isMainFrame == report.place.path.isEmpty
    }

    /// Handles a message of an injected script.
    mutating func handle(_ report: ScriptReport, at now: ContinuousClock.Instant) -> [EngineEvent] {
        guard self.isGenuine(report) else { return [] }
        let sender = self.frames.frame(at: report.place)?.target ?? self.target
        var events: [EngineEvent] = []
        switch self.meter.admit(sender, bytes: report.text.utf8.count, at: now) {
        case .read: break
        case .drop: return []
        case .report(let flood): return [EngineEvent(.flooded(flood), in: sender)]
        case .readAfter(let flood): events.append(EngineEvent(.flooded(flood), in: sender))
        }
        events += self.open(report)
        guard let frame = self.owner(of: report.place) else { return events }
        return events + self.events(of: report, in: frame)
    }

    /// The frame of a document: a document without a URL of its own is part of the frame around it.
    private func owner(of place: DocumentPlace) -> PageFrames.Frame? {
        if let frame = self.frames.frame(at: place) { return frame }
        let parents = self.frames.all.values.filter { $0.place?.contains(place) == true && $0.id != PageFrames.main }
        return parents.max { ($0.place?.depth ?? 0) < ($1.place?.depth ?? 0) }
    }

    private mutating func events(of report: ScriptReport, in frame: PageFrames.Frame) -> [EngineEvent] {
        if report.pong != nil { return [] }
        if report.name == PageScripts.channel, report.isHost {
            guard let json = try? AdJSON(parsing: report.text) else { return [] }
            return self.pageEvents(json, in: frame, isOwn: frame.place == report.place)
        }
        if report.name == PageScripts.consoleChannel, !report.isHost {
            return PageReports.console(report.text).map { [EngineEvent($0, in: frame.target)] } ?? []
        }
        guard let channel = EngineChannel(rawValue: report.name), channel.isHost == report.isHost else { return [] }
        let world = report.isHost ? EngineWorld.host(frame: frame.id) : .page(frame: frame.id)
        let sender = frame.place == report.place ? world : nil
        let message = EngineMessage(channel, report.text, from: sender)
        return [EngineEvent(.message(message), in: frame.target)]
    }

    private mutating func pageEvents(_ json: AdJSON, in frame: PageFrames.Frame, isOwn: Bool) -> [EngineEvent] {
        let (id, load) = (frame.id, frame.load ?? "")
        var kinds: [EngineEvent.Kind] = []
        switch json["k"]?.string {
        case "document" where isOwn: kinds = [.worldCreated(frame: id)]
        case "parsed" where isOwn: kinds = [.parsed(frame: id, load: load)]
        case "load" where isOwn:
            kinds = [.loaded(frame: id, load: load), .loadingStopped(frame: id)]
            if id == PageFrames.main { kinds.append(.pageLoaded) }
        case "gone" where isOwn: return self.close(frame)
        case "error": kinds = [.scriptError(PageReports.error(json))]
        case "failed": kinds = PageReports.failed(json, as: self.number(), self.rules)
        case "resource": kinds = PageReports.resource(json, as: self.number(), in: id)
        default: break
        }
        return kinds.map { EngineEvent($0, in: frame.target) }
    }

    /// A frame has lost its document: all but the ad's own are gone with it.
    private mutating func close(_ frame: PageFrames.Frame) -> [EngineEvent] {
        guard frame.id != PageFrames.main, frame.id != self.frames.children.first?.id else { return [] }
        return self.frames.remove(frame.id).map { EngineEvent(.detached($0), in: nil) }
    }
}
