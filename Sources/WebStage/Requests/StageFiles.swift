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
    func listedName(_ url: String) -> String { self.name + StageFiles.target(of: url) }

    /// Answers a request for a file.
    func serve(_ request: EngineRequest) -> (answer: EngineCommand, failure: FailedRequest?) {
        let target = StageFiles.target(of: request.url)
        switch self.answer(target) {
        case .missing(let reason):
            return (
                request.response(404), FailedRequest(url: self.listedName(request.url).excerpt(500), reason: reason)
            )
        case .file(let file):
            let origin = [EngineHeader("Access-Control-Allow-Origin", "*")]
            // Media elements ask for parts of a file, and may seek only if they get them.
            guard let range = request.header("range") else {
                let headers = origin + [EngineHeader("Content-Type", file.type)]
                return (request.response(200, headers, file.bytes), nil)
            }
            let part = MediaRange(range, of: file.bytes.count)
            return (
                request.response(part.status, origin + part.headers(type: file.type), Array(file.bytes[part.bytes])),
                nil
            )
        }
    }

    /// The path and query of a URL of the creative's origin.
    private static func target(of url: String) -> String {
        guard let domain = url.firstRange(of: ".\(StageDomain.creative.name)/") else { return "/" }
        return "/" + url[domain.upperBound...].prefix { $0 != "#" }
    }
}
