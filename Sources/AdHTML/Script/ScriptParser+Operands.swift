import AdCore
import AdMarkup

/// Operands: literals, functions, classes, and expressions in brackets (ECMA-262 §13.2, §15).
extension ScriptParser {
    mutating func primary() throws(End) -> ID {
        switch self.token.kind {
        case .number:
            let value = self.addLiteral { .number(ScriptLiteral.number($0)) }
            try self.advance()
            return value
        case .string:
            let value = self.addLiteral { .string(ScriptLiteral.text($0.dropFirst().dropLast())) }
            try self.advance()
            return value
        case .regularExpression:
            let value = self.addLiteral { .regularExpression($0) }
            try self.advance()
            return value
        case .privateName:
            self.unsupported()
            try self.advance()
            return 0
        case .template(let isOpen): return try self.template(isOpen)
        case .word: return try self.wordOperand()
        case .end: throw self.unexpected()
        case .punctuator: return try self.punctuatorOperand()
        }
    }

    private mutating func wordOperand() throws(End) -> ID {
        let word = self.word
        switch word {
        case "function": return try self.functionExpression()
        case "class":
            try self.classDefinition()
            return self.unsupported()
        case "async" where self.isWord("function", self.peek()) && !self.peek().isAfterLineBreak:
            try self.advance()
            return try self.functionExpression()
        case "import", "super":
            self.unsupported()
            try self.advance()
            return 0
        case "this", "null", "true", "false": break
        default: if ScriptParser.reserved.contains(word) { throw self.unexpected() }
        }
        if word.utf8.count > ScriptParser.maxNameLength { self.unsupported() }
        try self.advance()
        return switch word {
        case "this": self.add(.this)
        case "null": self.add(.null)
        case "true", "false": self.add(.boolean(word == "true"))
        case "undefined": self.add(.undefined)
        default: self.add(.name(word))
        }
    }

    private mutating func functionExpression() throws(End) -> ID {
        let index = try self.function().index
        return self.add(.function(index))
    }

    private mutating func punctuatorOperand() throws(End) -> ID {
        if self.isPunctuator("(") { return try self.parenthesized() }
        if self.isPunctuator("[") { return try self.array() }
        if try self.consumeMacro() { return 0 }
        if self.isPunctuator("{") { return try self.object() }
        if self.isPunctuator("/") || self.isPunctuator("/=") { return try self.regularExpression() }
        throw self.unexpected()
    }

    /// Reads a slash again, as the beginning of a regular expression (§12.9.5).
    private mutating func regularExpression() throws(End) -> ID {
        self.lexer.rewind(to: self.token)
        let pattern = self.lexer.next(mayBeRegularExpression: true)
        self.token = pattern
        if let message = pattern.error { throw self.error(message, at: pattern) }
        let value = self.addLiteral { .regularExpression($0) }
        try self.advance()
        return value
    }

    /// Moves past a macro that an ad server replaces before the script runs; returns whether there is one.
    ///
    /// The forms are `%%NAME%%`, `{{NAME}}` and `##NAME##`. In place of an operand none of them is valid JavaScript.
    mutating func consumeMacro() throws(End) -> Bool {
        let start = self.token.range.lowerBound
        let first = self.lexer.byte(start)
        if first == UInt8(ascii: "<"), "%?".utf8.contains(self.lexer.byte(start + 1)) { throw .undecided }
        if first == UInt8(ascii: "{"), "%#".utf8.contains(self.lexer.byte(start + 1)) { throw .undecided }
        let open: StaticString
        let close: StaticString
        switch first {
        case UInt8(ascii: "%"): (open, close) = ("%%", "%%")
        case UInt8(ascii: "#"): (open, close) = ("##", "##")
        case UInt8(ascii: "{"): (open, close) = ("{{", "}}")
        default: return false
        }
        guard self.lexer.isWord(start..<(start + 2), open) else { return false }
        var end = start + 2
        while self.lexer.byte(end) == 0x20 { end += 1 }
        while ScriptLexer.isOfWord(self.lexer.byte(end)) || ":.".utf8.contains(self.lexer.byte(end)) { end += 1 }
        while self.lexer.byte(end) == 0x20 { end += 1 }
        guard end > start + 2, self.lexer.isWord(end..<(end + 2), close) else {
            // `{{#if …}}` belongs to a server's template, which is not a script.
            if first == UInt8(ascii: "{"), "#/^!>&{".utf8.contains(self.lexer.byte(start + 2)) { throw .undecided }
            return false
        }
        while self.lexer.at < end + 2 { _ = self.lexer.next(mayBeRegularExpression: false) }
        self.unsupported()
        try self.advance()
        return true
    }

    /// Parses an expression in parentheses, or the parameters of an arrow function (§13.2.5, §15.3).
    private mutating func parenthesized() throws(End) -> ID {
        try self.open("(")
        var items: [ID] = []
        var needsArrow = self.isPunctuator(")")
        while !self.isPunctuator(")") {
            let isRest = try self.consume("...")
            if isRest { needsArrow = true }
            let value = try self.assignment()
            items.append(isRest ? self.add(.spread(value)) : value)
            guard try self.consume(",") else { break }
            if self.isPunctuator(")") { needsArrow = true }
        }
        let end = self.token
        try self.close(")")
        if needsArrow, !self.isPunctuator("=>") { throw self.error("an expression is expected before )", at: end) }
        let node = items.count == 1 ? items[0] : self.add(.sequence(items))
        self.group = (node, items)
        return node
    }

