import AdCore
import AdHTML
import AdMarkup

/// A word, a sign or a text of a script.
struct ScriptToken {
    enum Kind {
        case word, number, text, sign
    }

    let kind: Kind
    /// The word or sign itself; of a text what is in its quotation marks.
    let text: String
    let place: SourcePlace
}

/// Cuts JavaScript into a row of tokens, also where the code is none that a browser runs.
struct ScriptTokens {
    private var lexer: ScriptLexer
    private var tokens: [ScriptToken] = []
    /// For each substitution in a template how many braces are open in it.
    private var substitutions: [Int] = []

    private static let longestText = 400

    private init(_ bytes: ArraySlice<UInt8>, from place: SourcePlace) {
        self.lexer = ScriptLexer(bytes, from: place)
    }

    /// The tokens of some code, at most so many.
    static func read(_ bytes: ArraySlice<UInt8>, from place: SourcePlace, atMost most: Int) -> [ScriptToken] {
        var reader = ScriptTokens(bytes, from: place)
        while reader.tokens.count < most, reader.step() {}
        return reader.tokens
    }

    private mutating func step() -> Bool {
        let lexeme = self.lexer.next(mayBePattern: self.isPattern)
        switch lexeme.kind {
        case .end: return false
        case .word, .privateName: self.add(.word, lexeme, lexeme.range)
        case .number, .pattern: self.add(.number, lexeme, lexeme.range)
        case .text:
            let isClosed = lexeme.fault == nil
            let end = max(lexeme.range.lowerBound + 1, lexeme.range.upperBound - (isClosed ? 1 : 0))
            self.add(.text, lexeme, (lexeme.range.lowerBound + 1)..<end)
        case .template(let isOpen): self.template(lexeme, isOpen)
        case .sign: self.sign(lexeme)
        }
        return true
    }

    private mutating func template(_ lexeme: ScriptLexer.Lexeme, _ isOpen: Bool) {
        let trail = lexeme.fault != nil ? 0 : isOpen ? 2 : 1
        let end = max(lexeme.range.lowerBound + 1, lexeme.range.upperBound - trail)
        self.add(.text, lexeme, (lexeme.range.lowerBound + 1)..<end)
        guard isOpen else { return }
        self.substitutions.append(0)
        self.tokens.append(ScriptToken(kind: .sign, text: "${", place: lexeme.place))
    }

    private mutating func sign(_ lexeme: ScriptLexer.Lexeme) {
        if let depth = self.substitutions.last, lexeme.range.count == 1 {
            switch self.lexer.byte(lexeme.range.lowerBound) {
            case UInt8(ascii: "{"): self.substitutions[self.substitutions.count - 1] = depth + 1
            case UInt8(ascii: "}") where depth > 0: self.substitutions[self.substitutions.count - 1] = depth - 1
            case UInt8(ascii: "}"):
                self.substitutions.removeLast()
                self.add(.sign, lexeme, lexeme.range)
                let piece = self.lexer.template(from: lexeme)
                return self.template(piece, piece.kind == .template(isOpen: true))
            default: break
            }
        }
        self.add(.sign, lexeme, lexeme.range)
    }

    private mutating func add(_ kind: ScriptToken.Kind, _ lexeme: ScriptLexer.Lexeme, _ range: Range<Int>) {
        let shown = range.lowerBound..<min(range.upperBound, range.lowerBound + ScriptTokens.longestText)
        self.tokens.append(ScriptToken(kind: kind, text: self.lexer.text(shown), place: lexeme.place))
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
}
