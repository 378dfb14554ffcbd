import AdCore
import AdMarkup

/// The size that a creative declares.
extension HTMLReader {
    private static let maxWrappers = 4

    /// Records an element at the top level, or within wrappers such as links only.
    mutating func readRoot(_ start: HTMLStartTag, in parse: borrowing HTMLParse) {
        let isFrame = start.isDocumentFrame
        guard parse.open.count == self.wrapperDepth, !isFrame else { return }
        let isTop = parse.open.count == parse.frames
        let (box, state) = (start.box, start.state)
        guard HTMLReader.isBox(start.element), !state.contains(.inert) else { return }
        let isPixel = (start.element == .img || start.element == .iframe) && (box.isTiny || state.isUnseen)
        guard !isPixel else { return }
        if isTop { self.topLevelCount += 1 }
        if start.element == .a || start.element == .center, box.size == nil {
            self.isWrapper = true
            if self.wrapperBoxes.count < HTMLReader.maxWrappers { self.wrapperBoxes.append(RootBox(start, box)) }
            return
        }
        self.rootCount += 1
        // An image in a link counts as an image, whose size is weaker evidence than that of a box.
        self.root = start.element == .img && !isTop ? nil : RootBox(start, box)
    }

    /// Whether an element takes up space on the screen.
    private static func isBox(_ element: ElementName) -> Bool {
        switch element {
        case .area, .base, .body, .head, .html, .link, .meta, .noembed, .noframes, .noscript, .script, .source, .style,
            .template, .title, .track, .wbr:
            false
        default: true
        }
    }

    /// Decides the size after parsing, unless `<meta name="ad.size">` has declared it.
    mutating func decideSize(in source: UnsafeBufferPointer<UInt8>) {
        guard self.document.declaredSize == nil else { return }
        if self.rootCount == 1, !self.hasRootText, !self.hasTextInWrapper {
            self.document.declaredSize = self.root.flatMap { self.size(of: $0, in: source) }
        }
        if self.document.declaredSize == nil, self.topLevelCount == 1, !self.hasRootText {
            for box in self.wrapperBoxes where self.document.declaredSize == nil {
                self.document.declaredSize = self.size(of: box, in: source)
            }
        }
        if self.document.declaredSize == nil, self.imageCount == 1, let (width, height) = self.imageSize {
            self.document.declaredSize = HTMLDocument.DeclaredSize(width, height, .image)
        }
    }

    /// The size of an element: its own, else that of a style rule for its `id` or class.
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

    /// The declarations of rules with the selector `#id` or `.class`; an `id` outranks a class (Selectors Level 4 §17).
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
    private static let maxClasses = 20

    init(_ start: HTMLStartTag, _ box: HTMLBox) {
        self.width = box.width
        self.height = box.height
        self.id = start.attributes.value("id")?.text
        let classes = start.attributes.value("class")?.bytes.split(whereSeparator: \.isWhiteSpace)
        self.classes = classes?.prefix(HTMLReader.RootBox.maxClasses).map(\.text) ?? []
    }
}

/// The value of `<meta name="ad.size">`: `width=300,height=250`.
enum AdSize {
    /// Why the value is invalid.
    struct ParseError: Error {
        let message: String
    }

    /// Parses the `content` of the element.
    static func read(_ content: ByteView) -> Result<HTMLDocument.DeclaredSize, ParseError> {
        let fields = NamedValues(content)
        let quoted = content.text.quoted
        let sides = [fields["width"], fields["height"]]
        if sides.contains(where: { $0?.contains(UInt8(ascii: "%")) == true }) {
            return .failure(
                ParseError(message: "\(quoted), and a percentage is no size; write pixels, as in width=300,height=250")
            )
        }
        guard let width = sides[0].flatMap(self.pixels), let height = sides[1].flatMap(self.pixels) else {
            return .failure(
                ParseError(message: "\(quoted); write \(self.suggestion(for: content) ?? "width=300,height=250")")
            )
        }
        if let size = HTMLDocument.DeclaredSize(width, height, .meta) { return .success(size) }
        let isTiny = min(width, height) < HTMLDocument.DeclaredSize.possible.lowerBound
        let most = Int(HTMLDocument.DeclaredSize.possible.upperBound)
        let problem = isTiny ? "that is a pixel, not an ad" : "no side may be longer than \(most) pixels"
        return .failure(ParseError(message: "\(quoted), and \(problem); write the creative's own size"))
    }

    /// A number of pixels, with or without `px`.
    private static func pixels(_ value: ByteView) -> Double? {
        guard let (number, end) = Measure.number(value) else { return nil }
        let unit = value[end...]
        return unit.isEmpty || (unit.count == 2 && unit.startsIgnoringCase("px")) ? number : nil
    }

    /// The correct form of a value such as `300x250`; nil for other values.
    private static func suggestion(for content: ByteView) -> String? {
        let sides = content.withoutWhiteSpace.split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ !$0.isEmpty && $0.count <= 5 && $0.allSatisfy(\.isDigit) }) else {
            return nil
        }
        return "width=\(sides[0].text),height=\(sides[1].text)"
    }
}

extension HTMLDocument.DeclaredSize {
    /// The possible length of a side.
    static let possible = 2.0...16_384.0

    /// Creates a size; nil if a creative can't have it.
    init?(_ width: Double, _ height: Double, _ evidence: Evidence) {
        let possible = HTMLDocument.DeclaredSize.possible
        guard possible.contains(width), possible.contains(height) else { return nil }
        self.init(width: Int(width.rounded()), height: Int(height.rounded()), evidence: evidence)
    }
}
