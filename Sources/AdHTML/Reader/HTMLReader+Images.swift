import AdCore
import AdMarkup

/// Images, frames, media, drawings and plug-ins.
extension HTMLReader {
    mutating func readImage(_ start: HTMLStartTag) {
        let (box, state) = (start.box, start.state)
        guard let template = start.attributes.imageAddress else { return }
        let isInert = state.contains(.inert)
        if box.isTiny || state.isUnseen {
            self.addInsecure(template, .pixel, state, line: start.line)
            guard self.hasRoom(self.document.pixels.count, .pixels) else { return }
            self.document.pixels.append(HTMLDocument.Pixel(template: template, line: start.line, isInert: isInert))
            return
        }
        self.addInsecure(template, .image, state, line: start.line)
        if !isInert {
            self.imageCount += 1
            self.imageSize = box.size
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

    mutating func readEmbed(_ start: HTMLStartTag) {
        let (attributes, box, state) = (start.attributes, start.box, start.state)
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
        let template = address?.template
        if let template { self.addInsecure(template, use, state, line: start.line) }
        if let poster = attributes.value("poster")?.template {
            self.addInsecure(poster, .image, state, line: start.line)
        }
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

    /// Reads a `<source>` of a media element; in `<picture>` it is only another size of the image.
    mutating func readSource(_ start: HTMLStartTag, of parent: HTMLOpenElement?) {
        guard let media = parent, media.element == .video || media.element == .audio,
            !media.state.contains(.inert), let template = start.attributes.value("src")?.template
        else { return }
        self.addInsecure(template, .media, media.state, line: start.line)
        let last = self.document.embeds.count - 1
        if last >= 0, self.droppedCounts[.embeds] == nil, self.document.embeds[last].template == nil {
            self.document.embeds[last].template = template
        }
    }

    // MARK: Backgrounds and insecure resources

    /// Adds the images in a style; `line` returns the line of an offset in it.
    mutating func readImages(
        _ style: ByteView,
        _ state: HTMLElementState,
        line: (Int) -> Int
    ) {
        var found: [(URLTemplate, Int, Bool)] = []
        let limit = self.listLimit
        StyleImages.each(style) { template, offset, paints in
            if found.count < limit { found.append((template, offset, paints)) }
        }
        for (template, offset, paints) in found {
            let line = line(offset)
            if paints {
                self.addBackground(template, state, line: line)
            } else {
                self.addInsecure(template, .font, state, line: line)
            }
        }
    }

    mutating func addBackground(_ template: URLTemplate, _ state: HTMLElementState, line: Int) {
        self.addInsecure(template, .image, state, line: line)
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

    /// Adds a URL that loads over http; inert elements load nothing.
    mutating func addInsecure(
        _ template: URLTemplate,
        _ kind: HTMLDocument.InsecureResource.Kind,
        _ state: HTMLElementState,
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
    fileprivate var isInsecure: Bool { self.text.utf8.starts(with: "http:".utf8, by: { $0.lowercased == $1 }) }
}
