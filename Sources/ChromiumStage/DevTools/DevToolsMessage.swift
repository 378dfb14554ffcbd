import AdCore

/// Which conversation with the browser a message belongs to: one for each page, frame or worker.
struct DevToolsSession: Hashable, Sendable {
    let name: String
}

/// Something that the browser says by itself.
struct DevToolsEvent: Hashable, Sendable {
    /// Whose it is; nil where it is about the browser as a whole.
    let session: DevToolsSession?
    /// As in `Page.loadEventFired`.
    let method: String
    let params: JSON
}

/// Something to be said to the browser.
struct DevToolsCommand: Hashable, Sendable {
    let method: String
    var params: JSON = [:]
    /// Whom it is said to; nil for the browser as a whole.
    var session: DevToolsSession?

    init(_ method: String, _ params: JSON = [:], in session: DevToolsSession? = nil) {
        self.method = method
        self.params = params
        self.session = session
    }

    /// The message, under a number by which its answer is known.
    func bytes(number: Int) -> [UInt8] {
        var members: [JSON.Member] = [
            .init("id", .int(number)), .init("method", .string(self.method)), .init("params", self.params),
        ]
        if let session { members.append(.init("sessionId", .string(session.name))) }
        // No zero byte stands inside: JSON writes it as \u0000.
        return JSON.object(members).bytes() + [0]
    }
}

/// What a browser says.
enum DevToolsMessage: Hashable, Sendable {
    /// The answer to a command.
    case answer(number: Int, Result<JSON, DevToolsFault>)
    case event(DevToolsEvent)

    /// Reads a message; nil where it is none.
    init?(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes) else { return nil }
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

/// Why a command was not carried out.
package enum DevToolsFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The browser says no, and why.
    case refused(String)
    /// No answer came in time.
    case late(String)
    /// The browser is gone.
    case gone

    package var description: String {
        switch self {
        case .refused(let reason): "the browser refused: \(reason)"
        case .late(let method): "the browser did not answer \(method) in time"
        case .gone: "the browser is gone"
        }
    }
}
