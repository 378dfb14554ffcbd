package import AdCore

/// The cues of a closed-caption file (VAST 4.3 §3.9.5): WebVTT, SubRip or TTML, whichever its content is.
package struct CaptionTrack: Hashable, Sendable {
    package enum Format: String, Hashable, Sendable {
        case webVTT = "WebVTT"
        case subRip = "SubRip"
        case ttml = "TTML"
    }

    /// A text, and when it is shown.
    package struct Cue: Hashable, Sendable {
        package var start: Duration
        package var end: Duration
        /// The text as WebVTT writes it, with its tags (WebVTT §1.4).
        package var text: String
        package var settings = CueSettings()
    }

    /// Why a file has no captions.
    package struct ReadError: Error, Hashable, Sendable {
        /// What is wrong and how to fix it, as the predicate of a clause whose subject is the file.
        package let reason: String
    }

    package let format: Format
    /// The cues, the earliest first.
    package let cues: [Cue]
    /// What was left out or repaired.
    package let issues: [AdIssue]

    /// The largest file, in bytes; an hour of captions has about 100,000.
    package static let byteLimit = 1 << 20
    /// The maximum number of cues.
    package static let cueLimit = 5_000
    /// The maximum number of cues at the same time: a browser's time to lay them out grows with the square of it.
    package static let overlapLimit = 10
    /// The longest text of a cue, in bytes.
    package static let textLimit = 2_000
    private static let issueLimit = 50

    /// Reads a file; `type` is the MIME type that the markup declares, which decides nothing.
    package init(_ bytes: [UInt8], type: String? = nil) throws(ReadError) {
        guard bytes.count <= CaptionTrack.byteLimit else {
            throw ReadError(reason: "is larger than \(CaptionTrack.byteLimit >> 20) MB; split it, or leave out styles")
        }
        var log = IssueLog(limit: CaptionTrack.issueLimit)
        let format = CaptionTrack.format(of: bytes)
        let cues: [Cue]
        switch format {
        case .ttml: cues = try TTMLReader.cues(of: bytes, &log)
        case .webVTT, .subRip: cues = CueReader.cues(of: bytes, format == .webVTT ? .webVTT : .subRip, &log)
        case nil: throw ReadError(reason: "is neither WebVTT nor TTML nor SubRip; a WebVTT file starts with WEBVTT")
        }
        guard let format, !cues.isEmpty else {
            throw ReadError(reason: "has no cue that can be shown; a cue has a line such as 00:01.000 --> 00:03.000")
        }
        if let type, let declared = CaptionTrack.format(ofType: type), declared != format {
            log.add(
                "caption.type",
                line: 1,
                "type is \u{201C}\(type.excerpt(40))\u{201D}, but the file is \(format.rawValue)"
            )
        }
        self.format = format
        let sorted = cues.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
        self.cues = CaptionTrack.limited(sorted.map(\.element), &log)
        self.issues = IssueLog.merged([log], with: [], limit: CaptionTrack.issueLimit)
    }

    /// The cues of which no more than a few are shown at the same time; they are in the order of their starts.
    private static func limited(_ cues: [Cue], _ log: inout IssueLog) -> [Cue] {
        var ends: [Duration] = []
        let limited = cues.filter { cue in
            ends.removeAll { $0 <= cue.start }
            guard ends.count < CaptionTrack.overlapLimit else { return false }
            ends.append(cue.end)
            return true
        }
        if limited.count < cues.count {
            let text =
                "\(cues.count - limited.count) cues are left out: more than \(CaptionTrack.overlapLimit) at the same time"
            log.add("caption.many", line: 1, text)
        }
        return limited
    }

    /// The text of a cue up to the limit; a character may have any number of bytes.
    static func bounded(_ text: String) -> String {
        guard text.utf8.count > CaptionTrack.textLimit else { return text }
        return String(decoding: text.utf8.prefix(CaptionTrack.textLimit), as: UTF8.self)
    }

    /// Whether the file's declared type names a format that can be read; true without a type.
    package static func isReadable(type: String?) -> Bool {
        guard let type, !type.trimmed.isEmpty else { return true }
        // Servers send WebVTT as text/plain, and TTML as XML of some kind.
        let plain = MediaType.plain(type)
        return self.format(ofType: type) != nil || ["text/plain", "application/octet-stream"].contains(plain)
    }

    /// The format of a MIME type; nil for another type.
    private static func format(ofType type: String) -> Format? {
        switch MediaType.plain(type) {
        case "text/vtt", "text/webvtt", "application/vtt", "vtt": .webVTT
        case "text/srt", "application/x-subrip", "application/srt", "text/x-srt", "srt": .subRip
        case "application/ttml+xml", "application/ttaf+xml", "text/xml", "application/xml", "text/ttml", "ttml": .ttml
        default: nil
        }
    }

    /// The format by the first characters that are not white space (WebVTT §4.1, TTML2 §7).
    private static func format(of bytes: [UInt8]) -> Format? {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        // XML may be UTF-16, which is of no use to the other formats (WebVTT §4.1: always UTF-8).
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return .ttml }
        let rest = bytes[start...].drop { $0.isWhiteSpace }
        if rest.first == UInt8(ascii: "<") { return .ttml }
        if rest.starts(with: "WEBVTT".utf8) { return .webVTT }
        return rest.firstRange(of: Array("-->".utf8)) == nil ? nil : .subRip
    }
}

/// Where a cue is on the video (WebVTT §3.5); nil is the format's default.
package struct CueSettings: Hashable, Sendable {
    package enum Align: String, Hashable, Sendable {
        case start, center, end, left, right
    }

    package enum Vertical: String, Hashable, Sendable {
        case rl, lr
    }

    /// A number of lines from the top or, if negative, from the bottom, or a share of the height.
    package enum Line: Hashable, Sendable {
        case number(Double)
        case percent(Double)
    }

    package var line: Line?
    /// From 0 to 100.
    package var position: Double?
    /// From 0 to 100.
    package var size: Double?
    package var align: Align?
    package var vertical: Vertical?

    package init() {}
}
