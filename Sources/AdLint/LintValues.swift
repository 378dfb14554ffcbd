import AdCore
import AdHTML
import AdMarkup

/// Times and offsets, read as the VAST reader reads them.
enum LintTime {
    /// A duration.
    static func duration(_ text: String) -> VASTValue<Duration> {
        var text = text.trimmed
        return text.withUTF8 { VASTValue<Duration>.duration($0[...]) }
    }

    /// A time or a percentage.
    static func offset(_ text: String) -> VASTValue<MediaOffset> {
        var text = text.trimmed
        return text.withUTF8 { VASTValue<MediaOffset>.offset($0[...]) }
    }

    /// Whether a text is a plain number that is too large for seconds.
    static func isMilliseconds(_ text: String) -> Bool {
        text.utf8.count <= 9 && text.utf8.allSatisfy(\.isDigit) && (Int(text) ?? 0) >= 1000
    }
}

extension LintTime {
    /// The intended time of a text such as `00:00:15000`, with milliseconds in place of seconds; nil for other texts.
    static func millisecondsInSeconds(_ text: String) -> String? {
        let parts = text.trimmed.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].utf8.count >= 4, parts[2].utf8.count <= 9,
            parts[2].utf8.allSatisfy(\.isDigit),
            let milliseconds = Int(parts[2]), milliseconds >= 1000
        else { return nil }
        let total = milliseconds / 1000 + (Int(parts[1]) ?? 0) * 60 + (Int(parts[0]) ?? 0) * 3600
        let fields = [total / 3600, total / 60 % 60, total % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let rest = milliseconds % 1000
        let fraction = String(1000 + rest).dropFirst()
        return fields.joined(separator: ":") + (rest == 0 ? "" : ".\(fraction)")
    }
}

/// MIME types of media files and resources.
enum LintType {
    /// Whether a text has the form of a MIME type.
    static func isMIME(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")), slash > bytes.startIndex else { return false }
        let subtype = bytes[slash...].dropFirst()
        return !subtype.isEmpty && !subtype.contains(UInt8(ascii: "/")) && !bytes.contains { $0 < 0x20 }
            && bytes[..<slash].allSatisfy { $0.isASCIILetter || $0 == UInt8(ascii: "-") }
    }

    /// The types that some phones play.
    static let playableOnPhones: Set<String> = [
        "video/mp4", "video/x-mp4", "video/m4v", "video/x-m4v", "video/3gpp", "video/quicktime", "video/webm",
        "audio/mpeg", "audio/mp3",
        "audio/mp4", "audio/m4a", "audio/x-m4a", "audio/aac", "audio/webm", "audio/ogg", "audio/wav", "audio/x-wav",
        "application/x-mpegurl",
        "application/vnd.apple.mpegurl", "application/mpegurl", "audio/mpegurl", "audio/x-mpegurl",
        "application/dash+xml",
        "video/vnd.mpeg.dash.mpd",
    ]
    /// The types that all phones play.
    static let playableOnEveryPhone: Set<String> = [
        "video/mp4", "video/x-mp4", "video/m4v", "video/x-m4v", "video/3gpp", "audio/mpeg", "audio/mp3", "audio/mp4",
        "audio/m4a", "audio/x-m4a",
        "audio/aac", "application/x-mpegurl", "application/vnd.apple.mpegurl", "application/mpegurl", "audio/mpegurl",
        "audio/x-mpegurl",
    ]
    static let flash: Set<String> = [
        "application/x-shockwave-flash", "video/x-flv", "video/flv", "application/x-fla", "application/x-flash",
    ]
    static let script: Set<String> = ["application/javascript", "application/x-javascript", "text/javascript"]
    static let playlist: Set<String> = [
        "application/x-mpegurl", "application/vnd.apple.mpegurl", "application/dash+xml", "application/mpegurl",
        "video/vnd.mpeg.dash.mpd",
    ]

    /// The types that a file extension stands for; nil for unknown extensions.
    static func types(ofFile address: String) -> Set<String>? {
        var address = address
        let suffix = address.withUTF8 { bytes -> String? in
            var path = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            while path.last == UInt8(ascii: "/") { path.removeLast() }
            guard let mark = path.lastIndex(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }),
                path[mark] == UInt8(ascii: ".")
            else { return nil }
            return String(decoding: path[(mark + 1)...], as: UTF8.self)
        }
        return suffix.flatMap { self.byExtension[$0.asciiLowercased] }
    }

    private static let byExtension: [String: Set<String>] = [
        "mp4": ["video/mp4", "audio/mp4", "video/x-mp4", "video/m4v", "video/x-m4v"],
        "webm": ["video/webm", "audio/webm"],
        "flv": ["video/x-flv", "video/flv"], "swf": ["application/x-shockwave-flash"],
        "mov": ["video/quicktime", "video/mov"], "wmv": ["video/x-ms-wmv"],
        "mp3": ["audio/mpeg", "audio/mp3"],
        "js": ["application/javascript", "application/x-javascript", "text/javascript"],
        "m3u8": [
            "application/x-mpegurl", "application/vnd.apple.mpegurl", "application/mpegurl", "audio/mpegurl",
            "audio/x-mpegurl",
        ],
        "mpd": ["application/dash+xml", "video/vnd.mpeg.dash.mpd"],
    ]
}
