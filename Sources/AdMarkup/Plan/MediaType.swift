import AdCore

/// The containers that a media file's `type` (VAST 4.3 §3.9.1) and file extension distinguish.
package enum MediaType: String {
    case mp4 = "video/mp4"
    case webm = "video/webm"
    case hls = "application/x-mpegurl"
    case dash = "application/dash+xml"

    /// The container of a file extension; nil if it is unknown.
    init?(ofName url: HTTPURL) {
        var text = url.text
        let type = text.withUTF8 { bytes -> MediaType? in
            let path = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            if path.endsIgnoringCase(".mp4") || path.endsIgnoringCase(".m4v") { return .mp4 }
            if path.endsIgnoringCase(".webm") { return .webm }
            if path.endsIgnoringCase(".m3u8") { return .hls }
            return path.endsIgnoringCase(".mpd") ? .dash : nil
        }
        guard let type else { return nil }
        self = type
    }

    /// The types of playlists (HLS and DASH).
    static let streams: Set<String> = [
        "application/x-mpegurl", "application/vnd.apple.mpegurl", "application/mpegurl", "audio/mpegurl",
        "audio/x-mpegurl", "application/dash+xml", "video/vnd.mpeg.dash.mpd",
    ]

    /// Other names of a type that players accept.
    static let aliases: [String: String] = [
        "video/x-mp4": "video/mp4", "video/m4v": "video/mp4", "video/x-m4v": "video/mp4",
        "application/mp4": "video/mp4",
        "video/x-webm": "video/webm",
    ]

    /// File extensions that are written in place of a MIME type.
    static let shortNames = [
        "mp4": "video/mp4", ".mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", ".webm": "video/webm",
    ]

    /// Types that name no container.
    private static let anything: Set<String> = [
        "application/octet-stream", "binary/octet-stream", "video/*", "video/unknown", "video/video", "video/h264",
    ]

    /// A type without its parameters, in lower case.
    package static func plain(_ type: String) -> String {
        Substring(type.utf8.prefix { $0 != UInt8(ascii: ";") }).trimmed.asciiLowercased
    }

    /// Whether a type does not name the container.
    static func isUnspecific(_ type: String) -> Bool {
        !type.utf8.contains(UInt8(ascii: "/")) || self.anything.contains(type)
    }
}
