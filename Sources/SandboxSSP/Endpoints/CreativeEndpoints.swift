import AdCore
import LoopbackServer

/// The files of the creatives, and their landing page.
enum CreativeEndpoints {
    static let all = [
        Endpoint(path: .prefix("/creatives/"), methods: ["GET"], about: "the creatives' files") { request, state in
            // The name is a key in memory: a path that leaves the folder is an unknown name.
            let name = PercentEncoding.decoded(Substring(request.path.utf8.dropFirst("/creatives/".utf8.count)))
            guard let bytes = state.catalogue.files[name] else {
                return .failure(404, "there is no such file among the creatives")
            }
            let type = ContentType(of: name)
            let body = type.mayHoldAddresses ? state.expanded(bytes) : bytes
            var response = CreativeEndpoints.part(of: body, range: request.headers["range"])
            response.headers["Content-Type"] = type.name
            response.headers["Access-Control-Allow-Origin"] = "*"
            return response
        },
        Endpoint(path: .exact("/landing"), methods: ["GET"], about: "the landing page of all creatives") { request, _ in
            let query =
                request.query.isEmpty ? "none" : HTMLText.escaped(PercentEncoding.decoded(request.query))
            return .text(
                """
                <!DOCTYPE html>
                <html lang="en">
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>Landing page</title>
                <h1>Landing page</h1>
                <p>The click-through of an ad of the sandbox. Query: <code>\(query)</code></p>
                </html>

                """,
                type: "text/html; charset=utf-8"
            )
        },
    ]

    /// The whole file, or the requested range of it (RFC 9110 §14).
    static func part(of bytes: [UInt8], range: String?) -> ServerResponse {
        var response = ServerResponse(status: 200, body: .bytes(bytes))
        response.headers["Accept-Ranges"] = "bytes"
        guard let range = range.flatMap(ByteRange.init) else { return response }
        guard let indices = range.indices(in: bytes.count) else {
            response.status = 416
            response.body = .bytes([])
            response.headers["Content-Range"] = "bytes */\(bytes.count)"
            return response
        }
        response.status = 206
        response.body = .bytes(Array(bytes[indices]))
        response.headers["Content-Range"] = "bytes \(indices.lowerBound)-\(indices.upperBound - 1)/\(bytes.count)"
        return response
    }
}

/// One byte range of a `Range` header (RFC 9110 §14.1.2): `bytes=0-99`, `bytes=100-` or `bytes=-100`.
struct ByteRange: Hashable, Sendable {
    private let first: Int?
    private let last: Int?

    /// Parses a `Range` header.
    ///
    /// Nil when it is invalid or has several ranges; the header is then ignored, which RFC 9110 §14.2 allows.
    init?(_ header: String) {
        let text = header.trimmed
        guard text.utf8.startsIgnoringCase("bytes=") else { return nil }
        let ends = text.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) && $0.utf8.count <= 18 }) else {
            return nil
        }
        self.first = Int(ends[0])
        self.last = Int(ends[1])
        if self.first == nil, self.last == nil { return nil }
        if let first, let last, first > last { return nil }
    }

    /// The range within a file; nil when it is not satisfiable.
    func indices(in count: Int) -> Range<Int>? {
        guard let first else {
            let length = min(self.last ?? 0, count)
            return length > 0 ? count - length..<count : nil
        }
        guard first < count else { return nil }
        return first..<(min(self.last ?? count - 1, count - 1) + 1)
    }
}

/// The media type of a file, by its extension.
struct ContentType: Hashable, Sendable {
    let name: String
    /// Whether `${SANDBOX}` in the file is replaced by the sandbox's URL.
    let mayHoldAddresses: Bool

    init(of file: String) {
        let ending = file.split(separator: ".").last.map { $0.asciiLowercased } ?? ""
        if let text = ContentType.texts[ending] {
            self.name = text
            self.mayHoldAddresses = true
        } else {
            self.name = ContentType.others[ending] ?? "application/octet-stream"
            self.mayHoldAddresses = false
        }
    }

    private static let texts = [
        "html": "text/html; charset=utf-8", "xml": "application/xml", "svg": "image/svg+xml",
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "json": "application/json",
        "vtt": "text/vtt; charset=utf-8", "txt": "text/plain; charset=utf-8",
        "ttml": "application/ttml+xml", "srt": "application/x-subrip",
    ]
    private static let others = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "mp4": "video/mp4", "webm": "video/webm", "mp3": "audio/mpeg", "m4a": "audio/mp4",
        "woff": "font/woff", "woff2": "font/woff2", "wasm": "application/wasm",
    ]
}
