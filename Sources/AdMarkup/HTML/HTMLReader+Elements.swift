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
        let isRoot: Bool
    }

    /// What the attributes say of an element's box.
    struct Box {
        let style: AttributeValue?
        let width: Double?
        let height: Double?
        let isHidden: Bool

        init(_ attributes: Attributes, isSizedByAttributes: Bool) {
            self.style = attributes.value("style")
            let inline = self.style.map(InlineStyle.init)
            let isSized = isSizedByAttributes && !attributes.isEmpty
            self.width = inline?.width ?? (isSized ? attributes.value("width")?.pixels : nil)
            self.height = inline?.height ?? (isSized ? attributes.value("height")?.pixels : nil)
            self.isHidden = inline?.isHidden == true || attributes.has("hidden")
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

        if !attributes.isEmpty { self.readCommon(start, box, state) }
        switch start.element {
        case .a, .area: self.readLink(start, state)
        case .img, .image: self.readImage(start, box, state)
        case .script: self.readScript(start, state)
        case .style: self.readStyle(start, state)
        case .link: self.readStylesheet(start, state)
        case .iframe, .video, .audio, .canvas, .svg, .object, .embed: self.readEmbed(start, box, state)
        case .source: self.readSource(start, outer)
        case .meta: self.readMeta(start)
        case .base: self.baseTarget = self.baseTarget ?? attributes.value("target")?.text
        case .form: self.readForm(start)
        case .input: self.readInput(start, box, state)
        case .button, .select, .textarea: self.see(state)
        default: break
        }
        if HTMLReader.isBox(start.element) {
            self.hasBox = self.hasBox || state.isDisjoint(with: [.hidden, .inert])
            let isPixel = (start.element == .img || start.element == .iframe) && (box.isTiny || state.contains(.hidden))
            if start.isRoot, !isPixel, !state.contains(.inert) {
                self.roots += 1
                self.rootSize = box.size
            }
        }
        return state
    }

    /// Something is there to be looked at, if it is not hidden.
    mutating func see(_ state: State) {
        if state.isDisjoint(with: [.hidden, .inert]) { self.document.hasSomethingToSee = true }
    }

    /// Whether a list takes another item; if not, it is counted.
    mutating func hasRoom(_ count: Int, _ list: List) -> Bool {
        if count < self.limits.listed { return true }
        self.cut[list, default: 0] += 1
        return false
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

    // MARK: What any element may have

    private mutating func readCommon(_ start: StartTag, _ box: Box, _ state: State) {
        if !self.document.callsMRAID {
            self.document.callsMRAID = start.attributes.contains(prefix: "on") { CodeMentions($0.bytes).callsMRAID }
        }
        if let style = box.style, style.bytes.contains(UInt8(ascii: "(")) {
            self.readImages(style.bytes[...], state) { _ in start.line }
        }
        if let background = start.attributes.value("background")?.template {
            self.addBackground(background, state, line: start.line)
            self.see(state)
        }
    }

    /// Takes down the images in a style; `line` tells the line of an offset in it.
    private mutating func readImages(
        _ style: ByteView,
        _ state: State,
        line: (Int) -> Int
    ) {
        var found: [(URLTemplate, Int, Bool)] = []
        let room = self.limits.listed
        let images = StyleImages(style) { template, offset, paints in
            if found.count < room { found.append((template, offset, paints)) }
        }
        if images.paints { self.see(state) }
        for (template, offset, paints) in found {
            let line = line(offset)
            if paints {
                self.addBackground(template, state, line: line)
            } else {
                self.note(template, .font, state, line: line)
            }
        }
    }

    private mutating func addBackground(_ template: URLTemplate, _ state: State, line: Int) {
        self.note(template, .image, state, line: line)
        guard self.hasRoom(self.document.images.count, .images) else { return }
        let isInert = state.contains(.inert)
        self.document.images.append(
            HTMLDocument.Image(
                template: template, role: .background, width: nil, height: nil, line: line, isInert: isInert
            )
        )
    }

    /// Notes what is fetched without encryption. Nothing inert is ever fetched.
    private mutating func note(
        _ template: URLTemplate,
        _ kind: HTMLDocument.InsecureResource.Kind,
        _ state: State,
        line: Int
    ) {
        guard !state.contains(.inert), template.isInsecure,
            self.hasRoom(self.document.insecureResources.count, .insecureResources)
        else { return }
        self.document.insecureResources.append(
            HTMLDocument.InsecureResource(kind: kind, template: template, line: line)
        )
    }

    // MARK: Links, forms and fields

    private mutating func readLink(_ start: StartTag, _ state: State) {
        let address = start.attributes.value("href") ?? start.attributes.value("xlink:href")
        guard let template = address?.template, self.hasRoom(self.document.links.count, .links) else { return }
        self.document.links.append(
            HTMLDocument.Link(
                template: template,
                target: start.attributes.value("target")?.text ?? self.baseTarget,
                line: start.line,
                isInert: state.contains(.inert)
            )
        )
    }

    private mutating func readForm(_ start: StartTag) {
        guard self.hasRoom(self.document.forms.count, .forms) else { return }
        let action = start.attributes.value("action")?.template
        self.document.forms.append(HTMLDocument.Form(action: action, line: start.line))
    }

    private mutating func readInput(_ start: StartTag, _ box: Box, _ state: State) {
        let type = start.attributes.value("type")
        if type?.isWord("hidden") == true { return }
        if type?.isWord("image") == true { return self.readImage(start, box, state) }
        self.see(state)
    }

    // MARK: Images and embedded things

    private mutating func readImage(_ start: StartTag, _ box: Box, _ state: State) {
        let attributes = start.attributes
        let address =
            attributes.value("src")?.template ?? attributes.value("srcset")?.firstOfSet
            ?? attributes.value("href")?.template ?? attributes.value("xlink:href")?.template
        guard let template = address else { return }
        let isInert = state.contains(.inert)
        if box.isTiny || state.contains(.hidden) {
            self.note(template, .pixel, state, line: start.line)
            guard self.hasRoom(self.document.pixels.count, .pixels) else { return }
            self.document.pixels.append(HTMLDocument.Pixel(template: template, line: start.line, isInert: isInert))
            return
        }
        self.see(state)
        self.note(template, .image, state, line: start.line)
        if !isInert {
            self.pictures += 1
            self.pictureSize = box.size
        }
        guard self.hasRoom(self.document.images.count, .images) else { return }
        self.document.images.append(
            HTMLDocument.Image(
                template: template,
                role: .picture,
                width: box.width,
                height: box.height,
                line: start.line,
                isInert: isInert
            )
        )
    }

    private mutating func readEmbed(_ start: StartTag, _ box: Box, _ state: State) {
        let attributes = start.attributes
        let kind: HTMLDocument.Embed.Kind
        var address = attributes.value("src")
        let use: HTMLDocument.InsecureResource.Kind
        switch start.element {
        case .iframe: (kind, use) = (.iframe, .frame)
        case .video: (kind, use) = (.video, .media)
        case .audio: (kind, use) = (.audio, .media)
        case .canvas: (kind, use) = (.canvas, .object)
        case .svg: (kind, use) = (.svg, .object)
        case .embed: (kind, use) = (.embed, .object)
        default:
            (kind, use) = (.object, .object)
            address = attributes.value("data")
        }
        guard !state.contains(.inert) else { return }
        let isHidden = box.isTiny || state.contains(.hidden)
        let isSilent = kind == .audio && !attributes.has("controls")
        if !isHidden, !isSilent { self.see(state) }
        let template = address?.template
        if let template { self.note(template, use, state, line: start.line) }
        if let poster = attributes.value("poster")?.template { self.note(poster, .image, state, line: start.line) }
        guard self.hasRoom(self.document.embeds.count, .embeds) else { return }
        self.document.embeds.append(
            HTMLDocument.Embed(
                kind: kind,
                template: template,
                width: box.width,
                height: box.height,
                isHidden: isHidden || isSilent,
                line: start.line
            )
        )
    }

    /// A source of the media element it stands in. Sources of `picture` are other sizes of its image.
    private mutating func readSource(_ start: StartTag, _ outer: State) {
        guard let media = self.open.last, media.element == .video || media.element == .audio,
            !media.state.contains(.inert), let template = start.attributes.value("src")?.template
        else { return }
        self.note(template, .media, media.state, line: start.line)
        let last = self.document.embeds.count - 1
        if last >= 0, self.cut[.embeds] == nil, self.document.embeds[last].template == nil {
            self.document.embeds[last].template = template
        }
    }

    // MARK: Scripts and styles

    private mutating func readScript(_ start: StartTag, _ state: State) {
        let attributes = start.attributes
        let isInert = state.contains(.inert)
        let content = self.takeContent(of: start.tag)
        let isData = attributes.value("type").map { !HTMLReader.isCode($0) } ?? false
        let isClosed = content?.isClosed ?? true
        let address = attributes.value("src") ?? attributes.value("href") ?? attributes.value("xlink:href")
        let runs = !isInert && !isData && isClosed
        let source: HTMLDocument.Source
        if let template = address?.template {
            if runs {
                self.document.hasSomethingToSee = true
                let mentions = address.map { CodeMentions($0.bytes) }
                self.document.loadsMRAID = self.document.loadsMRAID || mentions?.loadsMRAID == true
            }
            self.note(template, .script, state, line: start.line)
            source = .external(template)
        } else if let content {
            let bytes = UnsafeBufferPointer(rebasing: self.source[content.range])
            if runs, bytes.contains(where: { !$0.isBlank }) {
                self.document.hasSomethingToSee = true
                let mentions = CodeMentions(bytes)
                self.document.loadsMRAID = self.document.loadsMRAID || mentions.loadsMRAID
                self.document.callsMRAID = self.document.callsMRAID || mentions.callsMRAID
            }
            source = .inline(byteCount: bytes.count)
        } else {
            return
        }
        guard !isInert, self.hasRoom(self.document.scripts.count, .scripts) else { return }
        self.document.scripts.append(HTMLDocument.Script(source: source, isData: isData, line: start.line))
    }

    private static func isCode(_ type: AttributeValue) -> Bool {
        type.bytes.isEmpty || type.isWord("module") || type.contains("javascript") || type.contains("ecmascript")
            || type.contains("jscript")
    }

    private mutating func readStyle(_ start: StartTag, _ state: State) {
        guard let content = self.takeContent(of: start.tag), !state.contains(.inert) else { return }
        let bytes = UnsafeBufferPointer(rebasing: self.source[content.range])
        if bytes.contains(UInt8(ascii: "(")) {
            var lines = self.lines
            // A style sheet paints other elements than itself: it is never hidden.
            self.readImages(bytes[...], []) { lines.line(at: content.range.lowerBound + $0) }
        }
        guard self.hasRoom(self.document.stylesheets.count, .stylesheets) else { return }
        self.document.stylesheets.append(
            HTMLDocument.Stylesheet(source: .inline(byteCount: bytes.count), line: start.line)
        )
    }

    private mutating func readStylesheet(_ start: StartTag, _ state: State) {
        guard !state.contains(.inert), start.attributes.value("rel")?.contains("stylesheet") == true,
            let template = start.attributes.value("href")?.template
        else { return }
        self.hasExternalStyle = true
        self.note(template, .stylesheet, state, line: start.line)
        guard self.hasRoom(self.document.stylesheets.count, .stylesheets) else { return }
        self.document.stylesheets.append(HTMLDocument.Stylesheet(source: .external(template), line: start.line))
    }
}

extension URLTemplate {
    fileprivate var isInsecure: Bool { self.text.utf8.starts(with: "http:".utf8, by: { $0.small == $1 }) }
}
