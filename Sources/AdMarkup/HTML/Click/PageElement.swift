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

    /// How much of an element's text is kept: enough to know a button with an `x`.
    static let longestText = 64
}

/// The elements of a creative in the order of the markup, with what stands in what.
struct PageOutline {
    var elements: [PageElement] = []
    /// For each open element of the parser its index; nil where it is not listed.
    private var open: [Int?] = []

    /// Elements beyond this many are left out.
    static let most = 20_000

    mutating func start(_ element: PageElement) {
        guard self.elements.count < PageOutline.most else { return self.open.append(nil) }
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
        guard let top = self.open.last ?? nil else { return }
        let room = PageElement.longestText - self.elements[top].text.utf8.count
        if room > 0 { self.elements[top].text += String(decoding: bytes.prefix(room), as: UTF8.self) }
    }
}
