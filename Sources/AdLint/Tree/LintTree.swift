import AdCore
import AdHTML
import AdMarkup

/// An XML document as a list of elements with their places, which the rules check.
///
/// It is a list and not nested values, so that no code recurses as deep as the document nests.
final class LintTree: Sendable {
    struct Attribute: Sendable {
        let key: VASTSchema.AttributeName
        let value: String

        var name: String { self.key.text }
    }

    struct Node: Sendable {
        let elementName: VASTSchema.ElementName
        /// The namespace of the root element; nil for all other elements.
        let namespace: String?
        /// The attributes without a prefix, in order.
        let attributes: [Attribute]
        /// The place of its start tag.
        let place: SourcePlace
        /// The line on which its start tag ends.
        let endLine: Int
        /// The extent of its start tag, if it was found.
        let tag: StartTagScanner.Tag?
        /// The line on which its text begins; without text the line of its start tag.
        var textLine: Int
        /// Its own text, trimmed, without the text of its children.
        var text = ""
        let parent: Int?
        /// The index after its last descendant.
        var end = 0
        /// Whether it is in an extension, whose content VAST does not define.
        let isForeign: Bool
        /// The version that the `<VAST>` around it declares; nil if it is missing or unknown.
        var release: VASTRelease?
        /// Whether it is in a wrapper.
        var isWrapped: Bool

        /// The name without its prefix, in VAST's spelling if only its case is wrong.
        var name: String { self.isForeign ? self.elementName.written : self.elementName.corrected }
    }

    /// The elements in the order of the document.
    let nodes: [Node]
    /// The document.
    private let bytes: [UInt8]

    init(nodes: [Node], bytes: [UInt8]) {
        self.nodes = nodes
        self.bytes = bytes
    }

    /// The root element.
    var root: LintElement? { self.nodes.isEmpty ? nil : LintElement(tree: self, index: 0) }

    /// All elements in the order of the document.
    var elements: some Sequence<LintElement> { self.nodes.indices.lazy.map { LintElement(tree: self, index: $0) } }

    /// The place of an attribute in the start tag of an element.
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

    /// The place of an element's text, after white space and `<![CDATA[`.
    fileprivate func textPlace(of node: Node) -> SourcePlace {
        guard !node.text.isEmpty, let end = node.tag?.end else { return node.place }
        var at = end.offset
        while at < self.bytes.count, self.bytes[at].isWhiteSpace { at += 1 }
        if self.bytes[min(at, self.bytes.count)...].starts(with: "<![CDATA[".utf8) { at += 9 }
        while at < self.bytes.count, self.bytes[at].isWhiteSpace { at += 1 }
        var places = SourcePlaces(from: end.place, at: end.offset)
        let place = places.place(at: at, in: self.bytes)
        // Children or comments may precede the text; then only the line is known, from the parser.
        return place.line == node.textLine ? place : SourcePlace(line: node.textLine)
    }
}

/// An element of a ``LintTree``.
struct LintElement {
    let tree: LintTree
    let index: Int

    private var node: LintTree.Node { _read { yield self.tree.nodes[self.index] } }

    var name: String { self.node.name }
    /// The name without its prefix, as it is written in the document.
    var written: String { self.elementName.written }
    var elementName: VASTSchema.ElementName { self.node.elementName }
    var namespace: String? { self.node.namespace }
    var attributes: [LintTree.Attribute] { self.node.attributes }
    /// The place of its start tag.
    var place: SourcePlace { self.node.place }
    /// The place of its text; without text that of its start tag.
    var textPlace: SourcePlace { self.tree.textPlace(of: self.node) }
    var line: Int { self.node.place.line }
    var textLine: Int { self.node.textLine }
    /// The line on which its start tag ends.
    var endLine: Int { self.node.endLine }
    var text: String { self.node.text }
    var isForeign: Bool { self.node.isForeign }
    /// The version that the `<VAST>` around it declares; nil if it is missing or unknown.
    var release: VASTRelease? { self.node.release }
    /// Whether it is in a wrapper.
    var isWrapped: Bool { self.node.isWrapped }
    /// Whether it has neither text nor children.
    var isEmpty: Bool { self.node.text.isEmpty && !self.hasChildren }
    var parent: LintElement? { self.node.parent.map { LintElement(tree: self.tree, index: $0) } }
    var hasChildren: Bool { self.node.end > self.index + 1 }
    var children: [LintElement] { self.children { _ in true } }

    /// The value of an attribute, whatever the case of its name; nil if it is missing.
    func attribute(_ name: String) -> String? {
        let attributes = self.node.attributes
        if attributes.isEmpty { return nil }
        let found = attributes.first { $0.name == name } ?? attributes.first { $0.name.equalsIgnoringCase(name) }
        return found?.value
    }

    /// The place of an attribute.
    func place(of name: String) -> SourcePlace {
        let written = self.node.attributes.first { $0.name.equalsIgnoringCase(name) }?.name ?? name
        return self.tree.place(of: written, in: self.node)
    }

    /// The line of an attribute.
    func line(of name: String) -> Int { self.place(of: name).line }

    /// The children with a name.
    func children(_ name: String) -> [LintElement] { self.children { $0.name == name } }

    /// The children with one of the names.
    func children(_ names: String...) -> [LintElement] { self.children { names.contains($0.name) } }

    private func children(where isWanted: (LintTree.Node) -> Bool) -> [LintElement] {
        var found: [LintElement] = []
        var index = self.index + 1
        while index < self.node.end {
            if isWanted(self.tree.nodes[index]) { found.append(LintElement(tree: self.tree, index: index)) }
            index = self.tree.nodes[index].end
        }
        return found
    }

    /// The first child with a name.
    func child(_ name: String) -> LintElement? {
        var index = self.index + 1
        while index < self.node.end {
            if self.tree.nodes[index].name == name { return LintElement(tree: self.tree, index: index) }
            index = self.tree.nodes[index].end
        }
        return nil
    }

    /// The descendants with a name, in the order of the document.
    func descendants(_ name: String) -> [LintElement] { self.descendants { $0.name == name } }

    /// The descendants with one of the names, in the order of the document.
    func descendants(_ names: String...) -> [LintElement] { self.descendants { names.contains($0.name) } }

    private func descendants(where isWanted: (LintTree.Node) -> Bool) -> [LintElement] {
        var found: [LintElement] = []
        for index in (self.index + 1)..<self.node.end where isWanted(self.tree.nodes[index]) {
            found.append(LintElement(tree: self.tree, index: index))
        }
        return found
    }

    /// The nearest ancestor with one of the names.
    func ancestor(_ names: String...) -> LintElement? {
        var at = self.parent
        while let element = at {
            if names.contains(element.name) { return element }
            at = element.parent
        }
        return nil
    }
}
