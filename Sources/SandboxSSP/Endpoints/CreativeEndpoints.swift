import AdCore

/// The creatives' own files, and the page that their links lead to.
enum CreativeEndpoints {
    static let all = [
        Endpoint(place: .below("/creatives/"), methods: ["GET"], about: "the creatives' files") { request, state in
            // Files are found by their name in memory: a path that climbs out of the folder is a name that isn't there.
            let name = PercentEncoding.decoded(Substring(request.path.utf8.dropFirst("/creatives/".utf8.count)))
            guard let bytes = state.catalogue.files[name] else {
                return .failure(404, "there is no file of that name among the creatives")
            }
            let type = ContentType(of: name)
            let body = type.mayHoldAddresses ? state.resolved(bytes) : bytes
            var reply = CreativeEndpoints.part(of: body, asked: request.headers["range"])
            reply.headers["Content-Type"] = type.name
            reply.headers["Access-Control-Allow-Origin"] = "*"
            return reply
        },
        Endpoint(place: .at("/landing"), methods: ["GET"], about: "where the creatives' links lead") { request, _ in
            let query =
                request.query.isEmpty ? "nothing" : HTMLText.escaped(PercentEncoding.decoded(request.query))
            return .text(
                """
                <!DOCTYPE html>
                <html lang="en">
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>Landing page</title>
                <h1>You have arrived</h1>
                <p>An ad of the sandbox leads here. It brought along: <code>\(query)</code></p>
                </html>

                """,
                type: "text/html; charset=utf-8"
            )
        },
    ]

    /// The whole file, or the range that a media player asked for.
    static func part(of bytes: [UInt8], asked range: String?) -> SandboxReply {
        var reply = SandboxReply(status: 200, body: .bytes(bytes))
        reply.headers["Accept-Ranges"] = "bytes"
        guard let range = range.flatMap(ByteRange.init) else { return reply }
        guard let indices = range.indices(in: bytes.count) else {
            reply.status = 416
            reply.body = .bytes([])
            reply.headers["Content-Range"] = "bytes */\(bytes.count)"
            return reply
        }
        reply.status = 206
        reply.body = .bytes(Array(bytes[indices]))
        reply.headers["Content-Range"] = "bytes \(indices.lowerBound)-\(indices.upperBound - 1)/\(bytes.count)"
        return reply
    }
}

/// One range of a file: `bytes=0-99`, `bytes=100-` or `bytes=-100`.
struct ByteRange: Hashable, Sendable {
    private let first: Int?
    private let last: Int?

    /// Reads a `Range` header; nil where it is none, or asks for several: it is then as if there were none.
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

    /// What it covers of a file; nil where that is nothing.
    func indices(in count: Int) -> Range<Int>? {
        guard let first else {
            let length = min(self.last ?? 0, count)
            return length > 0 ? count - length..<count : nil
        }
        guard first < count else { return nil }
        return first..<(min(self.last ?? count - 1, count - 1) + 1)
    }
}

/// What a file is, judged by its name.
struct ContentType: Hashable, Sendable {
    let name: String
    /// Whether `${SANDBOX}` in it stands for the sandbox's address.
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
    ]
    private static let others = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "mp4": "video/mp4", "webm": "video/webm", "mp3": "audio/mpeg", "m4a": "audio/mp4",
        "woff": "font/woff", "woff2": "font/woff2", "wasm": "application/wasm",
    ]
}
