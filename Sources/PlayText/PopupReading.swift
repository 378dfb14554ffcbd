import AdCore

/// The visible text and the links of a popup's template, read without a browser.
///
/// Nothing is repaired and no script runs; a long template is truncated.
package struct PopupReading: Equatable, Sendable {
    /// An element with a deep link.
    package struct Link: Equatable, Sendable {
        package let text: String
        /// The deep link: the value of `data-dp`.
        package let dp: String

        /// Whether an app does nothing for it.
        package var isDummy: Bool { ["dp:ok", "dp:cancel", "dp:close", "dp:action"].contains(self.dp) }
    }

    /// The text without that of the links, one line per block.
    package let lines: [String]
    package let links: [Link]

    /// The link of a simulated click: the first that does something, or else the first.
    package var firstLink: Link? { self.links.first { !$0.isDummy } ?? self.links.first }

    /// How many bytes are read, and how many lines, links and attributes of a tag are kept.
    static let limits = (bytes: 256 << 10, parts: 40)

    package init(_ html: String) {
        var reader = PopupReader(Array(html.utf8.prefix(PopupReading.limits.bytes)))
        reader.run()
        self.lines = reader.lines
        self.links = reader.links
    }
}

/// Reads a template in one pass.
private struct PopupReader {
    private let bytes: [UInt8]
    private var at = 0
    private var text: [UInt8] = []
    /// The open link: its element, the number of open elements of the same name within, and its deep link.
    private var open: (name: String, depth: Int, dp: String)?
    private(set) var lines: [String] = []
    private(set) var links: [PopupReading.Link] = []

    /// Elements without visible content.
    private static let invisible: Set<String> = ["style", "script", "title", "template", "noscript"]
    /// Elements that do not start a new line.
    private static let inline: Set<String> = [
        "a", "abbr", "b", "bdi", "bdo", "big", "code", "em", "font", "i", "img", "mark", "q", "s", "small", "span",
        "strong", "sub", "sup", "u", "wbr",
    ]
    /// Void elements (HTML Living Standard, "Elements").
    private static let void: Set<String> = ["area", "br", "hr", "img", "input", "meta", "link", "source", "wbr"]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func run() {
        while self.at < self.bytes.count {
            guard self.bytes[self.at] == UInt8(ascii: "<"), self.isTag(self.at + 1) else {
                self.text.append(self.bytes[self.at])
                self.at += 1
                continue
            }
            self.tag()
        }
        self.endLink()
        self.endLine()
    }

    private func isTag(_ place: Int) -> Bool {
        guard place < self.bytes.count else { return false }
        let byte = self.bytes[place]
        return byte.isASCIILetter || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?")
    }

    /// Reads a tag or a comment.
    private mutating func tag() {
        if self.isNext("<!--") {
            self.at = self.find("-->", from: self.at + 4).map { $0 + 3 } ?? self.bytes.count
            return
        }
        let start = self.at + 1
        let end = self.end(of: start)
        self.at = min(end + 1, self.bytes.count)
        var tag = self.bytes[start..<end]
        let isEnd = tag.first == UInt8(ascii: "/")
        if isEnd { tag = tag.dropFirst() }
        let name = String(decoding: tag.prefix { $0.isASCIILetter || $0.isDigit }, as: UTF8.self).asciiLowercased
        guard !name.isEmpty else { return }
        if isEnd { return self.close(name) }
        if PopupReader.invisible.contains(name) {
            let close = "</\(name)"
            self.at = self.find(close, from: self.at) ?? self.bytes.count
            return
        }
        self.start(name, tag.dropFirst(name.utf8.count))
    }

    private mutating func start(_ name: String, _ attributes: ArraySlice<UInt8>) {
        if var open {
            if open.name == name { open.depth += 1 }
            self.open = open
            self.text.append(0x20)
            return
        }
        let fields = PopupReader.attributes(attributes)
        guard let dp = fields.first(where: { $0.name == "data-dp" })?.value.trimmed, !dp.isEmpty else {
            if !PopupReader.inline.contains(name) { self.endLine() }
            return
        }
        self.endLine()
        if PopupReader.void.contains(name) {
            let text = fields.first { $0.name == "alt" || $0.name == "value" }?.value ?? ""
            return self.add(text, dp)
        }
        self.open = (name, 0, dp)
    }

