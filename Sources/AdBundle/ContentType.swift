/// The content types of the files of ads.
enum ContentType {
    /// The value of a `Content-Type` header, by a path's extension.
    ///
    /// Texts are UTF-8, which a page's own declaration can't override; ad servers send the same.
    static func of(_ path: String) -> String {
        guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: ".") else { return self.other }
        return switch name[name.index(after: dot)...].lowercased() {
        case "html", "htm": "text/html; charset=utf-8"
        case "js", "mjs": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "json": "application/json; charset=utf-8"
        case "xml": "text/xml; charset=utf-8"
        case "txt": "text/plain; charset=utf-8"
        case "svg": "image/svg+xml; charset=utf-8"
        case "png": "image/png"
        case "jpg", "jpeg": "image/jpeg"
        case "gif": "image/gif"
        case "webp": "image/webp"
        case "avif": "image/avif"
        case "ico": "image/x-icon"
        case "woff": "font/woff"
        case "woff2": "font/woff2"
        case "ttf": "font/ttf"
        case "otf": "font/otf"
        case "mp4": "video/mp4"
        case "webm": "video/webm"
        case "mp3": "audio/mpeg"
        case "ogg": "audio/ogg"
        case "wav": "audio/wav"
        case "wasm": "application/wasm"
        case "vtt": "text/vtt; charset=utf-8"
        case "ttml": "application/ttml+xml"
        case "srt": "application/x-subrip"
        default: self.other
        }
    }

    private static let other = "application/octet-stream"
}
