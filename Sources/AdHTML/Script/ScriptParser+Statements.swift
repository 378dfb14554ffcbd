import AdCore
import AdMarkup

/// Statements and declarations (ECMA-262 §14).
extension ScriptParser {
    mutating func statement() throws(End) -> ID {
        try self.enter()
        defer { self.leave() }
        if self.isPunctuator("{") { return try self.block() }
        if try self.consume(";") { return self.add(.empty) }
        guard self.token.kind == .word else { return try self.expressionStatement() }
        switch self.word {
        case "var", "const": return try self.declarationStatement()
        case "let" where self.startsBinding(self.peek()): return try self.declarationStatement()
        case "function":
            if self.isPunctuator("(", self.peek()) {
                throw self.error("this function has no name and is not used as a value", at: self.token)
            }
            return try self.functionDeclaration()
        case "async" where self.isWord("function", self.peek()) && !self.peek().isAfterLineBreak:
            try self.advance()
            return try self.functionDeclaration()
        case "class":
            try self.classDefinition()
            return 0
        case "if": return try self.ifStatement()
        case "for": return try self.forStatement()
        case "while", "with":
            if self.isWord("with") { self.unsupported() }
            try self.advance()
            let test = try self.condition()
            let body = try self.statement()
            return self.add(.loop(ScriptProgram.Loop(test: test, body: body)))
        case "do": return try self.doStatement()
        case "switch": return try self.switchStatement()
        case "try": return try self.tryStatement()
        case "return", "throw": return try self.returnOrThrow()
        case "break", "continue": return try self.breakOrContinue()
        case "debugger":
            try self.advance()
            try self.semicolon()
            return self.add(.empty)
        case "else": throw self.error("else without an if", at: self.token)
        case "catch", "finally": throw self.error("\(self.word) without a try", at: self.token)
        case "case", "default": throw self.error("\(self.word) outside a switch", at: self.token)
        case "import" where !self.isPunctuator("(", self.peek()) && !self.isPunctuator(".", self.peek()):
            try self.importStatement()
            return 0
        case "export":
            try self.exportStatement()
            return 0
        default:
            if self.isPunctuator(":", self.peek()), !ScriptParser.reserved.contains(self.word) {
                return try self.labelled()
            }
            return try self.expressionStatement()
        }
    }

    private mutating func expressionStatement() throws(End) -> ID {
        let value = try self.expression()
        try self.semicolon()
        return self.add(.expression(value))
    }

    /// Parses a statement with a label (§14.13).
    private mutating func labelled() throws(End) -> ID {
        let label = self.nameText()
        try self.advance()
        try self.advance()
        self.labels.append(label)
        let body = try self.statement()
        self.labels.removeLast()
        // A labelled function is declared like any other.
        if self.buildsTree, case .declareFunction = self.program.nodes[body] { return body }
        return self.add(.labelled(label, body))
    }

    /// Moves past the end of a statement, with or without a semicolon (§12.10).
    private mutating func semicolon() throws(End) {
        if try self.consume(";") { return }
        if self.isPunctuator("}") || self.token.kind == .end || self.token.isAfterLineBreak { return }
        throw self.unexpected()
    }

    mutating func block() throws(End) -> ID {
        try self.open("{")
        let body = try self.statements()
        try self.close("}")
        return self.add(.block(body))
    }

    mutating func statements() throws(End) -> [ID] {
        var statements: [ID] = []
        while !self.isPunctuator("}") {
            if self.token.kind == .end { throw self.unexpected() }
            statements.append(try self.statement())
        }
        return statements
    }

    private mutating func condition() throws(End) -> ID {
        try self.open("(")
        let test = try self.expression()
        try self.close(")")
        return test
    }

    // MARK: Branches and loops

    private mutating func ifStatement() throws(End) -> ID {
        // A long chain of `else if` is parsed in a loop, because recursion uses stack.
        var branches: [(test: ID, then: ID)] = []
        var last: ID?
        while true {
            try self.advance()
            let test = try self.condition()
            branches.append((test, try self.statement()))
            guard self.isWord("else") else { break }
            try self.advance()
            guard self.isWord("if") else {
                last = try self.statement()
                break
            }
            if branches.count + self.depth > ScriptParser.maxTreeDepth { self.unsupported() }
        }
        for branch in branches.reversed() {
            let other = last
            last = self.add(.ifElse(branch.test, branch.then, other))
        }
        return last ?? 0
    }

