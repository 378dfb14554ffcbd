import AdCore
import AdHTML
import AdMarkup

/// A token of a script.
struct ScriptToken {
    enum Kind {
        case word, number, string, punctuator
    }

    let kind: Kind
    /// The token as it is written; a string without its quotation marks.
    let text: String
    let place: SourcePlace
}

/// Splits JavaScript into tokens, even if its syntax is invalid.
struct ScriptTokens {
    private var lexer: ScriptLexer
    private var tokens: [ScriptToken] = []
    /// For each open substitution of a template the number of open braces in it.
    private var substitutions: [Int] = []

    private static let maxStringLength = 400

    private init(_ bytes: ArraySlice<UInt8>, from place: SourcePlace) {
        self.lexer = ScriptLexer(bytes, from: place)
    }

    /// The tokens of code, at most a number of them.
    static func read(_ bytes: ArraySlice<UInt8>, from place: SourcePlace, atMost most: Int) -> [ScriptToken] {
        var reader = ScriptTokens(bytes, from: place)
        while reader.tokens.count < most, reader.step() {}
        return reader.tokens
    }

    private mutating func step() -> Bool {
        let lexeme = self.lexer.next(mayBeRegularExpression: self.maySlashBeginRegularExpression)
        switch lexeme.kind {
        case .end: return false
        case .word, .privateName: self.add(.word, lexeme, lexeme.range)
        case .number, .regularExpression: self.add(.number, lexeme, lexeme.range)
        case .string:
            let isClosed = lexeme.error == nil
            let end = max(lexeme.range.lowerBound + 1, lexeme.range.upperBound - (isClosed ? 1 : 0))
            self.add(.string, lexeme, (lexeme.range.lowerBound + 1)..<end)
        case .template(let isOpen): self.template(lexeme, isOpen)
        case .punctuator: self.sign(lexeme)
        }
        return true
    }

    private mutating func template(_ lexeme: ScriptLexer.Lexeme, _ isOpen: Bool) {
        let trail = lexeme.error != nil ? 0 : isOpen ? 2 : 1
        let end = max(lexeme.range.lowerBound + 1, lexeme.range.upperBound - trail)
        self.add(.string, lexeme, (lexeme.range.lowerBound + 1)..<end)
        guard isOpen else { return }
        self.substitutions.append(0)
        self.tokens.append(ScriptToken(kind: .punctuator, text: "${", place: lexeme.place))
    }

    private mutating func sign(_ lexeme: ScriptLexer.Lexeme) {
        if let depth = self.substitutions.last, lexeme.range.count == 1 {
            switch self.lexer.byte(lexeme.range.lowerBound) {
            case UInt8(ascii: "{"): self.substitutions[self.substitutions.count - 1] = depth + 1
            case UInt8(ascii: "}") where depth > 0: self.substitutions[self.substitutions.count - 1] = depth - 1
            case UInt8(ascii: "}"):
                self.substitutions.removeLast()
                self.add(.punctuator, lexeme, lexeme.range)
                let piece = self.lexer.template(from: lexeme)
                return self.template(piece, piece.kind == .template(isOpen: true))
            default: break
            }
        }
        self.add(.punctuator, lexeme, lexeme.range)
    }

    private mutating func add(_ kind: ScriptToken.Kind, _ lexeme: ScriptLexer.Lexeme, _ range: Range<Int>) {
        let shown = range.lowerBound..<min(range.upperBound, range.lowerBound + ScriptTokens.maxStringLength)
        self.tokens.append(ScriptToken(kind: kind, text: self.lexer.text(shown), place: lexeme.place))
    }

    /// Whether a slash begins a regular expression, and is not a division (ECMAScript, "Lexical Grammar").
    private var maySlashBeginRegularExpression: Bool {
        guard let last = self.tokens.last else { return true }
        switch last.kind {
        case .number, .string: return false
        case .word:
            return ["return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do"].contains(
                last.text
            )
        case .punctuator: return last.text != ")" && last.text != "]" && last.text != "}"
        }
    }
}
