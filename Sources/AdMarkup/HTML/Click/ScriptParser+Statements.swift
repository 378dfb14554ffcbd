import AdCore

/// Statements (ECMA-262 §14).
extension ScriptParser {
    mutating func statement() throws(Unread) -> ID {
        try self.enter()
        defer { self.leave() }
        if self.isSign("{") { return try self.add(.block(self.block())) }
        if try self.takes(";") { return try self.add(.empty) }
        guard self.token.kind == .word else { return try self.expressionStatement() }
        switch self.word {
        case "var", "const": return try self.declaration()
        case "let" where self.beginsBinding(self.peek()): return try self.declaration()
        case "function": return try self.functionDeclaration()
        case "async" where self.isWord("function", self.peek()) && !self.peek().isAfterLine:
            try self.advance()
            return try self.functionDeclaration()
        case "if": return try self.ifStatement()
        case "for": return try self.forStatement()
        case "while":
            try self.advance()
            let test = try self.condition()
            let body = try self.statement()
            return try self.add(.loop(ScriptProgram.Loop(test: test, body: body)))
        case "do": return try self.doStatement()
        case "switch": return try self.switchStatement()
        case "try": return try self.tryStatement()
        case "return", "throw", "break", "continue": return try self.leaveStatement()
        case "debugger":
            try self.advance()
            try self.semicolon()
            return try self.add(.empty)
        case "class", "with", "import", "export": throw Unread()
        default:
            return self.isSign(":", self.peek()) ? try self.labelled() : try self.expressionStatement()
        }
    }

    /// A statement behind a label (§14.13).
    private mutating func labelled() throws(Unread) -> ID {
        let label = try self.name()
        try self.expect(":")
        self.labels.append(label)
        defer { self.labels.removeLast() }
        let body = try self.statement()
        // A function is declared all the same.
        if case .declareFunction = self.program.nodes[body] { return body }
        return try self.add(.labelled(label, body))
    }

    private mutating func expressionStatement() throws(Unread) -> ID {
        let value = try self.expression()
        try self.semicolon()
        return try self.add(.expression(value))
    }

    /// The end of a statement, written or not (§12.10).
    private mutating func semicolon() throws(Unread) {
        if try self.takes(";") { return }
        if self.isSign("}") || self.token.kind == .end || self.token.isAfterLine { return }
        throw Unread()
    }

    private mutating func block() throws(Unread) -> [ID] {
        try self.expect("{")
        var statements: [ID] = []
        while !self.isSign("}") {
            if self.token.kind == .end { throw Unread() }
            statements.append(try self.statement())
        }
        try self.expect("}")
        return statements
    }

    private mutating func condition() throws(Unread) -> ID {
        try self.expect("(")
        let test = try self.expression()
        try self.expect(")")
        return test
    }

    // MARK: Declarations

    func beginsBinding(_ token: Lexeme) -> Bool {
        if self.isSign("[", token) || self.isSign("{", token) { return true }
        return token.kind == .word && !self.isWord("in", token) && !self.isWord("instanceof", token)
    }

    /// A name, or a pattern of names (§14.3.3), read as the literal that it looks like.
    mutating func binding() throws(Unread) -> ID {
        if self.isSign("[") || self.isSign("{") { return try self.primary() }
        return try self.add(.name(self.name()))
    }

    private mutating func declaration() throws(Unread) -> ID {
        let node = try self.declarations(mayHaveIn: true)
        try self.semicolon()
        return node
    }

    private mutating func declarations(mayHaveIn: Bool) throws(Unread) -> ID {
        let isVariable = self.isWord("var")
        try self.advance()
        var all: [(target: ID, value: ID?)] = []
        repeat {
            let target = try self.binding()
            if isVariable { self.declare(target) }
            all.append((target, try self.takes("=") ? try self.assignment(mayHaveIn: mayHaveIn) : nil))
        } while try self.takes(",")
        return try self.add(.declare(isVariable: isVariable, all))
    }

