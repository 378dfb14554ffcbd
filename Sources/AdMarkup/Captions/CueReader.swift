import AdCore

/// Reads WebVTT (W3C) and SubRip: blocks of lines, of which one is `start --> end`.
///
/// Both formats are read with the same tolerance: an invalid cue costs the cue.
struct CueReader {
    private let format: CaptionTrack.Format
    private let lines: [Substring]
    private var place = 0
    private var cues: [CaptionTrack.Cue] = []

    static func cues(
        of bytes: [UInt8],
        _ format: CaptionTrack.Format,
        _ log: inout IssueLog
    ) -> [CaptionTrack.Cue] {
        var text = Substring(String(decoding: bytes, as: UTF8.self))
        if !text.utf8.elementsEqual(bytes) {
            log.add("caption.charset", line: 1, "it is not UTF-8; the invalid characters are replaced")
        }
        if text.first == "\u{FEFF}" { text = text.dropFirst() }
        let lines = text.split(omittingEmptySubsequences: false) { ["\n", "\r", "\r\n"].contains($0) }
        var reader = CueReader(format: format, lines: lines)
        reader.read(&log)
        return reader.cues
    }

    private init(format: CaptionTrack.Format, lines: [Substring]) {
        self.format = format
        self.lines = lines
    }

    private mutating func read(_ log: inout IssueLog) {
        while self.place < self.lines.count {
            guard let arrow = self.lines[self.place].firstRange(of: "-->") else {
                // A header, a note, a style sheet, or the name of a cue.
                self.place += 1
                continue
            }
            let number = self.place + 1
            let line = self.lines[self.place]
            self.place += 1
            let text = self.payload()
            guard let start = CueReader.time(line[..<arrow.lowerBound]) else {
                log.add("caption.time", line: number, "a cue is left out: its start is not a time such as 00:01.000")
                continue
            }
            let words = line[arrow.upperBound...].split { $0 == " " || $0 == "\t" }
            guard let end = words.first.flatMap(CueReader.time), end > start else {
                log.add("caption.time", line: number, "a cue is left out: its end is no time after its start")
                continue
            }
            guard !text.trimmed.isEmpty else { continue }
            if self.format == .webVTT, ![line[..<arrow.lowerBound], words[0]].allSatisfy(CueReader.isExact) {
                log.add("caption.time", line: number, "a time is not as WebVTT writes it, as in 00:01.000; it is read")
            }
            guard self.cues.count < CaptionTrack.cueLimit else {
                log.add("caption.many", line: number, "only the first \(CaptionTrack.cueLimit) cues are shown")
                return
            }
            var cue = CaptionTrack.Cue(start: start, end: end, text: CaptionTrack.bounded(text))
            if self.format == .subRip {
                cue.removeOverrides()
            } else {
                for word in words.dropFirst() where !cue.settings.read(word) {
                    let name = String(word).excerpt(30)
                    log.add("caption.setting", line: number, "the setting \u{201C}\(name)\u{201D} is ignored")
                }
            }
            self.cues.append(cue)
        }
    }

    /// The lines until an empty one, or until the next cue's times.
    private mutating func payload() -> String {
        var lines: [Substring] = []
        while self.place < self.lines.count {
            let line = self.lines[self.place]
            if line.isEmpty || line.contains("-->") { break }
            lines.append(line)
            self.place += 1
        }
        return lines.joined(separator: "\n")
    }

    /// A time such as `00:01.000` or `01:00:01,000`, below a day (WebVTT §4.3.1).
    private static func time(_ text: Substring) -> Duration? {
        let parts = text.trimmed.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        let last = parts[parts.count - 1].split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard last.count <= 2, let seconds = self.digits(last[0]), seconds < 60,
            let minutes = self.digits(parts[parts.count - 2][...]), minutes < 60
        else { return nil }
        let hours = parts.count == 3 ? self.digits(parts[0][...]) : 0
        guard let hours, hours < 24 else { return nil }
        var milliseconds = 0
        if last.count == 2 {
            guard last[1].utf8.count <= 3, let fraction = self.digits(last[1]) else { return nil }
            milliseconds = fraction * [1, 100, 10, 1][last[1].utf8.count]
        }
        return .milliseconds(((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds)
    }

    /// Whether a time has three digits after a point, without which browsers leave out the cue (WebVTT §4.3.1).
    private static func isExact(_ text: Substring) -> Bool {
        let end = text.trimmed.utf8.suffix(4)
        return end.count == 4 && end.first == UInt8(ascii: ".") && end.dropFirst().allSatisfy(\.isDigit)
    }

    private static func digits(_ text: Substring) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ $0.isDigit }) else { return nil }
        return Int(text)
    }
}

extension CaptionTrack.Cue {
    /// Removes the overrides of SubStation from a cue of SubRip, as in `{\an8}`, of which the place is kept.
    fileprivate mutating func removeOverrides() {
        // 7 to 9: at the top, as on a keypad.
        for place in ["7", "8", "9"] where self.text.contains("{\\an\(place)}") { self.settings.line = .number(0) }
        while let start = self.text.firstRange(of: "{\\"),
            let end = self.text[start.upperBound...].firstIndex(of: "}")
        {
            self.text.removeSubrange(start.lowerBound...end)
        }
    }
}

extension CueSettings {
    /// Reads a setting as WebVTT writes it (§4.4); false if it is invalid.
    fileprivate mutating func read(_ word: Substring) -> Bool {
        guard let colon = word.firstIndex(of: ":") else { return false }
        // What follows a comma is an alignment that no browser applies.
        let value = word[word.index(after: colon)...].prefix { $0 != "," }
        switch word[..<colon] {
        case "line":
            if let percent = CueSettings.percent(value) {
                self.line = .percent(percent)
            } else if let number = Int(value), (-999...999).contains(number) {
                self.line = .number(Double(number))
            } else {
                return false
            }
        case "position": return CueSettings.set(&self.position, CueSettings.percent(value))
        case "size": return CueSettings.set(&self.size, CueSettings.percent(value))
        case "align": return CueSettings.set(&self.align, Align(rawValue: value == "middle" ? "center" : String(value)))
        case "vertical": return CueSettings.set(&self.vertical, Vertical(rawValue: String(value)))
        default: return false
        }
        return true
    }

    private static func set<Value>(_ place: inout Value?, _ value: Value?) -> Bool {
        guard let value else { return false }
        place = value
        return true
    }

    /// A percentage as in `50%`.
    static func percent(_ text: Substring) -> Double? {
        guard text.hasSuffix("%"), let number = Double(text.dropLast()), (0...100).contains(number) else { return nil }
        return number
    }
}
