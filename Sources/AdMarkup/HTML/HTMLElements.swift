package import AdCore

/// The state of an element that its content inherits.
package struct HTMLElementState: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It is not laid out, and nothing inside is (CSS Display Module Level 3, "display: none").
    package static let hidden = HTMLElementState(rawValue: 1)
    /// It is not rendered and nothing in it is fetched: `noscript`, `template`, fallback content of media.
    package static let inert = HTMLElementState(rawValue: 2)
    /// It is inside SVG or MathML.
    package static let foreign = HTMLElementState(rawValue: 4)
    /// Its start tag is self-closing, so it has no content.
    package static let closed = HTMLElementState(rawValue: 8)
    /// It takes up space but is not painted; its content may set `visibility` again.
    package static let invisible = HTMLElementState(rawValue: 16)

    /// Whether a user can't see it.
    package var isUnseen: Bool { !self.isDisjoint(with: [.hidden, .invisible]) }
}

/// An element whose end the parser has not reached yet.
package struct HTMLOpenElement {
    package let element: ElementName
    /// Its name as a `NameKey`.
    let key: UInt64
    package let line: Int
    package let state: HTMLElementState

    /// The state that the content inherits.
    ///
    /// The content of media elements and plug-ins is fallback content: browsers render it only if they can't show the
    /// element.
    package var contentState: HTMLElementState {
        switch self.element {
        case .audio, .canvas, .noscript, .object, .template, .video: self.state.union(.inert)
        case .svg, .math: self.state.union(.foreign)
        default: self.state
        }
    }
}

/// A start tag that is in the markup.
///
/// It is valid only during the event that reports it.
package struct HTMLStartTag {
    package let element: ElementName
    /// The name in lower case, terminated with a NUL.
    package let name: UnsafePointer<UInt8>
    package let attributes: HTMLAttributes
    /// The scanner's tag; nil when libxml2 and the scanner disagree about it.
    package let tag: HTMLScan.Tag?
    package let line: Int
    package let box: HTMLBox
    /// The state of the parent's content, and the element's own.
    package let outer, state: HTMLElementState
    /// The content of an element that contains text only, such as a script.
    package let content: HTMLScan.Content?

    /// Whether it is one of the three elements that make a document: `html`, `head` and `body`.
    package var isDocumentFrame: Bool { self.element == .html || self.element == .head || self.element == .body }

    /// Whether its name has a hyphen, so a script defines it (HTML Living Standard, "valid custom element name").
    package var isCustom: Bool {
        guard self.element == .other else { return false }
        var character = self.name
        while character.pointee != 0 {
            if character.pointee == UInt8(ascii: "-") { return true }
            character += 1
        }
        return false
    }
}

/// The size and visibility that an element's own attributes give it.
package struct HTMLBox {
    package let style: AttributeValue?
    package let width: Double?
    package let height: Double?
    package let isHidden: Bool
    /// Whether its style sets `visibility`, and whether that hides it; nil when it does not.
    package let isInvisible: Bool?
    /// Whether its style may paint it even without content.
    let mayPaint: Bool

    init(_ attributes: HTMLAttributes) {
        self.style = attributes.value("style")
        let inline = self.style.map(InlineStyle.init)
        let hasAttributes = !attributes.isEmpty
        self.width = inline?.width ?? (hasAttributes ? attributes.value("width")?.pixels : nil)
        self.height = inline?.height ?? (hasAttributes ? attributes.value("height")?.pixels : nil)
        // `hidden` is a rule of the browser's style sheet, so the element's own `display` overrides it.
        self.isHidden = inline?.isAbsent ?? attributes.has("hidden")
        self.isInvisible = inline?.isInvisible
        self.mayPaint = inline?.mayPaint ?? false
    }

    /// Whether it is too small to be visible: a side of zero, or at most one pixel on each given side.
    package var isTiny: Bool {
        switch (self.width, self.height) {
        case (let width?, let height?): width == 0 || height == 0 || (width <= 1 && height <= 1)
        case (let side?, nil), (nil, let side?): side <= 1
        case (nil, nil): false
        }
    }

    /// Width and height, if both are given.
    package var size: (width: Double, height: Double)? {
        guard let width = self.width, let height = self.height else { return nil }
        return (width, height)
    }
}

extension HTMLAttributes {
    /// The URL of an `img` element, an image input or an SVG image.
    package var imageAddress: URLTemplate? {
        self.value("src")?.template ?? self.value("srcset")?.firstOfSet ?? self.value("href")?.template
            ?? self.value("xlink:href")?.template
    }
}
