import AdCore
import AdMarkup

/// Builds a document from the parser's events.
struct HTMLReader: HTMLEventSink {
    /// The declared size of a top-level element.
    struct RootBox {
        let width: Double?
        let height: Double?
        let id: String?
        let classes: [String]
    }

    /// The lists that are limited in length.
    enum List: String, CaseIterable {
        case links, images, pixels, scripts, stylesheets, embeds, forms, insecureResources
    }

    var document: HTMLDocument
    /// Issues of the encoding, found before parsing.
    private let encodingIssues: [AdIssue]
    /// `HTMLLimits.listed`.
    let listLimit: Int
    /// The number of dropped items of each list.
    var droppedCounts: [List: Int] = [:]

    /// The number of open elements, from the outermost on, that are only wrappers: `html`, `body`, links and the like.
    var wrapperDepth = 0
    /// Whether the current element is a wrapper.
    var isWrapper = false
    /// The number of top-level elements that take up space, including wrappers.
    var topLevelCount = 0
    /// The number of elements at the top level or within wrappers only, without the wrappers.
    var rootCount = 0
    /// The last one of these elements.
    var root: RootBox?
    /// The outermost wrappers.
    var wrapperBoxes: [RootBox] = []
    var hasRootText = false
    var hasTextInWrapper = false
    /// The ranges of the style sheets in the markup.
    var sheets: [Range<Int>] = []
    var imageCount = 0
    var imageSize: (width: Double, height: Double)?
    private var title: [UInt8] = []
    var baseTarget: String?
    /// The number of start tags that libxml2 has reported and the scanner has not.
    private(set) var unmatchedStartTags = 0

    private static let maxTitleLength = 1024

    /// Creates a reader that fills an empty document.
    init(_ document: HTMLDocument, _ encodingIssues: [AdIssue], _ limits: HTMLLimits) {
        self.document = document
        self.encodingIssues = encodingIssues
        self.listLimit = limits.listed
    }

    // MARK: Events

    mutating func start(_ start: HTMLStartTag, in parse: inout HTMLParse) {
        self.read(start, in: &parse)
        let isFrame = start.isDocumentFrame
        if isFrame || self.isWrapper, parse.open.count == self.wrapperDepth { self.wrapperDepth += 1 }
    }

    mutating func startImplied(_ element: ElementName, in parse: inout HTMLParse) {
        let isFrame = element == .html || element == .head || element == .body
        if !isFrame {
            // libxml2 inserts a paragraph around text at the top level.
            self.topLevelCount += 1
            self.rootCount += 1
        } else if parse.open.count == self.wrapperDepth {
            self.wrapperDepth += 1
        }
    }

    mutating func end(
        _ closed: HTMLOpenElement,
        name: UnsafePointer<UInt8>,
        hasTag: Bool,
        in parse: inout HTMLParse
    ) {
        self.wrapperDepth = min(self.wrapperDepth, parse.open.count)
        if closed.element == .title, self.document.title == nil, !closed.state.contains(.foreign) {
            let title = String(decoding: self.title, as: UTF8.self).trimmed
            self.document.title = title.isEmpty ? nil : title
        }
        guard !hasTag, !closed.element.mayStayOpen, !closed.state.contains(.closed), !closed.element.holdsText else {
            return
        }
        guard parse.issues.hasRoom else { return parse.issues.count() }
        let shown = String(cString: name)
        parse.issues.add(
            "html.element.unclosed",
            line: closed.line,
            "<\(shown)> has no end tag; it ends with the element around it"
        )
    }

    mutating func strayEnd(_ tag: HTMLScan.Tag, in parse: inout HTMLParse) {
        guard parse.issues.hasRoom else { return parse.issues.count() }
        parse.line = parse.line(at: Int(tag.start))
        let name = parse.source[(Int(tag.start) + 2)...].prefix(40).prefix {
            $0.isASCIILetter || $0.isDigit || $0 == 0x2D
        }
        let shown = String(decoding: name, as: UTF8.self)
        parse.issues.add("html.endTag.stray", line: parse.line, "</\(shown)> has no start tag; it is ignored")
    }

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, in parse: inout HTMLParse) {
        if parse.open.last?.element == .title {
            let remaining = max(0, HTMLReader.maxTitleLength - self.title.count)
            if self.document.title == nil { self.title.append(contentsOf: bytes.prefix(remaining)) }
            return
        }
        let isRoot = parse.open.count == parse.frames
        let isInWrapper = !isRoot && parse.open.count == self.wrapperDepth
        guard (isRoot && !self.hasRootText) || (isInWrapper && !self.hasTextInWrapper) else { return }
        guard let state = parse.showsText(bytes), !state.isUnseen else { return }
        self.hasRootText = self.hasRootText || isRoot
        self.hasTextInWrapper = self.hasTextInWrapper || isInWrapper
    }

    mutating func finish(in parse: inout HTMLParse) {
        self.unmatchedStartTags = parse.unmatchedStartTags
        self.document.hasVisibleContent = parse.isVisible
        self.document.isFragment = !parse.scan.isWhole
        var search = PlaceholderSearch(parse.source, limit: self.listLimit)
        for segment in parse.scan.segments { search.search(segment.range, isCode: segment.isCode) }
        self.document.placeholders = search.found
        self.decideSize(in: parse.source)

        var whole = self.encodingIssues
        for list in List.allCases {
            guard let others = self.droppedCounts[list] else { continue }
            let message = "\(others) more \(list.rawValue) are not listed"
            whole.append(AdIssue("html.\(list.rawValue).cut", at: .whole, message))
        }
        if search.others > 0 {
            let message = "\(search.others) more placeholders are not listed"
            whole.append(AdIssue("html.placeholders.cut", at: .whole, message))
        }
        self.document.issues = IssueLog.merged(
            [parse.scanIssues, parse.issues],
            with: whole,
            limit: parse.limits.issues
        )
    }
}
