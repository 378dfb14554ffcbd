import AdCore

/// Reads a script into a `ScriptProgram`.
///
/// Which scripts a browser refuses is decided by `ScriptSyntax`; this parser is asked for the others. What it does not
/// know (classes, generators) becomes `unsupported`, or ends the reading.
struct ScriptParser {
    typealias ID = ScriptProgram.ID
    typealias Lexeme = ScriptLexer.Lexeme

    /// The script is not read: it is too large, nests too deep, or has something that is not known here.
    struct Unread: Error {}

    var program: ScriptProgram
    var lexer: ScriptLexer
    var token: Lexeme
    private var depth = 0
    private var variables: [[String]] = [[]]
    /// The labels in front of the statements around, within a function.
    var labels: [String] = []

    /// A parser by descent takes stack for each level.
    private static let deepest = 100
    /// Names longer than this are not read: each use would take as long as the name.
    static let longestName = 200

    /// Adds a script to a program; returns it as a function without parameters.
    static func read(_ bytes: ArraySlice<UInt8>, into program: inout ScriptProgram) throws(Unread) -> Int {
        var lexer = ScriptLexer(bytes, from: LintPlace(line: 1, column: 1))
        let first = lexer.next(mayBePattern: true)
        var parser = ScriptParser(program, lexer, first)
        // The parser's copy is the only one while it adds to it.
        program = ScriptProgram()
        defer { program = parser.program }
        guard first.fault == nil else { throw Unread() }
        var body: [ID] = []
        while parser.token.kind != .end { body.append(try parser.statement()) }
        parser.program.functions.append(
            ScriptProgram.Function(
                name: nil,
                parameters: [],
                body: .statements(body),
                variables: parser.variables[0],
                isArrow: false
            )
        )
        return parser.program.functions.count - 1
    }

    private init(_ program: ScriptProgram, _ lexer: ScriptLexer, _ token: Lexeme) {
        self.program = program
        self.lexer = lexer
        self.token = token
    }

    // MARK: Lexemes

    mutating func advance() throws(Unread) {
        self.token = self.lexer.next(mayBePattern: false)
        if self.token.fault != nil { throw Unread() }
    }

    func peek() -> Lexeme {
        var lexer = self.lexer
        return lexer.next(mayBePattern: false)
    }

    func isSign(_ sign: StaticString, _ token: Lexeme? = nil) -> Bool {
        let token = token ?? self.token
        return token.kind == .sign && self.lexer.isWord(token.range, sign)
    }

    func isWord(_ word: StaticString, _ token: Lexeme? = nil) -> Bool {
        let token = token ?? self.token
        return token.kind == .word && self.lexer.isWord(token.range, word)
    }

    var word: String { self.lexer.text(self.token.range) }

    /// The word that stands here, as a name.
    mutating func name() throws(Unread) -> String {
        guard self.token.kind == .word, self.token.range.count <= ScriptParser.longestName else { throw Unread() }
        let name = self.word
        try self.advance()
        return name
    }

    mutating func takes(_ sign: StaticString) throws(Unread) -> Bool {
        guard self.isSign(sign) else { return false }
        try self.advance()
        return true
    }

    mutating func expect(_ sign: StaticString) throws(Unread) {
        guard try self.takes(sign) else { throw Unread() }
    }

    mutating func takesWord(_ word: StaticString) throws(Unread) -> Bool {
        guard self.isWord(word) else { return false }
        try self.advance()
        return true
    }

    // MARK: Nodes

    mutating func add(_ node: ScriptProgram.Node) throws(Unread) -> ID {
        guard self.program.nodes.count < ScriptProgram.most else { throw Unread() }
        self.program.nodes.append(node)
        return self.program.nodes.count - 1
    }

    mutating func enter() throws(Unread) {
        self.depth += 1
        if self.depth > ScriptParser.deepest { throw Unread() }
    }

    mutating func leave() { self.depth -= 1 }

    // MARK: Functions

    /// The names that a target of `var` declares in the function around it.
    mutating func declare(_ target: ID) {
        switch self.program.nodes[target] {
        case .name(let name): self.variables[self.variables.count - 1].append(name)
        case .assign(_, let inner, _), .spread(let inner): self.declare(inner)
        case .array(let items): for item in items { self.declare(item) }
        case .object(let members): for member in members { self.declare(member.value) }
        default: break
        }
    }

    /// `(…) {…}` behind a function's name.
    mutating func functionRest(_ name: String?) throws(Unread) -> Int {
        try self.expect("(")
        var parameters: [ID] = []
        while !self.isSign(")") {
            let isRest = try self.takes("...")
            var target = try self.binding()
            if isRest { target = try self.add(.spread(target)) }
            if try self.takes("=") {
                let value = try self.assignment()
                target = try self.add(.assign("=", target, value))
            }
            parameters.append(target)
            guard try self.takes(",") else { break }
        }
        try self.expect(")")
        return try self.functionBody(name, parameters, isArrow: false)
    }

    mutating func functionBody(_ name: String?, _ parameters: [ID], isArrow: Bool) throws(Unread) -> Int {
        self.variables.append([])
        let labels = self.labels
        self.labels = []
        defer { self.labels = labels }
        let body: ScriptProgram.Function.Body
        if !isArrow || self.isSign("{") {
            try self.expect("{")
            var statements: [ID] = []
            while !self.isSign("}") {
                if self.token.kind == .end { throw Unread() }
                statements.append(try self.statement())
            }
            body = .statements(statements)
            let variables = self.variables.removeLast()
            self.add(name, parameters, body, variables, isArrow)
            let index = self.program.functions.count - 1
            try self.expect("}")
            return index
        }
        body = .value(try self.assignment())
        self.add(name, parameters, body, self.variables.removeLast(), isArrow)
        return self.program.functions.count - 1
    }

    private mutating func add(
        _ name: String?,
        _ parameters: [ID],
        _ body: ScriptProgram.Function.Body,
        _ variables: [String],
        _ isArrow: Bool
    ) {
        self.program.functions.append(
            ScriptProgram.Function(
                name: name,
                parameters: parameters,
                body: body,
                variables: variables,
                isArrow: isArrow
            )
        )
    }
}
