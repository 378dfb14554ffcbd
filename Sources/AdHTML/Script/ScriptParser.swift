import AdCore
import AdMarkup

/// Parses a script (ECMA-262 §13–16): the linter reports its faults, and what a click does is read from its tree.
///
/// It is a parser of our own and not the browser's, so that a report is the same on every machine and takes no process.
/// It is tolerant: what is refused only by an early error (a name that is declared twice, a strict-mode rule, an
/// invalid assignment target) passes. What it refuses, every browser refuses. It reads each lexeme once, so its time is
/// proportional to the script, and it gives no verdict on a script that nests deeper than `maxDepth`.
package struct ScriptParser {
    typealias ID = ScriptProgram.ID
    typealias Lexeme = ScriptLexer.Lexeme

    /// Why parsing ends before the end of the script.
    enum End: Error {
        case fault(ScriptFault)
        /// It nests too deep, or is the template of a server and no script yet.
        case unjudged
    }

    /// The function or literal that a bracket belongs to, for the message about one that is not closed.
    struct Opening {
        let sign: StaticString
        let place: SourcePlace
        let function: String?
    }

    var lexer: ScriptLexer
    var token: Lexeme
    var openings: [Opening] = []
    /// How many functions are open; `return` is allowed only inside one (§14.10).
    var functions: Int
    var depth = 0

    /// The tree, as long as it can represent the script.
    var program = ScriptProgram()
    private(set) var buildsTree: Bool
    /// The names that `var` declares, for each open function.
    var variables: [[String]] = [[]]
    /// The labels of the statements around, within a function.
    var labels: [String] = []
    /// The last expression in parentheses, and its items: the parameters, if an arrow follows.
    var group: (node: ID, items: [ID]) = (-1, [])

    /// How deep statements and expressions may nest: a recursive descent takes stack for each level.
    static let maxDepth = 150
    /// How deep a script may nest whose tree is used: running it takes more stack than parsing it.
    static let maxTreeDepth = 100
    /// A tree has no longer names: each use would take time proportional to the name.
    static let maxNameLength = 200

    /// The first fault of a script; nil if there is none.
    ///
    /// `isHandler` says that it is the body of a function, as the value of `onclick` is.
    package static func fault(in bytes: ArraySlice<UInt8>, from place: SourcePlace, isHandler: Bool) -> ScriptFault? {
        var parser = ScriptParser(bytes, from: place, isHandler: isHandler, buildsTree: false)
        return parser.run().fault
    }

    /// The result of reading a script into a tree.
    enum Reading {
        /// The index of its function in the program.
        case function(Int)
        case fault(ScriptFault)
        /// It is too large or nests too deep, or has something that the tree does not represent, such as a class.
        case unsupported
    }

    /// Adds a script to a program, as a function without parameters.
    static func read(_ bytes: ArraySlice<UInt8>, isHandler: Bool, into program: inout ScriptProgram) -> Reading {
        let start = SourcePlace(line: 1, column: 1)
        var parser = ScriptParser(bytes, from: start, isHandler: isHandler, buildsTree: true)
        // The parser's copy is the only one while it grows.
        swap(&parser.program, &program)
        defer { swap(&parser.program, &program) }
        let (fault, body) = parser.run()
        if let fault { return .fault(fault) }
        guard parser.buildsTree, let body else { return .unsupported }
        return .function(parser.addFunction(nil, [], .statements(body), isArrow: false))
    }

    private init(_ bytes: ArraySlice<UInt8>, from place: SourcePlace, isHandler: Bool, buildsTree: Bool) {
        self.lexer = ScriptLexer(bytes, from: place)
        self.token = self.lexer.next(mayBeRegularExpression: true)
        self.functions = isHandler ? 1 : 0
        self.buildsTree = buildsTree
    }

    /// Parses everything; the statements, or nil if it gives no verdict.
    private mutating func run() -> (fault: ScriptFault?, body: [ID]?) {
        do throws(End) {
            try self.checkLexeme()
            var body: [ID] = []
            while self.token.kind != .end { body.append(try self.statement()) }
            return (nil, body)
        } catch {
            if case .fault(let fault) = error { return (fault, nil) }
            return (nil, nil)
        }
    }

    // MARK: The tree

    /// Adds a node; without a tree nothing is evaluated, and the result has no meaning.
    mutating func add(_ node: @autoclosure () -> ScriptProgram.Node) -> ID {
        guard self.buildsTree else { return 0 }
        guard self.program.nodes.count < ScriptProgram.maxNodes else { return self.unsupported() }
        self.program.nodes.append(node())
        return self.program.nodes.count - 1
    }

    /// Adds a node that is made of the current lexeme's text.
    mutating func addLiteral(_ node: (String) -> ScriptProgram.Node) -> ID {
        guard self.buildsTree else { return 0 }
        let text = self.word
        return self.add(node(text))
    }

    /// Notes that the tree cannot represent the script; its faults are still found.
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

    /// The current word as a name; a name that is too long for a tree is empty.
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
        if let fault = self.token.fault { throw .fault(ScriptFault(place: self.token.place, message: fault)) }
    }

    /// The lexeme after the current one.
    func peek() -> Lexeme {
        var lexer = self.lexer
        return lexer.next(mayBeRegularExpression: false)
    }

    func isPunctuator(_ sign: StaticString) -> Bool { self.isPunctuator(sign, self.token) }

    func isPunctuator(_ sign: StaticString, _ token: Lexeme) -> Bool {
        token.kind == .punctuator && self.lexer.isWord(token.range, sign)
    }

    func isWord(_ word: StaticString) -> Bool { self.isWord(word, self.token) }

    func isWord(_ word: StaticString, _ token: Lexeme) -> Bool {
        token.kind == .word && self.lexer.isWord(token.range, word)
    }

    /// The text of the current lexeme.
    var word: String { self.lexer.text(self.token.range) }

    /// Reads a punctuator if it is the current lexeme.
    mutating func consume(_ sign: StaticString) throws(End) -> Bool {
        guard self.isPunctuator(sign) else { return false }
        try self.advance()
        return true
    }

    mutating func open(_ sign: StaticString, of function: String? = nil, at place: SourcePlace? = nil) throws(End) {
        guard self.isPunctuator(sign) else { throw self.unexpected("\(sign) is expected") }
        self.openings.append(Opening(sign: sign, place: place ?? self.token.place, function: function))
        try self.advance()
    }

    mutating func close(_ sign: StaticString) throws(End) {
        guard self.isPunctuator(sign) else { throw self.unexpected("\(sign) is expected") }
        self.openings.removeLast()
        try self.advance()
    }

    // MARK: Faults

    /// The fault of the current lexeme; at the end of the script it is the bracket that is not closed.
    func unexpected(_ expectation: String? = nil) -> End {
        if self.token.kind == .end, let opening = self.openings.last {
            let of = opening.function.map { " of \($0)" } ?? ""
            let line = self.token.place.line
            let message = "the \(opening.sign)\(of) is not closed when the script ends on line \(line)"
            return .fault(ScriptFault(place: opening.place, message: message))
        }
        let found = self.token.kind == .end ? "the end of the script" : self.word.quoted
        var message = "unexpected \(found)"
        if let expectation {
            message += "; \(expectation)"
            if let opening = self.openings.last, expectation.hasPrefix(")") || expectation.hasPrefix("]") {
                message += " for the \(opening.sign) on line \(opening.place.line)"
            }
        }
        return .fault(ScriptFault(place: self.token.place, message: message))
    }

    func fault(_ message: String, at token: Lexeme) -> End {
        .fault(ScriptFault(place: token.place, message: message))
    }

    /// Enters a level of nesting; each call needs a `leave`.
    mutating func enter() throws(End) {
        self.depth += 1
        if self.depth > ScriptParser.maxTreeDepth { self.unsupported() }
        if self.depth > ScriptParser.maxDepth { throw .unjudged }
    }

    mutating func leave() { self.depth -= 1 }
}
