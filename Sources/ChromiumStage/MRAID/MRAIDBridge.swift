import AdCore

/// The way between an ad's documents and their host: our script in them, and what it is told.
///
/// A creative gets the object `mraid` where its markup names it, before its first script, and otherwise at the moment when
/// it asks for `mraid.js`; one that does neither sees nothing of it. What is said over the bridge counts only where it comes
/// from the main world of the creative's own frame, or of the page that it has expanded to: a frame within speaks for
/// nobody. That it may be said by the ad itself, past our script, changes nothing: the host looks at all of it.
struct MRAIDBridge: Hashable, Sendable {
    /// One document that speaks with the host.
    private struct Line: Hashable, Sendable {
        let session: DevToolsSession
        let frame: String
        /// Its main world.
        var world: Int?
    }

    var host: MRAIDHost
    /// The page that the ad has expanded to, from when it is asked for.
    var second: SecondPart?
    private var seconds = 0
    private let isNamed: Bool
    /// Whether the object is there, or will be when the document is.
    private(set) var isOpen = false
    private var lines: [MRAIDPart: Line] = [:]

    static let version = "3.0"
    /// Our own, which ads are told.
    static let sdkVersion = "0.1.0"
    /// What is said to us, and how we say something.
    private static let mouth = "__yabbi_mraid"
    private static let ear = "__yabbi_mraid_hear"

    init(_ plan: StagePlan) {
        self.host = MRAIDHost(
            plan.layout == .inline ? .inline : .interstitial,
            in: MRAIDRoom(plan.room, plan.layout),
            growth: plan.growth
        )
        self.isNamed = plan.document.asciiLowercased.contains("mraid")
    }

    // MARK: Frames

    /// Prepares a frame in which nothing has run yet.
    mutating func arm(_ part: MRAIDPart, _ session: DevToolsSession, frame: String) -> [StageOutput] {
        self.lines[part] = Line(session: session, frame: frame)
        guard part == .second || self.isNamed else { return [] }
        self.isOpen = true
        let script: JSON = ["source": .string(self.script(part))]
        return [
            self.binding(session), .say(DevToolsCommand("Page.addScriptToEvaluateOnNewDocument", script, in: session)),
        ]
    }

    /// Expects a page that the ad expands to.
    mutating func expect(_ url: String, beside creative: String) -> SecondPart {
        self.seconds += 1
        let part = SecondPart(url, name: "\(creative)second-\(self.seconds)")
        self.second = part
        return part
    }

    /// Answers where a creative asks for the host's script; nil where it asks for something else.
    mutating func serve(_ request: PausedRequest) -> [StageOutput]? {
        guard request.kind == "Script", MRAIDScript.isNamed(by: request.url) else { return nil }
        // Of any address, and in place of whatever lies there: what it would have brought is here already.
        let headers = [("Content-Type", "text/javascript"), ("Access-Control-Allow-Origin", "*")]
        let answer = StageOutput.say(request.answer(200, headers, []))
        guard !self.isOpen, let line = self.lines[.main], line.session == request.session,
            line.frame == request.frame, let world = line.world
        else { return [answer] }
        self.isOpen = true
        let script: JSON = ["expression": .string(self.script(.main)), "contextId": .int(world), "silent": true]
        return [
            self.binding(line.session), .say(DevToolsCommand("Runtime.evaluate", script, in: line.session)), answer,
        ]
    }

    private func binding(_ session: DevToolsSession) -> StageOutput {
        .say(DevToolsCommand("Runtime.addBinding", ["name": .string(MRAIDBridge.mouth)], in: session))
    }

    /// Our script for a document, with what it has to know from the start.
    private func script(_ part: MRAIDPart) -> String {
        // Of the app and its user nothing is known here, and so nothing is said.
        let environment: JSON = [
            "version": .string(MRAIDBridge.version), "sdk": "yabbi", "sdkVersion": .string(MRAIDBridge.sdkVersion),
        ]
        return Scripts.mraid.replacing("INITIAL", with: self.host.first(part).json.text())
            .replacing("ENVIRONMENT", with: part == .main ? environment.text() : "null")
    }

    // MARK: Words

    /// A document has a new main world.
    mutating func note(_ event: DevToolsEvent) {
        guard let context = event.params["context"], let data = context["auxData"], data["isDefault"] == true,
            let number = context["id"]?.number.flatMap(Int.init(exactly:))
        else { return }
        for (part, line) in self.lines where line.session == event.session && line.frame == data["frameId"]?.string {
            self.lines[part]?.world = number
        }
    }

    /// Reads what was said; nil where it is no command, or nobody's who has a say.
    func call(_ event: DevToolsEvent, at now: Duration = .zero) -> MRAIDInput? {
        guard event.params["name"]?.string == MRAIDBridge.mouth, self.isOpen,
            let world = event.params["executionContextId"]?.number.flatMap(Int.init(exactly:)),
            let part = self.lines.first(where: { $0.value.session == event.session && $0.value.world == world })?.key,
            let payload = event.params["payload"]?.string, payload.utf8.count <= 65_536,
            let message = try? JSON(parsing: payload), let call = MRAIDCall(message)
        else { return nil }
        return .call(call, from: part, at: now)
    }

    /// Reads a complaint of our script, which refused a call by itself; nil where it is none.
    ///
    /// It counts as no more than words.
    func complaint(_ event: DevToolsEvent) -> ScriptError? {
        guard event.params["name"]?.string == MRAIDBridge.mouth, self.isOpen,
            self.lines.values.contains(where: { $0.session == event.session }),
            let payload = event.params["payload"]?.string, payload.utf8.count <= 4_096,
            let message = try? JSON(parsing: payload), let text = message["e"]?.string, let name = message["c"]?.string
        else { return nil }
        return ScriptError("mraid.\(name.excerpt(40)): \(text.excerpt(200))")
    }

    /// Tells a document something: as the one argument of a call, and never as code.
    func tell(_ part: MRAIDPart, _ news: MRAIDNews) -> [StageOutput] {
        guard self.isOpen, let line = self.lines[part], let world = line.world else { return [] }
        let call: JSON = [
            "functionDeclaration": .string("function (news) { \(MRAIDBridge.ear)(news); }"),
            "executionContextId": .int(world), "arguments": [["value": .string(news.text)]], "silent": true,
        ]
        return [.say(DevToolsCommand("Runtime.callFunctionOn", call, in: line.session))]
    }

    /// Who speaks for a document.
    func session(of part: MRAIDPart) -> DevToolsSession? { self.lines[part]?.session }

    /// A document is gone.
    mutating func forget(_ part: MRAIDPart) { self.lines[part] = nil }
}
