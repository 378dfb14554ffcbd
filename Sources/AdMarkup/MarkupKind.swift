import AdCore

/// The kind of markup, recognized by its beginning.
///
/// It is a guess, not a validation: enough to select a parser, and to report "this is VAST" where a banner is expected.
public enum MarkupKind: Hashable, Sendable, CustomStringConvertible {
    /// Empty, or only white space.
    case empty
    /// An HTML fragment or document.
    case html
    /// A VAST document of any version.
    case vast
    /// A VMAP document.
    case vmap
    /// Another XML document; the root's name is without its prefix.
    case xml(root: String)
    /// A JSON object or array.
    case json
    /// Text without any of these marks, such as a URL.
    case text
    /// Binary data.
    case binary

    /// The maximum number of bytes that are checked.
    public static let lookAhead = 65_536

    /// Recognizes the kind of bytes.
    ///
    /// Byte order marks, white space, comments and declarations at the beginning are ignored.
    public init(sniffing bytes: [UInt8]) {
        self = (MarkupKind.fromUTF16(bytes) ?? bytes).withUnsafeBufferPointer { bytes in
            var sniffer = MarkupSniffer(bytes.prefix(MarkupKind.lookAhead))
            return sniffer.kind()
        }
    }

    /// Recognizes the kind of a text.
    public init(sniffing text: String) {
        var text = text
        self = text.withUTF8 { bytes in
            var sniffer = MarkupSniffer(bytes.prefix(MarkupKind.lookAhead))
            return sniffer.kind()
        }
    }

    /// The beginning of UTF-16 text, with question marks for non-ASCII characters; nil if the bytes are not UTF-16.
    private static func fromUTF16(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 1 else { return nil }
        let low: Int
        if bytes.starts(with: [0xFF, 0xFE]) || (bytes.count > 3 && bytes[0] != 0 && bytes[1] == 0 && bytes[3] == 0) {
            low = 0
        } else if bytes.starts(with: [0xFE, 0xFF])
            || (bytes.count > 3 && bytes[0] == 0 && bytes[1] != 0 && bytes[2] == 0)
        {
            low = 1
        } else {
            return nil
        }
        return stride(from: 0, to: min(bytes.count, self.lookAhead) - 1, by: 2).compactMap { index in
            let unit = UInt16(bytes[index + 1 - low]) << 8 | UInt16(bytes[index + low])
            return unit == 0xFEFF ? nil : unit < 0x80 ? UInt8(unit) : UInt8(ascii: "?")
        }
    }

    /// The name of the kind, and the root of other XML.
    public var description: String {
        switch self {
        case .empty: "nothing"
        case .html: "HTML"
        case .vast: "VAST"
        case .vmap: "VMAP"
        case .xml(let root): "XML with the root \(root)"
        case .json: "JSON"
        case .text: "text"
        case .binary: "binary data"
        }
    }
}

private struct MarkupSniffer {
    private let bytes: ByteView
    private var at: Int
    private var isXML = false

    init(_ bytes: ByteView) {
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        self.at = self.bytes.startIndex
    }

    mutating func kind() -> MarkupKind {
        self.skipBlanks()
        guard let first = self.byte(self.at) else { return .empty }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            if self.isJSON(first) { return .json }
        }
        if first == UInt8(ascii: "\""), let kind = self.quotedKind() { return kind }
        if first != UInt8(ascii: "<") { return self.textKind() }

