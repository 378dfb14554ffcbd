import AdCore

/// Images, frames, media, drawings and plug-ins.
extension HTMLReader {
    mutating func readImage(_ start: StartTag, _ box: Box, _ state: State) {
        let attributes = start.attributes
        let address =
            attributes.value("src")?.template ?? attributes.value("srcset")?.firstOfSet
            ?? attributes.value("href")?.template ?? attributes.value("xlink:href")?.template
        guard let template = address else {
            // Its text is shown instead (HTML standard, "the img element").
            if !box.isTiny, attributes.value("alt")?.bytes.contains(where: { !$0.isBlank }) == true { self.see(state) }
            return
        }
        let isInert = state.contains(.inert)
        if box.isTiny || state.isUnseen {
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

    mutating func readEmbed(_ start: StartTag, _ box: Box, _ state: State) {
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
        let isHidden = box.isTiny || state.isUnseen
        let isSilent = kind == .audio && !attributes.has("controls")
        if !box.isTiny, !isSilent { self.see(state) }
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

    /// A source of the media element it stands in; those of `picture` are other sizes of its image.
    mutating func readSource(_ start: StartTag) {
        guard let media = self.open.last, media.element == .video || media.element == .audio,
            !media.state.contains(.inert), let template = start.attributes.value("src")?.template
        else { return }
        self.note(template, .media, media.state, line: start.line)
        let last = self.document.embeds.count - 1
        if last >= 0, self.cut[.embeds] == nil, self.document.embeds[last].template == nil {
            self.document.embeds[last].template = template
        }
    }

    // MARK: Backgrounds, and what is fetched

    /// Takes down the images in a style; `line` tells the line of an offset in it.
    mutating func readImages(
        _ style: ByteView,
        _ state: State,
        line: (Int) -> Int
    ) {
        var found: [(URLTemplate, Int, Bool)] = []
        let room = self.limits.listed
        StyleImages.each(style) { template, offset, paints in
            if found.count < room { found.append((template, offset, paints)) }
        }
        for (template, offset, paints) in found {
            let line = line(offset)
            if paints {
                self.addBackground(template, state, line: line)
            } else {
                self.note(template, .font, state, line: line)
            }
        }
    }

    mutating func addBackground(_ template: URLTemplate, _ state: State, line: Int) {
        self.note(template, .image, state, line: line)
        guard self.hasRoom(self.document.images.count, .images) else { return }
        let isInert = state.contains(.inert)
        self.document.images.append(
            HTMLDocument.Image(
                template: template,
                role: .background,
                width: nil,
                height: nil,
                line: line,
                isInert: isInert
            )
        )
    }

    /// Notes what is fetched without encryption; nothing inert is ever fetched.
    mutating func note(
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
}

extension URLTemplate {
    fileprivate var isInsecure: Bool { self.text.utf8.starts(with: "http:".utf8, by: { $0.small == $1 }) }
}
