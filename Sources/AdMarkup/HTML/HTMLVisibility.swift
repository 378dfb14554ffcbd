package import AdCore

/// Decides whether a banner has visible content; one without is no ad.
///
/// An uncertain case counts as visible. `HTMLDocument.hasVisibleContent` lists what counts. The preflight of a load
/// and the full parser share this value, so they always agree.
struct HTMLVisibility {
    private(set) var isVisible = false
    /// Whether something is hidden only by its own style, and whether a style sheet may show it again.
    private var hasHidden = false
    private var mayUnhide = false

    private mutating func show(_ state: HTMLElementState) {
        guard !state.contains(.inert) else { return }
        if state.isUnseen { self.hasHidden = true } else { self.isVisible = true }
    }

    /// Decides about hidden content at the end: a style sheet with a higher priority may show it.
    mutating func finish() {
        if self.hasHidden, self.mayUnhide { self.isVisible = true }
    }

    // MARK: Text

    mutating func readText(_ bytes: UnsafeBufferPointer<UInt8>, in parent: HTMLOpenElement?) {
        guard !self.isVisible else { return }
        let state = parent?.contentState ?? []
        if HTMLVisibility.mayShowText(parent, state), HTMLVisibility.hasVisibleCharacters(bytes) { self.show(state) }
    }

    static func mayShowText(_ parent: HTMLOpenElement?, _ state: HTMLElementState) -> Bool {
        !state.contains(.inert) && parent?.element != .select && parent?.element != .title
    }

    /// Whether a text has a character other than white space, control characters and characters without a glyph.
    static func hasVisibleCharacters(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var hasOthers = false
        for byte in bytes {
            if (0x21..<0x7F).contains(byte) { return true }
            hasOthers = hasOthers || byte >= 0x80
        }
        guard hasOthers else { return false }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.contains {
            // Up to U+00A0 there are only ASCII, control characters and the no-break space.
            $0.value > 0xA0 && !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
                && $0.properties.generalCategory != .control
        }
    }

    // MARK: Elements

    mutating func read(_ start: HTMLStartTag, of source: UnsafeBufferPointer<UInt8>) {
        guard !self.isVisible else { return }
        if !start.attributes.isEmpty { self.readAttributes(start) }
        switch start.element {
        case .img, .image: self.readImage(start)
        case .script: self.readScript(start, source)
        case .style: self.readStyle(start, source)
        case .link: self.readLink(start)
        case .iframe, .video, .canvas, .svg, .object, .embed: if !start.box.isTiny { self.show(start.state) }
        case .audio: if !start.box.isTiny, start.attributes.has("controls") { self.show(start.state) }
        case .input: self.readInput(start)
        case .button, .select, .textarea, .painted, .paintedEndless, .paintedVoid: self.show(start.state)
        default: if start.isCustom, !start.box.isTiny { self.show(start.state) }
        }
    }

    private mutating func readAttributes(_ start: HTMLStartTag) {
        if !start.state.contains(.inert), LoadHandler.mayShow(start) { self.isVisible = true }
        if !start.box.isTiny, start.box.mayPaint || HTMLVisibility.isPainted(start) { self.show(start.state) }
        if start.attributes.value("background")?.template != nil { self.show(start.state) }
    }

    /// Whether attributes of HTML 4 paint the element: a background color or a border.
    private static func isPainted(_ start: HTMLStartTag) -> Bool {
        if start.attributes.value("bgcolor")?.bytes.isEmpty == false { return true }
        guard start.element != .img, let border = start.attributes.value("border") else { return false }
        return border.pixels != 0
    }

    private mutating func readImage(_ start: HTMLStartTag) {
        guard start.attributes.imageAddress == nil else {
            if !start.box.isTiny, !start.state.isUnseen { self.show(start.state) }
            return
        }
        // Without an address the `alt` text is rendered (HTML Living Standard, "the img element").
        guard !start.box.isTiny, let text = start.attributes.value("alt") else { return }
        if text.bytes.contains(where: { !$0.isWhiteSpace }) { self.show(start.state) }
    }

    private mutating func readScript(_ start: HTMLStartTag, _ source: UnsafeBufferPointer<UInt8>) {
        guard start.runsAsScript else { return }
        if start.scriptAddress?.template != nil {
            self.isVisible = true
        } else if let content = start.content, source[content.range].contains(where: { !$0.isWhiteSpace }) {
            self.isVisible = true
        }
    }

    private mutating func readStyle(_ start: HTMLStartTag, _ source: UnsafeBufferPointer<UInt8>) {
        guard let content = start.content, !start.state.contains(.inert) else { return }
        StyleScan.each(source[content.range]) { declaration in
            if declaration.mayPaint { self.isVisible = true }
            if declaration.mayUnhide { self.mayUnhide = true }
        }
    }

    /// An external style sheet may paint any box, also the page's.
    private mutating func readLink(_ start: HTMLStartTag) {
        if !start.state.contains(.inert), start.stylesheetAddress != nil { self.isVisible = true }
    }

    private mutating func readInput(_ start: HTMLStartTag) {
        let type = start.attributes.value("type")
        if type?.isWord("hidden") == true { return }
        if type?.isWord("image") == true { return self.readImage(start) }
        self.show(start.state)
    }
}

extension HTMLStartTag {
    /// The address of a script, including an SVG script.
    package var scriptAddress: AttributeValue? {
        self.attributes.value("src") ?? self.attributes.value("href") ?? self.attributes.value("xlink:href")
    }

    /// Whether a script element contains data or code that browsers do not run.
    package var isDataScript: Bool {
        self.attributes.value("type").map { !ScriptType.isCode($0.bytes[...]) } ?? false
    }

    /// Whether browsers run a script element; one without an end tag never runs.
    package var runsAsScript: Bool {
        !self.state.contains(.inert) && !self.isDataScript && self.content?.isClosed ?? true
    }

    /// The address that a `link` element loads as a style sheet.
    package var stylesheetAddress: URLTemplate? {
        guard self.attributes.value("rel")?.contains("stylesheet") == true else { return nil }
        return self.attributes.value("href")?.template
    }
}
