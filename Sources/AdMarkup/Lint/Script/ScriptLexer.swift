import AdCore

/// Cuts JavaScript into lexemes (ECMA-262 §12), one at a time and in one pass.
///
/// Whether a slash divides or begins a pattern depends on the grammar, so that the caller says it (§12.9.5), as it says
/// when a `}` goes on with a template (§12.9.6).
struct ScriptLexer {
    enum Kind: Equatable {
        case word, privateName, number, text, pattern, sign, end
        /// A piece of a template; `isOpen` where a substitution follows.
        case template(isOpen: Bool)
    }

    struct Lexeme {
        let kind: Kind
        let range: Range<Int>
        let place: LintPlace
        /// Whether a line ends between it and what stands before it.
        let isAfterLine: Bool
        /// What is wrong with it; nil where nothing is.
        let fault: String?
    }

    private let bytes: ArraySlice<UInt8>
    private(set) var at: Int
    private var line: Int
    /// What has to be added to an offset for its column.
    private var shift: Int
    private var isAfterLine = true

    init(_ bytes: ArraySlice<UInt8>, from place: LintPlace) {
        self.bytes = bytes
        self.at = bytes.startIndex
        self.line = place.line
        self.shift = (place.column ?? 1) - bytes.startIndex
        // A hashbang is a comment at the very beginning (§12.5).
        if bytes.starts(with: "#!".utf8) { self.passLine() }
    }

    func byte(_ index: Int) -> UInt8 {
        index < self.bytes.endIndex && index >= self.bytes.startIndex ? self.bytes[index] : 0
    }

    func text(_ range: Range<Int>) -> String { String(decoding: self.bytes[range], as: UTF8.self) }

    func isWord(_ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount, range.lowerBound >= self.bytes.startIndex,
            range.upperBound <= self.bytes.endIndex
        else { return false }
        for offset in 0..<range.count where self.bytes[range.lowerBound + offset] != word.utf8Start[offset] {
            return false
        }
        return true
    }

    // MARK: Lexemes

    /// The next lexeme; a slash begins a pattern only where one may stand.
    mutating func next(mayBePattern: Bool) -> Lexeme {
        self.skip()
        let start = self.at
        let place = LintPlace(line: self.line, column: start + self.shift)
        let isAfterLine = self.isAfterLine
        self.isAfterLine = false
        let (kind, fault) = self.take(mayBePattern: mayBePattern)
        return Lexeme(kind: kind, range: start..<self.at, place: place, isAfterLine: isAfterLine, fault: fault)
    }

    /// Goes back to where a lexeme begins, to read it in another way.
    mutating func rewind(to lexeme: Lexeme) {
        self.at = lexeme.range.lowerBound
        self.line = lexeme.place.line
        self.shift = (lexeme.place.column ?? 1) - lexeme.range.lowerBound
        self.isAfterLine = lexeme.isAfterLine
    }

    /// The piece of a template that goes on behind the `}` at which the lexer was a lexeme ago.
    mutating func template(from brace: Lexeme) -> Lexeme {
        self.rewind(to: brace)
        self.pass()
        self.isAfterLine = false
        let (kind, fault) = self.takeTemplate()
        return Lexeme(
            kind: kind,
            range: brace.range.lowerBound..<self.at,
            place: brace.place,
            isAfterLine: false,
            fault: fault
        )
    }

