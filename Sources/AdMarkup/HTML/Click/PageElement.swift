/// An element of a creative, as following a press needs it.
struct PageElement {
    /// The name in small letters.
    let name: String
    /// The attributes, their names in small letters.
    var attributes: [String: String]
    var parent: Int?
    var children: [Int] = []
    /// Whether it is not rendered: by `hidden`, its own style or a style sheet of the creative.
    var isHidden: Bool
    /// Whether it stands in `noscript` or `template`, where nothing is rendered and nothing runs.
    let isInert: Bool
    /// The beginning of its text.
    var text = ""
    /// What stands in it, of an element that holds code or text alone; nil where its end tag is missing.
    var content: [UInt8]?
    /// Whether a script has set its address to what can't be known: none that a press may be said to open.
    var hasUnknownAddress = false
    /// Whether it is a script that has run, or never will (HTML §4.12.1.1, "already started").
    var hasStarted = false

    /// How much of an element's text is kept: enough to know a button with an `x`.
    static let longestText = 64

    /// What scripts make and put into the page beside elements (DOM §4.7, §4.11).
    static let textNode = "#text"
    static let fragment = "#fragment"

    /// Its text; nil where only the beginning is known.
    var wholeText: String? {
        // A character that was cut may leave up to three bytes unused.
        self.text.utf8.count < PageElement.longestText - 4 && self.children.isEmpty ? self.text : nil
    }

    /// Adds to the text, of which the beginning is kept.
    mutating func add(text: some StringProtocol) {
        for scalar in text.unicodeScalars.prefix(PageElement.longestText) {
            guard self.text.utf8.count < PageElement.longestText else { return }
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

/// The elements of a creative in the order of the markup, with what stands in what.
struct PageOutline {
    var elements: [PageElement] = []
    /// For each open element of the parser its index; nil where it is not listed.
    private var open: [Int?] = []
    /// The beginning of the text that stands in no element.
    private(set) var text = ""
    /// Whether elements were left out.
    private(set) var isCut = false

    /// Elements beyond this many are left out.
    static let most = 20_000

    mutating func start(_ element: PageElement) {
        guard self.elements.count < PageOutline.most else {
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

    /// An element of the parser's own making has no place in the outline; what stands in it belongs to its parent.
    mutating func startImplied() { self.open.append(self.open.last ?? nil) }

    mutating func end() { _ = self.open.popLast() }

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        let text = String(decoding: bytes.prefix(PageElement.longestText), as: UTF8.self)
        if let top = self.open.last ?? nil {
            self.elements[top].add(text: text)
        } else if self.text.utf8.count < PageElement.longestText {
            self.text += text
        }
    }
}
