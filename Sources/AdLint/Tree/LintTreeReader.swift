import AdCore
import AdHTML
import AdMarkup
import CLibXML2

/// Builds a tree from the parser's events: from the document as it is, and if that fails from repaired bytes.
struct LintTreeReader: XMLEventSink {
    /// An error of the parser.
    struct ParseError {
        let code: Int32
        let place: SourcePlace
        let message: String

        var line: Int { self.place.line }
    }

    /// The result of reading a document.
    struct Outcome {
        let tree: LintTree
        /// The XML errors; those that stop a strict parser come first.
        let errors: [ParseError]
        /// Whether a strict parser accepts the document.
        let isWellFormed: Bool
        /// The limit that the document exceeds, and where.
        let excess: (message: String, line: Int)?
        /// The elements without an end tag, from the root on.
        let unfinished: [Int]
        /// The last line of a truncated document; nil if the document is complete.
        var truncationLine: Int?
    }

    /// The number of elements a document may have.
    private static let maxNodes = 200_000
    private static let maxErrors = 20
    private var nodes: [LintTree.Node] = []
    private var errors: [ParseError] = []
    private var excess: (message: String, line: Int)?
    private var unfinished: [Int] = []
    private var open: [(index: Int, text: [UInt8])] = []
    /// The number of open elements in an extension.
    private var foreignDepth = 0
    private var lines: StartTagScanner
    /// The place of the first byte in the input.
    private let start: SourcePlace
    private let isRepaired: Bool

    private init(_ bytes: [UInt8], from start: SourcePlace, inserted: [Int]?) {
        self.start = start
        self.isRepaired = inserted != nil
        self.lines = StartTagScanner(bytes, from: start, inserted: inserted ?? [])
        self.nodes.reserveCapacity(min(bytes.count / 64, LintTreeReader.maxNodes))
    }

    /// Reads a document without leading white space.
    static func read(_ bytes: [UInt8], from start: SourcePlace) -> Outcome {
        let recovery = bytes.withUnsafeBufferPointer { source in
            XMLRecovery<LintTreeReader>(of: source, omitting: .truncatedTag) { repaired in
                LintTreeReader(repaired?.repair.bytes ?? bytes, from: start, inserted: repaired?.repair.inserted)
            }
        }
        var reader = recovery.sink
        reader.closeAll()
        guard let repaired = recovery.repaired else {
            return reader.outcome(bytes, reader.errors, isWellFormed: recovery.isWellFormed)
        }
        let isTruncated = !reader.unfinished.isEmpty && !XMLEnd.hasEndTag(named: reader.nodes[0].written, in: bytes)
        if isTruncated, let last = reader.unfinished.last, reader.nodes[last].children.isEmpty {
            // The last text may be incomplete, such as half a URL.
            reader.nodes[last].text = ""
        }
        var outcome = reader.outcome(repaired.repair.bytes, repaired.strict.errors + reader.errors, isWellFormed: false)
        if isTruncated {
            outcome.truncationLine = bytes.reversed().drop(while: \.isWhiteSpace).count { $0 == 0x0A } + start.line
        }
        return outcome
    }

    private func outcome(_ bytes: [UInt8], _ errors: [ParseError], isWellFormed: Bool) -> Outcome {
        Outcome(
            tree: LintTree(nodes: self.nodes, bytes: bytes),
            errors: errors,
            isWellFormed: isWellFormed,
            excess: self.excess,
            unfinished: self.unfinished
        )
    }

    /// Closes the elements that are still open at the end; they keep their text.
    private mutating func closeAll() {
        self.unfinished = self.open.map(\.index)
        while !self.open.isEmpty { self.closeLast() }
    }

    // MARK: Events of the parser

    var isStopped: Bool { self.excess != nil }

    mutating func start(
        _ name: UnsafeBufferPointer<UInt8>,
        namespace: UnsafePointer<UInt8>?,
        _ attributes: XMLAttributes,
        at position: XMLPosition
    ) {
        guard self.excess == nil else { return }
        let endLine = position.line + self.start.line - 1
        guard self.nodes.count < LintTreeReader.maxNodes else {
            self.excess = ("it has more than \(LintTreeReader.maxNodes) elements", endLine)
            return
        }
        guard self.open.count < VASTLimits.standard.depth else {
            self.excess = ("its elements are nested deeper than \(VASTLimits.standard.depth)", endLine)
            return
        }
        var list: [LintTree.Attribute] = []
        attributes.each(includesPrefixed: false) { name, value in
            list.append(LintTree.Attribute(name: String(decoding: name, as: UTF8.self), value: value.text))
        }
        // Only the root's namespace is used; a long one would be copied for each element.
        let namespace = self.nodes.isEmpty ? namespace : nil
        let tag = self.lines.next(name, endingOn: endLine)
        let written = String(decoding: name.prefix(200), as: UTF8.self)
        let known = VASTSchema.spelling(of: written) ?? written
        self.nodes.append(
            LintTree.Node(
                name: self.foreignDepth > 0 ? written : known,
                written: written,
                namespace: namespace.map { String(cString: $0) },
                attributes: list,
                place: tag?.place ?? SourcePlace(line: endLine),
                endLine: endLine,
                tag: tag,
                textLine: tag?.place.line ?? endLine,
                parent: self.open.last?.index,
                isForeign: self.foreignDepth > 0
            )
        )
        let index = self.nodes.count - 1
        if let parent = self.open.last?.index { self.nodes[parent].children.append(index) }
        self.open.append((index, []))
        if self.foreignDepth > 0 || LintTreeReader.hasFreeContent.contains(known) { self.foreignDepth += 1 }
    }

    /// The elements whose content VAST does not define.
    private static let hasFreeContent: Set<String> = [
        "Extension", "CreativeExtension", "AdParameters", "VerificationParameters", "CustomAdData", "HTMLResource",
    ]

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, at position: XMLPosition) {
        guard self.excess == nil, let last = self.open.indices.last else { return }
        let index = self.open[last].index
        if self.open[last].text.isEmpty {
            guard let first = bytes.firstIndex(where: { !$0.isWhiteSpace }) else { return }
            let behind = bytes[first...].count { $0 == 0x0A }
            self.nodes[index].textLine = max(self.nodes[index].place.line, position.line + self.start.line - 1 - behind)
        }
        self.open[last].text.append(contentsOf: bytes)
    }

    mutating func end() {
        if self.excess == nil { self.closeLast() }
    }

    private mutating func closeLast() {
        guard let closed = self.open.popLast() else { return }
        if self.foreignDepth > 0 { self.foreignDepth -= 1 }
        guard !closed.text.isEmpty else { return }
        self.nodes[closed.index].text = closed.text.withUnsafeBufferPointer { $0[...].withoutWhiteSpace.text }
    }

    mutating func parseError(_ error: XMLParseError) {
        guard self.errors.count < LintTreeReader.maxErrors else { return }
        // Of the warnings only an undeclared prefix counts, because browsers reject it.
        guard error.isFatal || error.code == Int32(bitPattern: XML_NS_ERR_UNDEFINED_NAMESPACE.rawValue) else { return }
        // Repairs have moved the columns.
        let inner = SourcePlace(line: max(1, error.line), column: self.isRepaired ? nil : error.column)
        self.errors.append(ParseError(code: error.code, place: self.start.inside(inner), message: error.message))
    }
}
