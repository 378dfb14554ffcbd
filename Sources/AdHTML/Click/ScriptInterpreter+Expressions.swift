import AdCore
import AdMarkup

/// Expressions (ECMA-262 §13).
extension ScriptInterpreter {
    mutating func evaluate(_ id: Int, in scope: Int) throws(Stop) -> ScriptValue {
        try self.enter()
        defer { self.leave() }
        switch self.program.nodes[id] {
        case .undefined: return .undefined
        case .null: return .null
        case .unsupported: return .unknown("an unsupported part of the script")
        case .this: return try self.thisValue(in: scope)
        case .boolean(let value): return .boolean(value)
        case .number(let value): return .number(value)
        case .string(let value): return .string(value)
        case .regularExpression(let source):
            let pattern = try self.make(.regularExpression)
            try self.setMember(pattern, "source", to: .string(source))
            return pattern
        case .name(let name): return try self.lookUp(name, in: scope)
        case .template(let texts, let values):
            var result = ScriptValue.string(texts[0])
            for (value, text) in zip(values, texts.dropFirst()) {
                result = try self.add(result, self.evaluate(value, in: scope))
                result = try self.add(result, .string(text))
            }
            return result
        case .member: return try self.member(id, in: scope).value
        case .call(let callee, let arguments, let isOptional):
            let (function, this) = try self.callee(callee, in: scope)
            if isOptional, function.isMissing { return .undefined }
            let values = try self.values(arguments, in: scope)
            return try self.call(function, this: this, values, as: callee)
        case .new(let type, let arguments):
            return try self.construct(self.evaluate(type, in: scope), type, self.values(arguments, in: scope))
        case .function(let index): return try self.makeFunction(index, in: scope)
        case .object(let members): return try self.object(members, in: scope)
        case .array(let items): return try self.make(.array, items: self.values(items, in: scope))
        case .spread(let value): return try self.evaluate(value, in: scope)
        case .unary(let symbol, let value): return try self.unary(symbol, value, in: scope)
        case .update(let target, let step, let isPrefix):
            let old = try self.evaluate(target, in: scope)
            let new = self.number(old).map { ScriptValue.number($0 + step) } ?? .unknown("a counter")
            try self.assign(new, to: target, in: scope, declares: false)
            return isPrefix ? new : old
        case .binary: return try self.binary(id, in: scope)
        case .conditional(let test, let then, let other): return try self.conditional(test, then, other, in: scope)
        case .assign(let symbol, let target, let value): return try self.assignment(symbol, target, value, in: scope)
        case .sequence(let values):
            var last = ScriptValue.undefined
            for value in values { last = try self.evaluate(value, in: scope) }
            return last
        default: throw .tooLong
        }
    }

    /// The values of arguments or items, with spread arrays expanded.
    mutating func values(_ ids: [Int], in scope: Int) throws(Stop) -> [ScriptValue] {
        var values: [ScriptValue] = []
        for id in ids {
            let value = try self.evaluate(id, in: scope)
            if case .spread = self.program.nodes[id], case .object(let list) = value, self.kind(value) == .array {
                try self.meter.charge(self.objects[list].items.count / StepMeter.values)
                values += self.objects[list].items
            } else {
                values.append(value)
            }
        }
        return values
    }

    private mutating func object(_ members: [(key: Int, value: Int)], in scope: Int) throws(Stop) -> ScriptValue {
        let object = try self.make(.plain)
        for (key, value) in members {
            if case .spread(let inner) = self.program.nodes[value] {
                try self.copyMembers(of: self.evaluate(inner, in: scope), to: object)
                continue
            }
            let name = try self.string(self.evaluate(key, in: scope)) ?? ""
            try self.setMember(object, name, to: self.evaluate(value, in: scope))
        }
        return object
    }

    /// Copies the properties of an object, as `Object.assign` and spread do (§20.1.2.1).
    mutating func copyMembers(of source: ScriptValue, to target: ScriptValue) throws(Stop) {
        guard case .object(let id) = source else { return }
        let object = self.objects[id]
        for name in object.names {
            try self.meter.charge()
            try self.setMember(target, name, to: object.members[name] ?? .undefined)
        }
    }

    // MARK: Members

    /// The value of a member, and its object.
    private mutating func member(_ id: Int, in scope: Int) throws(Stop) -> (value: ScriptValue, of: ScriptValue) {
        guard case .member(let owner, let key, let isOptional) = self.program.nodes[id] else {
            return (try self.evaluate(id, in: scope), .undefined)
        }
        let object = try self.evaluate(owner, in: scope)
        if object.isMissing {
            // `a?.b.c` is undefined if `a` is.
            if isOptional || self.isShort(owner) { return (.undefined, .undefined) }
            // An `async` function is run like any other, and returns its value instead of a promise.
            if case .string(let name) = self.program.nodes[key], ["then", "catch", "finally"].contains(name) {
                return (.unknown("a promise"), object)
            }
            let name = self.path(id) ?? "a member"
            throw .thrown(.string("TypeError: \(self.path(owner) ?? "a value") is undefined, so \(name) can't be read"))
        }
        let name = try self.string(self.evaluate(key, in: scope))
        guard let name else { return (.unknown(self.path(id) ?? "a member"), object) }
        return (try self.get(object, name), object)
    }

    private func isShort(_ id: Int) -> Bool {
        if case .member(_, _, let isOptional) = self.program.nodes[id] { isOptional } else { false }
    }

    private mutating func callee(_ id: Int, in scope: Int) throws(Stop) -> (ScriptValue, ScriptValue) {
        guard case .member = self.program.nodes[id] else { return (try self.evaluate(id, in: scope), .undefined) }
        return try self.member(id, in: scope)
    }

    /// The text of an expression that is a name or a path of names, for messages; nil for other expressions.
    func path(_ id: Int) -> String? {
        var names: [String] = []
        var at = id
        while names.count < 9 {
            switch self.program.nodes[at] {
            case .name(let name): return ([name.excerpt()] + names).joined(separator: ".")
            case .this where names.isEmpty: return "this"
            case .member(let owner, let key, _):
                guard case .string(let name) = self.program.nodes[key] else {
                    return names.isEmpty ? nil : names.joined(separator: ".")
                }
                names.insert(name.excerpt(), at: 0)
                at = owner
            default: return names.isEmpty ? nil : names.joined(separator: ".")
            }
        }
        return names.joined(separator: ".")
    }
}
