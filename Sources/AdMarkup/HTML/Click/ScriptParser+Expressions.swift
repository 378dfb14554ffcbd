import AdCore

/// Expressions (ECMA-262 §13).
extension ScriptParser {
    mutating func expression(mayHaveIn: Bool = true) throws(Unread) -> ID {
        var values = [try self.assignment(mayHaveIn: mayHaveIn)]
        while try self.takes(",") { values.append(try self.assignment(mayHaveIn: mayHaveIn)) }
        return values.count == 1 ? values[0] : try self.add(.sequence(values))
    }

    mutating func assignment(mayHaveIn: Bool = true) throws(Unread) -> ID {
        try self.enter()
        defer { self.leave() }
        if self.isWord("async"), !self.peek().isAfterLine, self.peek().kind == .word,
            !self.isWord("function", self.peek())
        {
            try self.advance()
        }
        if self.isWord("yield") { throw Unread() }
        let left = try self.binary(0, mayHaveIn: mayHaveIn)
        if self.isSign("=>") { return try self.arrow([left]) }
        if try self.takes("?") {
            let then = try self.assignment()
            try self.expect(":")
            let other = try self.assignment(mayHaveIn: mayHaveIn)
            return try self.add(.choice(left, then, other))
        }
        guard self.token.kind == .sign, let sign = self.assignmentSign else { return left }
        try self.advance()
        let value = try self.assignment(mayHaveIn: mayHaveIn)
        return try self.add(.assign(sign, left, value))
    }

    private var assignmentSign: String? {
        let sign = self.word
        guard sign.hasSuffix("="), !["==", "===", "!=", "!==", "<=", ">="].contains(sign) else { return nil }
        return sign
    }

    private mutating func arrow(_ parameters: [ID]) throws(Unread) -> ID {
        try self.expect("=>")
        return try self.add(.function(self.functionBody(nil, parameters, isArrow: true)))
    }

    private static let ranks: [String: Int] = [
        "??": 1, "||": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7, "===": 7, "!==": 7, "<": 8, ">": 8,
        "<=": 8, ">=": 8, "instanceof": 8, "in": 8, "<<": 9, ">>": 9, ">>>": 9, "+": 10, "-": 10, "*": 11, "/": 11,
        "%": 11, "**": 12,
    ]

    private mutating func binary(_ least: Int, mayHaveIn: Bool) throws(Unread) -> ID {
        var left = try self.unary()
        while self.token.kind == .sign || self.isWord("instanceof") || (mayHaveIn && self.isWord("in")) {
            let sign = self.word
            guard let rank = ScriptParser.ranks[sign], rank > least else { return left }
            try self.advance()
            // Behind an operator at most twelve of higher rank follow each other in depth.
            let right = try self.binary(rank, mayHaveIn: mayHaveIn)
            left = try self.add(.binary(sign, left, right))
        }
        return left
    }

    private mutating func unary() throws(Unread) -> ID {
        var signs: [String] = []
        while true {
            let isPrefix =
                self.token.kind == .sign
                ? ["!", "~", "+", "-", "++", "--"].contains(self.word)
                : self.isWord("typeof") || self.isWord("void") || self.isWord("delete") || self.isWord("await")
            guard isPrefix, signs.count < 50 else { break }
            signs.append(self.word)
            try self.advance()
        }
        var value = try self.operand()
        if self.isSign("++") || self.isSign("--"), !self.token.isAfterLine {
            value = try self.add(.update(value, by: self.isSign("++") ? 1 : -1, isPrefix: false))
            try self.advance()
        }
        for sign in signs.reversed() {
            switch sign {
            case "++", "--": value = try self.add(.update(value, by: sign == "++" ? 1 : -1, isPrefix: true))
            // What a promise brings is known at once here.
            case "await": break
            default: value = try self.add(.unary(sign, value))
            }
        }
        return value
    }

    /// An operand with its members and calls (§13.3).
    private mutating func operand() throws(Unread) -> ID {
        if self.isWord("new") { return try self.members(of: self.make(), mayCall: true) }
        return try self.members(of: self.primary(), mayCall: true)
    }

    private mutating func make() throws(Unread) -> ID {
        try self.enter()
        defer { self.leave() }
        try self.advance()
        if self.isSign(".") { throw Unread() }
        let first = self.isWord("new") ? try self.make() : try self.primary()
        let type = try self.members(of: first, mayCall: false)
        return try self.add(.make(type, self.isSign("(") ? self.arguments() : []))
    }

    private mutating func members(of first: ID, mayCall: Bool) throws(Unread) -> ID {
        var value = first
        while true {
            if self.isSign(".") || self.isSign("?.") {
                let isOptional = self.isSign("?.")
                try self.advance()
                if isOptional, self.isSign("(") {
                    value = try self.add(.call(value, self.arguments(), isOptional: true))
                } else if isOptional, self.isSign("[") {
                    value = try self.add(.member(value, self.index(), isOptional: true))
                } else {
                    guard self.token.kind == .word else { throw Unread() }
                    let name = try self.add(.text(self.word))
                    try self.advance()
                    value = try self.add(.member(value, name, isOptional: isOptional))
                }
            } else if self.isSign("[") {
                value = try self.add(.member(value, self.index(), isOptional: false))
            } else if mayCall, self.isSign("(") {
                value = try self.add(.call(value, self.arguments(), isOptional: false))
            } else if case .template = self.token.kind {
                throw Unread()
            } else {
                return value
            }
        }
    }

    private mutating func index() throws(Unread) -> ID {
        try self.expect("[")
        let index = try self.expression()
        try self.expect("]")
        return index
    }

    /// A list in brackets: the arguments of a call, or what stands in a group.
    mutating func arguments() throws(Unread) -> [ID] {
        try self.expect("(")
        var values: [ID] = []
        while !self.isSign(")") {
            let isSpread = try self.takes("...")
            let value = try self.assignment()
            values.append(isSpread ? try self.add(.spread(value)) : value)
            guard try self.takes(",") else { break }
        }
        try self.expect(")")
        return values
    }
}
