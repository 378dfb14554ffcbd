import AdCore

/// The files of a creative, which the stage serves at the creative's own origin.
package final class StageFiles: Hashable, Sendable {
    /// A file with its media type.
    package struct File: Sendable {
        let type: String
        let bytes: [UInt8]

        package init(type: String, bytes: [UInt8]) {
            self.type = type
            self.bytes = bytes
        }
    }

    /// What a path leads to.
    package enum Answer: Sendable {
        case file(File)
        /// There is no file; why, and the fix.
        case missing(String)
    }

    /// The name of the bundle, for lists of requests.
    let name: String
    private let answer: @Sendable (String) -> Answer

    /// Creates files; `answer` gets a request's path and query, such as `/img/a.png?v=2`.
    package init(_ name: String, answer: @escaping @Sendable (String) -> Answer) {
        self.name = name
        self.answer = answer
    }

    package static func == (left: StageFiles, right: StageFiles) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The name of a request's file in lists, such as `ad.zip/img/a.png`.
    func listedName(_ url: String) -> String { self.name + RequestRules.target(of: url) }

    /// A response to a request for a file.
    struct Response {
        let command: EngineCommand
        /// The number of bytes that are sent.
        var size = 0
        var failure: FailedRequest?
    }

    /// Responds to a request for a file.
    func respond(to request: EngineRequest) -> Response {
        switch self.answer(String(RequestRules.target(of: request.url))) {
        case .missing(let reason):
            let name = self.listedName(request.url).excerpt(500)
            return Response(command: request.response(404), failure: FailedRequest(url: name, reason: reason))
        case .file(let file):
            let origin = [EngineHeader("Access-Control-Allow-Origin", "*")]
            // Media elements ask for parts of a file, and may seek only if they get them.
            guard let part = request.header("range").flatMap({ MediaRange(valid: $0, of: file.bytes.count) }) else {
                let headers = origin + [EngineHeader("Content-Type", file.type)]
                return Response(command: request.response(200, headers, file.bytes), size: file.bytes.count)
            }
            let headers = origin + part.headers(type: file.type)
            let command = request.response(part.status, headers, Array(file.bytes[part.bytes]))
            return Response(command: command, size: part.bytes.count)
        }
    }
}
