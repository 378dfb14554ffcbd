import AdCore

/// Takes out of a sentence what stands behind a telling name.
///
/// That is JSON that begins within it or was cut off, `name: value`, a bearer's token. Addresses stay what they are; their
/// fields are another's affair.
struct ProseSecrets {
    private static let mark = Array("***".utf8)
    /// What is shorter is a word, not a key.
    private static let leastKey = 6

    private let bytes: [UInt8]
    private var index = 0
    private var result: [UInt8] = []

    /// The text without what its names tell of.
    static func hide(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") || $0 == 0x20 }) else {
            return text
        }
        var secrets = ProseSecrets(bytes: Array(text.utf8))
        secrets.run()
        return secrets.result == secrets.bytes ? text : String(decoding: secrets.result, as: UTF8.self)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func run() {
        while self.index < self.bytes.count {
            guard self.bytes[self.index].isInName else {
                self.copy(to: self.index + 1)
                continue
            }
            let end = self.end(from: self.index) { !$0.isInName }
            let name = String(decoding: self.bytes[self.index..<end], as: UTF8.self)
            self.copy(to: end)
            if self.bytes[end...].starts(with: "://".utf8) {
                self.copy(to: self.end(from: end) { $0.endsAddress })
            } else if let value = self.value(of: name) {
                self.copy(to: value.lowerBound)
                self.result += ProseSecrets.mark
                self.index = value.upperBound
            }
        }
    }

    private mutating func copy(to end: Int) {
        self.result += self.bytes[self.index..<end]
        self.index = end
    }

    /// Where the secret stands that a name tells of, which ends here.
    private func value(of name: String) -> Range<Int>? {
        let isBearer = name.asciiLowercased == "bearer"
        guard isBearer || Redaction.isSecret(name) else { return nil }
        var start = self.end(from: self.index) { $0 != UInt8(ascii: "\\") }
        if let quote = self.byte(start), quote.isQuote { start += 1 } else { start = self.index }
        let isQuoted = start > self.index
        let operation = self.end(from: start) { !$0.isBlank }
        switch self.byte(operation) {
        case UInt8(ascii: ":"): return self.value(from: operation + 1)
        case UInt8(ascii: "="):
            // Fields without blanks and quotes are those of an address.
            guard let value = self.value(from: operation + 1) else { return nil }
            let isField = !isQuoted && operation == start && value.lowerBound == operation + 1
            guard !isField else { return nil }
            // Behind the stroke of a field there is no quote: who reads the address sees that the value was hidden.
            let isInQuotes = self.byte(value.lowerBound - 1)?.isQuote == true
            return isInQuotes ? operation + 1..<self.end(from: value.upperBound) { !$0.isInQuoting } : value
        default:
            // A key that follows its name after nothing but a blank has digits; the next word of a sentence has none.
            guard !isQuoted, operation > start else { return nil }
            let word = self.bare(from: operation)
            let isKey = isBearer || self.bytes[word].contains(where: \.isDigit)
            return isKey && word.count >= ProseSecrets.leastKey ? word : nil
        }
    }

    private func value(from start: Int) -> Range<Int>? {
        let start = self.end(from: start) { !$0.isBlank }
        let strokes = self.end(from: start) { $0 != UInt8(ascii: "\\") }
        if let quote = self.byte(strokes), quote.isQuote {
            return strokes + 1..<self.endOfQuoted(by: quote, strokes: strokes - start, from: strokes + 1)
        }
        switch self.byte(start) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return start..<self.endOfNested(from: start)
        default:
            var value = self.bare(from: start)
            let first = String(decoding: self.bytes[value], as: UTF8.self).asciiLowercased
            guard !value.isEmpty, first != "null" else { return nil }
            if ["bearer", "basic", "digest", "token"].contains(first) {
                let next = self.bare(from: self.end(from: value.upperBound) { !$0.isBlank })
                if !next.isEmpty { value = value.lowerBound..<next.upperBound }
            }
            // A place is two numbers.
            while let comma = self.byte(value.upperBound), comma == UInt8(ascii: ","),
                self.byte(value.upperBound - 1)?.isDigit == true,
                let digit = self.byte(value.upperBound + 1), digit.isDigit || digit == UInt8(ascii: "-")
            {
                value = value.lowerBound..<self.bare(from: value.upperBound + 1).upperBound
            }
            return value
        }
    }

    private func bare(from start: Int) -> Range<Int> { start..<self.end(from: start) { $0.endsValue } }

    /// What ends a quoted text is what began it, with as many strokes before it.
    private func endOfQuoted(by quote: UInt8, strokes: Int, from start: Int) -> Int {
        var seen = 0
        for index in start..<self.bytes.count {
            switch self.bytes[index] {
            case UInt8(ascii: "\\"): seen += 1
            case quote where seen == strokes: return index - strokes
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

    private func byte(_ index: Int) -> UInt8? { index < self.bytes.count ? self.bytes[index] : nil }

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
