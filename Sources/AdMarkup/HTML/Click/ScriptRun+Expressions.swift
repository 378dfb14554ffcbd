import AdCore

/// Expressions (ECMA-262 §13).
extension ScriptRun {
    mutating func evaluate(_ id: Int, in scope: Int) throws(Stop) -> ScriptValue {
        try self.enter()
        defer { self.leave() }
        switch self.program.nodes[id] {
        case .undefined: return .undefined
        case .null: return .null
        case .unsupported: return .unknown("a part of the script that is not followed")
        case .this: return try self.thisValue(in: scope)
        case .boolean(let value): return .boolean(value)
        case .number(let value): return .number(value)
        case .text(let value): return .text(value)
        case .pattern(let source):
            let pattern = self.make(.plain)
            self.setMember(pattern, "source", to: .text(source))
            self.setMember(pattern, "\u{0}pattern", to: .boolean(true))
            return pattern
        case .name(let name): return try self.lookUp(name, in: scope)
        case .template(let texts, let values):
            var result = ScriptValue.text(texts[0])
            for (value, text) in zip(values, texts.dropFirst()) {
                result = try self.add(result, self.evaluate(value, in: scope))
                result = try self.add(result, .text(text))
            }
            return result
        case .member: return try self.member(id, in: scope).value
        case .call(let callee, let arguments, let isOptional):
            let (function, this) = try self.callee(callee, in: scope)
            if isOptional, function.isMissing { return .undefined }
            let values = try self.values(arguments, in: scope)
            return try self.call(function, this: this, values, as: callee)
        case .make(let type, let arguments):
            let name = self.path(type)
            return try self.makeNew(self.evaluate(type, in: scope), name, self.values(arguments, in: scope))
        case .function(let index):
            let isArrow = self.program.functions[index].isArrow
            return self.make(.function(index, scope: scope, this: isArrow ? try self.thisValue(in: scope) : nil))
        case .object(let members): return try self.object(members, in: scope)
        case .array(let items): return self.make(.array, items: try self.values(items, in: scope))
        case .spread(let value): return try self.evaluate(value, in: scope)
        case .unary(let sign, let value): return try self.unary(sign, value, in: scope)
        case .update(let target, let step, let isPrefix):
            let old = try self.evaluate(target, in: scope)
            let new = self.number(old).map { ScriptValue.number($0 + step) } ?? .unknown("a count")
            try self.assign(new, to: target, in: scope, declares: false)
            return isPrefix ? new : old
        case .binary: return try self.binary(id, in: scope)
        case .choice(let test, let then, let other): return try self.choice(test, then, other, in: scope)
        case .assign(let sign, let target, let value): return try self.assignment(sign, target, value, in: scope)
        case .sequence(let values):
            var last = ScriptValue.undefined
            for value in values { last = try self.evaluate(value, in: scope) }
            return last
        default: throw .tooLong
        }
    }

    private func thisValue(in scope: Int) throws(Stop) -> ScriptValue {
        var at: Int? = scope
        while let index = at {
            if let value = self.scopes[index].values["this"] { return value }
            at = self.scopes[index].parent
        }
        return self.host(.window)
    }

    /// The values of arguments or items, lists among them spread.
    mutating func values(_ ids: [Int], in scope: Int) throws(Stop) -> [ScriptValue] {
        var values: [ScriptValue] = []
        for id in ids {
            let value = try self.evaluate(id, in: scope)
            if case .spread = self.program.nodes[id], case .object(let list) = value, self.kind(value) == .array {
                values += self.objects[list].items
            } else {
                values.append(value)
            }
        }
        return values
    }

    private mutating func object(_ members: [(key: Int, value: Int)], in scope: Int) throws(Stop) -> ScriptValue {
        let object = self.make(.plain)
        for (key, value) in members {
            if case .spread(let inner) = self.program.nodes[value] {
                if case .object(let other) = try self.evaluate(inner, in: scope) {
                    for name in self.objects[other].names {
                        self.setMember(object, name, to: self.objects[other].members[name] ?? .undefined)
                    }
                }
                continue
            }
            let name = try self.text(self.evaluate(key, in: scope)) ?? ""
            self.setMember(object, name, to: try self.evaluate(value, in: scope))
        }
        return object
    }

