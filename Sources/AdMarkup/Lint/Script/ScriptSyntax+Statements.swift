import AdCore

/// Statements and declarations (ECMA-262 §14).
extension ScriptSyntax {
    mutating func statement() throws(End) {
        try self.enter()
        defer { self.leave() }
        if self.isSign("{") { return try self.block() }
        if try self.takes(";") { return }
        guard self.token.kind == .word else { return try self.expressionStatement() }
        switch self.word {
        case "var", "const":
            try self.advance()
            try self.declarations(mayHaveIn: true)
            try self.semicolon()
        case "let" where self.beginsBinding(self.peek()):
            try self.advance()
            try self.declarations(mayHaveIn: true)
            try self.semicolon()
        case "function":
            if self.isSign("(", self.peek()) {
                throw self.fault("this function has no name and is no value", at: self.token)
            }
            try self.function()
        case "async" where self.isWord("function", self.peek()) && !self.peek().isAfterLine:
            try self.advance()
            try self.function()
        case "class": try self.classDefinition()
        case "if": try self.ifStatement()
        case "for": try self.forStatement()
        case "while", "with":
            try self.advance()
            try self.condition()
            try self.statement()
        case "do": try self.doStatement()
        case "switch": try self.switchStatement()
        case "try": try self.tryStatement()
        case "return": try self.returnStatement()
        case "throw":
            try self.advance()
            if self.token.isAfterLine { throw self.unexpected("throw needs a value on its line") }
            try self.expression()
            try self.semicolon()
        case "break", "continue":
            try self.advance()
            if self.token.kind == .word, !self.token.isAfterLine { try self.advance() }
            try self.semicolon()
        case "debugger":
            try self.advance()
            try self.semicolon()
        case "else": throw self.fault("else stands without its if", at: self.token)
        case "catch", "finally": throw self.fault("\(self.word) stands without its try", at: self.token)
        case "case", "default": throw self.fault("\(self.word) stands outside a switch", at: self.token)
        case "import" where !self.isSign("(", self.peek()) && !self.isSign(".", self.peek()):
            try self.moduleStatement()
        case "export": try self.exportStatement()
        default:
            if self.isSign(":", self.peek()), !ScriptSyntax.reserved.contains(self.word) {
                try self.advance()
                try self.advance()
                return try self.statement()
            }
            try self.expressionStatement()
        }
    }

    private mutating func expressionStatement() throws(End) {
        try self.expression()
        try self.semicolon()
    }

    /// The end of a statement, written or not (§12.10, automatic semicolon insertion).
    private mutating func semicolon() throws(End) {
        if try self.takes(";") { return }
        if self.isSign("}") || self.token.kind == .end || self.token.isAfterLine { return }
        throw self.unexpected()
    }

    mutating func block() throws(End) {
        try self.open("{")
        try self.statements()
        try self.close("}")
    }

    private mutating func statements() throws(End) {
        while !self.isSign("}") {
            if self.token.kind == .end { throw self.unexpected() }
            try self.statement()
        }
    }

    private mutating func condition() throws(End) {
        try self.open("(")
        try self.expression()
        try self.close(")")
    }

    private mutating func ifStatement() throws(End) {
        // A chain of `else if` is read in a loop: it may be long.
        while true {
            try self.advance()
            try self.condition()
            try self.statement()
            guard self.isWord("else") else { return }
            try self.advance()
            guard self.isWord("if") else { return try self.statement() }
        }
    }

    private mutating func doStatement() throws(End) {
        try self.advance()
        try self.statement()
        guard self.isWord("while") else { throw self.unexpected("while is expected behind do") }
        try self.advance()
        try self.condition()
        _ = try self.takes(";")
    }

    private mutating func forStatement() throws(End) {
        try self.advance()
        if self.isWord("await") { try self.advance() }
        try self.open("(")
        if !self.isSign(";") {
            let isDeclaration =
                self.isWord("var") || self.isWord("const") || (self.isWord("let") && self.beginsBinding(self.peek()))
            if isDeclaration {
                try self.advance()
                try self.declarations(mayHaveIn: false)
            } else {
                try self.expression(mayHaveIn: false)
            }
            if self.isWord("of") || self.isWord("in") {
                try self.advance()
                try self.expression()
                try self.close(")")
                return try self.statement()
            }
        }
        for isLast in [false, true] {
            guard try self.takes(";") else { throw self.unexpected("; is expected in the head of a for") }
            if !(isLast ? self.isSign(")") : self.isSign(";")) { try self.expression() }
        }
        try self.close(")")
        try self.statement()
    }

