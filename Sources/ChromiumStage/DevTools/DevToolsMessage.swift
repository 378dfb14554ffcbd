import AdCore
import EngineSupport
import WebStage

/// A session of the protocol corresponds to a target of the stage: a page, cross-site frame, or worker.
typealias DevToolsSession = EngineTarget

/// An event of the DevTools protocol.
struct DevToolsEvent: Hashable, Sendable {
    /// The session; nil for events of the browser as a whole.
    let session: DevToolsSession?
    /// The event's name, as in `Page.loadEventFired`.
    let method: String
    let params: AdJSON
}

/// What a connection reports.
enum DevToolsReport: Hashable, EngineReport {
    case event(DevToolsEvent)
    /// A session sends too many messages; in order with its events.
    case flood(EngineFlood, in: DevToolsSession)

    /// The session; nil for events of the browser as a whole.
    var address: DevToolsSession? {
        switch self {
        case .event(let event): event.session
        case .flood(_, let session): session
        }
    }
}

/// A command of the DevTools protocol.
struct DevToolsCommand: Hashable, Sendable {
    let method: String
    var params: AdJSON = [:]
    /// The session; nil for commands to the browser as a whole.
    var session: DevToolsSession?

    init(_ method: String, _ params: AdJSON = [:], in session: DevToolsSession? = nil) {
        self.method = method
        self.params = params
        self.session = session
    }

    /// The encoded message; `number` matches the reply to the command.
    func bytes(number: Int) -> [UInt8] {
        var members: [AdJSON.Member] = [
            .init("id", .int(number)), .init("method", .string(self.method)), .init("params", self.params),
        ]
        if let session { members.append(.init("sessionId", .string(session.name))) }
        // The terminating zero byte can't occur inside: JSON escapes it as \u0000 (RFC 8259 §7).
        return AdJSON.object(members).bytes() + [0]
    }
}

/// A message from the browser.
enum DevToolsMessage: Hashable, Sendable {
    /// The reply to a command.
    case reply(number: Int, Result<AdJSON, EngineError>)
    case event(DevToolsEvent)

    /// Reads a message; nil if it is invalid.
    init?(_ bytes: [UInt8]) {
        guard let json = try? AdJSON(parsing: bytes) else { return nil }
        if let number = json["id"]?.number.flatMap(Int.init(exactly:)) {
            guard let error = json["error"] else {
                self = .reply(number: number, .success(json["result"] ?? [:]))
                return
            }
            let parts = [error["message"]?.string, error["data"]?.string].compactMap(\.self)
            self = .reply(number: number, .failure(.refused(parts.joined(separator: ": "))))
        } else if let method = json["method"]?.string {
            let session = json["sessionId"]?.string.map(DevToolsSession.init)
            self = .event(DevToolsEvent(session: session, method: method, params: json["params"] ?? [:]))
        } else {
            return nil
        }
    }
}
