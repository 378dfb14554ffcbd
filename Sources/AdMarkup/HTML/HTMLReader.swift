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
        /// It is not visible, and neither is what stands inside.
        static let hidden = State(rawValue: 1)
        /// It is not rendered, and nothing in it is fetched.
        static let inert = State(rawValue: 2)
        /// It stands in SVG or MathML.
        static let foreign = State(rawValue: 4)
        /// It closes itself: nothing stands inside.
        static let closed = State(rawValue: 8)
        /// It is not painted, and what stands inside is where it says so itself.
        static let veiled = State(rawValue: 16)

        /// Whether it is not visible.
        var isUnseen: Bool { !self.isDisjoint(with: [.hidden, .veiled]) }
    }

    /// What an element at the top says of its own size.
    struct RootBox {
        let width: Double?
        let height: Double?
        let id: String?
        let classes: [String]
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
    var lines = LineCounter()
    var issues: IssueLog
    var error: MarkupError?
    /// Whether the rest does not matter once there is something to see.
    private var isGlance = false
    /// Whether what the parser still tells does not matter.
    var isDone: Bool { self.error != nil || (self.isGlance && self.document.hasSomethingToSee) }

    var open: [Open] = []
    /// How many of the open elements are `html`, `head` or `body`.
    var frames = 0
    /// What the list of each kind could not take.
    var cut: [List: Int] = [:]

    /// How many of the open elements, from the outermost on, are frames, links and the like that only wrap others.
    var shells = 0
    /// Whether the element that is being read is such a shell.
    var isShell = false
    /// How many elements stand at the top that can be seen or could hold something; shells are among them.
    var tops = 0
    /// How many such elements stand at the top or in nothing but shells, without the shells, and the last one of them.
    var roots = 0
    var root: RootBox?
    /// The outermost shells.
    var shellBoxes: [RootBox] = []
    var hasRootText = false
    var hasShellText = false
    /// Where the style sheets of the markup are.
    var sheets: [Range<Int>] = []
    var pictures = 0
    var pictureSize: (width: Double, height: Double)?
    /// Whether something could be seen if it were not hidden, and whether a style sheet may uncover it.
    var hasHidden = false
    var mayUncover = false
    var title: [UInt8] = []
    var baseTarget: String?
    /// The elements and what stands in what, where they are asked for.
    var outline: PageOutline?

    var nextTag = 0
    var nextContent = 0
    var nextCut = 0
    var line = 1
    var unexplained = 0

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
        self.scanned(source, limits) { text, scanner in
            var reader = HTMLReader(document, source, text, scanner.scan, limits)
            reader.parse()
            if let error = reader.error { return .failure(error) }
            reader.finish(scanner.issues, earlier)
            return .success(Outcome(document: reader.document, unexplained: reader.unexplained))
        }
    }

    /// Reads until there is something to see; tells whether there is, and whether the markup is a fragment.
    static func glance(
        at source: UnsafeBufferPointer<UInt8>,
        _ limits: HTMLLimits
    ) -> Result<(isSeen: Bool, isFragment: Bool), MarkupError> {
        self.scanned(source, limits) { text, scanner in
            let document = HTMLDocument(markup: "", encoding: MarkupEncoding(name: "utf-8", evidence: .text))
            var reader = HTMLReader(document, source, text, scanner.scan, limits)
            reader.isGlance = true
            reader.parse()
            if let error = reader.error { return .failure(error) }
            reader.settleHidden()
            return .success((reader.document.hasSomethingToSee, !scanner.scan.isWhole))
        }
    }

    /// The elements of a banner, and what stands in what.
    static func outline(
        of source: UnsafeBufferPointer<UInt8>,
        _ limits: HTMLLimits
    ) -> Result<PageOutline, MarkupError> {
        self.scanned(source, limits) { text, scanner in
            let document = HTMLDocument(markup: "", encoding: MarkupEncoding(name: "utf-8", evidence: .text))
            var reader = HTMLReader(document, source, text, scanner.scan, limits)
            reader.outline = PageOutline()
            reader.parse()
            if let error = reader.error { return .failure(error) }
            return .success(reader.outline ?? PageOutline())
        }
    }

    /// Whether some markup is no page of its own.
    static func isFragment(_ source: UnsafeBufferPointer<UInt8>, _ limits: HTMLLimits) -> Result<Bool, MarkupError> {
        self.scanned(source, limits) { _, scanner in .success(!scanner.scan.isWhole) }
    }

    private static func scanned<R>(
        _ source: UnsafeBufferPointer<UInt8>,
        _ limits: HTMLLimits,
        _ body: (UnsafeBufferPointer<UInt8>, HTMLScanner) -> Result<R, MarkupError>
    ) -> Result<R, MarkupError> {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: HTMLScanner.room(for: source.count)) { text in
            var scanner = HTMLScanner(source, into: text, limits: limits)
            do throws(MarkupError) {
                try scanner.run()
            } catch {
                return .failure(error)
            }
            return body(UnsafeBufferPointer(start: text.baseAddress, count: scanner.scan.textCount), scanner)
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
        self.issues = IssueLog(limit: limits.issues)
        self.open.reserveCapacity(32)
    }

    // MARK: Places

    /// The start tag that the parser has just read; nil for an element of the parser's own making.
    mutating func takeStart(at offset: Int, _ name: UInt64) -> HTMLScan.Tag? {
        self.passTags(before: offset)
        guard self.nextTag < self.scan.tags.count else { return nil }
        let tag = self.scan.tags[self.nextTag]
        guard tag.textEnd == offset, !tag.isEnd, tag.name == name else { return nil }
        self.nextTag += 1
        return tag
    }

    /// Whether the parser has just read the end tag of that name.
    mutating func takeEnd(at offset: Int, _ name: UInt64) -> Bool {
        self.passTags(before: offset)
        guard self.nextTag < self.scan.tags.count else { return false }
        let tag = self.scan.tags[self.nextTag]
        guard tag.textEnd == offset, tag.isEnd, tag.name == name else { return false }
        self.nextTag += 1
        return true
    }

    /// Passes tags that the parser has read and told nothing of: end tags among them close nothing.
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
        self.line = self.lines.line(at: Int(tag.start), in: self.source)
        let name = self.source[(Int(tag.start) + 2)...].prefix(40).prefix { $0.isLetter || $0.isNumeral || $0 == 0x2D }
        let shown = String(decoding: name, as: UTF8.self)
        self.issues.add("html.endTag.stray", line: self.line, "</\(shown)> closes nothing; it is ignored")
    }

    /// What stood inside the element whose start tag was just read.
    mutating func takeContent(of tag: HTMLScan.Tag?) -> HTMLScan.Content? {
        guard let tag else { return nil }
        let contents = self.scan.contents
        while self.nextContent < contents.count, contents[self.nextContent].tagEnd < tag.textEnd {
            self.nextContent += 1
        }
        guard self.nextContent < contents.count, contents[self.nextContent].tagEnd == tag.textEnd else { return nil }
        return contents[self.nextContent]
    }

    /// The line of an offset in the parser's text.
    mutating func line(ofText offset: Int) -> Int {
        let cuts = self.scan.cuts
        while self.nextCut < cuts.count, cuts[self.nextCut].at <= offset { self.nextCut += 1 }
        let ahead = self.nextCut > 0 ? cuts[self.nextCut - 1].ahead : 0
        return self.lines.line(at: max(0, offset + ahead), in: self.source)
    }
}