    private mutating func doStatement() throws(End) -> ID {
        try self.advance()
        let body = try self.statement()
        guard self.isWord("while") else { throw self.unexpected("while is expected after do") }
        try self.advance()
        let test = try self.condition()
        _ = try self.consume(";")
        return self.add(.loop(ScriptProgram.Loop(test: test, body: body, testsLast: true)))
    }

    private mutating func forStatement() throws(End) -> ID {
        try self.advance()
        if self.isWord("await") { try self.advance() }
        try self.open("(")
        var start: ID?
        if !self.isPunctuator(";") {
            let isDeclaration =
                self.isWord("var") || self.isWord("const") || (self.isWord("let") && self.startsBinding(self.peek()))
            let node =
                isDeclaration ? try self.declarations(mayHaveIn: false) : try self.expression(mayHaveIn: false)
            if self.isWord("of") || self.isWord("in") {
                let isOf = self.isWord("of")
                try self.advance()
                let values = try self.expression()
                try self.close(")")
                let body = try self.statement()
                return self.add(.forEach(target: node, values: values, isOf: isOf, body: body))
            }
            start = isDeclaration ? node : self.add(.expression(node))
        }
        var parts: [ID?] = []
        for isLast in [false, true] {
            guard try self.consume(";") else { throw self.unexpected("; is expected in the head of a for") }
            let isEmpty = isLast ? self.isPunctuator(")") : self.isPunctuator(";")
            parts.append(isEmpty ? nil : try self.expression())
        }
        try self.close(")")
        let body = try self.statement()
        return self.add(.loop(ScriptProgram.Loop(start: start, test: parts[0], step: parts[1], body: body)))
    }

    private mutating func switchStatement() throws(End) -> ID {
        try self.advance()
        let subject = try self.condition()
        try self.open("{")
        var cases: [(test: ID?, body: [ID])] = []
        while !self.isPunctuator("}") {
            var test: ID?
            if self.isWord("case") {
                try self.advance()
                test = try self.expression()
            } else if self.isWord("default") {
                try self.advance()
            } else {
                throw self.unexpected("case or default is expected")
            }
            guard try self.consume(":") else { throw self.unexpected(": is expected") }
            var body: [ID] = []
            while !self.isPunctuator("}"), !self.isWord("case"), !self.isWord("default") {
                if self.token.kind == .end { throw self.unexpected() }
                body.append(try self.statement())
            }
            cases.append((test, body))
        }
        try self.close("}")
        return self.add(.switchCase(subject, cases))
    }

    private mutating func tryStatement() throws(End) -> ID {
        let start = self.token
        try self.advance()
        let body = try self.block()
        var parameter: ID?
        var handler: ID?
        var finalizer: ID?
        if self.isWord("catch") {
            try self.advance()
            if self.isPunctuator("(") {
                try self.open("(")
                parameter = try self.binding()
                try self.close(")")
            }
            handler = try self.block()
        }
        if self.isWord("finally") {
            try self.advance()
            finalizer = try self.block()
        }
        if handler == nil, finalizer == nil {
            if self.token.kind == .end, !self.openings.isEmpty { throw self.unexpected() }
            throw self.error("try without catch or finally", at: start)
        }
        return self.add(.tryCatch(body, parameter: parameter, handler: handler, finalizer: finalizer))
    }

    /// `return` and `throw` (§14.10, §14.14).
    private mutating func returnOrThrow() throws(End) -> ID {
        let isReturn = self.isWord("return")
        if isReturn, self.functions == 0 { throw self.error("return outside a function", at: self.token) }
        try self.advance()
        if !isReturn, self.token.isAfterLineBreak { throw self.unexpected("throw needs a value on its line") }
        var value: ID?
        if !isReturn
            || !(self.isPunctuator(";") || self.isPunctuator("}") || self.token.kind == .end
                || self.token.isAfterLineBreak)
        {
            value = try self.expression()
        }
        try self.semicolon()
        return self.add(.jump(isReturn ? .returning : .throwing, value))
    }