    // MARK: Members

    /// A member, and whose it is.
    private mutating func member(_ id: Int, in scope: Int) throws(Stop) -> (value: ScriptValue, of: ScriptValue) {
        guard case .member(let owner, let key, let isOptional) = self.program.nodes[id] else {
            return (try self.evaluate(id, in: scope), .undefined)
        }
        let object = try self.evaluate(owner, in: scope)
        if object.isMissing {
            // `a?.b.c` ends with `a`.
            if isOptional || self.isShort(owner) { return (.undefined, .undefined) }
            let name = self.path(id) ?? "a member"
            throw .thrown(.text("TypeError: \(self.path(owner) ?? "a value") has no \(name), it is not there"))
        }
        let name = try self.text(self.evaluate(key, in: scope))
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

    /// An expression as it is written, where it is a name or a path of names.
    func path(_ id: Int) -> String? {
        switch self.program.nodes[id] {
        case .name(let name): return name
        case .this: return "this"
        case .member(let owner, let key, _):
            guard case .text(let name) = self.program.nodes[key] else { return nil }
            var at = owner
            var names = [name]
            while names.count < 8 {
                if case .name(let first) = self.program.nodes[at] {
                    return ([first] + names).joined(separator: ".")
                }
                guard case .member(let next, let key, _) = self.program.nodes[at],
                    case .text(let name) = self.program.nodes[key]
                else { break }
                names.insert(name, at: 0)
                at = next
            }
            return names.joined(separator: ".")
        default: return nil
        }
    }

    // MARK: Operators

    private mutating func unary(_ sign: String, _ id: Int, in scope: Int) throws(Stop) -> ScriptValue {
        if sign == "typeof", case .name(let name) = self.program.nodes[id] {
            do throws(Stop) {
                return self.type(of: try self.lookUp(name, in: scope))
            } catch {
                return .text("undefined")
            }
        }
        let value = try self.evaluate(id, in: scope)
        switch sign {
        case "typeof": return self.type(of: value)
        case "void": return .undefined
        case "delete": return .boolean(true)
        case "!": return value.truth.map { .boolean(!$0) } ?? value
        default:
            guard let number = self.number(value) else { return .unknown("a number") }
            switch sign {
            case "-": return .number(-number)
            case "~": return .number(Double(~ScriptRun.integer(number)))
            default: return .number(number)
            }
        }
    }

    private func type(of value: ScriptValue) -> ScriptValue {
        switch value {
        case .undefined: .text("undefined")
        case .null: .text("object")
        case .boolean: .text("boolean")
        case .number: .text("number")
        case .text: .text("string")
        case .object: .text(self.isFunction(value) ? "function" : "object")
        case .unknown(let source): .unknown(source)
        }
    }

    /// Operators of a row are evaluated in a loop, however long the row is.
    private mutating func binary(_ id: Int, in scope: Int) throws(Stop) -> ScriptValue {
        var row: [(sign: String, right: Int)] = []
        var at = id
        while case .binary(let sign, let left, let right) = self.program.nodes[at] {
            try self.step()
            row.append((sign, right))
            at = left
        }
        var value = try self.evaluate(at, in: scope)
        for (sign, right) in row.reversed() {
            switch sign {
            case "&&", "||", "??": value = try self.logical(sign, value, right, in: scope)
            default: value = try self.combine(sign, value, self.evaluate(right, in: scope))
            }
        }
        return value
    }

    private mutating func logical(
        _ sign: String,
        _ left: ScriptValue,
        _ right: Int,
        in scope: Int
    ) throws(Stop) -> ScriptValue {
        let takesLeft: Bool? =
            switch sign {
            case "&&": left.truth.map { !$0 }
            case "||": left.truth
            default: left.isUnknown ? nil : !left.isMissing
            }
        guard let takesLeft else {
            _ = try self.doubted { run throws(Stop) in
                _ = try run.evaluate(right, in: scope)
                return .normal
            }
            return left
        }
        return takesLeft ? left : try self.evaluate(right, in: scope)
    }

    private mutating func choice(_ test: Int, _ then: Int, _ other: Int, in scope: Int) throws(Stop) -> ScriptValue {
        let value = try self.evaluate(test, in: scope)
        if let truth = value.truth { return try self.evaluate(truth ? then : other, in: scope) }
        var results: [ScriptValue] = []
        for id in [then, other] {
            _ = try self.doubted { run throws(Stop) in
                results.append(try run.evaluate(id, in: scope))
                return .normal
            }
        }
        return results.count == 2 && results[0] == results[1] ? results[0] : value
    }

    mutating func combine(_ sign: String, _ left: ScriptValue, _ right: ScriptValue) throws(Stop) -> ScriptValue {
        if sign == "+" { return try self.add(left, right) }
        if sign == "instanceof" { return .unknown("instanceof") }
        if let unknown = [left, right].first(where: \.isUnknown) { return unknown }
        switch sign {
        case "==", "!=", "===", "!==":
            guard let isEqual = self.areEqual(left, right, isStrict: sign.utf8.count == 3) else {
                return .unknown("a comparison")
            }
            return .boolean(isEqual == (sign.utf8.first == UInt8(ascii: "=")))
        case "in":
            guard case .object(let id) = right, let name = self.text(left) else { return .boolean(false) }
            if case .host = self.objects[id].kind { return .unknown("in") }
            return .boolean(self.objects[id].members[name] != nil)
        default: break
        }
        if case .text(let first) = left, case .text(let second) = right, ["<", ">", "<=", ">="].contains(sign) {
            return .boolean(ScriptRun.compare(sign, first, second))
        }
        guard let first = self.number(left), let second = self.number(right) else { return .unknown("a number") }
        switch sign {
        case "<", ">", "<=", ">=": return .boolean(ScriptRun.compare(sign, first, second))
        case "-": return .number(first - second)
        case "*": return .number(first * second)
        case "/": return .number(first / second)
        case "%": return .number(first.truncatingRemainder(dividingBy: second))
        case "|": return .number(Double(ScriptRun.integer(first) | ScriptRun.integer(second)))
        case "&": return .number(Double(ScriptRun.integer(first) & ScriptRun.integer(second)))
        case "^": return .number(Double(ScriptRun.integer(first) ^ ScriptRun.integer(second)))
        default: return .unknown("a number")
        }
    }

    private static func compare<V: Comparable>(_ sign: String, _ left: V, _ right: V) -> Bool {
        switch sign {
        case "<": left < right
        case ">": left > right
        case "<=": left <= right
        default: left >= right
        }
    }

    static func integer(_ number: Double) -> Int32 {
        Int32(truncatingIfNeeded: Int64(exactly: number.rounded(.towardZero)) ?? 0)
    }

    /// `+`, which puts texts together or adds numbers (§13.15.3).
    mutating func add(_ left: ScriptValue, _ right: ScriptValue) throws(Stop) -> ScriptValue {
        if let unknown = [left, right].first(where: \.isUnknown) { return unknown }
        let isText = [left, right].contains { value in
            switch value {
            case .text, .object: true
            default: false
            }
        }
        if isText {
            guard let first = self.text(left), let second = self.text(right) else { return .unknown("a text") }
            return try self.made(first + second)
        }
        guard let first = self.number(left), let second = self.number(right) else { return .unknown("a number") }
        return .number(first + second)
    }

    /// Whether two values are equal (§7.2.13, §7.2.14); nil where that can't be known.
    func areEqual(_ left: ScriptValue, _ right: ScriptValue, isStrict: Bool) -> Bool? {
        if left.isUnknown || right.isUnknown { return nil }
        if case .number(let first) = left, case .number(let second) = right { return first == second }
        if left == right { return true }
        if isStrict { return false }
        if left.isMissing || right.isMissing { return left.isMissing && right.isMissing }
        if case .object = left, case .object = right { return false }
        guard let first = self.number(left), let second = self.number(right) else {
            guard let first = self.text(left), let second = self.text(right) else { return nil }
            return first == second
        }
        return first == second
    }

    /// A value as a number (§7.1.4); nil where that can't be known.
    func number(_ value: ScriptValue) -> Double? {
        switch value {
        case .undefined: return .nan
        case .null: return 0
        case .boolean(let value): return value ? 1 : 0
        case .number(let value): return value
        case .text(let value):
            let plain = value.trimmed
            return plain.isEmpty ? 0 : plain.utf8.count < 400 ? ScriptLiteral.number(plain) : .nan
        case .object, .unknown: return nil
        }
    }

    /// A value as a text (§7.1.17); nil where that can't be known.
    func text(_ value: ScriptValue) -> String? {
        switch value {
        case .undefined: return "undefined"
        case .null: return "null"
        case .boolean(let value): return value ? "true" : "false"
        case .number(let value):
            if value == value.rounded(), abs(value) < 1e18 { return String(Int(value)) }
            return value.isNaN ? "NaN" : String(value)
        case .text(let value): return value
        case .object(let id):
            switch self.objects[id].kind {
            case .host(.location): return PageModel.address
            case .array:
                let texts = self.objects[id].items.prefix(200).map { item -> String? in
                    if case .object(let inner) = item, self.objects[inner].kind == .array { return nil }
                    return item.isMissing ? "" : self.text(item)
                }
                return texts.contains { $0 == nil } ? nil : texts.compactMap(\.self).joined(separator: ",")
            case .plain: return self.objects[id].members["\u{0}text"].flatMap { self.text($0) }
            case .element(let index): return self.page.elements[index].attributes["href"]
            default: return nil
            }
        case .unknown: return nil
        }
    }

    // MARK: Assigning

    private mutating func assignment(
        _ sign: String,
        _ target: Int,
        _ value: Int,
        in scope: Int
    ) throws(Stop) -> ScriptValue {
        if sign == "=" {
            let new = try self.evaluate(value, in: scope)
            try self.assign(new, to: target, in: scope, declares: false)
            return new
        }
        let old = try self.evaluate(target, in: scope)
        let new: ScriptValue
        switch sign {
        case "+=": new = try self.add(old, self.evaluate(value, in: scope))
        case "||=", "&&=", "??=": new = try self.logical(String(sign.dropLast()), old, value, in: scope)
        default: new = try self.combine(String(sign.dropLast()), old, self.evaluate(value, in: scope))
        }
        try self.assign(new, to: target, in: scope, declares: false)
        return new
    }

    /// Sets a name, a member, or what a pattern names (§13.15.5).
    mutating func assign(_ value: ScriptValue, to target: Int, in scope: Int, declares: Bool) throws(Stop) {
        try self.enter()
        defer { self.leave() }
        switch self.program.nodes[target] {
        case .name(let name):
            if declares, scope != 0 || self.doubt == 0 {
                self.scopes[scope].values[name] = value
            } else {
                self.set(name, to: value, in: scope)
            }
        case .member(let owner, let key, _):
            let object = try self.evaluate(owner, in: scope)
            if object.isMissing {
                throw .thrown(
                    .text("TypeError: \(self.path(owner) ?? "a value") is not there, so nothing can be set in it")
                )
            }
            guard let name = try self.text(self.evaluate(key, in: scope)) else { return }
            try self.put(object, name, value)
        case .assign(_, let inner, let other):
            let isMissing = value == .undefined
            try self.assign(
                isMissing ? self.evaluate(other, in: scope) : value,
                to: inner,
                in: scope,
                declares: declares
            )
        case .object(let members):
            for (key, inner) in members {
                let name = try self.text(self.evaluate(key, in: scope)) ?? ""
                let part = value.isMissing ? .undefined : try self.get(value, name)
                try self.assign(part, to: inner, in: scope, declares: declares)
            }
        case .array(let targets):
            for (index, inner) in targets.enumerated() {
                let part = value.isMissing ? .undefined : try self.get(value, String(index))
                try self.assign(part, to: inner, in: scope, declares: declares)
            }
        case .spread(let inner): try self.assign(.unknown("a list"), to: inner, in: scope, declares: declares)
        default: break
        }
    }
}
