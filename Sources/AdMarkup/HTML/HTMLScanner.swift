import AdCore
import LibC

/// Scans a banner's bytes before the parser: checks limits, finds tags, and writes the copy that the parser reads.
package struct HTMLScanner {
    let source: UnsafeBufferPointer<UInt8>
    let limits: HTMLLimits
    var scan = HTMLScan()
    var issues: IssueLog

    /// The current position in the source.
    var at = 0
    private let text: UnsafeMutableBufferPointer<UInt8>
    /// The number of bytes in the parser's text.
    private var written = 0
    /// The start of the part that is scanned and not yet copied.
    private var pending = 0
    private var ahead = 0
    private var parts = 0
    private var foreignDepth = 0
    private var hasTag = false
    private var replaced = 0
    private var firstReplaced = 0
    private var lines = LineCounter()

    /// The size of the buffer for the parser's text: inserted slashes of void elements can make it longer than the
    /// source.
    static func bufferSize(for count: Int) -> Int { count + count / 2 + 16 }

    /// Creates a scanner for `source` that writes to `text`, which has `bufferSize(for:)` bytes.
    init(_ source: UnsafeBufferPointer<UInt8>, into text: UnsafeMutableBufferPointer<UInt8>, limits: HTMLLimits) {
        self.source = source
        self.text = text
        self.limits = limits
        self.issues = IssueLog(limit: limits.issues)
    }

    /// Creates a scanner that only reads single tags and comments.
    package init(reading source: UnsafeBufferPointer<UInt8>) {
        self.init(source, into: UnsafeMutableBufferPointer(start: nil, count: 0), limits: .standard)
    }

    /// Scans the source; the parser's text is terminated with a NUL.
    mutating func run() throws(MarkupError) {
        self.scan.tags.reserveCapacity(64)
        while let open = self.index(of: UInt8(ascii: "<"), from: self.at) {
            self.at = open
            let next = self.byte(open + 1)
            if next.isASCIILetter {
                try self.startTag()
            } else if next == UInt8(ascii: "/") {
                try self.endTag()
            } else if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") {
                try self.declaration()
            } else {
                self.at = open + 1
            }
        }
        try self.copy(upTo: self.source.count)
        self.text[self.written] = 0
        self.scan.textCount = self.written
        self.scan.hasControls = self.replaced > 0
        if self.replaced > 0 {
            let count = self.replaced
            self.issues.add(
                "html.character.control",
                line: self.firstReplaced,
                "\(count) control characters in the markup, the first here; remove them"
            )
        }
    }

    // MARK: Reading

    /// A byte of the source; 0 after its end.
    func byte(_ index: Int) -> UInt8 { index < self.source.count ? self.source[index] : 0 }

    /// The next index of a byte; nil if there is none.
    func index(of byte: UInt8, from start: Int, before end: Int = .max) -> Int? {
        let end = min(end, self.source.count)
        guard let base = self.source.baseAddress, start < end, let hit = memchr(base + start, Int32(byte), end - start)
        else { return nil }
        return UnsafeRawPointer(hit) - UnsafeRawPointer(base)
    }

    /// Whether a text is at an offset, ignoring ASCII case.
    func matches(_ text: StaticString, at offset: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard offset + count <= self.source.count else { return false }
        for index in 0..<count where self.source[offset + index].lowercased != text.utf8Start[index].lowercased {
            return false
        }
        return true
    }

    // MARK: Counting

    mutating func count(_ more: Int = 1) throws(MarkupError) {
        self.parts += more
        guard self.parts <= self.limits.parts else { throw self.exceeded(.parts, self.limits.parts) }
    }

    mutating func exceeded(_ bound: MarkupError.Limit, _ limit: Int) -> MarkupError {
        MarkupError(.exceeds(bound, limit: limit), line: self.lines.line(at: self.at, in: self.source))
    }

    mutating func report(_ code: String, at offset: Int, _ message: @autoclosure () -> String) {
        guard self.issues.hasRoom else { return self.issues.count() }
        self.issues.add(code, line: self.lines.line(at: offset, in: self.source), message())
    }

    // MARK: Copying

    /// The offset in the parser's text of a byte that is not yet copied.
    private func textOffset(_ offset: Int) -> UInt32 { UInt32(self.written + offset - self.pending) }

    /// Copies the scanned part, up to an offset.
    ///
    /// libxml2 and HTML have different white space, so form feeds become spaces. Control characters become DEL: a NUL
    /// would end the text for libxml2, but not for a browser, and libxml2 reports an error for each of the others.
    mutating func copy(upTo end: Int) throws(MarkupError) {
        let count = end - self.pending
        guard count > 0, let base = self.source.baseAddress, let target = self.text.baseAddress else { return }
        let to = target + self.written
        memcpy(to, base + self.pending, count)
        if HTMLScanner.needsReplacement(to, count: count) { self.replaceControls(to, count: count) }
        try self.count(self.references(in: self.pending..<end))
        self.scan.segments.append(HTMLScan.Segment(range: self.pending..<end, isCode: false))
        self.written += count
        self.pending = end
    }

    /// Whether any byte may have to be replaced; without branches, so that the compiler can vectorize the loop.
    private static func needsReplacement(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
        var needed: UInt8 = 0
        for index in 0..<count {
            let byte = bytes[index]
            let isControl: UInt8 = byte < 0x20 ? 1 : 0
            let isUsual: UInt8 = byte == 0x09 || byte == 0x0A || byte == 0x0D ? 1 : 0
            needed |= (isControl & ~isUsual) | (byte == 0xEF ? 1 : 0)
        }
        return needed != 0
    }

    private func references(in range: Range<Int>) -> Int {
        var count = 0
        var index = range.lowerBound
        while let reference = self.index(of: UInt8(ascii: "&"), from: index, before: range.upperBound) {
            count += 1
            index = reference + 1
        }
        return count
    }

    /// The replacement of control characters in the parser's text.
    package static let delete: UInt8 = 0x7F

    /// The length of the character at the beginning if the parser must not see it; otherwise 0.
    package static func replacedWidth(_ bytes: ByteView) -> Int {
        let at = bytes.startIndex
        switch bytes[at] {
        case 0x09, 0x0A, 0x0C, 0x0D: return 0
        case 0..<0x20: return 1
        // U+FFFE and U+FFFF.
        case 0xEF where bytes.count > 2 && bytes[at + 1] == 0xBF && bytes[at + 2] >= 0xBE: return 3
        default: return 0
        }
    }

    private mutating func replaceControls(_ bytes: UnsafeMutablePointer<UInt8>, count: Int) {
        let view = UnsafeBufferPointer(start: bytes, count: count)
        for index in 0..<count {
            if bytes[index] == 0x0C { bytes[index] = 0x20 }
            let width = HTMLScanner.replacedWidth(view[index...])
            guard width > 0 else { continue }
            for offset in 0..<width { bytes[index + offset] = HTMLScanner.delete }
            if self.replaced == 0 { self.firstReplaced = self.lines.line(at: self.pending + index, in: self.source) }
            self.replaced += 1
        }
    }

    /// Leaves a range out of the parser's text, and continues after it.
    ///
    /// A space in its place separates the parts around it: `<` and `b>` must not become a tag.
    private mutating func omit(_ start: Int, _ end: Int, spaced: Bool) throws(MarkupError) {
        try self.copy(upTo: start)
        if spaced, start < end {
            self.text[self.written] = 0x20
            self.written += 1
            self.ahead -= 1
        }
        self.ahead += end - start
        self.pending = end
        self.at = end
        self.scan.cuts.append(HTMLScan.Cut(at: self.written, ahead: self.ahead))
    }

    // MARK: Tags

    private mutating func startTag() throws(MarkupError) {
        let start = self.at
        let tag = try self.readTag(from: start)
        guard tag.end < self.source.count else {
            self.report(
                "html.tag.truncated",
                at: start,
                "a tag is not closed; a browser drops it and everything after it"
            )
            return try self.omit(start, self.source.count, spaced: true)
        }
        let element = tag.name.element
        self.hasTag = true
        if element == .html || element == .head || element == .body { self.scan.isWhole = true }

        let isForeign = element.isForeign || self.foreignDepth > 0
        let closesItself = tag.isSelfClosed && (isForeign || element.isVoid)
        var end = tag.end
        let textEnd: UInt32
        if tag.isSelfClosed, !closesItself {
            let message = "a slash closes no element in HTML; a browser leaves this one open"
            self.report("html.tag.selfClosed", at: start, message)
            try self.omit(end, end + 1, spaced: true)
            end += 1
            textEnd = self.textOffset(end)
        } else if element.isHTML5Void, !tag.isSelfClosed, !self.endsWithSign(start..<end) {
            try self.insertSlash(at: end)
            textEnd = self.textOffset(end) - 1
        } else {
            textEnd = self.textOffset(end)
        }
        self.scan.tags.append(
            HTMLScan.Tag(
                start: UInt32(start),
                textEnd: textEnd,
                name: tag.name.word,
                element: element,
                isEnd: false
            )
        )
        self.at = end + (closesItself ? 2 : 1)
        guard !closesItself else { return }
        if element.isForeign { self.foreignDepth += 1 }
        if element.holdsText, self.foreignDepth == 0 || element.holdsCode {
            try self.content(of: element, tag: textEnd, start: start)
        }
    }

    /// Closes a void element that libxml2 treats as a container, so that many of them don't exceed the nesting limit.
    private mutating func insertSlash(at end: Int) throws(MarkupError) {
        try self.copy(upTo: end)
        self.text[self.written] = 0x20
        self.text[self.written + 1] = UInt8(ascii: "/")
        self.written += 2
        self.ahead -= 2
        self.scan.cuts.append(HTMLScan.Cut(at: self.written, ahead: self.ahead))
    }

    /// Whether a tag ends with an equals sign, after which a slash would be a value.
    private func endsWithSign(_ range: Range<Int>) -> Bool {
        let last = self.source[range].last { !$0.isWhiteSpace }
        return last == UInt8(ascii: "=")
    }

    private mutating func content(of element: ElementName, tag: UInt32, start: Int) throws(MarkupError) {
        let from = self.at
        let end = self.endOfContent(of: element, from: from)
        let range = from..<(end ?? self.source.count)
        if end == nil {
            let effect = element == .script ? "it never runs" : "the rest of the markup becomes its text"
            self.report("html.content.unclosed", at: start, "the \(element) element has no end tag; \(effect)")
        }
        self.scan.contents.append(HTMLScan.Content(tagEnd: tag, range: range, isClosed: end != nil))
        try self.omit(range.lowerBound, range.upperBound, spaced: false)
        self.scan.segments.append(HTMLScan.Segment(range: range, isCode: element.holdsCode))
    }

    private mutating func endTag() throws(MarkupError) {
        let start = self.at
        guard self.byte(start + 2).isASCIILetter else {
            // A bogus comment (HTML Living Standard, "end tag open state"), except for `</>` and an end tag at the
            // very end.
            let end = self.index(of: UInt8(ascii: ">"), from: start).map { $0 + 1 } ?? self.source.count
            try self.count()
            return try self.omit(start, end, spaced: true)
        }
        try self.count()
        var index = start + 2
        let name = self.readName(&index)
        guard let close = self.index(of: UInt8(ascii: ">"), from: index) else {
            self.report("html.tag.truncated", at: start, "an end tag is not closed; a browser drops it")
            return try self.omit(start, self.source.count, spaced: true)
        }
        let element = name.element
        if element.isForeign { self.foreignDepth = max(0, self.foreignDepth - 1) }
        self.at = close + 1
        self.scan.tags.append(
            HTMLScan.Tag(
                start: UInt32(start),
                textEnd: self.textOffset(self.at),
                name: name.word,
                element: element,
                isEnd: true
            )
        )
    }

    /// Comments, doctypes, and bogus comments.
    private mutating func declaration() throws(MarkupError) {
        let start = self.at
        try self.count()
        let end: Int?
        if self.matches("<!--", at: start) {
            end = self.endOfComment(from: start)
            if end == nil {
                self.report(
                    "html.comment.unclosed",
                    at: start,
                    "a comment is not closed; everything after it is dropped"
                )
            }
        } else if self.foreignDepth > 0, self.matches("<![CDATA[", at: start) {
            end = self.endOfCDATA(from: start)
        } else {
            if self.matches("<!doctype", at: start) {
                self.scan.isWhole = true
                if self.hasTag {
                    self.report(
                        "html.doctype.misplaced",
                        at: start,
                        "a doctype after the first tag is ignored"
                    )
                }
            }
            end = self.index(of: UInt8(ascii: ">"), from: start).map { $0 + 1 }
        }
        try self.omit(start, end ?? self.source.count, spaced: true)
    }
}
