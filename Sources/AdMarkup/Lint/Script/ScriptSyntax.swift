import AdCore

/// What a browser's parser would refuse in a script.
struct ScriptFault: Error {
    let place: LintPlace
    let message: String
}

/// Checks the syntax of a script (ECMA-262 §13–16) without building anything of it.
///
/// It is a parser of our own and not the browser's, so that a report is the same on every machine, on those without a
/// browser too, and takes no process. It is tolerant where that costs nothing: what is refused only by an early error
/// (a name that is declared twice, a strict-mode rule, an invalid assignment target) passes. What it refuses every
/// browser refuses. It reads each lexeme once, so that its time is in proportion to the script, and gives no verdict on
/// a script that nests deeper than `deepest`.
struct ScriptSyntax {
    /// Why a script is not judged further.
    enum End: Error {
        case fault(ScriptFault)
        /// It nests too deep, or is a template of a server, and no script yet.
        case unjudged
    }

    /// What a bracket belongs to, for the message about one that is not closed.
    struct Opening {
        let sign: StaticString
        let place: LintPlace
        /// The function whose body or parameters it begins.
        let function: String?
    }

    var lexer: ScriptLexer
    var token: ScriptLexer.Lexeme
    var openings: [Opening] = []
    /// How many functions are open; `return` stands only within one.
    var functions: Int
    var depth = 0

    /// How deep statements and expressions may nest: a parser by descent takes stack for each level.
    static let deepest = 150

    /// The first fault of a script; nil where there is none.
    ///
    /// `isHandler` says that it is the body of a function, as the value of `onclick` is.
    static func fault(in bytes: ArraySlice<UInt8>, from place: LintPlace, isHandler: Bool) -> ScriptFault? {
        var lexer = ScriptLexer(bytes, from: place)
        let first = lexer.next(mayBePattern: true)
        var syntax = ScriptSyntax(lexer: lexer, token: first, functions: isHandler ? 1 : 0)
        do throws(End) {
            try syntax.checkLexeme()
            while syntax.token.kind != .end { try syntax.statement() }
            return nil
        } catch {
            if case .fault(let fault) = error { return fault }
            return nil
        }
    }

    // MARK: Lexemes

    mutating func advance() throws(End) {
        self.token = self.lexer.next(mayBePattern: false)
        try self.checkLexeme()
    }

    private func checkLexeme() throws(End) {
        if let fault = self.token.fault { throw .fault(ScriptFault(place: self.token.place, message: fault)) }
    }

    /// The lexeme behind the current one.
    func peek() -> ScriptLexer.Lexeme {
        var lexer = self.lexer
        return lexer.next(mayBePattern: false)
    }

    func isSign(_ sign: StaticString) -> Bool {
        self.token.kind == .sign && self.lexer.isWord(self.token.range, sign)
    }

    func isSign(_ sign: StaticString, _ token: ScriptLexer.Lexeme) -> Bool {
        token.kind == .sign && self.lexer.isWord(token.range, sign)
    }

    func isWord(_ word: StaticString) -> Bool {
        self.token.kind == .word && self.lexer.isWord(self.token.range, word)
    }

    func isWord(_ word: StaticString, _ token: ScriptLexer.Lexeme) -> Bool {
        token.kind == .word && self.lexer.isWord(token.range, word)
    }

    var word: String { self.token.kind == .word ? self.lexer.text(self.token.range) : "" }

    /// Moves behind a sign if it stands here.
    mutating func takes(_ sign: StaticString) throws(End) -> Bool {
        guard self.isSign(sign) else { return false }
        try self.advance()
        return true
    }

    mutating func open(_ sign: StaticString, of function: String? = nil, at place: LintPlace? = nil) throws(End) {
        guard self.isSign(sign) else { throw self.unexpected("\(sign) is expected") }
        self.openings.append(Opening(sign: sign, place: place ?? self.token.place, function: function))
        try self.advance()
    }

    mutating func close(_ sign: StaticString) throws(End) {
        guard self.isSign(sign) else { throw self.unexpected("\(sign) is expected") }
        self.openings.removeLast()
        try self.advance()
    }

    // MARK: Faults

    /// The fault that the current lexeme is; at the end of the script that is the bracket which nothing closes.
    func unexpected(_ expectation: String? = nil) -> End {
        if self.token.kind == .end, let opening = self.openings.last {
            let of = opening.function.map { " of \($0)" } ?? ""
            let line = self.token.place.line
            let message = "the \(opening.sign)\(of) is not closed when the script ends on line \(line)"
            return .fault(ScriptFault(place: opening.place, message: message))
        }
        let found = self.token.kind == .end ? "the end of the script" : self.lexer.text(self.token.range).quoted
        var message = "unexpected \(found)"
        if let expectation {
            message += "; \(expectation)"
            if let opening = self.openings.last, expectation.hasPrefix(")") || expectation.hasPrefix("]") {
                message += " for the \(opening.sign) on line \(opening.place.line)"
            }
        }
        return .fault(ScriptFault(place: self.token.place, message: message))
    }

    func fault(_ message: String, at token: ScriptLexer.Lexeme) -> End {
        .fault(ScriptFault(place: token.place, message: message))
    }

    /// Counts a level of nesting; each call belongs to a `leave`.
    mutating func enter() throws(End) {
        self.depth += 1
        if self.depth > ScriptSyntax.deepest { throw .unjudged }
    }

    mutating func leave() { self.depth -= 1 }
}
