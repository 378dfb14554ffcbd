import AdCore
import AdMarkup

/// The declarations of `<meta>`.
extension HTMLReader {
    mutating func readMeta(_ start: HTMLStartTag, in parse: inout HTMLParse) {
        guard let content = start.attributes.value("content")?.bytes[...] else { return }
        if let name = start.attributes.value("name") {
            if name.isWord("viewport"), self.document.viewport == nil {
                self.document.viewport = HTMLDocument.Viewport(content: content, line: start.line)
            } else if name.isWord("ad.size"), self.document.declaredSize == nil {
                switch AdSize.read(content) {
                case .success(let size): self.document.declaredSize = size
                case .failure(let error):
                    parse.issues.add("html.adSize.unreadable", line: start.line, "ad.size is \(error.message)")
                }
            }
        } else if start.attributes.value("http-equiv")?.isWord("refresh") == true, self.document.refresh == nil {
            self.document.refresh = HTMLDocument.Refresh(content: content, line: start.line)
        }
    }
}

/// The `name=value` pairs of a declaration, separated by commas, semicolons or white space.
struct NamedValues {
    private let content: ByteView

    init(_ content: ByteView) { self.content = content }

    /// The value of the first pair with a name; nil if it is missing or empty.
    subscript(_ name: StaticString) -> ByteView? {
        var rest = self.content
        while let start = rest.firstIndex(where: { !NamedValues.isSeparator($0) && $0 != UInt8(ascii: "=") }) {
            rest = rest[start...]
            let key = rest.prefix { !NamedValues.isSeparator($0) && $0 != UInt8(ascii: "=") }
            rest = rest[key.endIndex...].withoutLeadingWhiteSpace
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().withoutLeadingWhiteSpace
            let value = rest.prefix { !NamedValues.isSeparator($0) }
            rest = rest[value.endIndex...]
            if key.count == name.utf8CodeUnitCount, key.startsIgnoringCase(name) { return value.isEmpty ? nil : value }
        }
        return nil
    }

    /// The number of the first pair with a name; nil if it has a sign or is not a number.
    func number(_ name: StaticString) -> Double? {
        self[name].flatMap { Measure.number($0)?.value }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte.isWhiteSpace || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
    }
}

extension HTMLDocument.Viewport {
    init(content: ByteView, line: Int) {
        let fields = NamedValues(content)
        self.content = content.text
        self.line = line
        if let width = fields["width"], width.startsIgnoringCase("device-width") {
            self.width = .device
        } else {
            self.width = fields.number("width").flatMap { (1...16_384).contains($0) ? .pixels($0) : nil }
        }
        self.initialScale = fields.number("initial-scale").flatMap { (0.01...100).contains($0) ? $0 : nil }
    }
}

extension HTMLDocument.Refresh {
    /// Parses `5; url=https://…` (HTML Living Standard, "Pragma directives"); nil if it does not begin with a number.
    init?(content: ByteView, line: Int) {
        guard let (delay, end) = Measure.number(content) else { return nil }
        var address = content[end...].drop { $0.isWhiteSpace || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }
        if address.startsIgnoringCase("url") {
            let sign = address.dropFirst(3).withoutLeadingWhiteSpace
            if sign.first == UInt8(ascii: "=") { address = sign.dropFirst().withoutLeadingWhiteSpace }
        }
        if let quote = address.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            address = address.dropFirst().prefix { $0 != quote }
        }
        self.init(delay: delay, template: URLTemplate(address.text), line: line)
    }
}
