import AdCore
import AdMarkup

extension HTMLReader {
    /// Adds the parts of the document that a start tag declares.
    mutating func read(_ start: HTMLStartTag, in parse: inout HTMLParse) {
        if !start.attributes.isEmpty { self.readAttributes(start) }
        switch start.element {
        case .a, .area: self.readLink(start, in: parse)
        case .img, .image: self.readImage(start)
        case .script: self.readScript(start, in: parse)
        case .style: self.readStyle(start, in: parse)
        case .link: self.readStylesheet(start)
        case .iframe, .video, .audio, .canvas, .svg, .object, .embed: self.readEmbed(start)
        case .source: self.readSource(start, of: parse.open.last)
        case .meta: self.readMeta(start, in: &parse)
        case .base: self.readBase(start, in: &parse)
        case .form: self.readForm(start)
        case .input: if start.attributes.value("type")?.isWord("image") == true { self.readImage(start) }
        default: break
        }
        self.isWrapper = false
        self.readRoot(start, in: parse)
    }

    /// Whether a list has room for another item; if not, counts the dropped item.
    mutating func hasRoom(_ count: Int, _ list: List) -> Bool {
        if count < self.listLimit { return true }
        self.droppedCounts[list, default: 0] += 1
        return false
    }

    /// Reads the attributes that any element may have.
    private mutating func readAttributes(_ start: HTMLStartTag) {
        if !self.document.callsMRAID {
            self.document.callsMRAID = start.attributes.contains(prefix: "on") { _, code in
                MRAIDMentions(code.bytes).callsMRAID
            }
        }
        if let style = start.box.style, style.bytes.contains(UInt8(ascii: "(")) {
            self.readImages(style.bytes[...], start.state) { _ in start.line }
        }
        if let background = start.attributes.value("background")?.template {
            self.addBackground(background, start.state, line: start.line)
        }
    }

    // MARK: Links and forms

    private mutating func readLink(_ start: HTMLStartTag, in parse: borrowing HTMLParse) {
        let address = start.attributes.value("href") ?? start.attributes.value("xlink:href")
        guard let template = address.flatMap({ HTMLReader.url($0, of: start, in: parse) }),
            self.hasRoom(self.document.links.count, .links)
        else { return }
        self.document.links.append(
            HTMLDocument.Link(
                template: template,
                target: start.attributes.value("target")?.text ?? self.baseTarget,
                line: start.line,
                isInert: start.state.contains(.inert)
            )
        )
    }

    private mutating func readForm(_ start: HTMLStartTag) {
        guard self.hasRoom(self.document.forms.count, .forms) else { return }
        let action = start.attributes.value("action")?.template
        self.document.forms.append(HTMLDocument.Form(action: action, line: start.line))
    }
}
