import AdCore
import AdMarkup

/// Expressions (ECMA-262 §13).
extension ScriptParser {
    static let reserved: Set<String> = [
        "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else", "enum",
        "export", "extends", "finally", "for", "function", "if", "import", "in", "instanceof", "new", "return", "super",
        "switch", "this", "throw", "try", "typeof", "var", "void", "while", "with", "null", "true", "false",
    ]

    mutating func expression(mayHaveIn: Bool = true) throws(End) -> ID {
        let first = try self.assignment(mayHaveIn: mayHaveIn)
        guard self.isPunctuator(",") else { return first }
        var values = [first]
        while try self.consume(",") { values.append(try self.assignment(mayHaveIn: mayHaveIn)) }
        return self.add(.sequence(values))
    }

    /// The left part of an expression that ends with an assignment expression.
    private enum Pending {
        case assign(String, ID)
        case conditional(ID, ID)
        case arrow([ID], labels: [String])
    }

    mutating func assignment(mayHaveIn: Bool = true) throws(End) -> ID {
        try self.enter()
        defer { self.leave() }
        // Long chains of conditions and assignments are parsed in a loop, because recursion uses stack.
        var pending: [Pending] = []
        while true {
            let start = self.token.place
            try self.readYield()
            let isAsync = self.isWord("async") && !self.peek().isAfterLineBreak
            if isAsync, self.isWord("function", self.peek()) == false, self.peek().kind == .word,
                !ScriptParser.reserved.contains(self.lexer.text(self.peek().range))
            {
                // `async x => …`
                try self.advance()
            }
            let left = try self.binary(mayHaveIn: mayHaveIn)
            if self.isPunctuator("=>"), !self.token.isAfterLineBreak {
                let parameters = self.group.node == left ? self.group.items : [left]
                try self.advance()
                if self.isPunctuator("{") {
                    let index = try self.functionBody("this function", nil, parameters, isArrow: true, from: start)
                    return self.combined(pending, self.add(.function(index)))
                }
                self.variables.append([])
                pending.append(.arrow(parameters, labels: self.labels))
                self.labels = []
            } else if try self.consume("?") {
                let then = try self.assignment()
                guard try self.consume(":") else { throw self.unexpected(": is expected after ?") }
                pending.append(.conditional(left, then))
            } else if self.isAssignment {
                pending.append(.assign(self.buildsTree ? self.word : "", left))
                try self.advance()
            } else {
                return self.combined(pending, left)
            }
            if pending.count + self.depth > ScriptParser.maxTreeDepth { self.unsupported() }
        }
    }

    /// The tree of a chain, built from its last part to its first.
    private mutating func combined(_ pending: [Pending], _ last: ID) -> ID {
        var value = last
        for part in pending.reversed() {
            switch part {
            case .assign(let symbol, let target): value = self.add(.assign(symbol, target, value))
            case .conditional(let test, let then): value = self.add(.conditional(test, then, value))
            case .arrow(let parameters, let labels):
                self.labels = labels
                let index = self.addFunction(nil, parameters, .value(value), isArrow: true)
                value = self.add(.function(index))
            }
        }
        return value
    }

    private var isAssignment: Bool {
        guard self.token.kind == .punctuator,
            self.lexer.byte(self.token.range.upperBound - 1) == UInt8(ascii: "=")
        else { return false }
        return !["==", "===", "!=", "!==", "<=", ">="].contains { (punctuator: StaticString) in
            self.isPunctuator(punctuator)
        }
    }

    /// Moves past `yield` if it is an operator (§15.5); outside a generator it may be a name.
    private mutating func readYield() throws(End) {
        guard self.isWord("yield") else { return }
        self.unsupported()
        let next = self.peek()
        if next.kind == .end || next.isAfterLineBreak { return }
        if next.kind == .punctuator {
            if self.isPunctuator("*", next) {
                try self.advance()
                return try self.advance()
            }
            let startsValue = ["(", "[", "{", "+", "-", "!", "~", "/"].contains { (punctuator: StaticString) in
                self.isPunctuator(punctuator, next)
            }
            if startsValue { try self.advance() }
            return
        }
        if self.isWord("in", next) || self.isWord("of", next) || self.isWord("instanceof", next) { return }
        try self.advance()
    }

