import AdCore
import AdMarkup

/// The size that a creative is made for.
extension HTMLReader {
    private static let mostShells = 4

    /// Adds an element that is at the top, or in nothing but links and the like.
    mutating func readRoot(_ start: HTMLStartTag, in parse: borrowing HTMLParse) {
        let isFrame = start.isDocumentFrame
        guard parse.open.count == self.shells, !isFrame else { return }
        let isTop = parse.open.count == parse.frames
        let (box, state) = (start.box, start.state)
        guard HTMLReader.isBox(start.element), !state.contains(.inert) else { return }
        let isPixel = (start.element == .img || start.element == .iframe) && (box.isTiny || state.isUnseen)
        guard !isPixel else { return }
        if isTop { self.tops += 1 }
        if start.element == .a || start.element == .center, box.size == nil {
            self.isShell = true
            if self.shellBoxes.count < HTMLReader.mostShells { self.shellBoxes.append(RootBox(start, box)) }
            return
        }
        self.roots += 1
        // A image in a link is an image: its size is weaker evidence than a box's.
        self.root = start.element == .img && !isTop ? nil : RootBox(start, box)
    }

    /// Whether the element has a place on the screen.
    private static func isBox(_ element: ElementName) -> Bool {
        switch element {
        case .area, .base, .body, .head, .html, .link, .meta, .noembed, .noframes, .noscript, .script, .source, .style,
            .template, .title, .track, .wbr:
            false
        default: true
        }
    }

    /// Decides the size at the end: `<meta name="ad.size">` outranks what elements suggest.
    mutating func decideSize(in source: UnsafeBufferPointer<UInt8>) {
        guard self.document.declaredSize == nil else { return }
        if self.roots == 1, !self.hasRootText, !self.hasShellText {
            self.document.declaredSize = self.root.flatMap { self.size(of: $0, in: source) }
        }
        if self.document.declaredSize == nil, self.tops == 1, !self.hasRootText {
            for box in self.shellBoxes where self.document.declaredSize == nil {
                self.document.declaredSize = self.size(of: box, in: source)
            }
        }
        if self.document.declaredSize == nil, self.pictures == 1, let (width, height) = self.pictureSize {
            self.document.declaredSize = HTMLDocument.DeclaredSize(width, height, .image)
        }
    }

    /// The size of a box: its own, else that of a rule for its `id` or class in a style sheet of the markup.
    private func size(of box: RootBox, in source: UnsafeBufferPointer<UInt8>) -> HTMLDocument.DeclaredSize? {
        var (width, height) = (box.width, box.height)
        if width == nil || height == nil {
            let rules = self.rules(for: box, in: source)
            width = width ?? rules.byID.width ?? rules.byClass.width
            height = height ?? rules.byID.height ?? rules.byClass.height
        }
        guard let width, let height else { return nil }
        return HTMLDocument.DeclaredSize(width, height, .rootElement)
    }

    /// What the rules say whose selector is nothing but `#id` or `.class`: an `id` outranks a class (CSS Selectors §17).
    private func rules(for box: RootBox, in source: UnsafeBufferPointer<UInt8>) -> (
        byID: InlineStyle, byClass: InlineStyle
    ) {
        var (byID, byClass) = (InlineStyle(), InlineStyle())
        guard box.id != nil || !box.classes.isEmpty else { return (byID, byClass) }
        for range in self.sheets {
            StyleScan.each(source[range]) { declaration in
                guard declaration.isNamed("width") || declaration.isNamed("height") else { return }
                for selector in declaration.selector.split(separator: UInt8(ascii: ",")).map(\.withoutWhiteSpace) {
                    let name = selector.dropFirst()
                    if selector.first == UInt8(ascii: "#"), let id = box.id, name.elementsEqual(id.utf8) {
                        byID.apply(declaration)
                    } else if selector.first == UInt8(ascii: "."),
                        box.classes.contains(where: { name.elementsEqual($0.utf8) })
                    {
                        byClass.apply(declaration)
                    }
                }
            }
        }
        return (byID, byClass)
    }
}

extension HTMLReader.RootBox {
    private static let mostClasses = 20

    init(_ start: HTMLStartTag, _ box: HTMLBox) {
        self.width = box.width
        self.height = box.height
        self.id = start.attributes.value("id")?.text
        let classes = start.attributes.value("class")?.bytes.split(whereSeparator: \.isWhiteSpace)
        self.classes = classes?.prefix(HTMLReader.RootBox.mostClasses).map(\.text) ?? []
    }
}

/// The value of `<meta name="ad.size">`: `width=300,height=250`.
enum AdSize {
    /// What is wrong with it, its value first.
    struct Fault: Error {
        let words: String
    }

    /// Reads the content of the element.
    static func read(_ content: ByteView) -> Result<HTMLDocument.DeclaredSize, Fault> {
        let fields = NamedValues(content)
        let quoted = content.text.quoted
        let sides = [fields["width"], fields["height"]]
        if sides.contains(where: { $0?.contains(UInt8(ascii: "%")) == true }) {
            return .failure(Fault(words: "\(quoted), and a share is no size; write pixels, as in width=300,height=250"))
        }
        guard let width = sides[0].flatMap(self.pixels), let height = sides[1].flatMap(self.pixels) else {
            return .failure(Fault(words: "\(quoted); write \(self.meant(by: content) ?? "width=300,height=250")"))
        }
        if let size = HTMLDocument.DeclaredSize(width, height, .meta) { return .success(size) }
        let isTiny = min(width, height) < HTMLDocument.DeclaredSize.possible.lowerBound
        let most = Int(HTMLDocument.DeclaredSize.possible.upperBound)
        let fault = isTiny ? "that is a pixel, and no ad" : "no side may be longer than \(most) pixels"
        return .failure(Fault(words: "\(quoted), and \(fault); write the creative's own size"))
    }

    /// A number of pixels, with `px` behind it or nothing.
    private static func pixels(_ value: ByteView) -> Double? {
        guard let (number, end) = Measure.number(value) else { return nil }
        let unit = value[end...]
        return unit.isEmpty || (unit.count == 2 && unit.startsIgnoringCase("px")) ? number : nil
    }

    /// What is meant by `300x250`; nil for anything else.
    private static func meant(by content: ByteView) -> String? {
        let sides = content.withoutWhiteSpace.split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ !$0.isEmpty && $0.count <= 5 && $0.allSatisfy(\.isDigit) }) else {
            return nil
        }
        return "width=\(sides[0].text),height=\(sides[1].text)"
    }
}

extension HTMLDocument.DeclaredSize {
    /// How long a side can be.
    static let possible = 2.0...16_384.0

    /// A size that a creative can have; nil for one it can't.
    init?(_ width: Double, _ height: Double, _ evidence: Evidence) {
        let possible = HTMLDocument.DeclaredSize.possible
        guard possible.contains(width), possible.contains(height) else { return nil }
        self.init(width: Int(width.rounded()), height: Int(height.rounded()), evidence: evidence)
    }
}
