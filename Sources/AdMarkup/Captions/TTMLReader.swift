import AdCore

/// Reads TTML (W3C TTML2, also IMSC and EBU-TT-D) as far as players do: texts with their times, line breaks, the style
/// of spans, and the regions' places.
struct TTMLReader: XMLEventSink {
    /// What an element inherits, and what it adds.
    private struct Element {
        var name: String
        var begin = Duration.zero
        var end: Duration?
        var style = TTMLStyle()
        /// The region whose `<style>` this is.
        var region: String?
        /// The tags that are open in the cue's text, to be closed at its end.
        var tags: [String] = []
        /// Whether a cue ends with it.
        var isCue = false
    }

    private struct Draft {
        var text = ""
        let begin: Duration
        let end: Duration?
        let style: TTMLStyle
        let line: Int
    }

    private var time = TTMLTime()
    private var open: [Element] = []
    private var drafts: [Draft] = []
    private var styles: [String: TTMLStyle] = [:]
    private var cues: [CaptionTrack.Cue] = []
    private var log: IssueLog
    private var isTTML = false
    private(set) var isStopped = false

    private static let depthLimit = 64
    private static let styleLimit = 500

    static func cues(
        of bytes: [UInt8],
        _ log: inout IssueLog
    ) throws(CaptionTrack.ReadError) -> [CaptionTrack.Cue] {
        var reader = TTMLReader(log)
        let isWellFormed = bytes.withUnsafeBufferPointer { XMLDriver.parse($0, recovers: true, into: &reader) }
        log = reader.log
        guard reader.isTTML else {
            throw CaptionTrack.ReadError(reason: "is XML, but not TTML: its root element is not <tt>")
        }
        if !isWellFormed, !reader.isStopped {
            log.add("caption.xml", line: 1, "it is not well-formed XML; what could be read is shown")
        }
        return reader.cues
    }

    private init(_ log: IssueLog) { self.log = log }

    // MARK: Events

    mutating func start(
        _ name: UnsafeBufferPointer<UInt8>,
        namespace: UnsafePointer<UInt8>?,
        _ attributes: XMLAttributes,
        at position: XMLPosition
    ) -> Bool {
        var element = Element(name: String(decoding: name, as: UTF8.self))
        guard self.isTTML || element.name == "tt", self.open.count < TTMLReader.depthLimit else {
            self.isStopped = true
            return false
        }
        self.isTTML = true
        var values: [String: String] = [:]
        attributes.each { name, value in values[String(decoding: name, as: UTF8.self)] = value.text }
        let parent = self.open.last
        element.begin = parent?.begin ?? .zero
        element.end = parent?.end
        element.region = element.name == "region" ? values["id"] : parent?.region
        element.style = parent?.style ?? TTMLStyle()
        switch element.name {
        case "tt": self.readRates(values)
        case "br":
            if !self.drafts.isEmpty { self.drafts[self.drafts.count - 1].text += "\n" }
        case "style", "region": self.define(values, element)
        case "body", "div", "p", "span":
            self.style(&element, values)
            self.setTimes(&element, values, line: position.line)
        default: break
        }
        self.open.append(element)
        return !self.isStopped
    }

