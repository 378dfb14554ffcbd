import AdCore
import CLibXML2

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Builds a document from the parser's events.
///
/// It is a value at a fixed place, not an object: each event reaches it through a pointer, without counting references
/// and without checking for overlapping access.
struct HTMLReader {
    /// An element that is open.
    struct Open {
        let element: ElementName
        let name: UInt64
        let line: Int
        let state: State
    }

    /// What holds for an element and all that stands inside.
    struct State: OptionSet {
        let rawValue: UInt8
        /// Nobody can see it.
        static let hidden = State(rawValue: 1)
        /// It is not rendered, and nothing in it is fetched.
        static let inert = State(rawValue: 2)
        /// It stands in SVG or MathML.
        static let foreign = State(rawValue: 4)
        /// It closes itself. Does not hold for what stands inside: nothing does.
        static let closed = State(rawValue: 8)
    }

    /// The lists that are cut when they get long.
    enum List: String, CaseIterable {
        case links, images, pixels, scripts, stylesheets, embeds, forms, insecureResources
    }

    let source: UnsafeBufferPointer<UInt8>
    let text: UnsafeBufferPointer<UInt8>
    let limits: HTMLLimits
    let scan: HTMLScan
    var document: HTMLDocument
    var lines: LineCounter
    var issues: IssueLog
    var error: MarkupError?

    var open: [Open] = []
    /// How many of the open elements are `html`, `head` or `body`.
    var frames = 0
    /// What the list of each kind could not take.
    var cut: [List: Int] = [:]

    /// The elements at the top that can be seen or could hold something, and the first one's size.
    var roots = 0
    var rootSize: (width: Double, height: Double)?
    var hasRootText = false
    var pictures = 0
    var pictureSize: (width: Double, height: Double)?
    var hasBox = false
    var hasExternalStyle = false
    var title: [UInt8] = []
    var baseTarget: String?

    private var nextTag = 0
    private var nextContent = 0
    private var nextCut = 0
    private var line = 1
    private var unexplained = 0

    // MARK: Reading

    /// What came of reading a banner.
    struct Outcome {
        let document: HTMLDocument
        /// Start tags that the parser has told of and the scan has not seen, or seen to end elsewhere.
        ///
        /// With libxml2 before 2.14 there are none, and the bound on attributes rests on that. Newer ones read tags
        /// as HTML5 does, and compare attributes without loss of time.
        let unexplained: Int
    }

    /// Whether this libxml2 has the same idea of a tag as the scan.
    static let agreesWithScan = LIBXML_VERSION < 21_400

