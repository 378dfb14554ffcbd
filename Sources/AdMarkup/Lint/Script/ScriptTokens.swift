/// A word, a sign or a text of a script.
struct ScriptToken {
    enum Kind {
        case word, number, text, sign
    }

    let kind: Kind
    /// The word or sign itself; of a text what stands in its quotation marks.
    let text: String
    let line: Int
}

/// Cuts JavaScript into tokens: enough to tell code from comments and texts, and no more.
struct ScriptTokens {
    private let bytes: ArraySlice<UInt8>
    private var at: Int
    private var line: Int
    private var tokens: [ScriptToken] = []

    private static let longestText = 400
    private static let signs = [
        ">>>=", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "...", "=>", "==", "!=", "<=", ">=",
        "&&", "||", "??", "?.", "++",
        "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**", "<<", ">>",
    ].map { Array($0.utf8) }

    private init(_ bytes: ArraySlice<UInt8>, line: Int) {
        self.bytes = bytes
        self.at = bytes.startIndex
        self.line = line
    }

    /// The tokens of some code, at most so many.
    static func read(_ bytes: ArraySlice<UInt8>, line: Int, atMost most: Int) -> [ScriptToken] {
        var reader = ScriptTokens(bytes, line: line)
        while reader.tokens.count < most, reader.step() {}
        return reader.tokens
    }

    private func byte(_ index: Int) -> UInt8 { index < self.bytes.endIndex ? self.bytes[index] : 0 }

    private mutating func step() -> Bool {
        guard self.at < self.bytes.endIndex else { return false }
        let byte = self.bytes[self.at]
        switch byte {
        case 0x0A:
            self.line += 1
            self.at += 1
        case 0...0x20: self.at += 1
        case UInt8(ascii: "/") where self.byte(self.at + 1) == UInt8(ascii: "/"): self.passLine()
        case UInt8(ascii: "/") where self.byte(self.at + 1) == UInt8(ascii: "*"): self.passComment()
        case UInt8(ascii: "/") where self.isPattern: self.pattern()
        case UInt8(ascii: "<") where self.bytes[self.at...].starts(with: "<!--".utf8): self.passLine()
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): self.text(byte)
        case _ where ScriptTokens.isOfWord(byte) && !byte.isNumeral: self.take(.word) { ScriptTokens.isOfWord($0) }
        case _ where byte.isNumeral: self.take(.number) { ScriptTokens.isOfWord($0) || $0 == UInt8(ascii: ".") }
        default: self.sign()
        }
        return true
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isNumeral || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
    }

    private mutating func add(_ kind: ScriptToken.Kind, _ bytes: ArraySlice<UInt8>, line: Int) {
        self.tokens.append(
            ScriptToken(
                kind: kind,
                text: String(decoding: bytes.prefix(ScriptTokens.longestText), as: UTF8.self),
                line: line
            )
        )
    }

    private mutating func take(_ kind: ScriptToken.Kind, while passes: (UInt8) -> Bool) {
        let end = self.bytes[self.at...].firstIndex { !passes($0) } ?? self.bytes.endIndex
        self.add(kind, self.bytes[self.at..<end], line: self.line)
        self.at = end
    }

    private mutating func sign() {
        for sign in ScriptTokens.signs where sign[0] == self.bytes[self.at] && self.bytes[self.at...].starts(with: sign)
        {
            self.add(.sign, self.bytes[self.at..<(self.at + sign.count)], line: self.line)
            self.at += sign.count
            return
        }
        self.add(.sign, self.bytes[self.at...self.at], line: self.line)
        self.at += 1
    }

    private mutating func passLine() {
        self.at = self.bytes[self.at...].firstIndex(of: 0x0A) ?? self.bytes.endIndex
    }

    private mutating func passComment() {
        self.at += 2
        while self.at < self.bytes.endIndex {
            if self.bytes[self.at] == 0x0A { self.line += 1 }
            if self.bytes[self.at] == UInt8(ascii: "*"), self.byte(self.at + 1) == UInt8(ascii: "/") {
                self.at += 2
                return
            }
            self.at += 1
        }
    }

    /// A text; of one with values in it only the whole is known.
    private mutating func text(_ quote: UInt8) {
        let line = self.line
        let start = self.at + 1
        self.at = start
        while self.at < self.bytes.endIndex, self.bytes[self.at] != quote {
            if self.bytes[self.at] == 0x0A {
                // A text in plain quotation marks ends with its line.
                if quote != UInt8(ascii: "`") { break }
                self.line += 1
            }
            self.at += self.bytes[self.at] == UInt8(ascii: "\\") ? 2 : 1
        }
        self.at = min(self.at, self.bytes.endIndex)
        self.add(.text, self.bytes[start..<max(start, self.at)], line: line)
        if self.byte(self.at) == quote { self.at += 1 }
    }

    /// Whether a slash begins a pattern, and divides nothing.
    private var isPattern: Bool {
        guard let last = self.tokens.last else { return true }
        switch last.kind {
        case .number, .text: return false
        case .word:
            return ["return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do"].contains(
                last.text
            )
        case .sign: return last.text != ")" && last.text != "]" && last.text != "}"
        }
    }

    private mutating func pattern() {
        let start = self.at
        var isInClass = false
        self.at += 1
        while self.at < self.bytes.endIndex, self.bytes[self.at] != 0x0A {
            let byte = self.bytes[self.at]
            if byte == UInt8(ascii: "[") { isInClass = true }
            if byte == UInt8(ascii: "]") { isInClass = false }
            if byte == UInt8(ascii: "/"), !isInClass {
                self.at += 1
                self.at = self.bytes[self.at...].firstIndex { !$0.isLetter } ?? self.bytes.endIndex
                return self.add(.number, self.bytes[start..<self.at], line: self.line)
            }
            self.at += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        self.at = min(self.at, self.bytes.endIndex)
    }
}
