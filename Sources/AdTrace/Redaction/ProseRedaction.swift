import AdCore

/// Removes from a text the values of names that indicate a secret, as in `token: value`.
///
/// Recognizes embedded or truncated JSON, `name: value`, `name=value`, `<name>value` and bearer tokens. URLs and their
/// query fields are left to `Redaction.address`. The text is read once from start to end.
struct ProseRedaction {
    private static let mark = Array("***".utf8)
    /// The least length of a key in a sentence; shorter text is a word.
    private static let minimumKeyLength = 6
    /// The greatest length of a name.
    private static let maximumNameLength = 64
    /// Authentication schemes, whose next word is a secret.
    private static let schemes: Set<String> = ["bearer", "basic", "digest", "token", "apikey"]
    /// Words between a name and its value in a sentence.
    private static let linkingWords: Set<String> = ["is", "was", "provided", "given"]

    private let bytes: [UInt8]
    private var index = 0
    private var result: [UInt8] = []

    /// Returns the text without secret values.
    static func hide(_ text: String) -> String {
        guard text.utf8.contains(where: { ":= >".utf8.contains($0) }) else { return text }
        var redaction = ProseRedaction(bytes: Array(text.utf8))
        redaction.run()
        return redaction.result == redaction.bytes ? text : String(decoding: redaction.result, as: UTF8.self)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func run() {
        var before: (name: String, end: Int)?
        while self.index < self.bytes.count {
            guard self.bytes[self.index].isInName else {
                self.copy(to: self.index + 1)
                continue
            }
            let first = self.index
            let end = self.end(from: first) { !$0.isInName }
            self.copy(to: end)
            if self.bytes[end...].starts(with: "://".utf8) {
                self.copy(to: self.end(from: end) { $0.endsAddress })
                continue
            }
            guard end - first <= ProseRedaction.maximumNameLength else { continue }
            let name = String(decoding: self.bytes[first..<end], as: UTF8.self)
            // `device id` is read as one name.
            let whole =
                before.map { $0.end + 1 == first && name.asciiLowercased == "id" ? $0.name + name : name } ?? name
            before = (name, end)
            guard let secret = self.secret(of: whole, from: first) else { continue }
            self.copy(to: secret.place.lowerBound)
            self.result += secret.mark
            self.index = secret.place.upperBound
        }
    }

    private mutating func copy(to end: Int) {
        self.result += self.bytes[self.index..<end]
        self.index = end
    }

    /// The range of the value of a name that ends here, and its replacement; nil for none.
    private func secret(of name: String, from first: Int) -> (place: Range<Int>, mark: [UInt8])? {
        let isSecret = Redaction.isSecret(name)
        guard isSecret || name.asciiLowercased == "basic" else { return nil }
        let isTag = self.byte(first - 1) == UInt8(ascii: "<")
        if isTag, self.byte(self.index) == UInt8(ascii: ">") {
            let value = self.index + 1..<self.end(from: self.index + 1) { $0 == UInt8(ascii: "<") }
            return value.isEmpty ? nil : (value, ProseRedaction.mark)
        }
        var next = self.end(from: self.index) { $0 != UInt8(ascii: "\\") }
        var quoting: [UInt8] = []
        if let quote = self.byte(next), quote.isQuote {
            next += 1
            quoting = Array(self.bytes[self.index..<next])
        } else {
            next = self.index
            if self.byte(next) == UInt8(ascii: "]") { next += 1 }
        }
        let operation = self.end(from: next) { !$0.isBlank }
        switch self.byte(operation) {
        case UInt8(ascii: ":"):
            guard isSecret, let value = self.value(of: name, from: operation + 1) else { return nil }
            // In JSON a number or a list is replaced by a string.
            return (value.place, value.isQuoted ? ProseRedaction.mark : quoting + ProseRedaction.mark + quoting)
        case UInt8(ascii: "="):
            let isArrow = self.byte(operation + 1) == UInt8(ascii: ">")
            if !isArrow, operation == self.index, self.isField(first, valueAt: operation + 1) { return nil }
            guard isSecret, let value = self.value(of: name, from: operation + (isArrow ? 2 : 1)) else { return nil }
            // The quotes are replaced too: the text then reads like a URL's field with a hidden value.
            let isWhole = value.isQuoted && !isArrow
            let end = isWhole ? self.end(from: value.place.upperBound) { !$0.isInQuoting } : value.place.upperBound
            return ((isWhole ? operation + 1 : value.place.lowerBound)..<end, ProseRedaction.mark)
        default:
            guard quoting.isEmpty, operation > next else { return nil }
            let isBearer = name.asciiLowercased == "bearer"
            return self.keyInSentence(from: operation, isBearer: isBearer).map { ($0, ProseRedaction.mark) }
        }
    }

    /// Whether a name is a query field as in a URL, which `Redaction.address` handles.
    private func isField(_ first: Int, valueAt start: Int) -> Bool {
        if let before = self.byte(first - 1), !before.endsAddress, !"?#&;".utf8.contains(before) { return false }
        guard let value = self.byte(start) else { return true }
        return !value.isBlank && !value.isInQuoting && !"{[".utf8.contains(value)
    }

    /// The range of a key that follows its name after a space or a linking word; nil for a plain word.
    private func keyInSentence(from start: Int, isBearer: Bool) -> Range<Int>? {
        var start = start
        var word = self.bare(from: start)
        var text = self.text(word)
        if text.last == ":" { text.removeLast() }
        if ProseRedaction.linkingWords.contains(text) {
            start = self.end(from: word.upperBound) { !$0.isBlank }
            word = self.bare(from: start)
        }
        if let quote = self.byte(start), quote.isQuote {
            word = start + 1..<self.endOfQuoted(by: quote, escapes: 0, from: start + 1)
            guard word.count <= ProseRedaction.maximumNameLength * 4 else { return nil }
        }
        let key = self.bytes[word]
        guard isBearer || key.contains(where: { $0.isDigit || $0 == UInt8(ascii: "@") }) else { return nil }
        return key.count >= ProseRedaction.minimumKeyLength || key.contains(UInt8(ascii: ".")) ? word : nil
    }

    private func value(of name: String, from start: Int) -> (place: Range<Int>, isQuoted: Bool)? {
        let start = self.end(from: start) { !$0.isBlank }
        if let quoted = self.quoted(from: start) { return (quoted, true) }
        if ["authorization", "proxyauthorization"].contains(name.asciiLowercased.filter(\.isLetter)) {
            let line = start..<self.end(from: start) { $0 == 0x0A || $0 == 0x0D }
            return line.isEmpty ? nil : (line, false)
        }
        switch self.byte(start) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return (start..<self.endOfNested(from: start), false)
        default: return self.bareValue(from: start).map { ($0, false) }
        }
    }