    // MARK: Operators

    private static let precedences: [String: Int] = [
        "??": 1, "||": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7, "===": 7, "!==": 7, "<": 8, ">": 8,
        "<=": 8, ">=": 8, "instanceof": 8, "in": 8, "<<": 9, ">>": 9, ">>>": 9, "+": 10, "-": 10, "*": 11, "/": 11,
        "%": 11, "**": 12,
    ]

    /// Operands with binary operators between them, by precedence (§13.6–13.13).
    private mutating func binary(mayHaveIn: Bool) throws(End) -> ID {
        var left = try self.unary()
        // The operators that wait for their right operand, with ascending precedence.
        var waiting: [(symbol: String, precedence: Int, left: ID)] = []
        while self.isOperator(mayHaveIn: mayHaveIn) {
            let symbol = self.token
            let text = self.buildsTree ? self.word : ""
            try self.advance()
            if self.token.kind == .end || self.endsExpression {
                let shown = self.lexer.text(symbol.range)
                if self.token.kind == .end, !self.openings.isEmpty, symbol.place.line != self.token.place.line {
                    throw self.unexpected()
                }
                throw self.error("an operand is missing after \(shown)", at: symbol)
            }
            if self.buildsTree {
                let precedence = ScriptParser.precedences[text] ?? 0
                while let last = waiting.last, last.precedence >= precedence {
                    left = self.add(.binary(last.symbol, last.left, left))
                    waiting.removeLast()
                }
                waiting.append((text, precedence, left))
            }
            left = try self.unary()
        }
        while let last = waiting.popLast() { left = self.add(.binary(last.symbol, last.left, left)) }
        return left
    }

    private var endsExpression: Bool {
        [")", "]", "}", ",", ";", ":"].contains { (punctuator: StaticString) in self.isPunctuator(punctuator) }
    }

    private func isOperator(mayHaveIn: Bool) -> Bool {
        if self.token.kind == .word {
            return self.isWord("instanceof") || (mayHaveIn && self.isWord("in"))
        }
        guard self.token.kind == .punctuator else { return false }
        switch self.token.range.count {
        case 1: return "+-*/%<>&|^".utf8.contains(self.lexer.byte(self.token.range.lowerBound))
        case 2:
            return ["==", "!=", "<=", ">=", "&&", "||", "??", "**", "<<", ">>"].contains { (punctuator: StaticString) in
                self.isPunctuator(punctuator)
            }
        default: return self.isPunctuator("===") || self.isPunctuator("!==") || self.isPunctuator(">>>")
        }
    }

    private mutating func unary() throws(End) -> ID {
        var symbols: [String] = []
        while self.isPrefix {
            if self.buildsTree { symbols.append(self.word) }
            try self.advance()
        }
        if symbols.count > 50 { self.unsupported() }
        var value = try self.operand()
        if self.isPunctuator("++") || self.isPunctuator("--"), !self.token.isAfterLineBreak {
            let difference: Double = self.isPunctuator("++") ? 1 : -1
            value = self.add(.update(value, by: difference, isPrefix: false))
            try self.advance()
        }
        for symbol in symbols.reversed() {
            switch symbol {
            case "++", "--": value = self.add(.update(value, by: symbol == "++" ? 1 : -1, isPrefix: true))
            // A promise is represented by its value.
            case "await": break
            default: value = self.add(.unary(symbol, value))
            }
        }
        return value
    }

    private var isPrefix: Bool {
        if self.token.kind == .punctuator {
            return ["!", "~", "+", "-", "++", "--"].contains { (punctuator: StaticString) in
                self.isPunctuator(punctuator)
            }
        }
        return self.isWord("typeof") || self.isWord("void") || self.isWord("delete")
            || (self.isWord("await") && self.startsOperand(self.peek()))
    }

