import AdCore

/// What stands in `<meta>`.
extension HTMLReader {
    mutating func readMeta(_ start: StartTag) {
        guard let content = start.attributes.value("content")?.bytes[...] else { return }
        if let name = start.attributes.value("name") {
            if name.isWord("viewport"), self.document.viewport == nil {
                self.document.viewport = HTMLDocument.Viewport(content: content, line: start.line)
            } else if name.isWord("ad.size"), self.document.declaredSize == nil {
                self.document.declaredSize = HTMLReader.adSize(content)
                if self.document.declaredSize == nil {
                    self.issues.add(
                        "html.adSize.unreadable",
                        line: start.line,
                        "ad.size should read width=300,height=250 and is ignored"
                    )
                }
            }
        } else if start.attributes.value("http-equiv")?.isWord("refresh") == true, self.document.refresh == nil {
            self.document.refresh = HTMLDocument.Refresh(content: content, line: start.line)
        }
    }

    private static func adSize(_ content: ByteView) -> HTMLDocument.DeclaredSize? {
        let fields = NamedValues(content)
        guard let width = fields.number("width"), let height = fields.number("height") else { return nil }
        return HTMLDocument.DeclaredSize(width, height, .meta)
    }

    /// The size, once everything was seen: what a `<meta>` says goes before what can be guessed.
    mutating func settleSize() {
        guard self.document.declaredSize == nil else { return }
        if self.roots == 1, !self.hasRootText, let (width, height) = self.rootSize {
            self.document.declaredSize = HTMLDocument.DeclaredSize(width, height, .rootElement)
        }
        if self.document.declaredSize == nil, self.pictures == 1, let (width, height) = self.pictureSize {
            self.document.declaredSize = HTMLDocument.DeclaredSize(width, height, .image)
        }
    }
}

/// Numbers and words in `name=value` pairs, with commas, semicolons or white space between them.
struct NamedValues {
    private let content: ByteView

    init(_ content: ByteView) { self.content = content }

    /// The value of the first pair of that name.
    subscript(_ name: StaticString) -> ByteView? {
        var rest = self.content
        while let start = rest.firstIndex(where: { !NamedValues.isSeparator($0) && $0 != UInt8(ascii: "=") }) {
            rest = rest[start...]
            let key = rest.prefix { !NamedValues.isSeparator($0) && $0 != UInt8(ascii: "=") }
            rest = rest[key.endIndex...].unindented
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().unindented
            let value = rest.prefix { !NamedValues.isSeparator($0) }
            rest = rest[value.endIndex...]
            if key.count == name.utf8CodeUnitCount, key.begins(name) { return value.isEmpty ? nil : value }
        }
        return nil
    }

    /// The number of the first pair of that name; nil where it has a sign, or is no number.
    func number(_ name: StaticString) -> Double? {
        self[name].flatMap { Measure.number($0)?.value }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte.isBlank || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
    }
}

extension HTMLDocument.DeclaredSize {
    /// A size that a creative can have; nil for one it can't.
    init?(_ width: Double, _ height: Double, _ evidence: Evidence) {
        let possible = 2.0...16_384.0
        guard possible.contains(width), possible.contains(height) else { return nil }
        self.init(width: Int(width.rounded()), height: Int(height.rounded()), evidence: evidence)
    }
}

extension HTMLDocument.Viewport {
    init(content: ByteView, line: Int) {
        let fields = NamedValues(content)
        self.content = content.text
        self.line = line
        if let width = fields["width"], width.begins("device-width") {
            self.width = .device
        } else {
            self.width = fields.number("width").flatMap { (1...16_384).contains($0) ? .pixels($0) : nil }
        }
        self.initialScale = fields.number("initial-scale").flatMap { (0.01...100).contains($0) ? $0 : nil }
    }
}

extension HTMLDocument.Refresh {
    /// Reads `5; url=https://…`; nil where it does not begin with a time.
    init?(content: ByteView, line: Int) {
        guard let (delay, end) = Measure.number(content) else { return nil }
        var address = content[end...].drop { $0.isBlank || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }
        if address.begins("url") {
            let sign = address.dropFirst(3).unindented
            if sign.first == UInt8(ascii: "=") { address = sign.dropFirst().unindented }
        }
        if let quote = address.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            address = address.dropFirst().prefix { $0 != quote }
        }
        self.init(delay: delay, template: URLTemplate(address.text), line: line)
    }
}
