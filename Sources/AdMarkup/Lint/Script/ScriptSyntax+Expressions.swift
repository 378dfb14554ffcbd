import AdCore

/// Expressions (ECMA-262 §13).
extension ScriptSyntax {
    static let reserved: Set<String> = [
        "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else", "enum",
        "export", "extends", "finally", "for", "function", "if", "import", "in", "instanceof", "new", "return", "super",
        "switch", "this", "throw", "try", "typeof", "var", "void", "while", "with", "null", "true", "false",
    ]

    mutating func expression(mayHaveIn: Bool = true) throws(End) {
        repeat { try self.assignment(mayHaveIn: mayHaveIn) } while try self.takes(",")
    }

    mutating func assignment(mayHaveIn: Bool = true) throws(End) {
        try self.enter()
        defer { self.leave() }
        // Long chains of conditions and assignments are read in a loop, not in depth.
        while true {
            let start = self.token.place
            if try self.yieldWithoutValue() { return }
            let isAsync = self.isWord("async") && !self.peek().isAfterLine
            if isAsync, self.isWord("function", self.peek()) == false, self.peek().kind == .word,
                !ScriptSyntax.reserved.contains(self.lexer.text(self.peek().range))
            {
                // `async x => …`
                try self.advance()
            }
            try self.binary(mayHaveIn: mayHaveIn)
            if self.isSign("=>"), !self.token.isAfterLine {
                try self.advance()
                if self.isSign("{") { return try self.functionBody("this function", from: start) }
                continue
            }
            if try self.takes("?") {
                try self.assignment()
                guard try self.takes(":") else { throw self.unexpected(": is expected behind ?") }
                continue
            }
            guard self.isAssignment else { return }
            try self.advance()
        }
    }

    private var isAssignment: Bool {
        guard self.token.kind == .sign,
            self.lexer.byte(self.token.range.upperBound - 1) == UInt8(ascii: "=")
        else { return false }
        return !["==", "===", "!=", "!==", "<=", ">="].contains { (sign: StaticString) in self.isSign(sign) }
    }

    /// Moves behind `yield`; true where no value follows it.
    private mutating func yieldWithoutValue() throws(End) -> Bool {
        guard self.isWord("yield") else { return false }
        let next = self.peek()
        if next.kind == .end || next.isAfterLine { return false }
        if next.kind == .sign {
            if self.isSign("*", next) {
                try self.advance()
                try self.advance()
                return false
            }
            let begins = ["(", "[", "{", "+", "-", "!", "~", "/"].contains { (sign: StaticString) in
                self.isSign(sign, next)
            }
            if begins { try self.advance() }
            return false
        }
        if self.isWord("in", next) || self.isWord("of", next) || self.isWord("instanceof", next) { return false }
        try self.advance()
        return false
    }

    /// Operands with operators between them: which binds closer makes no difference here.
    private mutating func binary(mayHaveIn: Bool) throws(End) {
        try self.unary()
        while self.isOperator(mayHaveIn: mayHaveIn) {
            let sign = self.token
            try self.advance()
            if self.token.kind == .end || self.endsExpression {
                let shown = self.lexer.text(sign.range)
                if self.token.kind == .end, !self.openings.isEmpty, sign.place.line != self.token.place.line {
                    throw self.unexpected()
                }
                throw self.fault("nothing stands behind \(shown)", at: sign)
            }
            try self.unary()
        }
    }

    private var endsExpression: Bool {
        [")", "]", "}", ",", ";", ":"].contains { (sign: StaticString) in self.isSign(sign) }
    }

    private func isOperator(mayHaveIn: Bool) -> Bool {
        if self.token.kind == .word {
            return self.isWord("instanceof") || (mayHaveIn && self.isWord("in"))
        }
        guard self.token.kind == .sign else { return false }
        switch self.token.range.count {
        case 1: return "+-*/%<>&|^".utf8.contains(self.lexer.byte(self.token.range.lowerBound))
        case 2:
            return ["==", "!=", "<=", ">=", "&&", "||", "??", "**", "<<", ">>"].contains { (sign: StaticString) in
                self.isSign(sign)
            }
        default: return self.isSign("===") || self.isSign("!==") || self.isSign(">>>")
        }
    }

    private mutating func unary() throws(End) {
        while true {
            if self.token.kind == .sign {
                let isPrefix = ["!", "~", "+", "-", "++", "--"].contains { (sign: StaticString) in self.isSign(sign) }
                guard isPrefix else { break }
            } else {
                let isPrefix =
                    self.isWord("typeof") || self.isWord("void") || self.isWord("delete")
                    || (self.isWord("await") && self.beginsOperand(self.peek()))
                guard isPrefix else { break }
            }
            try self.advance()
        }
        try self.operand()
        if self.isSign("++") || self.isSign("--"), !self.token.isAfterLine { try self.advance() }
    }

    /// Whether `await` is an operator, by what stands behind it; elsewhere it is a name.
    private func beginsOperand(_ token: ScriptLexer.Lexeme) -> Bool {
        switch token.kind {
        case .word:
            return !self.isWord("in", token) && !self.isWord("of", token) && !self.isWord("instanceof", token)
                && !token.isAfterLine
        case .number, .text, .template, .privateName: return !token.isAfterLine
        case .sign:
            return self.isSign("(", token) || self.isSign("[", token) || self.isSign("{", token)
                || self.isSign("!", token)
        case .pattern, .end: return false
        }
    }

    /// An operand with its members and calls (§13.3).
    mutating func operand() throws(End) {
        var isTarget = false
        while self.isWord("new"), !isTarget {
            try self.advance()
            // `new.target` is an operand of its own.
            isTarget = try self.takes(".")
            if isTarget { try self.advance() }
        }
        if !isTarget { try self.primary() }
        while true {
            if self.isSign(".") || self.isSign("?.") {
                let isOptional = self.isSign("?.")
                try self.advance()
                if isOptional, self.isSign("(") || self.isSign("[") { continue }
                if case .template = self.token.kind, isOptional { continue }
                guard self.token.kind == .word || self.token.kind == .privateName else {
                    throw self.unexpected("the name of a member is expected")
                }
                try self.advance()
            } else if self.isSign("(") {
                try self.arguments()
            } else if self.isSign("[") {
                try self.open("[")
                try self.expression()
                try self.close("]")
            } else if case .template(let isOpen) = self.token.kind {
                try self.templatePieces(isOpen)
            } else {
                return
            }
        }
    }

    private mutating func arguments() throws(End) {
        try self.open("(")
        while !self.isSign(")") {
            _ = try self.takes("...")
            try self.assignment()
            guard try self.takes(",") else { break }
        }
        guard self.isSign(")") else { throw self.unexpected(") or , is expected") }
        try self.close(")")
    }

    /// The substitutions of a template, at its first piece.
    mutating func templatePieces(_ isOpen: Bool) throws(End) {
        guard isOpen else { return try self.advance() }
        while true {
            self.openings.append(Opening(sign: "${", place: self.token.place, function: nil))
            try self.advance()
            try self.expression()
            guard self.isSign("}") else { throw self.unexpected("} is expected") }
            self.openings.removeLast()
            let piece = self.lexer.template(from: self.token)
            if let fault = piece.fault { throw self.fault(fault, at: piece) }
            self.token = piece
            if piece.kind == .template(isOpen: false) { return try self.advance() }
        }
    }
}