    /// Reads a whole banner into an empty document.
    static func read(
        _ source: UnsafeBufferPointer<UInt8>,
        into document: HTMLDocument,
        _ earlier: [Issue],
        _ limits: HTMLLimits
    ) -> Result<Outcome, MarkupError> {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: HTMLScanner.room(for: source.count)) { text in
            var scanner = HTMLScanner(source, into: text, limits: limits)
            do throws(MarkupError) {
                try scanner.run()
            } catch {
                return .failure(error)
            }
            let parsed = UnsafeBufferPointer(start: text.baseAddress, count: scanner.scan.textCount)
            var reader = HTMLReader(document, source, parsed, scanner.scan, limits)
            reader.parse()
            if let error = reader.error { return .failure(error) }
            reader.finish(scanner.issues, earlier)
            return .success(Outcome(document: reader.document, unexplained: reader.unexplained))
        }
    }

    private init(
        _ document: HTMLDocument,
        _ source: UnsafeBufferPointer<UInt8>,
        _ text: UnsafeBufferPointer<UInt8>,
        _ scan: HTMLScan,
        _ limits: HTMLLimits
    ) {
        self.document = document
        self.source = source
        self.text = text
        self.scan = scan
        self.limits = limits
        self.lines = LineCounter(source)
        self.issues = IssueLog(limit: limits.issues)
        self.open.reserveCapacity(32)
    }

    /// libxml2's tables are made once, before any two threads could do it at the same time.
    private static let library: Void = xmlInitParser()

    private mutating func parse() {
        guard !self.text.isEmpty, let base = self.text.baseAddress else { return }
        HTMLReader.library
        let isOpen = withUnsafeMutablePointer(to: &self) { reader in
            var session = markup_html_session(parser: nil, reader: reader, fault: onFault)
            guard markup_html_open(&session, base, onStart, onEnd, onCharacters) != 0 else { return false }
            htmlParseDocument(session.parser)
            markup_html_close(&session)
            return true
        }
        if !isOpen { self.error = MarkupError(.outOfMemory) }
    }

    // MARK: Places

    /// The start tag that the parser has just read; nil for an element of the parser's own making.
    private mutating func takeStart(at offset: Int, _ name: UInt64) -> HTMLScan.Tag? {
        self.passTags(before: offset)
        guard self.nextTag < self.scan.tags.count else { return nil }
        let tag = self.scan.tags[self.nextTag]
        guard tag.textEnd == offset, !tag.isEnd, tag.name == name else { return nil }
        self.nextTag += 1
        return tag
    }

    /// Whether the parser has just read the end tag of that name.
    private mutating func takeEnd(at offset: Int, _ name: UInt64) -> Bool {
        self.passTags(before: offset)
        guard self.nextTag < self.scan.tags.count else { return false }
        let tag = self.scan.tags[self.nextTag]
        guard tag.textEnd == offset, tag.isEnd, tag.name == name else { return false }
        self.nextTag += 1
        return true
    }

    /// Passes tags that the parser has read and told nothing of. End tags among them close nothing.
    private mutating func passTags(before offset: Int) {
        while self.nextTag < self.scan.tags.count, self.scan.tags[self.nextTag].textEnd < offset {
            let tag = self.scan.tags[self.nextTag]
            self.nextTag += 1
            if tag.isEnd { self.reportStray(tag) }
        }
    }

    /// Passes what is left.
    mutating func passAllTags() { self.passTags(before: .max) }

    private mutating func reportStray(_ tag: HTMLScan.Tag) {
        guard self.issues.hasRoom else { return self.issues.count() }
        self.line = self.lines.line(at: Int(tag.start))
        let name = self.source[(Int(tag.start) + 2)...].prefix(40).prefix { $0.isLetter || $0.isNumeral || $0 == 0x2D }
        let shown = String(decoding: name, as: UTF8.self)
        self.issues.add("html.endTag.stray", line: self.line, "</\(shown)> closes nothing; it is ignored")
    }

    /// What stood inside the element whose start tag was just read.
    mutating func takeContent(of tag: HTMLScan.Tag?) -> HTMLScan.Content? {
        guard let tag else { return nil }
        let contents = self.scan.contents
        while self.nextContent < contents.count, contents[self.nextContent].tagEnd < tag.textEnd { self.nextContent += 1 }
        guard self.nextContent < contents.count, contents[self.nextContent].tagEnd == tag.textEnd else { return nil }
        return contents[self.nextContent]
    }

    /// The line of an offset in the parser's text.
    mutating func line(ofText offset: Int) -> Int {
        let cuts = self.scan.cuts
        while self.nextCut < cuts.count, cuts[self.nextCut].at <= offset { self.nextCut += 1 }
        let ahead = self.nextCut > 0 ? cuts[self.nextCut - 1].ahead : 0
        return self.lines.line(at: max(0, offset + ahead))
    }

    // MARK: Events

    fileprivate mutating func start(_ name: UnsafePointer<UInt8>, _ attributes: Attributes, _ session: Session) {
        guard self.error == nil else { return }
        let key = NameKey(terminated: name)
        let element = key.element
        let tag = self.takeStart(at: session.offset, key.word)
        if let tag { self.line = self.lines.line(at: Int(tag.start)) }

        var state = self.open.last.map(HTMLReader.inherited) ?? []
        let isFrame = element == .html || element == .head || element == .body
        let isImplied = tag == nil && attributes.isEmpty && (isFrame || HTMLReader.isParagraph(name))
        if !isImplied {
            if tag == nil { self.unexplained += 1 }
            let isRoot = self.open.count == self.frames && !isFrame
            let start = StartTag(element: element, attributes: attributes, tag: tag, line: self.line, isRoot: isRoot)
            state = self.read(start, in: state)
            if self.text.indices.contains(session.offset), self.text[session.offset] == UInt8(ascii: "/") {
                state.insert(.closed)
            }
        } else if !isFrame {
            // A paragraph of the parser's own making: text stands at the top.
            self.roots += 1
        }
        if isFrame { self.frames += 1 }
        self.open.append(Open(element: element, name: key.word, line: self.line, state: state))
        if self.open.count > self.limits.depth {
            self.error = MarkupError(.exceeds(.depth, limit: self.limits.depth), line: self.line)
            xmlStopParser(session.parser)
        }
    }

    private static func isParagraph(_ name: UnsafePointer<UInt8>) -> Bool {
        name[0] == UInt8(ascii: "p") && name[1] == 0
    }

    /// What an element hands on to what stands inside: media and plug-ins show it only where they can't do better.
    private static func inherited(_ parent: Open) -> State {
        switch parent.element {
        case .audio, .canvas, .noscript, .object, .template, .video: parent.state.union(.inert)
        case .svg, .math: parent.state.union(.foreign)
        default: parent.state
        }
    }

    fileprivate mutating func end(_ name: UnsafePointer<UInt8>, _ session: Session) {
        guard self.error == nil else { return }
        let key = NameKey(terminated: name)
        let hasTag = self.takeEnd(at: session.offset, key.word)
        guard let closed = self.open.last, closed.name == key.word else { return }
        self.open.removeLast()
        switch closed.element {
        case .html, .head, .body: self.frames -= 1
        case .title where self.document.title == nil && !closed.state.contains(.foreign):
            let title = String(decoding: self.title, as: UTF8.self).trimmed
            self.document.title = title.isEmpty ? nil : title
        default: break
        }
        guard !hasTag, !closed.element.mayStayOpen, !closed.state.contains(.closed), !closed.element.holdsText else {
            return
        }
        guard self.issues.hasRoom else { return self.issues.count() }
        let shown = String(cString: name)
        self.issues.add(
            "html.element.unclosed",
            line: closed.line,
            "<\(shown)> has no end tag of its own; it ends with what it stands in"
        )
    }

    fileprivate mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard self.error == nil else { return }
        let top = self.open.last
        if top?.element == .title {
            let room = max(0, HTMLReader.longestTitle - self.title.count)
            if self.document.title == nil { self.title.append(contentsOf: bytes.prefix(room)) }
            return
        }
        let isRoot = self.open.count == self.frames
        guard !self.document.hasSomethingToSee || (isRoot && !self.hasRootText) else { return }
        let state = top.map(HTMLReader.inherited) ?? []
        guard state.isDisjoint(with: [.hidden, .inert]), top?.element != .select, HTMLReader.isVisible(bytes) else { return }
        self.document.hasSomethingToSee = true
        self.hasRootText = self.hasRootText || isRoot
    }

    private static let longestTitle = 1024

    /// Whether there is anything but white space and characters without a shape.
    private static func isVisible(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var hasOthers = false
        for byte in bytes {
            if (0x21..<0x7F).contains(byte) { return true }
            hasOthers = hasOthers || byte >= 0x80
        }
        guard hasOthers else { return false }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.contains {
            !$0.isASCII && !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
                && $0.properties.generalCategory != .control
        }
    }
}

