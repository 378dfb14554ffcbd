import AdCore
import AdMarkup

/// Functions (ECMA-262 §15).
extension ScriptParser {
    /// Parses `function name(…) {…}`; returns its name and its index in the program.
    mutating func function() throws(End) -> (name: String?, index: Int) {
        let start = self.token.place
        try self.advance()
        if try self.consume("*") { self.unsupported() }
        var shown = "this function"
        var name: String?
        if self.token.kind == .word {
            shown = "function \(self.word.excerpt(60))"
            name = self.nameText()
            try self.advance()
        }
        return (name, try self.functionRest(shown, name, from: start))
    }

    /// Parses the parameters and the body of a function.
    mutating func functionRest(_ shown: String, _ name: String?, from start: SourcePlace) throws(End) -> Int {
        try self.open("(", of: shown, at: start)
        var parameters: [ID] = []
        while !self.isPunctuator(")") {
            let isRest = try self.consume("...")
            var target = try self.binding()
            if isRest { target = self.add(.spread(target)) }
            if try self.consume("=") {
                let value = try self.assignment()
                target = self.add(.assign("=", target, value))
            }
            parameters.append(target)
            guard try self.consume(",") else { break }
        }
        try self.close(")")
        return try self.functionBody(shown, name, parameters, isArrow: false, from: start)
    }

    mutating func functionBody(
        _ shown: String,
        _ name: String?,
        _ parameters: [ID],
        isArrow: Bool,
        from start: SourcePlace
    ) throws(End) -> Int {
        self.functions += 1
        self.variables.append([])
        let labels = self.labels
        self.labels = []
        try self.open("{", of: shown, at: start)
        let body = try self.statements()
        self.labels = labels
        self.functions -= 1
        let index = self.addFunction(name, parameters, .statements(body), isArrow: isArrow)
        try self.close("}")
        return index
    }

    /// Declares the names of a target of `var` in the function around it (§14.3.2).
    mutating func declare(_ target: ID) {
        guard self.buildsTree else { return }
        switch self.program.nodes[target] {
        case .name(let name): self.variables[self.variables.count - 1].append(name)
        case .assign(_, let inner, _), .spread(let inner): self.declare(inner)
        case .array(let items): for item in items { self.declare(item) }
        case .object(let members): for member in members { self.declare(member.value) }
        default: break
        }
    }
}
