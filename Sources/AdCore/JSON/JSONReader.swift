extension AdJSON {
    /// A syntax error in JSON and its place.
    public struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        /// What is wrong.
        public let message: String
        /// The line, from 1.
        public let line: Int
        /// The byte in the line, from 1.
        public let column: Int

        /// Message and place in one line.
        public var description: String { "\(self.message) at line \(self.line), column \(self.column)" }
    }

    /// The maximum depth of nested arrays and objects.
    public static let maximumDepth = 128
    /// The maximum number of values in a document, which bounds the memory for a few megabytes of text.
    public static let maximumValues = 500_000

    /// Parses a whole text as one value; a byte order mark is ignored (RFC 8259 §8.1).
    public init(parsing bytes: [UInt8]) throws(ParseError) {
        self = try AdJSON.read(bytes, makesRepairs: false).json
    }

    /// Parses a whole text as one value.
    public init(parsing text: String) throws(ParseError) { try self.init(parsing: Array(text.utf8)) }

    /// Parses like `init(parsing:)`, and returns the repairs as issues.
    ///
    /// Each becomes an issue: invalid UTF-8 (RFC 8259 §8.1), a lone surrogate (§8.2), a repeated name (§4). A trailing
    /// comma (§4, §5) is repaired too; `init(parsing:)` refuses only that one.
    package static func reading(_ bytes: [UInt8]) throws(ParseError) -> (json: AdJSON, repairs: [AdIssue]) {
        try self.read(bytes, makesRepairs: true)
    }

    private static func read(_ bytes: [UInt8], makesRepairs: Bool) throws(ParseError) -> (
        json: AdJSON, repairs: [AdIssue]
    ) {
        let outcome = bytes.withUnsafeBufferPointer {
            buffer -> Result<(json: AdJSON, repairs: [AdIssue]), ParseError> in
            var reader = JSONReader(bytes: buffer, makesRepairs: makesRepairs)
            do throws(JSONReader.Stop) {
                let json = try reader.document()
                return .success((json, makesRepairs ? reader.repairs.issues(in: buffer) : []))
            } catch {
                return .failure(reader.parseError(at: error))
            }
        }
        return try outcome.get()
    }
}

/// A parser of JSON text (RFC 8259).
private struct JSONReader {
    struct Stop: Error {
        let message: String
        let at: Int
    }

    let bytes: UnsafeBufferPointer<UInt8>
    let makesRepairs: Bool
    var repairs = JSONRepairs()
    var at = 0
    var values = 0

    init(bytes: UnsafeBufferPointer<UInt8>, makesRepairs: Bool) {
        self.bytes = bytes
        self.makesRepairs = makesRepairs
    }

    mutating func document() throws(Stop) -> AdJSON {
        if self.bytes.count >= 3, self.bytes[0] == 0xEF, self.bytes[1] == 0xBB, self.bytes[2] == 0xBF { self.at = 3 }
        self.skipSpace()
        guard self.at < self.bytes.count else { throw self.stop("there is nothing to read") }
        let value = try self.value(depth: 0)
        self.skipSpace()
        guard self.at == self.bytes.count else { throw self.stop("there is text after the value") }
        return value
    }

    func parseError(at stop: Stop) -> AdJSON.ParseError {
        let before = self.bytes[..<min(stop.at, self.bytes.count)]
        let line = before.reduce(into: 1) { $0 += $1 == 0x0A ? 1 : 0 }
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return AdJSON.ParseError(message: stop.message, line: line, column: before.endIndex - start + 1)
    }

    private func stop(_ message: String) -> Stop { Stop(message: message, at: self.at) }

    private var next: UInt8? { self.at < self.bytes.count ? self.bytes[self.at] : nil }

    private mutating func skipSpace() {
        while let byte = self.next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { self.at += 1 }
    }

    private mutating func value(depth: Int) throws(Stop) -> AdJSON {
        guard depth <= AdJSON.maximumDepth else {
            throw self.stop("values are nested deeper than \(AdJSON.maximumDepth)")
        }
        self.values += 1
        guard self.values <= AdJSON.maximumValues else {
            throw self.stop("there are more than \(AdJSON.maximumValues) values")
        }
        switch self.next {
        case UInt8(ascii: "{"): return try self.object(depth: depth)
        case UInt8(ascii: "["): return try self.array(depth: depth)
        case UInt8(ascii: "\""): return .string(try self.string())
        case UInt8(ascii: "t"): return try self.word("true", .bool(true))
        case UInt8(ascii: "f"): return try self.word("false", .bool(false))
        case UInt8(ascii: "n"): return try self.word("null", .null)
        case UInt8(ascii: "-"), .some(0x30...0x39): return try self.number()
        case nil: throw self.stop("the document ends where a value is expected")
        default: throw self.stop("no value starts with this")
        }
    }

    private mutating func word(_ word: StaticString, _ value: AdJSON) throws(Stop) -> AdJSON {
        let matches = word.withUTF8Buffer { self.bytes[self.at...].starts(with: $0) }
        guard matches else { throw self.stop("no value starts with this") }
        self.at += word.utf8CodeUnitCount
        return value
    }