    private mutating func take(mayBePattern: Bool) -> (Kind, String?) {
        guard self.at < self.bytes.endIndex else { return (.end, nil) }
        let byte = self.bytes[self.at]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return self.takeText(byte)
        case UInt8(ascii: "`"):
            self.at += 1
            return self.takeTemplate()
        case UInt8(ascii: "/") where mayBePattern: return self.takePattern()
        case UInt8(ascii: "#") where ScriptLexer.isOfWord(self.byte(self.at + 1)):
            self.at += 1
            self.passWord()
            return (.privateName, nil)
        case UInt8(ascii: ".") where self.byte(self.at + 1).isNumeral: return self.takeNumber()
        case _ where byte.isNumeral: return self.takeNumber()
        case _ where ScriptLexer.isOfWord(byte) || byte == UInt8(ascii: "\\"):
            if byte >= 0x80, self.isQuotationMark {
                self.pass(3)
                return (.sign, "a curly quotation mark is no quotation mark of JavaScript")
            }
            self.passWord()
            return (.word, nil)
        default: return self.takeSign()
        }
    }

    static func isOfWord(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isNumeral || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
    }

    /// Moves over bytes that are no line ends.
    private mutating func pass(_ count: Int = 1) {
        for _ in 0..<count where self.at < self.bytes.endIndex {
            let byte = self.bytes[self.at]
            if byte == 0x0A {
                self.line += 1
                self.shift = -self.at
            } else if byte & 0xC0 == 0x80 {
                self.shift -= 1
            }
            self.at += 1
        }
    }

    private mutating func passWord() {
        while self.at < self.bytes.endIndex {
            let byte = self.bytes[self.at]
            if byte == UInt8(ascii: "\\") {
                self.pass(2)
                if self.byte(self.at) == UInt8(ascii: "{") {
                    while self.at < self.bytes.endIndex, self.bytes[self.at] != UInt8(ascii: "}"),
                        self.bytes[self.at] != 0x0A
                    { self.pass() }
                    self.pass()
                }
                continue
            }
            guard ScriptLexer.isOfWord(byte), byte < 0x80 || self.blank == nil, byte < 0x80 || !self.isQuotationMark
            else { return }
            self.pass()
        }
    }

    // MARK: Blanks and comments

    /// How many bytes the white space beyond ASCII has that stands here; nil where there is none (§12.2, §12.3).
    private var blank: Int? {
        switch (self.byte(self.at), self.byte(self.at + 1), self.byte(self.at + 2)) {
        case (0xC2, 0xA0, _): 2
        case (0xEF, 0xBB, 0xBF), (0xE3, 0x80, 0x80), (0xE2, 0x81, 0x9F), (0xE1, 0x9A, 0x80): 3
        case (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9), (0xE2, 0x80, 0xAF): 3
        default: nil
        }
    }

    /// Whether “, ”, ‘ or ’ stands here.
    private var isQuotationMark: Bool {
        self.byte(self.at) == 0xE2 && self.byte(self.at + 1) == 0x80
            && [0x98, 0x99, 0x9C, 0x9D].contains(
                self.byte(self.at + 2)
            )
    }

    private mutating func skip() {
        while self.at < self.bytes.endIndex {
            let byte = self.bytes[self.at]
            switch byte {
            case 0x0A, 0x0D:
                self.isAfterLine = true
                self.pass()
            case 0x09, 0x0B, 0x0C, 0x20: self.pass()
            case UInt8(ascii: "/") where self.byte(self.at + 1) == UInt8(ascii: "/"): self.passLine()
            case UInt8(ascii: "/") where self.byte(self.at + 1) == UInt8(ascii: "*"):
                if !self.passComment() { return }
            // The comments of HTML are comments of scripts, too (ECMA-262 annex B.1.1).
            case UInt8(ascii: "<") where self.stands("<!--"): self.passLine()
            case UInt8(ascii: "-") where self.isAfterLine && self.stands("-->"): self.passLine()
            case 0x80...:
                guard let count = self.blank else { return }
                if count == 3, self.byte(self.at + 1) == 0x80, [0xA8, 0xA9].contains(self.byte(self.at + 2)) {
                    self.isAfterLine = true
                }
                self.pass(count)
            default: return
            }
        }
    }

    private func stands(_ mark: StaticString) -> Bool {
        guard self.at + mark.utf8CodeUnitCount <= self.bytes.endIndex else { return false }
        return self.isWord(self.at..<(self.at + mark.utf8CodeUnitCount), mark)
    }

    private mutating func passLine() {
        while self.at < self.bytes.endIndex, self.bytes[self.at] != 0x0A, self.bytes[self.at] != 0x0D { self.pass() }
    }

    /// Moves behind a comment; false where it does not end, and then nothing was moved.
    private mutating func passComment() -> Bool {
        let saved = self
        self.pass(2)
        while self.at < self.bytes.endIndex {
            if self.bytes[self.at] == UInt8(ascii: "*"), self.byte(self.at + 1) == UInt8(ascii: "/") {
                self.pass(2)
                return true
            }
            if self.bytes[self.at] == 0x0A { self.isAfterLine = true }
            self.pass()
        }
        self = saved
        return false
    }

    // MARK: Literals

    private mutating func takeText(_ quote: UInt8) -> (Kind, String?) {
        self.pass()
        while self.at < self.bytes.endIndex {
            let byte = self.bytes[self.at]
            if byte == quote {
                self.pass()
                return (.text, nil)
            }
            if byte == 0x0A || byte == 0x0D { break }
            // A backslash takes the line end with it, also one of two bytes.
            if byte == UInt8(ascii: "\\"), self.byte(self.at + 1) == 0x0D, self.byte(self.at + 2) == 0x0A {
                self.pass()
            }
            self.pass(byte == UInt8(ascii: "\\") ? 2 : 1)
        }
        return (.text, "the text that begins here has no closing quotation mark")
    }

    private mutating func takeTemplate() -> (Kind, String?) {
        while self.at < self.bytes.endIndex {
            switch self.bytes[self.at] {
            case UInt8(ascii: "`"):
                self.pass()
                return (.template(isOpen: false), nil)
            case UInt8(ascii: "$") where self.byte(self.at + 1) == UInt8(ascii: "{"):
                self.pass(2)
                return (.template(isOpen: true), nil)
            case UInt8(ascii: "\\"): self.pass(2)
            default: self.pass()
            }
        }
        return (.template(isOpen: false), "the template that begins here has no closing `")
    }

    private mutating func takePattern() -> (Kind, String?) {
        var isInClass = false
        self.pass()
        while self.at < self.bytes.endIndex {
            switch self.bytes[self.at] {
            case 0x0A, 0x0D: return (.pattern, "the pattern that begins here has no closing /")
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "\\") where self.byte(self.at + 1) != 0x0A: self.pass()
            case UInt8(ascii: "/") where !isInClass:
                self.pass()
                self.passWord()
                return (.pattern, nil)
            default: break
            }
            self.pass()
        }
        return (.pattern, "the pattern that begins here has no closing /")
    }

    private mutating func takeNumber() -> (Kind, String?) {
        if self.byte(self.at) == UInt8(ascii: "0"), "xXoObB".utf8.contains(self.byte(self.at + 1)) {
            self.pass(2)
            while self.byte(self.at).isLetter || self.byte(self.at).isNumeral || self.byte(self.at) == 0x5F {
                self.pass()
            }
            return (.number, nil)
        }
        self.passDigits()
        if self.byte(self.at) == UInt8(ascii: ".") {
            self.pass()
            self.passDigits()
        }
        if self.byte(self.at) | 0x20 == UInt8(ascii: "e") {
            let sign = self.byte(self.at + 1)
            let isSigned = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
            if self.byte(self.at + (isSigned ? 2 : 1)).isNumeral {
                self.pass(isSigned ? 2 : 1)
                self.passDigits()
            }
        }
        if self.byte(self.at) == UInt8(ascii: "n") { self.pass() }
        guard ScriptLexer.isOfWord(self.byte(self.at)), self.blank == nil else { return (.number, nil) }
        self.passWord()
        return (.number, "a number goes on with letters")
    }

    private mutating func passDigits() {
        while self.byte(self.at).isNumeral || self.byte(self.at) == UInt8(ascii: "_") { self.pass() }
    }

    // MARK: Signs

    private static let long: [StaticString] = [
        ">>>=", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "...", "=>", "==", "!=", "<=", ">=",
        "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**", "<<", ">>",
    ]

    private mutating func takeSign() -> (Kind, String?) {
        let byte = self.bytes[self.at]
        if self.stands("/*") {
            self.pass(self.bytes.endIndex - self.at)
            return (.sign, "the comment that begins here has no closing */")
        }
        if "=!*<>&|?.+-/%^".utf8.contains(byte) {
            for sign in ScriptLexer.long where sign.utf8Start[0] == byte && self.stands(sign) {
                // `a?.5:1` is a condition with a number.
                if byte == UInt8(ascii: "?"), self.byte(self.at + 1) == UInt8(ascii: "."),
                    self.byte(self.at + 2).isNumeral
                {
                    break
                }
                self.pass(sign.utf8CodeUnitCount)
                return (.sign, nil)
            }
        }
        self.pass()
        return (.sign, nil)
    }
}
