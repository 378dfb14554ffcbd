import AdCore

/// Literals and what stands in brackets (ECMA-262 §13.2).
extension ScriptParser {
    mutating func primary() throws(Unread) -> ID {
        switch self.token.kind {
        case .number:
            let value = ScriptLiteral.number(self.word)
            try self.advance()
            return try self.add(.number(value))
        case .text:
            let text = ScriptLiteral.text(self.word.dropFirst().dropLast())
            try self.advance()
            return try self.add(.text(text))
        case .template(let isOpen): return try self.template(isOpen)
        case .word: return try self.wordOperand()
        case .sign: return try self.signOperand()
        case .privateName, .pattern, .end: throw Unread()
        }
    }

    private mutating func template(_ isOpen: Bool) throws(Unread) -> ID {
        var texts: [String] = []
        var values: [ID] = []
        var isOpen = isOpen
        while true {
            texts.append(ScriptLiteral.text(self.word.dropFirst().dropLast(isOpen ? 2 : 1)))
            try self.advance()
            guard isOpen else { return try self.add(.template(texts, values)) }
            values.append(try self.expression())
            guard self.isSign("}") else { throw Unread() }
            let piece = self.lexer.template(from: self.token)
            guard piece.fault == nil, case .template(let goesOn) = piece.kind else { throw Unread() }
            self.token = piece
            isOpen = goesOn
        }
    }

    private mutating func wordOperand() throws(Unread) -> ID {
        guard self.token.range.count <= ScriptParser.longestName else { throw Unread() }
        let word = self.word
        switch word {
        case "function": return try self.function()
        case "async" where self.isWord("function", self.peek()) && !self.peek().isAfterLine:
            try self.advance()
            return try self.function()
        case "class", "super", "import", "new": throw Unread()
        default: break
        }
        try self.advance()
        return switch word {
        case "this": try self.add(.this)
        case "null": try self.add(.null)
        case "true", "false": try self.add(.boolean(word == "true"))
        case "undefined": try self.add(.undefined)
        default: try self.add(.name(word))
        }
    }

    private mutating func function() throws(Unread) -> ID {
        try self.advance()
        if self.isSign("*") { throw Unread() }
        var name: String?
        if self.token.kind == .word { name = try self.name() }
        return try self.add(.function(self.functionRest(name)))
    }

    private mutating func signOperand() throws(Unread) -> ID {
        if self.isSign("(") { return try self.group() }
        if self.isSign("[") { return try self.array() }
        if self.isSign("{") { return try self.object() }
        if self.isSign("/") || self.isSign("/=") {
            self.lexer.rewind(to: self.token)
            let pattern = self.lexer.next(mayBePattern: true)
            guard pattern.fault == nil else { throw Unread() }
            let text = self.lexer.text(pattern.range)
            try self.advance()
            return try self.add(.pattern(text))
        }
        throw Unread()
    }

    /// An expression in brackets, or the parameters of an arrow function.
    private mutating func group() throws(Unread) -> ID {
        let values = try self.arguments()
        if try self.takes("=>") { return try self.add(.function(self.functionBody(nil, values, isArrow: true))) }
        guard !values.isEmpty else { throw Unread() }
        return values.count == 1 ? values[0] : try self.add(.sequence(values))
    }

    private mutating func array() throws(Unread) -> ID {
        try self.expect("[")
        var values: [ID] = []
        while !self.isSign("]") {
            if try self.takes(",") {
                values.append(try self.add(.undefined))
                continue
            }
            let isSpread = try self.takes("...")
            let value = try self.assignment()
            values.append(isSpread ? try self.add(.spread(value)) : value)
            guard try self.takes(",") else { break }
        }
        try self.expect("]")
        return try self.add(.array(values))
    }

    // MARK: Objects

    private mutating func object() throws(Unread) -> ID {
        try self.expect("{")
        var members: [(key: ID, value: ID)] = []
        while !self.isSign("}") {
            members.append(try self.property())
            guard try self.takes(",") else { break }
        }
        try self.expect("}")
        return try self.add(.object(members))
    }

    private mutating func property() throws(Unread) -> (key: ID, value: ID) {
        if try self.takes("...") {
            let value = try self.assignment()
            return (try self.add(.undefined), try self.add(.spread(value)))
        }
        if self.isSign("*") { throw Unread() }
        var isAccessor = false
        if self.isWord("get") || self.isWord("set") || self.isWord("async") {
            let next = self.peek()
            if [.word, .text, .number].contains(next.kind) || self.isSign("[", next) {
                isAccessor = !self.isWord("async")
                try self.advance()
            }
        }
        let name = self.token.kind == .word ? self.word : nil
        let key = try self.propertyName()
        if self.isSign("(") {
            let value = try self.add(.function(self.functionRest(name)))
            return (key, isAccessor ? try self.add(.unsupported) : value)
        }
        if try self.takes(":") { return (key, try self.assignment()) }
        guard let name, name.utf8.count <= ScriptParser.longestName else { throw Unread() }
        var value = try self.add(.name(name))
        if try self.takes("=") {
            let other = try self.assignment()
            value = try self.add(.assign("=", value, other))
        }
        return (key, value)
    }

    private mutating func propertyName() throws(Unread) -> ID {
        switch self.token.kind {
        case .word:
            let name = self.word
            try self.advance()
            return try self.add(.text(name))
        case .text, .number: return try self.primary()
        case .sign where self.isSign("["):
            try self.advance()
            let key = try self.assignment()
            try self.expect("]")
            return key
        default: throw Unread()
        }
    }
}

/// What literals of a script stand for.
enum ScriptLiteral {
    static func number(_ text: String) -> Double {
        let plain = text.replacing("_", by: "")
        let prefix = plain.prefix(2).asciiLowercased
        let radix = ["0x": 16, "0o": 8, "0b": 2][prefix]
        if let radix { return Int(plain.dropFirst(2), radix: radix).map(Double.init) ?? .nan }
        return Double(plain) ?? .nan
    }

    /// A text without its escapes (ECMA-262 §12.9.4).
    static func text(_ raw: Substring) -> String {
        guard raw.utf8.contains(UInt8(ascii: "\\")) else { return String(raw) }
        var result = String.UnicodeScalarView()
        var rest = raw.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\\" else {
                result.append(scalar)
                continue
            }
            guard let escape = rest.popFirst() else { break }
            switch escape {
            case "n": result.append("\n")
            case "t": result.append("\t")
            case "r": result.append("\r")
            case "b": result.append("\u{8}")
            case "f": result.append("\u{C}")
            case "v": result.append("\u{B}")
            case "0": result.append("\0")
            case "\n", "\u{2028}", "\u{2029}": break
            case "\r": if rest.first == "\n" { rest.removeFirst() }
            case "x": result.append(self.character(&rest, digits: 2))
            case "u" where rest.first == "{":
                let digits = rest.dropFirst().prefix { $0 != "}" }
                rest = rest[digits.endIndex...].dropFirst()
                result.append(UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}")
            case "u": result.append(self.character(&rest, digits: 4))
            default: result.append(escape)
            }
        }
        return String(result)
    }

    private static func character(_ rest: inout Substring.UnicodeScalarView, digits: Int) -> Unicode.Scalar {
        let code = String(rest.prefix(digits))
        rest = rest.dropFirst(digits)
        return UInt32(code, radix: 16).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}"
    }
}