/// What a callback gets from C.
private typealias Session = UnsafeMutablePointer<markup_html_session>

extension Session {
    /// How much of its text the parser has taken.
    fileprivate var offset: Int { markup_html_offset(self) }
    fileprivate var parser: htmlParserCtxtPtr? { self.pointee.parser }
    fileprivate var reader: UnsafeMutablePointer<HTMLReader> {
        self.pointee.reader.assumingMemoryBound(to: HTMLReader.self)
    }
}

private func onStart(
    _ context: UnsafeMutableRawPointer?,
    _ name: UnsafePointer<xmlChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
    guard let session = context?.assumingMemoryBound(to: markup_html_session.self), let name else { return }
    session.reader.pointee.start(name, Attributes(attributes), session)
}

private func onEnd(_ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?) {
    guard let session = context?.assumingMemoryBound(to: markup_html_session.self), let name else { return }
    session.reader.pointee.end(name, session)
}

private func onCharacters(_ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<xmlChar>?, _ count: Int32) {
    guard let session = context?.assumingMemoryBound(to: markup_html_session.self), let text else { return }
    session.reader.pointee.characters(UnsafeBufferPointer(start: text, count: Int(count)))
}

private func onFault(_ session: Session?, _ code: Int32, _ name: UnsafePointer<CChar>?) {
    guard let session else { return }
    session.reader.pointee.fault(code, name, at: session.offset)
}
