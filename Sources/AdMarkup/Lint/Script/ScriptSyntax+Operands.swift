import AdCore

/// Operands: literals, functions, classes, what stands in brackets (ECMA-262 §13.2, §15).
extension ScriptSyntax {
    mutating func primary() throws(End) {
        switch self.token.kind {
        case .number, .text, .pattern: try self.advance()
        case .privateName: try self.advance()
        case .template(let isOpen): try self.templatePieces(isOpen)
        case .word: try self.wordOperand()
        case .end: throw self.unexpected()
        case .sign: try self.signOperand()
        }
    }

    private mutating func wordOperand() throws(End) {
        let word = self.word
        switch word {
        case "function": try self.function()
        case "class": try self.classDefinition()
        case "async" where self.isWord("function", self.peek()) && !self.peek().isAfterLine:
            try self.advance()
            try self.function()
        case "import", "this", "null", "true", "false", "super": try self.advance()
        default:
            if ScriptSyntax.reserved.contains(word) { throw self.unexpected() }
            try self.advance()
        }
    }

    private mutating func signOperand() throws(End) {
        if self.isSign("(") { return try self.group() }
        if self.isSign("[") { return try self.array() }
        if try self.takesMacro() { return }
        if self.isSign("{") { return try self.object() }
        if self.isSign("/") || self.isSign("/=") { return try self.pattern() }
        throw self.unexpected()
    }

    /// Reads a slash again as the beginning of a pattern.
    private mutating func pattern() throws(End) {
        self.lexer.rewind(to: self.token)
        let pattern = self.lexer.next(mayBePattern: true)
        self.token = pattern
        if let fault = pattern.fault { throw self.fault(fault, at: pattern) }
        try self.advance()
    }

    /// Moves behind a macro that an ad server replaces before the script runs.
    ///
    /// These are `%%NAME%%`, `{{NAME}}` and `##NAME##`: where an operand must stand none of them is JavaScript.
    mutating func takesMacro() throws(End) -> Bool {
        let start = self.token.range.lowerBound
        let first = self.lexer.byte(start)
        if first == UInt8(ascii: "<"), "%?".utf8.contains(self.lexer.byte(start + 1)) { throw .unjudged }
        if first == UInt8(ascii: "{"), "%#".utf8.contains(self.lexer.byte(start + 1)) { throw .unjudged }
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
            // `{{#if …}}` is a server's template, and no script yet.
            if first == UInt8(ascii: "{"), "#/^!>&{".utf8.contains(self.lexer.byte(start + 2)) { throw .unjudged }
            return false
        }
        while self.lexer.at < end + 2 { _ = self.lexer.next(mayBePattern: false) }
        try self.advance()
        return true
    }

    /// An expression in brackets, or the parameters of an arrow function.
    private mutating func group() throws(End) {
        try self.open("(")
        var needsArrow = self.isSign(")")
        while !self.isSign(")") {
            if try self.takes("...") { needsArrow = true }
            try self.assignment()
            guard try self.takes(",") else { break }
            if self.isSign(")") { needsArrow = true }
        }
        let end = self.token
        try self.close(")")
        if needsArrow, !self.isSign("=>") {
            throw self.fault("an expression is expected before )", at: end)
        }
    }

    private mutating func array() throws(End) {
        try self.open("[")
        while !self.isSign("]") {
            if try self.takes(",") { continue }
            _ = try self.takes("...")
            try self.assignment()
            guard try self.takes(",") else { break }
        }
        guard self.isSign("]") else { throw self.unexpected("] or , is expected") }
        try self.close("]")
    }

    // MARK: Objects and classes

    private mutating func object() throws(End) {
        try self.open("{")
        while !self.isSign("}") {
            try self.property()
            guard try self.takes(",") else { break }
        }
        guard self.isSign("}") else { throw self.unexpected("} or , is expected") }
        try self.close("}")
    }

    private mutating func property() throws(End) {
        if try self.takes("...") { return try self.assignment() }
        let start = self.token.place
        try self.modifiers()
        let isName = self.token.kind == .word
        let name = self.lexer.text(self.token.range).excerpt(60)
        try self.propertyName()
        if self.isSign("(") { return try self.functionRest("method \(name)", from: start) }
        if try self.takes(":") { return try self.assignment() }
        guard isName else { throw self.unexpected(": is expected") }
        // `{a = 1}` is the default of a pattern.
        if try self.takes("=") { try self.assignment() }
    }

    /// `get`, `set`, `async`, `static` and `*` before the name of a member.
    private mutating func modifiers() throws(End) {
        while true {
            if try self.takes("*") { continue }
            guard
                self.isWord("get") || self.isWord("set") || self.isWord("async") || self.isWord("static")
                    || self.isWord("accessor")
            else { return }
            let next = self.peek()
            switch next.kind {
            case .word, .text, .number, .privateName: break
            case .sign where self.isSign("[", next) || self.isSign("*", next): break
            case .sign where self.isSign("{", next) && self.isWord("static"): break
            default: return
            }
            try self.advance()
        }
    }

    private mutating func propertyName() throws(End) {
        switch self.token.kind {
        case .word, .text, .number, .privateName: try self.advance()
        case .sign where self.isSign("["):
            try self.open("[")
            try self.assignment()
            try self.close("]")
        default:
            if self.token.kind == .sign, try self.takesMacro() { return }
            throw self.unexpected("the name of a property is expected")
        }
    }

    /// `class Name extends Other {…}`, at its first word.
    mutating func classDefinition() throws(End) {
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
        while !self.isSign("}") {
            if self.token.kind == .end { throw self.unexpected() }
            if try self.takes(";") { continue }
            try self.classMember()
        }
        try self.close("}")
    }

    private mutating func classMember() throws(End) {
        let start = self.token.place
        try self.modifiers()
        if self.isSign("{") { return try self.functionBody("static", from: start) }
        let name = self.lexer.text(self.token.range).excerpt(60)
        try self.propertyName()
        if self.isSign("(") { return try self.functionRest("method \(name)", from: start) }
        if try self.takes("=") { try self.assignment() }
        if try self.takes(";") { return }
        if self.isSign("}") || self.token.isAfterLine { return }
        throw self.unexpected()
    }
}