    private mutating func array() throws(End) -> ID {
        try self.open("[")
        var values: [ID] = []
        while !self.isPunctuator("]") {
            if try self.consume(",") {
                values.append(self.add(.undefined))
                continue
            }
            let isSpread = try self.consume("...")
            let value = try self.assignment()
            values.append(isSpread ? self.add(.spread(value)) : value)
            guard try self.consume(",") else { break }
        }
        guard self.isPunctuator("]") else { throw self.unexpected("] or , is expected") }
        try self.close("]")
        return self.add(.array(values))
    }

    // MARK: Objects

    private mutating func object() throws(End) -> ID {
        try self.open("{")
        var members: [(key: ID, value: ID)] = []
        while !self.isPunctuator("}") {
            members.append(try self.property())
            guard try self.consume(",") else { break }
        }
        guard self.isPunctuator("}") else { throw self.unexpected("} or , is expected") }
        try self.close("}")
        return self.add(.object(members))
    }

    private mutating func property() throws(End) -> (key: ID, value: ID) {
        if try self.consume("...") {
            let value = try self.assignment()
            return (self.add(.undefined), self.add(.spread(value)))
        }
        let start = self.token.place
        let isAccessor = try self.modifiers()
        let isName = self.token.kind == .word
        let shown = self.word.excerpt(60)
        let name = isName ? self.nameText() : nil
        let key = try self.propertyName()
        if self.isPunctuator("(") {
            let index = try self.functionRest("method \(shown)", name, from: start)
            // The value of an accessor is unknown.
            return (key, isAccessor ? self.add(.unsupported) : self.add(.function(index)))
        }
        if try self.consume(":") { return (key, try self.assignment()) }
        guard let name else { throw self.unexpected(": is expected") }
        var value = self.add(.name(name))
        // `{a = 1}` is a default in a destructuring pattern.
        if try self.consume("=") {
            let other = try self.assignment()
            value = self.add(.assign("=", value, other))
        }
        return (key, value)
    }

    /// Reads `get`, `set`, `async`, `static`, `accessor` and `*` before the name of a member; whether it is an
    /// accessor.
    private mutating func modifiers() throws(End) -> Bool {
        var isAccessor = false
        while true {
            if try self.consume("*") {
                self.unsupported()
                continue
            }
            let isGetter = self.isWord("get") || self.isWord("set")
            guard isGetter || self.isWord("async") || self.isWord("static") || self.isWord("accessor") else {
                return isAccessor
            }
            let next = self.peek()
            switch next.kind {
            case .word, .string, .number, .privateName: break
            case .punctuator where self.isPunctuator("[", next) || self.isPunctuator("*", next): break
            case .punctuator where self.isPunctuator("{", next) && self.isWord("static"): break
            default: return isAccessor
            }
            isAccessor = isAccessor || isGetter
            try self.advance()
        }
    }

    private mutating func propertyName() throws(End) -> ID {
        switch self.token.kind {
        case .word:
            let name = self.addLiteral { .string($0) }
            try self.advance()
            return name
        case .string, .number, .privateName: return try self.primary()
        case .punctuator where self.isPunctuator("["):
            try self.open("[")
            let key = try self.assignment()
            try self.close("]")
            return key
        default:
            if self.token.kind == .punctuator, try self.consumeMacro() { return 0 }
            throw self.unexpected("the name of a property is expected")
        }
    }

    // MARK: Classes

    /// Parses `class Name extends Other {…}` (§15.7); the tree has no classes.
    mutating func classDefinition() throws(End) {
        self.unsupported()
        let start = self.token.place
        try self.advance()
        var name = "this class"
        if self.token.kind == .word, !self.isWord("extends") {
            name = "class \(self.word.excerpt(60))"
            try self.advance()
        }
        if self.isWord("extends") {
            try self.advance()
            try self.operand()
        }
        try self.open("{", of: name, at: start)
        while !self.isPunctuator("}") {
            if self.token.kind == .end { throw self.unexpected() }
            if try self.consume(";") { continue }
            try self.classMember()
        }
        try self.close("}")
    }

    private mutating func classMember() throws(End) {
        let start = self.token.place
        _ = try self.modifiers()
        if self.isPunctuator("{") {
            _ = try self.functionBody("static", nil, [], isArrow: false, from: start)
            return
        }
        let name = self.word.excerpt(60)
        _ = try self.propertyName()
        if self.isPunctuator("(") {
            _ = try self.functionRest("method \(name)", nil, from: start)
            return
        }
        if try self.consume("=") { _ = try self.assignment() }
        if try self.consume(";") { return }
        if self.isPunctuator("}") || self.token.isAfterLineBreak { return }
        throw self.unexpected()
    }
}
