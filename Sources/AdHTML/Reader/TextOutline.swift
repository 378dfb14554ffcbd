import AdCore
package import AdMarkup

/// The text of markup by lines, and the elements with an attribute that makes them links, such as a popup's `data-dp`.
///
/// Nothing is repaired and no script runs; markup that exceeds a limit is read up to it.
package struct TextOutline: HTMLEventSink {
    /// An element that the attribute makes a link.
    package struct Link {
        package let text: String
        /// The attribute's value.
        package let address: String
    }

    /// The text without that of the links, one line per block.
    package private(set) var lines: [String] = []
    package private(set) var links: [Link] = []

    private let attribute: StaticString
    /// How many lines and links are kept.
    private let limit: Int
    private var text: [UInt8] = []
    /// The open link: the number of elements around it, and its address.
    private var open: (depth: Int, address: String)?

    /// Elements that do not start a new line.
    private static let inline: Set<String> = [
        "a", "abbr", "b", "bdi", "bdo", "big", "code", "em", "font", "i", "img", "mark", "q", "s", "small", "span",
        "strong", "sub", "sup", "u", "wbr",
    ]

    private init(attribute: StaticString, limit: Int) {
        self.attribute = attribute
        self.limit = limit
    }

    /// Reads markup in which `attribute` makes an element a link; `limit` is the number of lines and links to keep.
    package static func read(_ markup: [UInt8], linksBy attribute: StaticString, limit: Int) -> TextOutline {
        let empty = TextOutline(attribute: attribute, limit: limit)
        var outline = markup.withUnsafeBufferPointer { HTMLDriver.readPart($0, .standard, into: empty).sink }
        outline.endLink()
        outline.endLine()
        return outline
    }

    // MARK: Events

    package mutating func start(_ tag: HTMLStartTag, in parse: inout HTMLParse) {
        guard self.open == nil else { return self.text.append(0x20) }
        let address = tag.attributes.value(self.attribute)?.text.trimmed ?? ""
        guard !address.isEmpty, !tag.state.contains(.inert) else { return self.endLine(before: tag.name) }
        self.endLine()
        if tag.element.isVoid {
            let text = tag.attributes.value("alt") ?? tag.attributes.value("value")
            self.append(text?.text ?? "", address)
        } else {
            self.open = (parse.open.count, address)
        }
    }

    package mutating func end(
        _ closed: HTMLOpenElement,
        name: UnsafePointer<UInt8>,
        hasTag: Bool,
        in parse: inout HTMLParse
    ) {
        guard let open else { return self.endLine(before: name) }
        if parse.open.count == open.depth { self.endLink() } else { self.text.append(0x20) }
    }

    package mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, in parse: inout HTMLParse) {
        if let parent = parse.open.last, parent.element == .title || parent.contentState.contains(.inert) { return }
        self.text.append(contentsOf: bytes)
    }

    // MARK: Lines and links

    private mutating func endLink() {
        guard let open else { return }
        self.open = nil
        self.append(self.drainText(), open.address)
    }

    private mutating func append(_ text: String, _ address: String) {
        guard self.links.count < self.limit else { return }
        self.links.append(Link(text: text.isEmpty ? address : text, address: address))
    }

    /// Ends the line at a tag, unless its element is part of a line.
    private mutating func endLine(before name: UnsafePointer<UInt8>) {
        if !TextOutline.inline.contains(String(cString: name)) { self.endLine() }
    }

    private mutating func endLine() {
        let line = self.drainText()
        if !line.isEmpty, self.lines.count < self.limit { self.lines.append(line) }
    }

    /// The text so far as one line; clears it.
    private mutating func drainText() -> String {
        defer { self.text.removeAll(keepingCapacity: true) }
        return String(decoding: self.text, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
