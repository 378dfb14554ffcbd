import AdCore
import AdHTML
import AdMarkup

/// An XML document as a list of elements with their lines: what the rules look at.
///
/// It is a list and not a tree of values, so that nothing that walks it has to nest as deep as a stranger's document.
final class LintTree: Sendable {
    struct Attribute: Sendable {
        let name: String
        let value: String
    }

    struct Node: Sendable {
        /// The name without its prefix, in VAST's own spelling where only the capitals are wrong.
        let name: String
        /// The name without its prefix, as it is written.
        let written: String
        /// The root's namespace, where it has one; nil for every other element.
        let namespace: String?
        /// The attributes without a prefix, in order.
        let attributes: [Attribute]
        /// Where its tag begins.
        let place: SourcePlace
        /// The line where its tag ends.
        let endLine: Int
        /// Its tag in the bytes, where that is known.
        let tag: TagLines.Tag?
        /// The line where its text begins, else that of its tag.
        var textLine: Int
        /// Its text, without that of its children, and without white space around it.
        var text = ""
        let parent: Int?
        var children: [Int] = []
        /// Whether it is in an extension, whose content VAST does not define.
        let isForeign: Bool
    }

    let nodes: [Node]
    /// The bytes that the offsets are of.
    private let bytes: [UInt8]

    /// The release that the VAST around each element declares.
    fileprivate let releases: [VASTRelease?]
    /// Whether each element is in a wrapper.
    fileprivate let isWrapped: [Bool]

    init(nodes: [Node], bytes: [UInt8]) {
        self.nodes = nodes
        self.bytes = bytes
        var releases: [VASTRelease?] = []
        var isWrapped: [Bool] = []
        for node in nodes {
            if node.name == "VAST" {
                let version = node.attributes.first { $0.name.equalsIgnoringCase("version") }?.value
                releases.append(version.flatMap { VASTRelease(version: $0.trimmed) })
            } else {
                releases.append(node.parent.flatMap { releases[$0] })
            }
            isWrapped.append(node.name == "Wrapper" || node.parent.map { isWrapped[$0] } ?? false)
        }
        self.releases = releases
        self.isWrapped = isWrapped
    }

    /// The outermost element.
    var root: LintElement? { self.nodes.isEmpty ? nil : LintElement(tree: self, index: 0) }

    /// Every element, in the order of the document.
    var elements: some Sequence<LintElement> { self.nodes.indices.lazy.map { LintElement(tree: self, index: $0) } }

    /// Where an attribute is in the tag of an element.
    fileprivate func place(of name: String, in node: Node) -> SourcePlace {
        guard let tag = node.tag else { return node.place }
        var places = SourcePlaces(from: tag.place, at: tag.offset)
        var quote: UInt8?
        var at = tag.offset + 1
        while at < self.bytes.count, at < tag.end.offset {
            let byte = self.bytes[at]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                break
            } else if byte.isWhiteSpace, self.bytes[(at + 1)...].starts(with: name.utf8) {
                let next = at + 1 + name.utf8.count
                if next < self.bytes.count, self.bytes[next].isWhiteSpace || self.bytes[next] == UInt8(ascii: "=") {
                    return places.place(at: at + 1, in: self.bytes)
                }
            }
            at += 1
        }
        return node.place
    }

    /// Where the text of an element begins: behind its tag, blanks and the mark of a CDATA section.
    fileprivate func textPlace(of node: Node) -> SourcePlace {
        guard !node.text.isEmpty, let end = node.tag?.end else { return node.place }
        var at = end.offset
        while at < self.bytes.count, self.bytes[at].isWhiteSpace { at += 1 }
        if self.bytes[min(at, self.bytes.count)...].starts(with: "<![CDATA[".utf8) { at += 9 }
        while at < self.bytes.count, self.bytes[at].isWhiteSpace { at += 1 }
        var places = SourcePlaces(from: end.place, at: end.offset)
        let place = places.place(at: at, in: self.bytes)
        // Children or comments may precede the text: then only its line is known, by the parser.
        return place.line == node.textLine ? place : SourcePlace(line: node.textLine)
    }
}

/// An element of a document.
struct LintElement {
    let tree: LintTree
    let index: Int

    private var node: LintTree.Node { self.tree.nodes[self.index] }

    var name: String { self.node.name }
    var written: String { self.node.written }
    var namespace: String? { self.node.namespace }
    var attributes: [LintTree.Attribute] { self.node.attributes }
    /// Where its tag begins.
    var place: SourcePlace { self.node.place }
    /// Where its text begins, else its tag.
    var textPlace: SourcePlace { self.tree.textPlace(of: self.node) }
    var line: Int { self.node.place.line }
    var textLine: Int { self.node.textLine }
    /// The line where its tag ends.
    var endLine: Int { self.node.endLine }
    var text: String { self.node.text }
    var isForeign: Bool { self.node.isForeign }
    /// The release that the VAST around it declares; nil if that is none.
    var release: VASTRelease? { self.tree.releases[self.index] }
    /// Whether it is in a wrapper.
    var isWrapped: Bool { self.tree.isWrapped[self.index] }
    /// Whether it has neither text nor children.
    var isWhiteSpace: Bool { self.node.text.isEmpty && self.node.children.isEmpty }
    var parent: LintElement? { self.node.parent.map { LintElement(tree: self.tree, index: $0) } }
    var children: [LintElement] { self.node.children.map { LintElement(tree: self.tree, index: $0) } }

    /// An attribute's value without white space around it; nil if there is none.
    func attribute(_ name: String) -> String? {
        let attributes = self.node.attributes
        if attributes.isEmpty { return nil }
        let found = attributes.first { $0.name == name } ?? attributes.first { $0.name.equalsIgnoringCase(name) }
        return found?.value
    }

    /// Where an attribute is.
    func place(of name: String) -> SourcePlace {
        let written = self.node.attributes.first { $0.name.equalsIgnoringCase(name) }?.name ?? name
        return self.tree.place(of: written, in: self.node)
    }

    /// The line of an attribute.
    func line(of name: String) -> Int { self.place(of: name).line }

    /// The children of these names.
    func children(_ names: String...) -> [LintElement] { self.children.filter { names.contains($0.name) } }

    /// The first child of a name.
    func child(_ name: String) -> LintElement? {
        for index in self.node.children where self.tree.nodes[index].name == name {
            return LintElement(tree: self.tree, index: index)
        }
        return nil
    }

    /// The element itself and all that are inside, in the order of the document.
    var subtree: [LintElement] {
        var found: [LintElement] = []
        var waiting = [self.index]
        while let index = waiting.popLast() {
            found.append(LintElement(tree: self.tree, index: index))
            waiting.append(contentsOf: self.tree.nodes[index].children.reversed())
        }
        return found
    }

    /// All elements of these names inside.
    func all(_ names: String...) -> [LintElement] {
        self.subtree.dropFirst().filter { names.contains($0.name) }
    }

    /// The nearest element around it that has one of these names.
    func outer(_ names: String...) -> LintElement? {
        var at = self.parent
        while let element = at {
            if names.contains(element.name) { return element }
            at = element.parent
        }
        return nil
    }
}
