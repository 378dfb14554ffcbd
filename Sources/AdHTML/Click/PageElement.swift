import AdMarkup

/// An element of a creative, as following a press needs it.
struct PageElement {
    /// The name in lower case.
    let name: String
    /// The attributes, their names in lower case.
    var attributes: [String: String]
    var parent: Int?
    var children: [Int] = []
    /// Whether it is not rendered: by `hidden`, its own style or a style sheet of the creative.
    var isHidden: Bool
    /// Whether it is in `noscript` or `template`, where nothing is rendered and nothing runs.
    let isInert: Bool
    /// The beginning of its text.
    var text = ""
    /// What is in it, of an element that holds code or text alone; nil if its end tag is missing.
    var content: [UInt8]?
    /// Whether a script has set its address to what can't be known: none that a press may be said to open.
    var hasUnknownAddress = false
    /// Whether it is a script that has run, or never will (HTML §4.12.1.1, "already started").
    var hasStarted = false

    /// How much of an element's text is kept: enough to know a button with an `x`.
    static let maxTextLength = 64

    /// What scripts make and put into the page beside elements (DOM §4.7, §4.11).
    static let textNode = "#text"
    static let fragment = "#fragment"

    /// Its text; nil if only the beginning is known.
    var wholeText: String? {
        // A character that was cut may leave up to three bytes unused.
        self.text.utf8.count < PageElement.maxTextLength - 4 && self.children.isEmpty ? self.text : nil
    }

    /// Adds to the text, of which the beginning is kept.
    mutating func add(text: some StringProtocol) {
        for scalar in text.unicodeScalars.prefix(PageElement.maxTextLength) {
            guard self.text.utf8.count < PageElement.maxTextLength else { return }
            self.text.unicodeScalars.append(scalar)
        }
    }

    /// Whether a press on it may do something, by its name and its attributes.
    var mayBePressed: Bool {
        switch self.name {
        case "a", "area", "button", "input", "form", "iframe", "svg": true
        case "script": self.attributes["src"] == nil && !self.hasStarted
        default: self.attributes.keys.contains { $0.hasPrefix("on") || $0 == "data-dp" }
        }
    }
}

/// The elements of a creative in the order of the markup, with what is in what.
struct PageOutline: HTMLEventSink {
    var elements: [PageElement] = []
    /// For each open element of the parser its index; nil if it is not listed.
    private var open: [Int?] = []
    /// The beginning of the text that is in no element.
    private(set) var text = ""
    /// Whether elements were left out.
    private(set) var isCut = false

    /// Elements beyond this many are left out.
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

    /// The elements of a creative; nil if it exceeds a limit.
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

    /// An element that the parser inserts is not in the outline; its content belongs to its parent.
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

    mutating func strayEnd(_: HTMLScan.Tag, in parse: inout HTMLParse) {}
    mutating func fault(_: Int32, _: UnsafePointer<CChar>?, at offset: Int, in parse: inout HTMLParse) {}
    mutating func finish(in parse: inout HTMLParse) {}
}