    private mutating func close(_ name: String) {
        if var open {
            guard open.name == name else { return self.text.append(0x20) }
            if open.depth == 0 { return self.endLink() }
            open.depth -= 1
            self.open = open
            self.text.append(0x20)
        } else if !PopupReader.inline.contains(name) {
            self.endLine()
        }
    }

    private mutating func endLink() {
        guard let open else { return }
        self.open = nil
        self.add(self.drainText(), open.dp)
    }

    private mutating func add(_ text: String, _ dp: String) {
        guard self.links.count < PopupReading.limits.parts else { return }
        self.links.append(PopupReading.Link(text: text.isEmpty ? dp : text, dp: dp))
    }

    private mutating func endLine() {
        let line = self.drainText()
        if !line.isEmpty, self.lines.count < PopupReading.limits.parts { self.lines.append(line) }
    }

    /// The text so far as one line; clears it.
    private mutating func drainText() -> String {
        defer { self.text = [] }
        let words = String(decoding: self.text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return PopupReader.decoded(words.joined(separator: " "))
    }

    // MARK: Bytes

    private func isNext(_ text: String) -> Bool { self.bytes[self.at...].starts(with: text.utf8) }

    /// The first position of a text, ignoring case.
    private func find(_ text: String, from start: Int) -> Int? {
        let wanted = Array(text.utf8)
        var place = start
        while place + wanted.count <= self.bytes.count {
            if zip(self.bytes[place...], wanted).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 && $1.isASCIILetter }) {
                return place
            }
            place += 1
        }
        return nil
    }

    /// The position of a tag's `>` outside quoted attribute values.
    private func end(of start: Int) -> Int {
        var quote: UInt8?
        for place in start..<self.bytes.count {
            let byte = self.bytes[place]
            if let mark = quote {
                if byte == mark { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return place
            }
        }
        return self.bytes.count
    }

    private static func attributes(_ bytes: ArraySlice<UInt8>) -> [(name: String, value: String)] {
        var rest = bytes
        var fields: [(name: String, value: String)] = []
        func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == UInt8(ascii: "/") }
        while fields.count < PopupReading.limits.parts {
            rest = rest.drop(while: isBlank)
            let name = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: "=") }
            guard !name.isEmpty else { break }
            rest = rest.dropFirst(name.count).drop { $0 <= 0x20 }
            var value = ArraySlice<UInt8>()
            if rest.first == UInt8(ascii: "=") {
                rest = rest.dropFirst().drop { $0 <= 0x20 }
                if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                    value = rest.dropFirst().prefix { $0 != quote }
                    rest = rest.dropFirst(value.count + 2)
                } else {
                    value = rest.prefix { $0 > 0x20 }
                    rest = rest.dropFirst(value.count)
                }
            }
            let text = self.decoded(String(decoding: value, as: UTF8.self))
            fields.append((String(decoding: name, as: UTF8.self).asciiLowercased, text))
        }
        return fields
    }

    private static let named: [Substring: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
        "hellip": "…", "euro": "€", "times": "×", "copy": "©",
    ]

    /// The text with its character references resolved; unknown ones stay as they are.
    private static func decoded(_ text: String) -> String {
        guard text.contains("&") else { return text }
        var result = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "&") {
            result += rest[..<mark]
            let name = rest[rest.index(after: mark)...].prefix(10).prefix { $0 != ";" }
            let end = name.endIndex
            guard end < rest.endIndex, rest[end] == ";", let character = self.character(name) else {
                result.append("&")
                rest = rest[rest.index(after: mark)...]
                continue
            }
            result += character
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> String? {
        guard name.first == "#" else { return self.named[name] }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        return UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init)
            .map { String(Character($0)) }
    }
}
