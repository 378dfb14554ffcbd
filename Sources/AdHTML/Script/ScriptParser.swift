import AdCore
import AdMarkup

/// Parses a script (ECMA-262 §13–16): the linter reports its syntax errors, and `ScriptInterpreter` runs its tree.
///
/// It does not use a browser, so that a report is the same on every computer and starts no process. It is tolerant: it
/// does not check early errors (a name that is declared twice, a strict-mode rule, an invalid assignment target). What
/// it rejects, every browser rejects. It reads each lexeme once, so its time is proportional to the script. The result
/// for a script that nests deeper than `maxDepth` is undecided.
package struct ScriptParser {
    typealias ID = ScriptProgram.ID
    typealias Lexeme = ScriptLexer.Lexeme

    /// The reason why parsing stops early.
    enum End: Error {
        case syntaxError(ScriptSyntaxError)
        /// The script nests too deep, or is a server's template and not a script.
        case undecided
    }

    /// An open bracket and its function, for the message if it is not closed.
    struct Opening {
        let bracket: StaticString
        let place: SourcePlace
        let function: String?
    }

    var lexer: ScriptLexer
    var token: Lexeme
    var openings: [Opening] = []
    /// The number of open functions; `return` is allowed only in one (§14.10).
    var functions: Int
    var depth = 0

    /// The tree, if it can represent the script.
    var program = ScriptProgram()
    private(set) var buildsTree: Bool
    /// The names that `var` declares, for each open function.
    var variables: [[String]] = [[]]
    /// The labels of the enclosing statements of the same function.
    var labels: [String] = []
    /// The last expression in parentheses, and its items, which are the parameters if `=>` follows.
    var group: (node: ID, items: [ID]) = (-1, [])

    /// The depth to which statements and expressions may nest, because each level uses stack.
    static let maxDepth = 150
    /// The depth to which a script with a tree may nest, because running it uses more stack than parsing it.
    static let maxTreeDepth = 100
    /// The length of names in a tree, because each use takes time in proportion to it.
    static let maxNameLength = 200

    /// The first syntax error of a script; nil if there is none.
    ///
    /// `isHandler` means that the code is the body of a function, like the value of `onclick`.
    package static func syntaxError(
        in bytes: ArraySlice<UInt8>,
        from place: SourcePlace,
        isHandler: Bool
    ) -> ScriptSyntaxError? {
        var parser = ScriptParser(bytes, from: place, isHandler: isHandler, buildsTree: false)
        return parser.run().error
    }

    /// The result of parsing a script into a tree.
    enum Reading {
        /// The index of the script's function in the program.
        case function(Int)
        case syntaxError(ScriptSyntaxError)
        /// The script exceeds a limit, or has something that the tree does not represent, such as a class.
        case unsupported
    }

    /// Adds a script to a program, as a function without parameters.
    static func read(_ bytes: ArraySlice<UInt8>, isHandler: Bool, into program: inout ScriptProgram) -> Reading {
        let start = SourcePlace(line: 1, column: 1)
        var parser = ScriptParser(bytes, from: start, isHandler: isHandler, buildsTree: true)
        // Swapping avoids a copy of the program.
        swap(&parser.program, &program)
        defer { swap(&parser.program, &program) }
        let (error, body) = parser.run()
        if let error { return .syntaxError(error) }
        guard parser.buildsTree, let body else { return .unsupported }
        return .function(parser.addFunction(nil, [], .statements(body), isArrow: false))
    }

    private init(_ bytes: ArraySlice<UInt8>, from place: SourcePlace, isHandler: Bool, buildsTree: Bool) {
        self.lexer = ScriptLexer(bytes, from: place)
        self.token = self.lexer.next(mayBeRegularExpression: true)
        self.functions = isHandler ? 1 : 0
        self.buildsTree = buildsTree
    }

    /// Parses the script; without a syntax error `body` has the statements, or is nil if the result is undecided.
    private mutating func run() -> (error: ScriptSyntaxError?, body: [ID]?) {
        do throws(End) {
            try self.checkLexeme()
            var body: [ID] = []
            while self.token.kind != .end { body.append(try self.statement()) }
            return (nil, body)
        } catch {
            if case .syntaxError(let error) = error { return (error, nil) }
            return (nil, nil)
        }
    }

    // MARK: The tree

    /// Adds a node; without a tree the result has no meaning.
    mutating func add(_ node: @autoclosure () -> ScriptProgram.Node) -> ID {
        guard self.buildsTree else { return 0 }
        guard self.program.nodes.count < ScriptProgram.maxNodes else { return self.unsupported() }
        self.program.nodes.append(node())
        return self.program.nodes.count - 1
    }

    /// Adds a node for the text of the current lexeme.
    mutating func addLiteral(_ node: (String) -> ScriptProgram.Node) -> ID {
        guard self.buildsTree else { return 0 }
        let text = self.word
        return self.add(node(text))
    }

    /// Stops building the tree, because it can't represent the script; syntax errors are still found.
    @discardableResult
    mutating func unsupported() -> ID {
        self.buildsTree = false
        return 0
    }

    mutating func addFunction(
        _ name: String?,
        _ parameters: [ID],
        _ body: ScriptProgram.Function.Body,
        isArrow: Bool
    ) -> Int {
        let variables = self.variables.removeLast()
        guard self.buildsTree else { return 0 }
        self.program.functions.append(
            ScriptProgram.Function(
                name: name,
                parameters: parameters,
                body: body,
                variables: variables,
                isArrow: isArrow
            )
        )
        return self.program.functions.count - 1
    }

    /// The current word as a name; empty if it is too long for the tree.
    mutating func nameText() -> String {
        guard self.buildsTree else { return "" }
        if self.token.range.count > ScriptParser.maxNameLength { self.unsupported() }
        return self.buildsTree ? self.word : ""
    }

    // MARK: Lexemes

    mutating func advance() throws(End) {
        self.token = self.lexer.next(mayBeRegularExpression: false)
        try self.checkLexeme()
    }

    private func checkLexeme() throws(End) {
        if let message = self.token.error {
            throw .syntaxError(ScriptSyntaxError(place: self.token.place, message: message))
        }
    }

    /// The lexeme after the current one.
    func peek() -> Lexeme {
        var lexer = self.lexer
        return lexer.next(mayBeRegularExpression: false)
    }

    func isPunctuator(_ punctuator: StaticString) -> Bool { self.isPunctuator(punctuator, self.token) }

    func isPunctuator(_ punctuator: StaticString, _ token: Lexeme) -> Bool {
        token.kind == .punctuator && self.lexer.isWord(token.range, punctuator)
    }

    func isWord(_ word: StaticString) -> Bool { self.isWord(word, self.token) }

    func isWord(_ word: StaticString, _ token: Lexeme) -> Bool {
        token.kind == .word && self.lexer.isWord(token.range, word)
    }

    /// The text of the current lexeme.
    var word: String { self.lexer.text(self.token.range) }

    /// Moves past a punctuator if it is the current lexeme; returns whether it is.
    mutating func consume(_ punctuator: StaticString) throws(End) -> Bool {
        guard self.isPunctuator(punctuator) else { return false }
        try self.advance()
        return true
    }

    mutating func open(_ punctuator: StaticString, of function: String? = nil, at place: SourcePlace? = nil) throws(End)
    {
        guard self.isPunctuator(punctuator) else { throw self.unexpected("\(punctuator) is expected") }
        self.openings.append(Opening(bracket: punctuator, place: place ?? self.token.place, function: function))
        try self.advance()
    }

    mutating func close(_ punctuator: StaticString) throws(End) {
        guard self.isPunctuator(punctuator) else { throw self.unexpected("\(punctuator) is expected") }
        self.openings.removeLast()
        try self.advance()
    }

    // MARK: Errors

    /// The error for an unexpected lexeme; at the end of the script it is the bracket that is not closed.
    func unexpected(_ expectation: String? = nil) -> End {
        if self.token.kind == .end, let opening = self.openings.last {
            let of = opening.function.map { " of \($0)" } ?? ""
            let line = self.token.place.line
            let message = "the \(opening.bracket)\(of) is not closed when the script ends on line \(line)"
            return .syntaxError(ScriptSyntaxError(place: opening.place, message: message))
        }
        let found = self.token.kind == .end ? "the end of the script" : self.word.quoted
        var message = "unexpected \(found)"
        if let expectation {
            message += "; \(expectation)"
            if let opening = self.openings.last, expectation.hasPrefix(")") || expectation.hasPrefix("]") {
                message += " for the \(opening.bracket) on line \(opening.place.line)"
            }
        }
        return .syntaxError(ScriptSyntaxError(place: self.token.place, message: message))
    }

    func error(_ message: String, at token: Lexeme) -> End {
        .syntaxError(ScriptSyntaxError(place: token.place, message: message))
    }

    /// Enters a level of nesting; each call needs a call of `leave()`.
    mutating func enter() throws(End) {
        self.depth += 1
        if self.depth > ScriptParser.maxTreeDepth { self.unsupported() }
        if self.depth > ScriptParser.maxDepth { throw .undecided }
    }

    mutating func leave() { self.depth -= 1 }
}