    /// `break` and `continue` (§14.8, §14.9).
    private mutating func breakOrContinue() throws(End) -> ID {
        let isBreak = self.isWord("break")
        try self.advance()
        var label: String?
        if self.token.kind == .word, !self.token.isAfterLineBreak {
            let name = self.nameText()
            // An unknown label is an early error, which is not checked.
            if !self.labels.contains(name) { self.unsupported() }
            label = name
            try self.advance()
        }
        try self.semicolon()
        return self.add(.jump(isBreak ? .breaking(label) : .continuing(label), nil))
    }

    // MARK: Declarations

    /// Whether `let` before a lexeme begins a declaration; `of` is an ordinary name (§14.7.5).
    func startsBinding(_ token: Lexeme) -> Bool {
        if self.isPunctuator("[", token) || self.isPunctuator("{", token) { return true }
        return token.kind == .word && !self.isWord("in", token) && !self.isWord("instanceof", token)
    }

    private mutating func declarationStatement() throws(End) -> ID {
        let node = try self.declarations(mayHaveIn: true)
        try self.semicolon()
        return node
    }

    /// Parses `var`, `let` or `const` with its targets.
    private mutating func declarations(mayHaveIn: Bool) throws(End) -> ID {
        let isVariable = self.isWord("var")
        try self.advance()
        var all: [(target: ID, value: ID?)] = []
        repeat {
            let target = try self.binding()
            if isVariable { self.declare(target) }
            all.append((target, try self.consume("=") ? try self.assignment(mayHaveIn: mayHaveIn) : nil))
        } while try self.consume(",")
        return self.add(.declare(isVariable: isVariable, all))
    }

    /// Parses a name or a destructuring pattern (§14.3.3), which is parsed like a literal.
    mutating func binding() throws(End) -> ID {
        if self.isPunctuator("[") || self.isPunctuator("{") { return try self.primary() }
        // An ad server's macro may be in place of a name.
        if self.token.kind == .punctuator, try self.consumeMacro() { return 0 }
        guard self.token.kind == .word, !ScriptParser.reserved.contains(self.word) else {
            throw self.unexpected("a name is expected")
        }
        let name = self.nameText()
        try self.advance()
        return self.add(.name(name))
    }

    private mutating func functionDeclaration() throws(End) -> ID {
        let (name, index) = try self.function()
        guard let name else { return self.unsupported() }
        return self.add(.declareFunction(name, index))
    }

    // MARK: Modules

    /// Parses `import … from "…"` tolerantly (§16.2.2); the tree has no modules.
    private mutating func importStatement() throws(End) {
        self.unsupported()
        try self.advance()
        while self.token.kind == .word || self.isPunctuator("{") || self.isPunctuator("}") || self.isPunctuator(",")
            || self.isPunctuator("*")
        {
            try self.advance()
        }
        try self.moduleName()
        if self.isWord("with") || self.isWord("assert") {
            try self.advance()
            if self.isPunctuator("{") { _ = try self.primary() }
        }
        try self.semicolon()
    }

    /// Parses `export` tolerantly (§16.2.3).
    private mutating func exportStatement() throws(End) {
        self.unsupported()
        try self.advance()
        if self.isWord("default") {
            try self.advance()
            if self.isWord("async"), self.isWord("function", self.peek()) { try self.advance() }
            if self.isWord("function") {
                _ = try self.function()
            } else if self.isWord("class") {
                try self.classDefinition()
            } else {
                _ = try self.expressionStatement()
            }
            return
        }
        if self.isPunctuator("{") {
            try self.open("{")
            while self.token.kind == .word || self.token.kind == .string || self.isPunctuator(",") {
                try self.advance()
            }
            try self.close("}")
        } else if self.isPunctuator("*") {
            try self.advance()
            if self.isWord("as") {
                try self.advance()
                try self.advance()
            }
        } else {
            _ = try self.statement()
            return
        }
        if self.isWord("from") {
            try self.advance()
            try self.moduleName()
        }
        try self.semicolon()
    }

    private mutating func moduleName() throws(End) {
        guard self.token.kind == .string else { throw self.unexpected("the name of a module is expected") }
        try self.advance()
    }
}