    private func bareValue(from start: Int) -> Range<Int>? {
        var value = self.bare(from: start)
        guard !value.isEmpty, value.count > 4 || self.text(value) != "null" else { return nil }
        if value.count <= 8, ProseRedaction.schemes.contains(self.text(value)) {
            let next = self.end(from: value.upperBound) { !$0.isBlank }
            if let quoted = self.quoted(from: next) { return start..<quoted.upperBound }
            value = start..<max(value.upperBound, self.bare(from: next).upperBound)
        }
        // A location is two numbers.
        while self.byte(value.upperBound) == UInt8(ascii: ","), self.byte(value.upperBound - 1)?.isDigit == true,
            let digit = self.byte(value.upperBound + 1), digit.isDigit || digit == UInt8(ascii: "-")
        {
            value = start..<self.bare(from: value.upperBound + 1).upperBound
        }
        return value
    }

    private func bare(from start: Int) -> Range<Int> { start..<self.end(from: start) { $0.endsValue } }

    /// The range between quotes that start here; nil for none.
    private func quoted(from start: Int) -> Range<Int>? {
        let escapesEnd = self.end(from: start) { $0 != UInt8(ascii: "\\") }
        guard let quote = self.byte(escapesEnd), quote.isQuote else { return nil }
        return escapesEnd + 1..<self.endOfQuoted(by: quote, escapes: escapesEnd - start, from: escapesEnd + 1)
    }

    /// The end of a quoted text: the same quote with the same number of backslashes before it.
    private func endOfQuoted(by quote: UInt8, escapes: Int, from start: Int) -> Int {
        var seen = 0
        for index in start..<self.bytes.count {
            switch self.bytes[index] {
            case UInt8(ascii: "\\"): seen += 1
            case quote where seen == escapes: return index - escapes
            default: seen = 0
            }
        }
        return self.bytes.count
    }

    private func endOfNested(from start: Int) -> Int {
        var depth = 0
        for index in start..<self.bytes.count {
            switch self.bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
        }
        return self.bytes.count
    }

    /// The first 16 bytes of a range in lower case, for comparison with known words.
    private func text(_ range: Range<Int>) -> String {
        String(decoding: self.bytes[range.prefix(16)], as: UTF8.self).asciiLowercased
    }

    private func byte(_ index: Int) -> UInt8? { self.bytes.indices.contains(index) ? self.bytes[index] : nil }

    private func end(from start: Int, _ isEnd: (UInt8) -> Bool) -> Int {
        start < self.bytes.count ? self.bytes[start...].firstIndex(where: isEnd) ?? self.bytes.count : self.bytes.count
    }
}

extension UInt8 {
    fileprivate var isInName: Bool { self.isASCIILetter || self.isDigit || "_-.".utf8.contains(self) }
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
    fileprivate var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }
    fileprivate var isInQuoting: Bool { self.isQuote || self == UInt8(ascii: "\\") }
    fileprivate var endsAddress: Bool { self <= 0x20 || self.isQuote || "<>\\".utf8.contains(self) }
    fileprivate var endsValue: Bool { self.endsAddress || ",;&}])".utf8.contains(self) }
}
