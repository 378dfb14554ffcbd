import AdCore

extension HTMLReader {
    /// A start tag that stands in the markup.
    struct StartTag {
        let element: ElementName
        let attributes: Attributes
        /// What the scan knows of it.
        let tag: HTMLScan.Tag?
        let line: Int
        /// Whether it stands in nothing but `html` and `body`.
        let isTop: Bool
        /// Whether it stands in nothing but these, links and the like.
        let isRoot: Bool
        /// Whether its name is none of HTML's: a script defines what it is, and what it shows.
        let isCustom: Bool
    }

    /// What the attributes say of an element's box.
    struct Box {
        let style: AttributeValue?
        let width: Double?
        let height: Double?
        let isHidden: Bool
        /// Whether its style veils or unveils it; nil where nothing is said of that.
        let isVeiled: Bool?
        /// Whether its style may paint something although nothing stands inside.
        let mayPaint: Bool

        init(_ attributes: Attributes, isSizedByAttributes: Bool) {
            self.style = attributes.value("style")
            let inline = self.style.map(InlineStyle.init)
            let isSized = isSizedByAttributes && !attributes.isEmpty
            self.width = inline?.width ?? (isSized ? attributes.value("width")?.pixels : nil)
            self.height = inline?.height ?? (isSized ? attributes.value("height")?.pixels : nil)
            // `hidden` is a style of the browser's, which the element's own outranks.
            self.isHidden = inline?.isAbsent ?? attributes.has("hidden")
            self.isVeiled = inline?.isVeiled
            self.mayPaint = inline?.mayPaint ?? false
        }

        /// Whether it is too small to be seen: nothing high or wide, or one pixel at most where a size is given.
        var isTiny: Bool {
            switch (self.width, self.height) {
            case (let width?, let height?): width == 0 || height == 0 || (width <= 1 && height <= 1)
            case (let side?, nil), (nil, let side?): side <= 1
            case (nil, nil): false
            }
        }

        /// Width and height, where both are given.
        var size: (width: Double, height: Double)? {
            guard let width = self.width, let height = self.height else { return nil }
            return (width, height)
        }
    }

    /// Takes down what a start tag means, and returns what holds inside the element.
    mutating func read(_ start: StartTag, in outer: State) -> State {
        let attributes = start.attributes
        var state = outer
        let box = Box(attributes, isSizedByAttributes: true)
        if box.isHidden { state.insert(.hidden) }
        if let isVeiled = box.isVeiled {
            if isVeiled { state.insert(.veiled) } else { state.remove(.veiled) }
        }

        if !attributes.isEmpty { self.readCommon(start, box, state) }
        switch start.element {
        case .a, .area: self.readLink(start, state)
        case .img, .image: self.readImage(start, box, state)
        case .script: self.readScript(start, state)
        case .style: self.readStyle(start, state)
        case .link: self.readStylesheet(start, state)
        case .iframe, .video, .audio, .canvas, .svg, .object, .embed: self.readEmbed(start, box, state)
        case .source: self.readSource(start)
        case .meta: self.readMeta(start)
        case .base: self.readBase(start, outer)
        case .form: self.readForm(start)
        case .input: self.readInput(start, box, state)
        case .button, .select, .textarea, .painted, .paintedEndless, .paintedVoid: self.see(state)
        default: if start.isCustom, !box.isTiny { self.see(state) }
        }
        self.isShell = false
        if start.isRoot { self.readRoot(start, box, state) }
        return state
    }

    /// Something is there to be looked at, if it is not hidden.
    mutating func see(_ state: State) {
        guard !state.contains(.inert) else { return }
        if state.isUnseen { self.hasHidden = true } else { self.document.hasSomethingToSee = true }
    }

    /// Whether a list takes another item; if not, it is counted.
    mutating func hasRoom(_ count: Int, _ list: List) -> Bool {
        if count < self.limits.listed { return true }
        self.cut[list, default: 0] += 1
        return false
    }

    // MARK: What any element may have

    mutating func readCommon(_ start: StartTag, _ box: Box, _ state: State) {
        if !self.document.callsMRAID {
            self.document.callsMRAID = start.attributes.contains(prefix: "on") { _, code in
                CodeMentions(code.bytes).callsMRAID
            }
        }
        if !state.contains(.inert), !self.document.hasSomethingToSee, LoadHandler.mayShow(start) {
            self.document.hasSomethingToSee = true
        }
        if !self.document.hasSomethingToSee, !box.isTiny, box.mayPaint || HTMLReader.isPainted(start) {
            self.see(state)
        }
        if let style = box.style, style.bytes.contains(UInt8(ascii: "(")) {
            self.readImages(style.bytes[...], state) { _ in start.line }
        }
        if let background = start.attributes.value("background")?.template {
            self.addBackground(background, state, line: start.line)
            self.see(state)
        }
    }

    /// Whether attributes of HTML 4 paint the element: a colour behind it, or lines around it.
    private static func isPainted(_ start: StartTag) -> Bool {
        if start.attributes.value("bgcolor")?.bytes.isEmpty == false { return true }
        guard start.element != .img, let border = start.attributes.value("border") else { return false }
        return border.pixels != 0
    }

    // MARK: Links, forms and fields

    mutating func readLink(_ start: StartTag, _ state: State) {
        let address = start.attributes.value("href") ?? start.attributes.value("xlink:href")
        guard let template = address.flatMap({ self.address($0, in: start) }),
            self.hasRoom(self.document.links.count, .links)
        else { return }
        self.document.links.append(
            HTMLDocument.Link(
                template: template,
                target: start.attributes.value("target")?.text ?? self.baseTarget,
                line: start.line,
                isInert: state.contains(.inert)
            )
        )
    }

    mutating func readForm(_ start: StartTag) {
        guard self.hasRoom(self.document.forms.count, .forms) else { return }
        let action = start.attributes.value("action")?.template
        self.document.forms.append(HTMLDocument.Form(action: action, line: start.line))
    }

    mutating func readInput(_ start: StartTag, _ box: Box, _ state: State) {
        let type = start.attributes.value("type")
        if type?.isWord("hidden") == true { return }
        if type?.isWord("image") == true { return self.readImage(start, box, state) }
        self.see(state)
    }
}
