import AdCore

/// Connects an ad's documents with the MRAID host: injects `mraid.js`, reads commands, sends updates.
///
/// A creative gets the object `mraid` before its first script if its markup contains "mraid", and otherwise when it
/// requests `mraid.js` (MRAID 3.0 §3.1.3). Other creatives never get it.
///
/// Commands are read only from the main world of the creative's own frame or of its expanded page, not from nested
/// frames. A creative can bypass the injected script and forge commands, so `MRAIDCall` validates all of them.
struct MRAIDBridge: Hashable, Sendable {
    /// The target and frame of a connected document.
    private struct Connection: Hashable, Sendable {
        let target: EngineTarget
        let frame: String
    }

    var host: MRAIDHost
    /// The page of `expand` with a URL, from the moment it is requested.
    var expandedPage: ExpandedPage?
    private var expandedPageCount = 0
    private let isNamed: Bool
    /// Whether the object `mraid` was injected.
    private(set) var isOpen = false
    private var connections: [MRAIDDocument: Connection] = [:]

    static let version = "3.0"
    /// `sdkVersion` in `MRAID_ENV` (MRAID 3.0 §3.1.2).
    static let sdkVersion = "0.1.0"
    /// The function of the injected script that handles updates.
    private static let inbound = "__yabbi_mraid_update"

    init(_ plan: StagePlan) {
        self.host = MRAIDHost(
            plan.layout == .inline ? .inline : .interstitial,
            in: MRAIDGeometries(plan.geometry, plan.layout),
            expansionPolicy: plan.expansionPolicy,
            location: plan.location
        )
        self.isNamed = plan.document.asciiLowercased.contains("mraid")
    }

    // MARK: Frames

    /// Connects a frame before any script runs in it.
    mutating func prepare(_ document: MRAIDDocument, _ target: EngineTarget, frame: String) -> [StageOutput] {
        self.connections[document] = Connection(target: target, frame: frame)
        guard document == .expandedPage || self.isNamed else { return [] }
        self.isOpen = true
        let script = EngineScript(self.script(document), isHost: false)
        return [.send(.addChannel(.mraid, in: target)), .send(.addScript(script, in: target))]
    }

    /// Records the page that the host page is about to load over the ad.
    mutating func expect(_ url: String, beside creative: String) -> ExpandedPage {
        self.expandedPageCount += 1
        let page = ExpandedPage(url, name: "\(creative)second-\(self.expandedPageCount)")
        self.expandedPage = page
        return page
    }

    /// Answers a request for `mraid.js`; nil for other requests.
    mutating func serve(_ request: EngineRequest) -> [StageOutput]? {
        guard request.kind == .script, MRAIDScript.isNamed(by: request.url) else { return nil }
        // Any address that ends in `mraid.js` gets an empty script: the object is injected instead.
        let headers = [
            EngineHeader("Content-Type", "text/javascript"), EngineHeader("Access-Control-Allow-Origin", "*"),
        ]
        let answer = StageOutput.send(request.response(200, headers, []))
        guard !self.isOpen, let main = self.connections[.main], main.target == request.target,
            main.frame == request.frame
        else { return [answer] }
        self.isOpen = true
        let script = EngineEvaluation(self.script(.main), .page(frame: main.frame), isSilent: true)
        return [.send(.addChannel(.mraid, in: main.target)), .send(.evaluate(script, in: main.target)), answer]
    }

    /// The injected script, with a document's initial state.
    private func script(_ document: MRAIDDocument) -> String {
        // The optional members (`appId`, `ifa`, `limitAdTracking`, `coppa`) are unknown here. A two-part expanded page
        // has no `MRAID_ENV`.
        let environment: AdJSON = [
            "version": .string(MRAIDBridge.version), "sdk": "yabbi", "sdkVersion": .string(MRAIDBridge.sdkVersion),
        ]
        return Scripts.mraid.replacing("INITIAL", with: self.host.initialSnapshot(of: document).json.text())
            .replacing("ENVIRONMENT", with: document == .main ? environment.text() : "null")
    }

    // MARK: Messages

    /// Reads a command; nil if the message is not one, or comes from a document that is not connected.
    func call(_ message: EngineMessage, in target: EngineTarget?, at now: Duration = .zero) -> MRAIDInput? {
        guard message.channel == .mraid, self.isOpen,
            let document = self.connections.first(where: {
                $0.value.target == target && message.sender == .page(frame: $0.value.frame)
            })?.key,
            let json = message.json(), let call = MRAIDCall(json)
        else { return nil }
        return .call(call, from: document, at: now)
    }

    /// Reads an error of a call that the injected script refused by itself; nil for other messages.
    ///
    /// Any frame of the target can forge it; it is only reported.
    func error(_ message: EngineMessage, in target: EngineTarget?) -> ScriptError? {
        guard message.channel == .mraid, self.isOpen,
            self.connections.values.contains(where: { $0.target == target }),
            let json = message.json(limit: 4_096), let text = json["e"]?.string, let name = json["c"]?.string
        else { return nil }
        return ScriptError("mraid.\(name.excerpt(40)): \(text.excerpt(200))")
    }

    /// Sends an update to a document as the argument of a function call, so that it is never parsed as code.
    func send(_ document: MRAIDDocument, _ update: MRAIDUpdate) -> [StageOutput] {
        guard self.isOpen, let connection = self.connections[document] else { return [] }
        let function = "function (update) { \(MRAIDBridge.inbound)(update); }"
        let world = EngineWorld.page(frame: connection.frame)
        return [.send(.call(function: function, argument: update.text, world, in: connection.target))]
    }

    func target(of document: MRAIDDocument) -> EngineTarget? { self.connections[document]?.target }

    /// Disconnects a document that was removed.
    mutating func forget(_ document: MRAIDDocument) { self.connections[document] = nil }
}