        while self.byte(self.at) == UInt8(ascii: "<") {
            guard let next = self.byte(self.at + 1) else { return .text }
            if next.isASCIILetter || next == UInt8(ascii: "_") { return self.rootKind() }
            switch next {
            case UInt8(ascii: "?"):
                self.isXML = self.isXML || self.matches("<?xml", at: self.at)
                self.skip(past: ">", from: self.at + 2)
            case UInt8(ascii: "!"):
                if self.matches("<!--", at: self.at) {
                    self.skip(past: "-->", from: self.at + 2)
                } else if self.matches("<!doctype", at: self.at) {
                    if self.isHTMLDoctype() { return .html }
                    self.skipDoctype()
                } else {
                    return .html
                }
            case UInt8(ascii: "/"): return .html
            default: return self.textKind()
            }
            self.skipBlanks()
            // Inside a JSON string line breaks are escaped.
            while self.isXML, self.matches("\\n", at: self.at) || self.matches("\\r", at: self.at) {
                self.at += 2
                self.skipBlanks()
            }
        }
        // Only comments and declarations: HTML without an element.
        return self.byte(self.at) == nil ? .html : self.textKind()
    }

    private func byte(_ index: Int) -> UInt8? { index < self.bytes.endIndex ? self.bytes[index] : nil }

    private func matches(_ text: StaticString, at index: Int) -> Bool { self.bytes[index...].startsIgnoringCase(text) }

    private mutating func skipBlanks() {
        while let byte = self.byte(self.at), byte.isWhiteSpace { self.at += 1 }
    }

    private mutating func skip(past mark: StaticString, from start: Int) {
        var index = min(start, self.bytes.endIndex)
        let last = mark.utf8Start[mark.utf8CodeUnitCount - 1]
        while let close = self.bytes[index...].firstIndex(of: last) {
            index = close + 1
            let begin = index - mark.utf8CodeUnitCount
            if begin >= start, self.matches(mark, at: begin) {
                self.at = index
                return
            }
        }
        self.at = self.bytes.endIndex
    }

    private func isHTMLDoctype() -> Bool {
        let name = self.bytes[(self.at + 9)...].withoutLeadingWhiteSpace
        return name.startsIgnoringCase("html")
    }

    /// Skips a doctype, including its internal subset in brackets.
    private mutating func skipDoctype() {
        let end = self.bytes[self.at...].firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "[") }
        guard let end, self.bytes[end] == UInt8(ascii: "[") else { return self.skip(past: ">", from: self.at) }
        self.skip(past: "]", from: end)
        self.skip(past: ">", from: self.at)
    }

    private func rootKind() -> MarkupKind {
        let name = self.bytes[(self.at + 1)...].prefix {
            $0.isASCIILetter || $0.isDigit || "_-.:".utf8.contains($0) || $0 >= 0x80
        }.prefix(256)
        let local = name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: true).last ?? name
        let root = String(decoding: local, as: UTF8.self)
        switch root.asciiLowercased {
        case "vast", "videoadservingtemplate": return .vast
        case "vmap": return .vmap
        case "html": return .html
        case let lower:
            if self.isXML { return .xml(root: root) }
            return MarkupSniffer.isHTML(lower) ? .html : .xml(root: root)
        }
    }

    /// Whether it is an HTML element or a custom element, whose name has a hyphen.
    private static func isHTML(_ name: String) -> Bool {
        name.utf8.contains(UInt8(ascii: "-")) || self.elements.contains(name)
    }

    /// The kind of a document inside a JSON string; nil if that is not VAST or VMAP.
    private func quotedKind() -> MarkupKind? {
        let body = self.bytes[(self.at + 1)...]
        guard XMLRepair.startsMarkup(body) else { return nil }
        return XMLRepair.withoutJSONEscapes(UnsafeBufferPointer(rebasing: body)).withUnsafeBufferPointer { text in
            var sniffer = MarkupSniffer(text[...])
            let kind = sniffer.kind()
            return kind == .vast || kind == .vmap ? kind : nil
        }
    }

    private func isJSON(_ first: UInt8) -> Bool {
        let rest = self.bytes[(self.at + 1)...].withoutLeadingWhiteSpace
        guard let next = rest.first else { return false }
        if first == UInt8(ascii: "{") { return next == UInt8(ascii: "\"") || next == UInt8(ascii: "}") }
        let opens = "\"{[]-".utf8.contains(next) || next.isDigit
        return opens || rest.starts(with: "true".utf8) || rest.starts(with: "false".utf8)
            || rest.starts(with: "null".utf8)
    }

    /// Text with a tag is HTML; text with a NUL is binary, whatever else it contains.
    private func textKind() -> MarkupKind {
        if self.bytes[self.at...].contains(0) { return .binary }
        var index = self.at
        while let open = self.bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = open + 1
            guard let next = self.byte(index) else { break }
            if next.isASCIILetter || next == UInt8(ascii: "!") || next == UInt8(ascii: "/") { return .html }
        }
        let strange = self.bytes[self.at...].contains { $0 < 0x09 || (0x0E..<0x20).contains($0) && $0 != 0x1B }
        return strange ? .binary : .text
    }

    private static let elements: Set<String> = {
        let names = """
            a abbr acronym address applet area article aside audio b base basefont bdi bdo big blink blockquote body br \
            button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em \
            embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html \
            i iframe img input ins kbd label legend li link main map mark marquee math menu meta meter nav nobr noembed \
            noframes noscript object ol optgroup option output p param picture plaintext pre progress q rp rt ruby s samp \
            script search section select slot small source span strike strong style sub summary sup svg table tbody td \
            template textarea tfoot th thead time title tr track tt u ul var video wbr xmp
            """
        return Set(names.split(separator: " ").map(String.init))
    }()
}