    private mutating func number() throws(Stop) -> AdJSON {
        let start = self.at
        if self.next == UInt8(ascii: "-") { self.at += 1 }
        let whole = self.digits()
        guard whole > 0 else { throw self.stop("a digit is missing") }
        if whole > 1, self.bytes[self.at - whole] == 0x30 { throw self.stop("a number has a leading zero") }
        if self.next == UInt8(ascii: ".") {
            self.at += 1
            guard self.digits() > 0 else { throw self.stop("a digit is missing after the decimal point") }
        }
        if self.next == UInt8(ascii: "e") || self.next == UInt8(ascii: "E") {
            self.at += 1
            if self.next == UInt8(ascii: "+") || self.next == UInt8(ascii: "-") { self.at += 1 }
            guard self.digits() > 0 else { throw self.stop("a digit is missing in the exponent") }
        }
        guard self.at - start <= 400 else { throw self.stop("a number is longer than 400 characters") }
        return .number(.init(unchecked: String(decoding: self.bytes[start..<self.at], as: UTF8.self)))
    }

    private mutating func digits() -> Int {
        let start = self.at
        while let byte = self.next, byte.isDigit { self.at += 1 }
        return self.at - start
    }

    private mutating func array(depth: Int) throws(Stop) -> AdJSON {
        self.at += 1
        var elements: [AdJSON] = []
        self.skipSpace()
        if self.next == UInt8(ascii: "]") {
            self.at += 1
            return .array(elements)
        }
        while true {
            self.skipSpace()
            elements.append(try self.value(depth: depth + 1))
            self.skipSpace()
            switch self.next {
            case UInt8(ascii: ","):
                if self.isTrailingComma(before: UInt8(ascii: "]")) { return .array(elements) }
            case UInt8(ascii: "]"):
                self.at += 1
                return .array(elements)
            default: throw self.stop("a comma or the closing ] is missing")
            }
        }
    }

    private mutating func object(depth: Int) throws(Stop) -> AdJSON {
        self.at += 1
        var members: [AdJSON.Member] = []
        var names = JSONNames()
        self.skipSpace()
        if self.next == UInt8(ascii: "}") {
            self.at += 1
            return .object(members)
        }
        while true {
            self.skipSpace()
            guard self.next == UInt8(ascii: "\"") else { throw self.stop("a member's name is missing") }
            let start = self.at
            let name = try self.string()
            if self.makesRepairs, !names.insert(name, from: self.bytes[start..<self.at], after: members) {
                self.repairs.append(.duplicate(name), at: start)
            }
            self.skipSpace()
            guard self.next == UInt8(ascii: ":") else { throw self.stop("a colon is missing") }
            self.at += 1
            self.skipSpace()
            members.append(AdJSON.Member(name, try self.value(depth: depth + 1)))
            self.skipSpace()
            switch self.next {
            case UInt8(ascii: ","):
                if self.isTrailingComma(before: UInt8(ascii: "}")) { return .object(members) }
            case UInt8(ascii: "}"):
                self.at += 1
                return .object(members)
            default: throw self.stop("a comma or the closing } is missing")
            }
        }
    }

    /// Passes a comma; with repairs, the end of the container may follow it.
    private mutating func isTrailingComma(before end: UInt8) -> Bool {
        let comma = self.at
        self.at += 1
        guard self.makesRepairs else { return false }
        self.skipSpace()
        guard self.next == end else { return false }
        self.at += 1
        self.repairs.append(.comma, at: comma)
        return true
    }

    private mutating func string() throws(Stop) -> String {
        self.at += 1
        let start = self.at
        self.skipPlain()
        if self.next == UInt8(ascii: "\"") {
            defer { self.at += 1 }
            return String(decoding: self.bytes[start..<self.at], as: UTF8.self)
        }
        var result = Array(self.bytes[start..<self.at])
        while let byte = self.next {
            switch byte {
            case UInt8(ascii: "\""):
                self.at += 1
                return String(decoding: result, as: UTF8.self)
            case UInt8(ascii: "\\"):
                try self.escape(into: &result)
            case 0..<0x20:
                throw self.stop("a string contains an unescaped control character")
            default:
                let start = self.at
                self.skipPlain()
                result.append(contentsOf: self.bytes[start..<self.at])
            }
        }
        throw self.stop("a string is not closed")
    }

    /// Skips to the next quotation mark, backslash or control character.
    private mutating func skipPlain() {
        var at = self.at
        while at < self.bytes.count {
            let byte = self.bytes[at]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            at += 1
        }
        self.at = at
    }

    private mutating func escape(into result: inout [UInt8]) throws(Stop) {
        self.at += 1
        guard let byte = self.next else { throw self.stop("a string is not closed") }
        self.at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(byte)
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "u"):
            result.append(contentsOf: UTF8.encode(try self.scalar()) ?? UTF8.encodedReplacementCharacter)
        default:
            self.at -= 1
            throw self.stop("this escape sequence is invalid")
        }
    }

    /// The scalar of a `\u` escape; a lone surrogate becomes U+FFFD (RFC 8259 §8.2 leaves that open).
    private mutating func scalar() throws(Stop) -> Unicode.Scalar {
        let start = self.at
        let first = try self.unit()
        if UTF16.isLeadSurrogate(first), self.bytes[self.at...].starts(with: "\\u".utf8) {
            let before = self.at
            self.at += 2
            let second = try self.unit()
            if UTF16.isTrailSurrogate(second) {
                let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
                return Unicode.Scalar(value) ?? "\u{FFFD}"
            }
            self.at = before
        }
        if let scalar = Unicode.Scalar(UInt32(first)) { return scalar }
        self.repairs.append(.loneSurrogate, at: start)
        return "\u{FFFD}"
    }

    private mutating func unit() throws(Stop) -> UInt16 {
        let digits = self.bytes[self.at...].prefix(4)
        guard digits.count == 4, digits.allSatisfy(\.isHexDigit),
            let value = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw self.stop("four hexadecimal digits are missing after \\u") }
        self.at += 4
        return value
    }
}
