import AdCore
import AdMarkup

/// Splits JavaScript into lexemes (ECMA-262 §12), one at a time and in one pass.
///
/// The grammar decides whether a slash is a division or begins a regular expression (§12.9.5), and whether a `}`
/// continues a template (§12.9.6). The caller therefore passes that.
package struct ScriptLexer {
    package enum Kind: Equatable {
        case word, privateName, number, string, regularExpression, punctuator, end
        /// A part of a template; `isOpen` if a substitution follows.
        case template(isOpen: Bool)
    }

    package struct Lexeme {
        package let kind: Kind
        package let range: Range<Int>
        package let place: SourcePlace
        /// Whether there is a line break before it.
        package let isAfterLineBreak: Bool
        /// Its error; nil if it is valid.
        package let error: String?
    }

    private let bytes: ArraySlice<UInt8>
    package private(set) var at: Int
    private var line: Int
    /// The number that makes a column of an offset on the current line.
    private var columnShift: Int
    private var isAfterLineBreak = true

    package init(_ bytes: ArraySlice<UInt8>, from place: SourcePlace) {
        self.bytes = bytes
        self.at = bytes.startIndex
        self.line = place.line
        self.columnShift = (place.column ?? 1) - bytes.startIndex
        // A hashbang comment is allowed at the beginning only (§12.5).
        if bytes.starts(with: "#!".utf8) { self.skipLine() }
    }

    package func byte(_ index: Int) -> UInt8 {
        index < self.bytes.endIndex && index >= self.bytes.startIndex ? self.bytes[index] : 0
    }

    package func text(_ range: Range<Int>) -> String { String(decoding: self.bytes[range], as: UTF8.self) }

    package func isWord(_ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount, range.lowerBound >= self.bytes.startIndex,
            range.upperBound <= self.bytes.endIndex
        else { return false }
        for offset in 0..<range.count where self.bytes[range.lowerBound + offset] != word.utf8Start[offset] {
            return false
        }
        return true
    }

    // MARK: Lexemes

    /// The next lexeme; a slash begins a regular expression if `mayBeRegularExpression`.
    package mutating func next(mayBeRegularExpression: Bool) -> Lexeme {
        self.skipWhiteSpace()
        let start = self.at
        let place = SourcePlace(line: self.line, column: start + self.columnShift)
        let isAfterLineBreak = self.isAfterLineBreak
        self.isAfterLineBreak = false
        let (kind, error) = self.read(mayBeRegularExpression: mayBeRegularExpression)
        return Lexeme(
            kind: kind,
            range: start..<self.at,
            place: place,
            isAfterLineBreak: isAfterLineBreak,
            error: error
        )
    }

    /// Moves back to the beginning of a lexeme, to read it again as another kind.
    package mutating func rewind(to lexeme: Lexeme) {
        self.at = lexeme.range.lowerBound
        self.line = lexeme.place.line
        self.columnShift = (lexeme.place.column ?? 1) - lexeme.range.lowerBound
        self.isAfterLineBreak = lexeme.isAfterLineBreak
    }

    /// The part of a template that continues after a `}`, the lexeme that was read last.
    package mutating func template(from brace: Lexeme) -> Lexeme {
        self.rewind(to: brace)
        self.advance()
        self.isAfterLineBreak = false
        let (kind, error) = self.readTemplate()
        return Lexeme(
            kind: kind,
            range: brace.range.lowerBound..<self.at,
            place: brace.place,
            isAfterLineBreak: false,
            error: error
        )
    }

    private mutating func read(mayBeRegularExpression: Bool) -> (Kind, String?) {
        guard self.at < self.bytes.endIndex else { return (.end, nil) }
        let byte = self.bytes[self.at]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return self.readString(byte)
        case UInt8(ascii: "`"):
            self.at += 1
            return self.readTemplate()
        case UInt8(ascii: "/") where mayBeRegularExpression: return self.readRegularExpression()
        case UInt8(ascii: "#") where ScriptLexer.isOfWord(self.byte(self.at + 1)):
            self.at += 1
            self.skipWord()
            return (.privateName, nil)
        case UInt8(ascii: ".") where self.byte(self.at + 1).isDigit: return self.readNumber()
        case _ where byte.isDigit: return self.readNumber()
        case _ where ScriptLexer.isOfWord(byte) || byte == UInt8(ascii: "\\"):
            if byte >= 0x80, self.isQuotationMark {
                self.advance(3)
                return (.punctuator, "a curly quotation mark is not a JavaScript quotation mark")
            }
            self.skipWord()
            return (.word, nil)
        default: return self.readPunctuator()
        }
    }

    package static func isOfWord(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
    }

    /// Moves over bytes, and counts lines and columns.
    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where self.at < self.bytes.endIndex {
            let byte = self.bytes[self.at]
            if byte == 0x0A {
                self.line += 1
                self.columnShift = -self.at
            } else if byte & 0xC0 == 0x80 {
                self.columnShift -= 1
            }
            self.at += 1
        }
    }

    private mutating func skipWord() {
        while self.at < self.bytes.endIndex {
            let byte = self.bytes[self.at]
            if byte == UInt8(ascii: "\\") {
                self.advance(2)
                if self.byte(self.at) == UInt8(ascii: "{") {
                    while self.at < self.bytes.endIndex, self.bytes[self.at] != UInt8(ascii: "}"),
                        self.bytes[self.at] != 0x0A
                    { self.advance() }
                    self.advance()
                }
                continue
            }
            guard ScriptLexer.isOfWord(byte), byte < 0x80 || self.whiteSpaceLength == nil,
                byte < 0x80 || !self.isQuotationMark
            else { return }
            self.advance()
        }
    }

    // MARK: White space and comments

    /// The number of bytes of a white space character beyond ASCII at this place (§12.2, §12.3); nil if there is none.
    private var whiteSpaceLength: Int? {
        switch (self.byte(self.at), self.byte(self.at + 1), self.byte(self.at + 2)) {
        case (0xC2, 0xA0, _): 2
        case (0xEF, 0xBB, 0xBF), (0xE3, 0x80, 0x80), (0xE2, 0x81, 0x9F), (0xE1, 0x9A, 0x80): 3
        case (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9), (0xE2, 0x80, 0xAF): 3
        default: nil
        }
    }

    /// Whether the next character is “, ”, ‘ or ’.
    private var isQuotationMark: Bool {
        self.byte(self.at) == 0xE2 && self.byte(self.at + 1) == 0x80
            && [0x98, 0x99, 0x9C, 0x9D].contains(
                self.byte(self.at + 2)
            )
    }

    private mutating func skipWhiteSpace() {
        while self.at < self.bytes.endIndex {
            let byte = self.bytes[self.at]
            switch byte {
            case 0x0A, 0x0D:
                self.isAfterLineBreak = true
                self.advance()
            case 0x09, 0x0B, 0x0C, 0x20: self.advance()
            case UInt8(ascii: "/") where self.byte(self.at + 1) == UInt8(ascii: "/"): self.skipLine()
            case UInt8(ascii: "/") where self.byte(self.at + 1) == UInt8(ascii: "*"):
                if !self.skipComment() { return }
            // HTML comments are comments in scripts, too (ECMA-262 annex B.1.1).
            case UInt8(ascii: "<") where self.matches("<!--"): self.skipLine()
            case UInt8(ascii: "-") where self.isAfterLineBreak && self.matches("-->"): self.skipLine()
            case 0x80...:
                guard let count = self.whiteSpaceLength else { return }
                if count == 3, self.byte(self.at + 1) == 0x80, [0xA8, 0xA9].contains(self.byte(self.at + 2)) {
                    self.isAfterLineBreak = true
                }
                self.advance(count)
            default: return
            }
        }
    }

    private func matches(_ mark: StaticString) -> Bool {
        guard self.at + mark.utf8CodeUnitCount <= self.bytes.endIndex else { return false }
        return self.isWord(self.at..<(self.at + mark.utf8CodeUnitCount), mark)
    }

    private mutating func skipLine() {
        while self.at < self.bytes.endIndex, self.bytes[self.at] != 0x0A, self.bytes[self.at] != 0x0D { self.advance() }
    }

    /// Moves to the end of a comment; returns false without moving if it is not closed.
    private mutating func skipComment() -> Bool {
        let saved = self
        self.advance(2)
        while self.at < self.bytes.endIndex {
            if self.bytes[self.at] == UInt8(ascii: "*"), self.byte(self.at + 1) == UInt8(ascii: "/") {
                self.advance(2)
                return true
            }
            if self.bytes[self.at] == 0x0A { self.isAfterLineBreak = true }
            self.advance()
        }
        self = saved
        return false
    }

    // MARK: Literals

    private mutating func readString(_ quote: UInt8) -> (Kind, String?) {
        self.advance()
        while self.at < self.bytes.endIndex {
            let byte = self.bytes[self.at]
            if byte == quote {
                self.advance()
                return (.string, nil)
            }
            if byte == 0x0A || byte == 0x0D { break }
            // A backslash also escapes a line break of two bytes.
            if byte == UInt8(ascii: "\\"), self.byte(self.at + 1) == 0x0D, self.byte(self.at + 2) == 0x0A {
                self.advance()
            }
            self.advance(byte == UInt8(ascii: "\\") ? 2 : 1)
        }
        return (.string, "the string that begins here has no closing quotation mark")
    }

    private mutating func readTemplate() -> (Kind, String?) {
        while self.at < self.bytes.endIndex {
            switch self.bytes[self.at] {
            case UInt8(ascii: "`"):
                self.advance()
                return (.template(isOpen: false), nil)
            case UInt8(ascii: "$") where self.byte(self.at + 1) == UInt8(ascii: "{"):
                self.advance(2)
                return (.template(isOpen: true), nil)
            case UInt8(ascii: "\\"): self.advance(2)
            default: self.advance()
            }
        }
        return (.template(isOpen: false), "the template that begins here has no closing `")
    }

    private mutating func readRegularExpression() -> (Kind, String?) {
        var isInClass = false
        self.advance()
        while self.at < self.bytes.endIndex {
            switch self.bytes[self.at] {
            case 0x0A, 0x0D: return (.regularExpression, "the regular expression that begins here has no closing /")
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "\\") where self.byte(self.at + 1) != 0x0A: self.advance()
            case UInt8(ascii: "/") where !isInClass:
                self.advance()
                self.skipWord()
                return (.regularExpression, nil)
            default: break
            }
            self.advance()
        }
        return (.regularExpression, "the regular expression that begins here has no closing /")
    }

    private mutating func readNumber() -> (Kind, String?) {
        if self.byte(self.at) == UInt8(ascii: "0"), "xXoObB".utf8.contains(self.byte(self.at + 1)) {
            self.advance(2)
            while self.byte(self.at).isASCIILetter || self.byte(self.at).isDigit || self.byte(self.at) == 0x5F {
                self.advance()
            }
            return (.number, nil)
        }
        self.skipDigits()
        if self.byte(self.at) == UInt8(ascii: ".") {
            self.advance()
            self.skipDigits()
        }
        if self.byte(self.at) | 0x20 == UInt8(ascii: "e") {
            let sign = self.byte(self.at + 1)
            let isSigned = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
            if self.byte(self.at + (isSigned ? 2 : 1)).isDigit {
                self.advance(isSigned ? 2 : 1)
                self.skipDigits()
            }
        }
        if self.byte(self.at) == UInt8(ascii: "n") { self.advance() }
        guard ScriptLexer.isOfWord(self.byte(self.at)), self.whiteSpaceLength == nil else { return (.number, nil) }
        self.skipWord()
        return (.number, "a number is followed by letters")
    }

    private mutating func skipDigits() {
        while self.byte(self.at).isDigit || self.byte(self.at) == UInt8(ascii: "_") { self.advance() }
    }

    // MARK: Punctuators

    private static let longPunctuators: [StaticString] = [
        ">>>=", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "...", "=>", "==", "!=", "<=", ">=",
        "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**", "<<", ">>",
    ]

    private mutating func readPunctuator() -> (Kind, String?) {
        let byte = self.bytes[self.at]
        if self.matches("/*") {
            self.advance(self.bytes.endIndex - self.at)
            return (.punctuator, "the comment that begins here has no closing */")
        }
        if "=!*<>&|?.+-/%^".utf8.contains(byte) {
            for punctuator in ScriptLexer.longPunctuators
            where punctuator.utf8Start[0] == byte && self.matches(punctuator) {
                // `a?.5:1` is a conditional expression with a number.
                if byte == UInt8(ascii: "?"), self.byte(self.at + 1) == UInt8(ascii: "."),
                    self.byte(self.at + 2).isDigit
                {
                    break
                }
                self.advance(punctuator.utf8CodeUnitCount)
                return (.punctuator, nil)
            }
        }
        self.advance()
        return (.punctuator, nil)
    }
}