    private mutating func functionDeclaration() throws(Unread) -> ID {
        try self.advance()
        if self.isSign("*") { throw Unread() }
        let name = try self.name()
        return try self.add(.declareFunction(name, self.functionRest(name)))
    }

    // MARK: Branches and loops

    private mutating func ifStatement() throws(Unread) -> ID {
        try self.advance()
        let test = try self.condition()
        let then = try self.statement()
        guard try self.takesWord("else") else { return try self.add(.condition(test, then, nil)) }
        let other = try self.statement()
        return try self.add(.condition(test, then, other))
    }

    private mutating func doStatement() throws(Unread) -> ID {
        try self.advance()
        let body = try self.statement()
        guard try self.takesWord("while") else { throw Unread() }
        let test = try self.condition()
        _ = try self.takes(";")
        return try self.add(.loop(ScriptProgram.Loop(test: test, body: body, testsLast: true)))
    }

    private mutating func forStatement() throws(Unread) -> ID {
        try self.advance()
        _ = try self.takesWord("await")
        try self.expect("(")
        var start: ID?
        if !self.isSign(";") {
            let isDeclaration =
                self.isWord("var") || self.isWord("const") || (self.isWord("let") && self.beginsBinding(self.peek()))
            let node =
                isDeclaration ? try self.declarations(mayHaveIn: false) : try self.expression(mayHaveIn: false)
            if self.isWord("of") || self.isWord("in") {
                let isOf = self.isWord("of")
                try self.advance()
                let values = try self.expression()
                try self.expect(")")
                let body = try self.statement()
                return try self.add(.each(target: node, values: values, isOf: isOf, body: body))
            }
            start = isDeclaration ? node : try self.add(.expression(node))
        }
        try self.expect(";")
        let test = self.isSign(";") ? nil : try self.expression()
        try self.expect(";")
        let step = self.isSign(")") ? nil : try self.expression()
        try self.expect(")")
        let body = try self.statement()
        return try self.add(.loop(ScriptProgram.Loop(start: start, test: test, step: step, body: body)))
    }

    private mutating func switchStatement() throws(Unread) -> ID {
        try self.advance()
        let subject = try self.condition()
        try self.expect("{")
        var cases: [(test: ID?, body: [ID])] = []
        while !self.isSign("}") {
            var test: ID?
            if try self.takesWord("case") {
                test = try self.expression()
            } else if try !self.takesWord("default") {
                throw Unread()
            }
            try self.expect(":")
            var body: [ID] = []
            while !self.isSign("}"), !self.isWord("case"), !self.isWord("default") {
                if self.token.kind == .end { throw Unread() }
                body.append(try self.statement())
            }
            cases.append((test, body))
        }
        try self.expect("}")
        return try self.add(.select(subject, cases))
    }

    private mutating func tryStatement() throws(Unread) -> ID {
        try self.advance()
        let body = try self.add(.block(self.block()))
        var parameter: ID?
        var handler: ID?
        if try self.takesWord("catch") {
            if try self.takes("(") {
                parameter = try self.binding()
                try self.expect(")")
            }
            handler = try self.add(.block(self.block()))
        }
        let last = try self.takesWord("finally") ? try self.add(.block(self.block())) : nil
        return try self.add(.attempt(body, parameter: parameter, handler: handler, last: last))
    }

    private mutating func leaveStatement() throws(Unread) -> ID {
        let word = self.word
        try self.advance()
        let isEnd = self.isSign(";") || self.isSign("}") || self.token.kind == .end || self.token.isAfterLine
        switch word {
        case "return", "throw":
            let value = isEnd ? nil : try self.expression()
            try self.semicolon()
            return try self.add(.leave(word == "return" ? .returning : .throwing, value))
        default:
            let label = isEnd ? nil : try self.name()
            // Which scripts with a label that is not there a browser refuses is not asked here.
            if let label, !self.labels.contains(label) { throw Unread() }
            try self.semicolon()
            return try self.add(.leave(word == "break" ? .breaking(label) : .continuing(label), nil))
        }
    }
}