    /// Whether `await` before a lexeme is an operator; otherwise it is a name (§15.8).
    private func startsOperand(_ token: Lexeme) -> Bool {
        switch token.kind {
        case .word:
            return !self.isWord("in", token) && !self.isWord("of", token) && !self.isWord("instanceof", token)
                && !token.isAfterLineBreak
        case .number, .string, .template, .privateName: return !token.isAfterLineBreak
        case .punctuator:
            return self.isPunctuator("(", token) || self.isPunctuator("[", token) || self.isPunctuator("{", token)
                || self.isPunctuator("!", token)
        case .regularExpression, .end: return false
        }
    }

    // MARK: Members and calls

    /// An operand with its member accesses and calls (§13.3).
    @discardableResult
    mutating func operand() throws(End) -> ID {
        var newCount = 0
        var isTarget = false
        while self.isWord("new"), !isTarget {
            try self.advance()
            // `new.target` is an operand.
            isTarget = try self.consume(".")
            if isTarget {
                self.unsupported()
                try self.advance()
            } else {
                newCount += 1
            }
        }
        if newCount > 20 { self.unsupported() }
        var value = isTarget ? 0 : try self.primary()
        while true {
            if self.isPunctuator(".") || self.isPunctuator("?.") {
                value = try self.member(of: value)
            } else if self.isPunctuator("(") {
                let arguments = try self.arguments()
                // The first arguments belong to the innermost `new`.
                value =
                    newCount > 0
                    ? self.add(.new(value, arguments)) : self.add(.call(value, arguments, isOptional: false))
                newCount = max(0, newCount - 1)
            } else if self.isPunctuator("[") {
                let index = try self.index()
                value = self.add(.member(value, index, isOptional: false))
            } else if case .template(let isOpen) = self.token.kind {
                self.unsupported()
                _ = try self.template(isOpen)
            } else {
                for _ in 0..<newCount { value = self.add(.new(value, [])) }
                return value
            }
        }
    }

    /// A member or call after `.` or `?.`.
    private mutating func member(of value: ID) throws(End) -> ID {
        let isOptional = self.isPunctuator("?.")
        try self.advance()
        if isOptional, self.isPunctuator("(") {
            let arguments = try self.arguments()
            return self.add(.call(value, arguments, isOptional: true))
        }
        if isOptional, self.isPunctuator("[") {
            let index = try self.index()
            return self.add(.member(value, index, isOptional: true))
        }
        if case .template = self.token.kind, isOptional { return value }
        guard self.token.kind == .word || self.token.kind == .privateName else {
            throw self.unexpected("the name of a member is expected")
        }
        if self.token.kind == .privateName { self.unsupported() }
        let name = self.addLiteral { .string($0) }
        try self.advance()
        return self.add(.member(value, name, isOptional: isOptional))
    }

    private mutating func index() throws(End) -> ID {
        try self.open("[")
        let index = try self.expression()
        try self.close("]")
        return index
    }

    private mutating func arguments() throws(End) -> [ID] {
        try self.open("(")
        var values: [ID] = []
        while !self.isPunctuator(")") {
            let isSpread = try self.consume("...")
            let value = try self.assignment()
            values.append(isSpread ? self.add(.spread(value)) : value)
            guard try self.consume(",") else { break }
        }
        guard self.isPunctuator(")") else { throw self.unexpected(") or , is expected") }
        try self.close(")")
        return values
    }

    /// A template with its substitutions (§13.2.8); its first part is the current lexeme.
    mutating func template(_ isOpen: Bool) throws(End) -> ID {
        var texts: [String] = []
        var values: [ID] = []
        var isOpen = isOpen
        while true {
            if self.buildsTree { texts.append(ScriptLiteral.text(self.word.dropFirst().dropLast(isOpen ? 2 : 1))) }
            guard isOpen else {
                try self.advance()
                return self.add(.template(texts, values))
            }
            self.openings.append(Opening(bracket: "${", place: self.token.place, function: nil))
            try self.advance()
            values.append(try self.expression())
            guard self.isPunctuator("}") else { throw self.unexpected("} is expected") }
            self.openings.removeLast()
            let piece = self.lexer.template(from: self.token)
            if let message = piece.error { throw self.error(message, at: piece) }
            self.token = piece
            isOpen = piece.kind == .template(isOpen: true)
        }
    }
}
