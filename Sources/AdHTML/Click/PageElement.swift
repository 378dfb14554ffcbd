import AdMarkup

/// An element of a creative, with what the click model needs of it.
struct PageElement {
    /// The element's name in lower case.
    let name: String
    /// The attributes by their names in lower case.
    var attributes: [String: String]
    var parent: Int?
    var children: [Int] = []
    /// Whether it is not rendered: by `hidden`, its own style or a style sheet of the creative.
    var isHidden: Bool
    /// Whether it is in `noscript` or `template`, whose content is neither rendered nor run.
    let isInert: Bool
    /// The beginning of its text.
    var text = ""
    /// The content of an element that holds only code or text; nil if its end tag is missing.
    var content: [UInt8]?
    /// Whether a script has set its `href` to an unknown value.
    var hasUnknownAddress = false
    /// Whether it is a script that has run or will never run (HTML Living Standard, "already started").
    var hasStarted = false

    /// The number of bytes of an element's text that are kept, which is enough to recognize a button with an `x`.
    static let maxTextLength = 64

    /// The names of the other nodes that scripts insert (DOM §4.7, §4.11).
    static let textNode = "#text"
    static let fragment = "#fragment"

    /// The complete text; nil if only its beginning is kept.
    var wholeText: String? {
        // A character that did not fit may leave up to three bytes unused.
        self.text.utf8.count < PageElement.maxTextLength - 4 && self.children.isEmpty ? self.text : nil
    }

    /// Appends to the text, up to the limit.
    mutating func add(text: some StringProtocol) {
        for scalar in text.unicodeScalars.prefix(PageElement.maxTextLength) {
            guard self.text.utf8.count < PageElement.maxTextLength else { return }
            self.text.unicodeScalars.append(scalar)
        }
    }

    /// Whether a click on it may have an effect, by its name and attributes.
    var mayBePressed: Bool {
        switch self.name {
        case "a", "area", "button", "input", "form", "iframe", "svg": true
        case "script": self.attributes["src"] == nil && !self.hasStarted
        default: self.attributes.keys.contains { $0.hasPrefix("on") || $0 == "data-dp" }
        }
    }
}

/// The tree of a creative's elements, in the order of the markup.
struct PageOutline: HTMLEventSink {
    var elements: [PageElement] = []
    /// The index of each open element of the parser; nil if it is not in the tree.
    private var open: [Int?] = []
    /// The beginning of the text outside elements.
    private(set) var text = ""
    /// Whether elements beyond the limit were dropped.
    private(set) var isCut = false

    /// The number of elements that are kept.
    static let maxElements = 20_000

    private mutating func append(_ element: PageElement) {
        guard self.elements.count < PageOutline.maxElements else {
            self.isCut = true
            return self.open.append(nil)
        }
        var element = element
        element.parent = self.open.last ?? nil
        let index = self.elements.count
        if let parent = element.parent { self.elements[parent].children.append(index) }
        self.elements.append(element)
        self.open.append(index)
    }

    /// Parses markup; nil if it exceeds a limit.
    static func read(_ markup: String) -> PageOutline? {
        var markup = markup
        return markup.withUTF8 { try? HTMLDriver.read($0, .standard, into: PageOutline()).get() }
    }

    mutating func start(_ tag: HTMLStartTag, in parse: inout HTMLParse) {
        self.append(
            PageElement(
                name: String(cString: tag.name),
                attributes: tag.attributes.all,
                isHidden: tag.state.isUnseen && !tag.outer.isUnseen,
                isInert: tag.state.contains(.inert),
                content: tag.content.flatMap { $0.isClosed ? Array(parse.source[$0.range]) : nil }
            )
        )
    }

    /// Skips an element that the parser inserts; its content belongs to its parent.
    mutating func startImplied(_ element: ElementName, in parse: inout HTMLParse) {
        self.open.append(self.open.last ?? nil)
    }

    mutating func end(_: HTMLOpenElement, name: UnsafePointer<UInt8>, hasTag: Bool, in parse: inout HTMLParse) {
        _ = self.open.popLast()
    }

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, in parse: inout HTMLParse) {
        let text = String(decoding: bytes.prefix(PageElement.maxTextLength), as: UTF8.self)
        if let top = self.open.last ?? nil {
            self.elements[top].add(text: text)
        } else if self.text.utf8.count < PageElement.maxTextLength {
            self.text += text
        }
    }
}
