import AdCore

/// Connects an ad's documents and their host: our script in them, and the messages both ways.
///
/// A creative gets the object `mraid` where its markup names it, before its first script, and otherwise when it requests
/// `mraid.js` (MRAID 3.0, "Identification of MRAID-enabled creatives"); one that does neither never sees it. A command
/// counts only where it comes from the main world of the creative's own frame, or of the page that it has expanded to: not
/// from a frame inside of them. The ad can send commands past our script, which changes nothing: the host validates all.
struct MRAIDBridge: Hashable, Sendable {
    /// One document that is connected with the host.
    private struct Connection: Hashable, Sendable {
        let target: EngineTarget
        let frame: String
    }

    var host: MRAIDHost
    /// The page that the ad has expanded to, from when it is requested.
    var second: SecondPart?
    private var secondCount = 0
    private let isNamed: Bool
    /// Whether the object exists, or will when the document does.
    private(set) var isOpen = false
    private var connections: [MRAIDPart: Connection] = [:]

    static let version = "3.0"
    /// Our own, in `MRAID_ENV` (MRAID 3.0, "Declaring MRAID environment details").
    static let sdkVersion = "0.1.0"
    /// The function of our script that takes updates.
    private static let inbound = "__yabbi_mraid_update"

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
    mutating func prepare(_ part: MRAIDPart, _ target: EngineTarget, frame: String) -> [StageOutput] {
        self.connections[part] = Connection(target: target, frame: frame)
        guard part == .second || self.isNamed else { return [] }
        self.isOpen = true
        let script = EngineScript(self.script(part), isHost: false)
        return [.send(.addChannel(.mraid, in: target)), .send(.addScript(script, in: target))]
    }

    /// Expects a page that the ad expands to.
    mutating func expect(_ url: String, beside creative: String) -> SecondPart {
        self.secondCount += 1
        let part = SecondPart(url, name: "\(creative)second-\(self.secondCount)")
        self.second = part
        return part
    }

    /// Answers a creative's request for the host's script; nil where the request is another.
    mutating func serve(_ request: EngineRequest) -> [StageOutput]? {
        guard request.kind == .script, MRAIDScript.isNamed(by: request.url) else { return nil }
        // At any address, and in place of what its server would have answered: the object exists already.
        let headers = [
            EngineHeader("Content-Type", "text/javascript"), EngineHeader("Access-Control-Allow-Origin", "*"),
        ]
        let answer = StageOutput.send(request.answered(200, headers, []))
        guard !self.isOpen, let main = self.connections[.main], main.target == request.target,
            main.frame == request.frame
        else { return [answer] }
        self.isOpen = true
        let script = EngineEvaluation(self.script(.main), .page(frame: main.frame), isSilent: true)
        return [.send(.addChannel(.mraid, in: main.target)), .send(.evaluate(script, in: main.target)), answer]
    }

    /// Our script for a document, with the state that it has from the start.
    private func script(_ part: MRAIDPart) -> String {
        // The app and its user are unknown here, so that the optional members are left out.
        let environment: AdJSON = [
            "version": .string(MRAIDBridge.version), "sdk": "yabbi", "sdkVersion": .string(MRAIDBridge.sdkVersion),
        ]
        return Scripts.mraid.replacing("INITIAL", with: self.host.first(part).json.text())
            .replacing("ENVIRONMENT", with: part == .main ? environment.text() : "null")
    }

    // MARK: Messages

    /// Reads a command; nil where the message is none, or comes from another document.
    func call(_ message: EngineMessage, in target: EngineTarget?, at now: Duration = .zero) -> MRAIDInput? {
        guard message.channel == .mraid, self.isOpen,
            let part = self.connections.first(where: {
                $0.value.target == target && message.sender == .page(frame: $0.value.frame)
            })?.key,
            let json = message.json(), let call = MRAIDCall(json)
        else { return nil }
        return .call(call, from: part, at: now)
    }

    /// Reads an error of our script, which refused a call by itself; nil where the message is none.
    ///
    /// Any frame of the target can send it, so that it is reported and changes nothing.
    func error(_ message: EngineMessage, in target: EngineTarget?) -> ScriptError? {
        guard message.channel == .mraid, self.isOpen,
            self.connections.values.contains(where: { $0.target == target }),
            let json = message.json(limit: 4_096), let text = json["e"]?.string, let name = json["c"]?.string
        else { return nil }
        return ScriptError("mraid.\(name.excerpt(40)): \(text.excerpt(200))")
    }

    /// Sends an update to a document: as the one argument of a call, and never as code.
    func send(_ part: MRAIDPart, _ update: MRAIDUpdate) -> [StageOutput] {
        guard self.isOpen, let connection = self.connections[part] else { return [] }
        let function = "function (update) { \(MRAIDBridge.inbound)(update); }"
        let world = EngineWorld.page(frame: connection.frame)
        return [.send(.call(function: function, argument: update.text, world, in: connection.target))]
    }

    /// The target of a document.
    func target(of part: MRAIDPart) -> EngineTarget? { self.connections[part]?.target }

    /// A document is gone.
    mutating func forget(_ part: MRAIDPart) { self.connections[part] = nil }
}
