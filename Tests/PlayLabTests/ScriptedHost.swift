import AdCore
import SystemSupport

@testable import LoopbackServer
@testable import PlayLab

/// A host whose ads do nothing by themselves.
final class ScriptedHost: LabHost {
    private let started = Locked<[ScriptedRun]>([])
    let refusal: LabError?

    init(refusing refusal: LabError? = nil) { self.refusal = refusal }

    var runs: [ScriptedRun] { self.started.withLock { $0 } }
    var offers: AdJSON { ["version": "1"] }

    func start(_ order: LabOrder, reportingTo ad: LabAd) throws(LabError) -> any LabRun {
        if let refusal { throw refusal }
        let run = ScriptedRun(order, ad)
        self.started.withLock { $0.append(run) }
        return run
    }

    func compare(_ a: LabSide, _ b: LabSide) async throws(LabError) -> AdJSON {
        func text(_ side: LabSide) throws(LabError) -> AdJSON {
            switch side {
            case .run(let run): return .string(run.command)
            case .file(let bytes, let name):
                guard !bytes.isEmpty else { throw LabError("\(name) is empty", field: "a") }
                return .string("\(name) of \(bytes.count)")
            }
        }
        return ["pair": [try text(a), try text(b)]]
    }
}

final class ScriptedRun: LabRun {
    let order: LabOrder
    let ad: LabAd
    let command: String
    private let log = Locked<(inputs: [LabInput], actions: [LabAction])>(([], []))

    init(_ order: LabOrder, _ ad: LabAd) {
        self.order = order
        self.ad = ad
        self.command = "show \(ad.id)"
    }

    var inputs: [LabInput] { self.log.withLock(\.inputs) }
    var actions: [LabAction] { self.log.withLock(\.actions) }

    func send(_ input: LabInput) { self.log.withLock { $0.inputs.append(input) } }
    func perform(_ action: LabAction) throws(LabError) {
        guard action != .step("fly") else { throw LabError("unknown action fly", field: "action") }
        self.log.withLock { $0.actions.append(action) }
    }
    func end() { self.ad.finish() }
    var bytes: Int { 10 }
    func source() async -> AdJSON { ["documents": []] }
    func structure() async -> AdJSON { ["nodes": []] }
    func file(_ kind: LabFile) async -> [UInt8]? { kind == .har ? Array("{}".utf8) : nil }
}

/// The responses of a lab to requests with its token.
struct LabScene {
    let host: ScriptedHost
    let lab: Lab
    let responder: LabResponder
    static let token = "0123456789abcdef"

    init(refusing refusal: LabError? = nil) {
        self.host = ScriptedHost(refusing: refusal)
        self.lab = Lab(self.host) { WallTime(milliseconds: 0) }
        self.responder = LabResponder(self.lab, token: LabScene.token, address: LoopbackAddress(port: 8000))
    }

    func send(
        _ method: String,
        _ path: String,
        body: AdJSON? = nil,
        headers: [String: String] = [:]
    ) -> ServerResponse {
        let mark = path.contains("?") ? "&" : "?"
        var all = ["host": "127.0.0.1:8000"]
        for (name, value) in headers { all[name] = value }
        return self.responder.respond(
            to: ServerRequest(
                method: method,
                target: "\(path)\(mark)token=\(LabScene.token)",
                headers: all,
                body: body.map { $0.bytes() } ?? []
            )
        )
    }

    /// Starts an ad of a pasted tag, and returns its id.
    func start(_ text: String = "<p>ad</p>") -> String {
        let source: AdJSON = ["kind": "markup", "text": .string(text)]
        return self.send("POST", "/ads", body: ["source": source]).json["id"]?.string ?? ""
    }
}

extension ServerResponse {
    var bytes: [UInt8]? { if case .bytes(let bytes) = self.body { bytes } else { nil } }

    var json: AdJSON { self.bytes.flatMap { try? AdJSON(parsing: $0) } ?? .null }

    /// The text of the next pieces of a live body, until it waits.
    var pieces: String {
        guard case .live(let body) = self.body else { return "" }
        var text = ""
        while case .bytes(let bytes) = body.next() { text += String(decoding: bytes, as: UTF8.self) }
        return text
    }
}