    private mutating func switchStatement() throws(End) {
        try self.advance()
        try self.condition()
        try self.open("{")
        while !self.isSign("}") {
            if self.isWord("case") {
                try self.advance()
                try self.expression()
            } else if self.isWord("default") {
                try self.advance()
            } else {
                throw self.unexpected("case or default is expected")
            }
            guard try self.takes(":") else { throw self.unexpected(": is expected") }
            while !self.isSign("}"), !self.isWord("case"), !self.isWord("default") {
                if self.token.kind == .end { throw self.unexpected() }
                try self.statement()
            }
        }
        try self.close("}")
    }

    private mutating func tryStatement() throws(End) {
        let start = self.token
        try self.advance()
        try self.block()
        var isHandled = false
        if self.isWord("catch") {
            isHandled = true
            try self.advance()
            if self.isSign("(") {
                try self.open("(")
                try self.binding()
                try self.close(")")
            }
            try self.block()
        }
        if self.isWord("finally") {
            isHandled = true
            try self.advance()
            try self.block()
        }
        if !isHandled {
            if self.token.kind == .end, !self.openings.isEmpty { throw self.unexpected() }
            throw self.fault("try stands without catch or finally", at: start)
        }
    }

    private mutating func returnStatement() throws(End) {
        if self.functions == 0 { throw self.fault("return stands outside a function", at: self.token) }
        try self.advance()
        if !self.isSign(";"), !self.isSign("}"), self.token.kind != .end, !self.token.isAfterLine {
            try self.expression()
        }
        try self.semicolon()
    }

    // MARK: Declarations

    /// Whether `let` begins a declaration before this lexeme; `of` is a name like any other (§14.7.5).
    func beginsBinding(_ token: ScriptLexer.Lexeme) -> Bool {
        if self.isSign("[", token) || self.isSign("{", token) { return true }
        return token.kind == .word && !self.isWord("in", token) && !self.isWord("instanceof", token)
    }

    private mutating func declarations(mayHaveIn: Bool) throws(End) {
        repeat {
            try self.binding()
            if try self.takes("=") { try self.assignment(mayHaveIn: mayHaveIn) }
        } while try self.takes(",")
    }

    /// A name, or a pattern of names (§14.3.3); defaults within it are read as of a literal.
    mutating func binding() throws(End) {
        if self.isSign("[") || self.isSign("{") { return try self.primary() }
        // A macro that a server replaces may stand for a name.
        if self.token.kind == .sign, try self.takesMacro() { return }
        guard self.token.kind == .word, !ScriptSyntax.reserved.contains(self.word) else {
            throw self.unexpected("a name is expected")
        }
        try self.advance()
    }

    /// `function name(…) {…}`, at its first word.
    mutating func function() throws(End) {
        let start = self.token.place
        try self.advance()
        _ = try self.takes("*")
        var name = "this function"
        if self.token.kind == .word {
            name = "function \(self.word.excerpt(60))"
            try self.advance()
        }
        try self.functionRest(name, from: start)
    }

    /// The parameters and the body of a function.
    mutating func functionRest(_ name: String, from start: LintPlace) throws(End) {
        try self.open("(", of: name, at: start)
        while !self.isSign(")") {
            _ = try self.takes("...")
            try self.binding()
            if try self.takes("=") { try self.assignment() }
            guard try self.takes(",") else { break }
        }
        try self.close(")")
        try self.functionBody(name, from: start)
    }

    mutating func functionBody(_ name: String, from start: LintPlace) throws(End) {
        self.functions += 1
        try self.open("{", of: name, at: start)
        try self.statements()
        self.functions -= 1
        try self.close("}")
    }

    // MARK: Modules

    /// `import … from "…"`, read loosely (§16.2.2).
    private mutating func moduleStatement() throws(End) {
        try self.advance()
        while self.token.kind == .word || self.isSign("{") || self.isSign("}") || self.isSign(",") || self.isSign("*") {
            try self.advance()
        }
        guard self.token.kind == .text else { throw self.unexpected("the name of a module is expected") }
        try self.advance()
        if self.isWord("with") || self.isWord("assert") {
            try self.advance()
            if self.isSign("{") { try self.primary() }
        }
        try self.semicolon()
    }

    private mutating func exportStatement() throws(End) {
        try self.advance()
        if self.isWord("default") {
            try self.advance()
            if self.isWord("function") { return try self.function() }
            if self.isWord("class") { return try self.classDefinition() }
            if self.isWord("async"), self.isWord("function", self.peek()) {
                try self.advance()
                return try self.function()
            }
            return try self.expressionStatement()
        }
        guard self.isSign("{") || self.isSign("*") else { return try self.statement() }
        if self.isSign("{") {
            try self.open("{")
            while self.token.kind == .word || self.token.kind == .text || self.isSign(",") { try self.advance() }
            try self.close("}")
        } else {
            try self.advance()
            if self.isWord("as") {
                try self.advance()
                try self.advance()
            }
        }
        if self.isWord("from") {
            try self.advance()
            guard self.token.kind == .text else { throw self.unexpected("the name of a module is expected") }
            try self.advance()
        }
        try self.semicolon()
    }
}
