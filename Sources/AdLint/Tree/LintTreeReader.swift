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
        /// The ads as players read them, if they were asked for and the document is well-formed.
        var ads: [VASTAd]?
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
    private var open: [Int] = []
    /// The texts of the open elements; the memory of closed ones is used again.
    private var texts: [[UInt8]] = []
    private var names = KnownNames(VASTSchema.ElementName.named)
    private var attributeNames = KnownNames(VASTSchema.AttributeName.named)
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

    /// Reads a document without leading white space, and its ads if its root is given.
    static func read(_ bytes: [UInt8], from start: SourcePlace, as root: VASTRoot? = nil) -> Outcome {
        let (sink, repaired) = bytes.withUnsafeBufferPointer { source in
            XMLRecovery<VASTSink<LintTreeReader>>.parse(source, omitting: .truncatedTag) { repaired in
                let (bytes, inserted) = (repaired?.repair.bytes ?? bytes, repaired?.repair.inserted)
                let reader = LintTreeReader(bytes, from: start, inserted: inserted)
                return VASTSink(reader, reading: repaired == nil ? root : nil, linesBefore: start.line - 1)
            }
        }
        var reader = sink.other
        reader.closeAll()
        guard let repaired else {
            var outcome = reader.outcome(bytes, reader.errors, isWellFormed: !reader.isStopped)
            if outcome.isWellFormed { outcome.ads = sink.ads() }
            return outcome
        }
        let isTruncated =
            !reader.unfinished.isEmpty && !XMLEnd.hasEndTag(named: reader.nodes[0].elementName.written, in: bytes)
        if isTruncated, let last = reader.unfinished.last, reader.nodes[last].end == last + 1 {
            // The last text may be incomplete, such as half a URL.
            reader.nodes[last].text = ""
        }
        var outcome = reader.outcome(
            repaired.repair.bytes,
            repaired.strict.other.errors + reader.errors,
            isWellFormed: false
        )
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
        self.unfinished = self.open
        while !self.open.isEmpty { self.closeLast() }
    }

    // MARK: Events of the parser

    var isStopped: Bool { self.excess != nil }

    mutating func start(
        _ name: UnsafeBufferPointer<UInt8>,
        namespace: UnsafePointer<UInt8>?,
        _ attributes: XMLAttributes,
        at position: XMLPosition
    ) -> Bool {
        guard self.excess == nil else { return false }
        let endLine = position.line + self.start.line - 1
        if self.nodes.count >= LintTreeReader.maxNodes {
            self.excess = ("it has more than \(LintTreeReader.maxNodes) elements", endLine)
        } else if self.open.count >= VASTLimits.standard.depth {
            self.excess = ("its elements are nested deeper than \(VASTLimits.standard.depth)", endLine)
        } else {
            self.append(name, namespace, attributes, endLine: endLine)
        }
        return self.excess == nil
    }

    private mutating func append(
        _ name: UnsafeBufferPointer<UInt8>,
        _ namespace: UnsafePointer<UInt8>?,
        _ attributes: XMLAttributes,
        endLine: Int
    ) {
        var list: [LintTree.Attribute] = []
        list.reserveCapacity(attributes.count)
        attributes.each(includesPrefixed: false) { name, value in
            list.append(LintTree.Attribute(key: self.attributeNames.find(name), value: value.text))
        }
        let tag = self.lines.next(name, endingOn: endLine)
        let name = self.names.find(UnsafeBufferPointer(rebasing: name.prefix(200)))
        let parent = self.open.last
        let isForeign = self.foreignDepth > 0
        var node = LintTree.Node(
            elementName: name,
            // Only the root's namespace is used; a long one would be copied for each element.
            namespace: parent == nil && self.nodes.isEmpty ? namespace.map { String(cString: $0) } : nil,
            attributes: list,
            place: tag?.place ?? SourcePlace(line: endLine),
            endLine: endLine,
            tag: tag,
            textLine: tag?.place.line ?? endLine,
            parent: parent,
            isForeign: isForeign,
            release: parent.flatMap { self.nodes[$0].release },
            isWrapped: parent.map { self.nodes[$0].isWrapped } ?? false
        )
        if node.name == "VAST" {
            let version = list.first { $0.name.equalsIgnoringCase("version") }?.value
            node.release = version.flatMap { VASTRelease(version: $0.trimmed) }
        } else if node.name == "Wrapper" {
            node.isWrapped = true
        }
        if self.texts.count == self.open.count { self.texts.append([]) }
        self.open.append(self.nodes.count)
        self.nodes.append(node)
        if isForeign || name.hasFreeContent { self.foreignDepth += 1 }
    }

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, at position: XMLPosition) {
        guard self.excess == nil, let last = self.open.indices.last else { return }
        let index = self.open[last]
        if self.texts[last].isEmpty {
            guard let first = bytes.firstIndex(where: { !$0.isWhiteSpace }) else { return }
            let behind = bytes[first...].count { $0 == 0x0A }
            self.nodes[index].textLine = max(self.nodes[index].place.line, position.line + self.start.line - 1 - behind)
        }
        self.texts[last].append(contentsOf: bytes)
    }

    mutating func end() {
        if self.excess == nil { self.closeLast() }
    }

    private mutating func closeLast() {
        guard let closed = self.open.popLast() else { return }
        if self.foreignDepth > 0 { self.foreignDepth -= 1 }
        self.nodes[closed].end = self.nodes.count
        let depth = self.open.count
        guard !self.texts[depth].isEmpty else { return }
        self.nodes[closed].text = self.texts[depth].withUnsafeBufferPointer { $0[...].withoutWhiteSpace.text }
        self.texts[depth].removeAll(keepingCapacity: true)
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
