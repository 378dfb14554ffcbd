import AdCore
import CLabPage
import LoopbackServer

/// The files of the page, which are embedded in the command.
struct PageFiles: Sendable {
    private struct File: Sendable {
        let type: String
        let bytes: [UInt8]
    }

    /// The files in `Page`, as they are embedded.
    static let embedded = (0..<lab_page_count()).map { index in
        let file = lab_page_file(index)
        return (name: String(cString: file.name), text: String(cString: file.text))
    }

    private let files: [String: File]

    /// Reads the files; links and imports between them get the token.
    init(token: String) {
        var files: [String: File] = [:]
        for (name, text) in PageFiles.embedded {
            let isHTML = name.hasSuffix(".html")
            let type = isHTML ? "text/html" : name.hasSuffix(".css") ? "text/css" : "text/javascript"
            let linked = text.replacing(".js\"", with: ".js?token=\(token)\"").replacing(
                "href=\"lab.css\"",
                with: "href=\"lab.css?token=\(token)\""
            )
            files[name] = File(
                type: type + "; charset=utf-8",
                bytes: Array((isHTML || name.hasSuffix(".js") ? linked : text).utf8)
            )
        }
        self.files = files
    }

    func contains(_ name: String) -> Bool { self.files[name] != nil }

    func response(for name: String) -> ServerResponse {
        guard let file = self.files[name] else { return .failure(404, "\(name) is not served") }
        return ServerResponse(status: 200, headers: ["Content-Type": file.type], body: .bytes(file.bytes))
    }
}
