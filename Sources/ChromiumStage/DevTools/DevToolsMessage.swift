import AdCore
import WebStage

/// A session of the protocol is what the stage calls a target: one for each page, frame of another site, or worker.
typealias DevToolsSession = EngineTarget

/// An event of the browser.
struct DevToolsEvent: Hashable, Sendable {
    /// The session that it is of; nil where it is about the browser as a whole.
    let session: DevToolsSession?
    /// As in `Page.loadEventFired`.
    let method: String
    let params: AdJSON
}

/// A command to the browser.
struct DevToolsCommand: Hashable, Sendable {
    let method: String
    var params: AdJSON = [:]
    /// The session that it is for; nil for the browser as a whole.
    var session: DevToolsSession?

    init(_ method: String, _ params: AdJSON = [:], in session: DevToolsSession? = nil) {
        self.method = method
        self.params = params
        self.session = session
    }

    /// The message, under a number by which its answer is recognised.
    func bytes(number: Int) -> [UInt8] {
        var members: [AdJSON.Member] = [
            .init("id", .int(number)), .init("method", .string(self.method)), .init("params", self.params),
        ]
        if let session { members.append(.init("sessionId", .string(session.name))) }
        // There is no zero byte inside: JSON writes it as \u0000.
        return AdJSON.object(members).bytes() + [0]
    }
}

/// A message of the browser.
enum DevToolsMessage: Hashable, Sendable {
    /// The answer to a command.
    case answer(number: Int, Result<AdJSON, EngineFault>)
    case event(DevToolsEvent)

    /// Reads a message; nil where it is none.
    init?(_ bytes: [UInt8]) {
        guard let json = try? AdJSON(parsing: bytes) else { return nil }
        if let number = json["id"]?.number.flatMap(Int.init(exactly:)) {
            guard let error = json["error"] else {
                self = .answer(number: number, .success(json["result"] ?? [:]))
                return
            }
            let parts = [error["message"]?.string, error["data"]?.string].compactMap(\.self)
            self = .answer(number: number, .failure(.refused(parts.joined(separator: ": "))))
        } else if let method = json["method"]?.string {
            let session = json["sessionId"]?.string.map(DevToolsSession.init)
            self = .event(DevToolsEvent(session: session, method: method, params: json["params"] ?? [:]))
        } else {
            return nil
        }
    }
}
