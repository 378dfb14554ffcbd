import AdCore
import AdMarkup

/// Builds a document from the events of a parse.
struct HTMLReader: HTMLEventSink {
    /// What an element at the top of the document declares about its own size.
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
    /// Issues of the encoding, found before the parse.
    private let earlier: [AdIssue]
    /// `HTMLLimits.listed`.
    let listed: Int
    /// How many items of each list were dropped.
    var cut: [List: Int] = [:]

    /// How many of the open elements, from the outermost on, are frames, links and other mere wrappers.
    var shells = 0
    /// Whether the current element is such a wrapper.
    var isShell = false
    /// How many elements at the top can be seen or could contain something, wrappers among them.
    var tops = 0
    /// How many such elements are at the top or inside wrappers only, without the wrappers, and the last one of them.
    var roots = 0
    var root: RootBox?
    /// The outermost wrappers.
    var shellBoxes: [RootBox] = []
    var hasRootText = false
    var hasShellText = false
    /// Where the style sheets of the markup are.
    var sheets: [Range<Int>] = []
    var pictures = 0
    var pictureSize: (width: Double, height: Double)?
    private var title: [UInt8] = []
    var baseTarget: String?
    /// Start tags that libxml2 and the scanner disagree about.
    private(set) var unexplained = 0

    private static let longestTitle = 1024

    /// Starts with an empty document.
    init(_ document: HTMLDocument, _ earlier: [AdIssue], _ limits: HTMLLimits) {
        self.document = document
        self.earlier = earlier
        self.listed = limits.listed
    }

    // MARK: Events

    mutating func start(_ start: HTMLStartTag, in parse: inout HTMLParse) {
        self.read(start, in: &parse)
        let isFrame = start.isDocumentFrame
        if isFrame || self.isShell, parse.open.count == self.shells { self.shells += 1 }
    }

    mutating func startImplied(_ element: ElementName, in parse: inout HTMLParse) {
        let isFrame = element == .html || element == .head || element == .body
        if !isFrame {
            // libxml2 inserts a paragraph around text at the top.
            self.tops += 1
            self.roots += 1
        } else if parse.open.count == self.shells {
            self.shells += 1
        }
    }

    mutating func end(
        _ closed: HTMLOpenElement,
        name: UnsafePointer<UInt8>,
        hasTag: Bool,
        in parse: inout HTMLParse
    ) {
        self.shells = min(self.shells, parse.open.count)
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
            "<\(shown)> has no end tag of its own; it ends with what it stands in"
        )
    }

    mutating func strayEnd(_ tag: HTMLScan.Tag, in parse: inout HTMLParse) {
        guard parse.issues.hasRoom else { return parse.issues.count() }
        parse.line = parse.line(at: Int(tag.start))
        let name = parse.source[(Int(tag.start) + 2)...].prefix(40).prefix {
            $0.isASCIILetter || $0.isDigit || $0 == 0x2D
        }
        let shown = String(decoding: name, as: UTF8.self)
        parse.issues.add("html.endTag.stray", line: parse.line, "</\(shown)> closes nothing; it is ignored")
    }

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, in parse: inout HTMLParse) {
        if parse.open.last?.element == .title {
            let room = max(0, HTMLReader.longestTitle - self.title.count)
            if self.document.title == nil { self.title.append(contentsOf: bytes.prefix(room)) }
            return
        }
        let isRoot = parse.open.count == parse.frames
        let isInShell = !isRoot && parse.open.count == self.shells
        guard (isRoot && !self.hasRootText) || (isInShell && !self.hasShellText) else { return }
        guard let state = parse.showsText(bytes), !state.isUnseen else { return }
        self.hasRootText = self.hasRootText || isRoot
        self.hasShellText = self.hasShellText || isInShell
    }

    mutating func finish(in parse: inout HTMLParse) {
        self.unexplained = parse.unexplained
        self.document.hasSomethingToSee = parse.isVisible
        self.document.isFragment = !parse.scan.isWhole
        var search = PlaceholderSearch(parse.source, limit: self.listed)
        for segment in parse.scan.segments { search.search(segment.range, isCode: segment.isCode) }
        self.document.placeholders = search.found
        self.decideSize(in: parse.source)

        var whole = self.earlier
        for list in List.allCases {
            guard let others = self.cut[list] else { continue }
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
