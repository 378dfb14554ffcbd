import AdCore

@testable import AppleStage
@testable import WebStage

/// A WKWebView without a view: does what WKWebView does for the calls of a translator, with a machine on the other side.
struct ScriptedView {
    private(set) var machine: any StageMachine
    private(set) var page = PageTranslator(page: 1, token: "secret", rules: ContentRules())
    /// What the machine has reported.
    private(set) var reports: [StageEvent] = []
    /// The scripts that were run.
    private(set) var scripts: [WebScript] = []
    private var lastNumber = 0
    /// The URLs of requests of the stage's scheme, and of navigations to servers.
    private var urls: [Int: String] = [:]
    /// The reply to `load`.
    private var loading: StageQuery?
    private var now = Duration.zero

    init(document: String) {
        let screen = Size(width: 390, height: 844)
        let size = CreativeLayout(.adaptive, in: .fullScreen(screen))
        let geometry = StageGeometry(screen: screen, size: size)
        let plan = StagePlan(name: "ad-1", layout: .full, geometry: geometry, document: document)
        let kind = HostPageKind.creative(.full)
        self.machine = CreativeMachine(
            plan,
            in: HostPage(kind, "ad-1", in: self.page.target, frame: PageFrames.main)
        )
    }

    init(page: PageCreative) {
        let screen = Size(width: 390, height: 844)
        let geometry = StageGeometry(screen: screen, size: CreativeLayout(.adaptive, in: .fullScreen(screen)))
        let plan = StagePlan(name: "ad-1", layout: .full, geometry: geometry, document: "")
        self.machine = PageMachine(page, plan, page: self.page.target, mainFrame: PageFrames.main)
    }

    mutating func start() { self.execute(self.machine.start()) }

    mutating func handle(_ input: StageInput) {
        self.now += .milliseconds(1)
        self.execute(self.machine.handle(input, at: self.now))
    }

    // MARK: The stage

    private mutating func execute(_ outputs: [StageOutput]) {
        for output in outputs {
            switch output {
            case .send(let command): self.send(command, query: nil)
            case .query(let command, let query, _): self.send(command, query: query)
            case .report(let event): self.reports.append(event)
            default: break
            }
        }
    }

    private mutating func send(_ command: EngineCommand, query: StageQuery?) {
        var step = self.page.execute(command)
        let last = step.reply == nil ? step.calls.popLast() : nil
        self.follow(step)
        guard let last else {
            if let query { self.handle(.reply(query, step.reply ?? .success(.done))) }
            return
        }
        if case .load = last { self.loading = query }
        self.execute(last)
        guard let query, self.loading == nil else { return }
        self.handle(.reply(query, self.page.reply(.text("{}"), to: command)))
    }

    private mutating func follow(_ step: PageTranslator.Step) {
        self.handle(step.events)
        for call in step.calls { self.execute(call) }
    }

    private mutating func handle(_ events: [EngineEvent]) {
        for event in events {
            if case .committed(let document) = event.kind, document.frame == PageFrames.main, let query = self.loading {
                self.loading = nil
                self.handle(.event(event))
                self.handle(.reply(query, .success(.done)))
            } else {
                self.handle(.event(event))
            }
        }
    }

    // MARK: WKWebView

    private mutating func execute(_ call: WebCall) {
        switch call {
        case .load(let url): self.navigate(.main, to: url, isFromMain: true)
        case .run(let script):
            self.scripts.append(script)
            // `yabbiLoadCreative` of the host page.
            if let found = script.body.firstRange(of: "yabbiLoadCreative(\"") {
                let url = script.body[found.upperBound...].prefix { $0 != "\"" }
                self.navigate(.frame(url: ""), to: String(url), isFromMain: true)
            }
        case .answer(let number, let response) where response.status == 200:
            guard let url = self.urls[number] else { return }
            self.commit(url, at: url.contains("yabbi-stage.invalid") ? "" : "0")
        case .decide(let number, isAllowed: true):
            if let url = self.urls[number] { self.commit(url, at: "") }
        default: break
        }
    }

    /// A frame navigates.
    mutating func navigate(_ target: NavigationFacts.Target, to url: String, isFromMain: Bool) {
        self.lastNumber += 2
        let number = self.lastNumber
        let facts = NavigationFacts(number: number, url: url, target: target, isFromMain: isFromMain)
        if !StageScheme.isOwn(url), target == .main { self.urls[number] = url }
        let step = self.page.decide(facts)
        self.follow(step)
        guard StageScheme.isOwn(url), step.calls.contains(.decide(number, isAllowed: true)) else { return }
        self.urls[number + 1] = url
        self.follow(self.page.start(SchemeRequest(number: number + 1, url: url)))
    }

    /// A document begins, is parsed and loaded.
    private mutating func commit(_ url: String, at path: String) {
        for kind in ["document", "parsed", "load"] {
            self.send(#"{"k":"\#(kind)"}"#, to: PageScripts.channel, at: path, url)
        }
    }

    /// An injected script sends a message.
    mutating func send(_ text: String, to channel: String, at path: String, _ url: String, isHost: Bool = true) {
        let report = ScriptReport(
            token: "secret",
            name: channel,
            place: DocumentPlace(path: path, start: "1"),
            url: url,
            text: text,
            isHost: isHost,
            isMainFrame: path.isEmpty
        )
        self.handle(self.page.handle(report, at: .now))
    }
}