    mutating func end() {
        guard let element = self.open.popLast(), !self.drafts.isEmpty else { return }
        for tag in element.tags.reversed() { self.drafts[self.drafts.count - 1].text += "</\(tag)>" }
        if element.isCue { self.finish(self.drafts.removeLast()) }
    }

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, at position: XMLPosition) {
        guard !self.drafts.isEmpty, ["p", "span"].contains(self.open.last?.name) else { return }
        let last = self.drafts.count - 1
        guard self.drafts[last].text.utf8.count < CaptionTrack.textLimit else { return }
        // White space is collapsed (xml:space="default"), and the characters of WebVTT's tags are escaped.
        var isAfterSpace = self.drafts[last].text.last.map { $0 == "\n" || $0 == " " } ?? true
        for character in String(decoding: bytes, as: UTF8.self) {
            switch character {
            case " ", "\t", "\n", "\r", "\r\n":
                if !isAfterSpace { self.drafts[last].text += " " }
                isAfterSpace = true
                continue
            case "&": self.drafts[last].text += "&amp;"
            case "<": self.drafts[last].text += "&lt;"
            case ">": self.drafts[last].text += "&gt;"
            default: self.drafts[last].text.append(character)
            }
            isAfterSpace = false
        }
    }

    mutating func parseError(_ error: XMLParseError) {
        self.log.add("caption.xml", line: error.line, error.message)
    }

    // MARK: Elements

    private mutating func readRates(_ values: [String: String]) {
        if let rate = values["frameRate"].flatMap({ Double($0) }), rate >= 1, rate <= 1000 {
            self.time.frameRate = rate
        }
        let parts = (values["frameRateMultiplier"] ?? "").split { $0 == " " || $0 == ":" }.compactMap { Double($0) }
        if parts.count == 2, parts[0] > 0, parts[1] > 0 { self.time.frameRate *= parts[0] / parts[1] }
        let tickRate = values["tickRate"].flatMap { Double($0) }
        // Without one, a tick is a frame if there is a frame rate, else a second (TTML2 §7.2.6).
        self.time.tickRate =
            tickRate.flatMap { $0 >= 1 ? $0 : nil } ?? (values["frameRate"] == nil ? 1 : self.time.frameRate)
    }

    /// A `<style>` or `<region>` of the head, or the `<style>` in a region.
    private mutating func define(_ values: [String: String], _ element: Element) {
        guard let id = element.name == "style" && element.region == nil ? values["id"] : element.region,
            self.styles[id] != nil || self.styles.count < TTMLReader.styleLimit
        else { return }
        self.styles[id] = self.styles[id, default: TTMLStyle()].overridden(by: self.named(values["style"]))
            .overridden(by: TTMLStyle(values))
    }

    private func named(_ names: String?) -> TTMLStyle {
        (names ?? "").split(separator: " ").prefix(20).reduce(TTMLStyle()) { style, name in
            style.overridden(by: self.styles[String(name)] ?? TTMLStyle())
        }
    }

    private func style(_ element: inout Element, _ values: [String: String]) {
        let region = values["region"].flatMap { self.styles[$0] } ?? TTMLStyle()
        element.style = element.style.overridden(by: region).overridden(by: self.named(values["style"]))
            .overridden(by: TTMLStyle(values))
    }

    /// The times of an element are relative to its parent's start (TTML2 §12.2, `par`).
    private mutating func setTimes(_ element: inout Element, _ values: [String: String], line: Int) {
        let start = element.begin
        let times = ["begin", "end", "dur"].map { name in values[name].map { (name, $0, self.time.duration($0)) } }
        for case (let name, let text, nil)? in times {
            self.log.add("caption.time", line: line, "\(name)=\"\(text.excerpt(30))\" is no time; it is ignored")
        }
        if let begin = times[0]?.2 { element.begin = start + begin }
        let ends = [times[1]?.2.map { start + $0 }, times[2]?.2.map { element.begin + $0 }, element.end]
        element.end = ends.compactMap(\.self).min()
        let isTimed = values["begin"] != nil || values["end"] != nil || values["dur"] != nil
        if element.name == "p" || (element.name == "span" && isTimed && !self.drafts.isEmpty) {
            element.isCue = true
            self.drafts.append(Draft(begin: element.begin, end: element.end, style: element.style, line: line))
        }
        guard element.name == "p" || element.name == "span", !self.drafts.isEmpty else { return }
        // A cue of its own has all its tags; a span within a cue those that the cue does not have already.
        let outer = element.isCue ? TTMLStyle() : self.open.last?.style ?? TTMLStyle()
        element.tags = element.style.tags.filter { !outer.tags.contains($0) }
        for tag in element.tags { self.drafts[self.drafts.count - 1].text += "<\(tag)>" }
    }

    private mutating func finish(_ draft: Draft) {
        let text = draft.text.trimmed
        // A text without times belongs to the whole video.
        let end = draft.end ?? .seconds(86_400)
        guard text.contains(where: { !$0.isWhitespace }), !TTMLReader.isEmpty(text) else { return }
        guard end > draft.begin else {
            return self.log.add("caption.time", line: draft.line, "a cue is left out: its end is not after its start")
        }
        guard self.cues.count < CaptionTrack.cueLimit else {
            self.log.add("caption.many", line: draft.line, "only the first \(CaptionTrack.cueLimit) cues are shown")
            self.isStopped = true
            return
        }
        self.cues.append(
            CaptionTrack.Cue(
                start: draft.begin,
                end: end,
                text: CaptionTrack.bounded(text),
                settings: draft.style.settings
            )
        )
    }

    /// Whether a text consists of tags alone.
    private static func isEmpty(_ text: String) -> Bool {
        var isTag = false
        for character in text {
            if character == "<" { isTag = true } else if !isTag { return false }
            if character == ">" { isTag = false }
        }
        return true
    }
}
