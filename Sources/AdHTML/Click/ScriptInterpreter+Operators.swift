import AdCore
import AdMarkup

/// Operators and conversions (ECMA-262 §7.1, §13.5–13.14).
extension ScriptInterpreter {
    mutating func unary(_ symbol: String, _ id: Int, in scope: Int) throws(Stop) -> ScriptValue {
        if symbol == "typeof", case .name(let name) = self.program.nodes[id] {
            do throws(Stop) {
                return self.type(of: try self.lookUp(name, in: scope))
            } catch {
                guard case .thrown = error else { throw error }
                return .string("undefined")
            }
        }
        if symbol == "delete" { return try self.delete(id, in: scope) }
        let value = try self.evaluate(id, in: scope)
        switch symbol {
        case "typeof": return self.type(of: value)
        case "void": return .undefined
        case "!": return value.booleanValue.map { .boolean(!$0) } ?? value
        default:
            guard let number = self.number(value) else { return .unknown("a number") }
            switch symbol {
            case "-": return .number(-number)
            case "~": return .number(Double(~ScriptInterpreter.integer(number)))
            default: return .number(number)
            }
        }
    }

    private func type(of value: ScriptValue) -> ScriptValue {
        switch value {
        case .undefined: .string("undefined")
        case .null: .string("object")
        case .boolean: .string("boolean")
        case .number: .string("number")
        case .string: .string("string")
        case .object: .string(self.isFunction(value) ? "function" : "object")
        case .unknown(let source): .unknown(source)
        }
    }

    /// Evaluates a chain of operators in a loop, because recursion uses stack.
    mutating func binary(_ id: Int, in scope: Int) throws(Stop) -> ScriptValue {
        var chain: [(symbol: String, right: Int)] = []
        var at = id
        while case .binary(let symbol, let left, let right) = self.program.nodes[at] {
            try self.meter.charge()
            chain.append((symbol, right))
            at = left
        }
        var value = try self.evaluate(at, in: scope)
        for (symbol, right) in chain.reversed() {
            switch symbol {
            case "&&", "||", "??": value = try self.logical(symbol, value, right, in: scope)
            default: value = try self.combine(symbol, value, self.evaluate(right, in: scope))
            }
        }
        return value
    }

    mutating func logical(
        _ symbol: String,
        _ left: ScriptValue,
        _ right: Int,
        in scope: Int
    ) throws(Stop) -> ScriptValue {
        let takesLeft: Bool? =
            switch symbol {
            case "&&": left.booleanValue.map { !$0 }
            case "||": left.booleanValue
            default: left.isUnknown ? nil : !left.isMissing
            }
        guard let takesLeft else {
            _ = try self.runUncertainly { interpreter throws(Stop) in
                _ = try interpreter.evaluate(right, in: scope)
                return .normal
            }
            return left
        }
        return takesLeft ? left : try self.evaluate(right, in: scope)
    }

    mutating func conditional(_ test: Int, _ then: Int, _ other: Int, in scope: Int) throws(Stop) -> ScriptValue {
        let value = try self.evaluate(test, in: scope)
        if let booleanValue = value.booleanValue { return try self.evaluate(booleanValue ? then : other, in: scope) }
        var results: [ScriptValue] = []
        for id in [then, other] {
            _ = try self.runUncertainly { interpreter throws(Stop) in
                results.append(try interpreter.evaluate(id, in: scope))
                return .normal
            }
        }
        return results.count == 2 && self.isSame(results[0], results[1]) ? results[0] : value
    }

    mutating func combine(_ symbol: String, _ left: ScriptValue, _ right: ScriptValue) throws(Stop) -> ScriptValue {
        if symbol == "+" { return try self.add(left, right) }
        if symbol == "instanceof" { return .unknown("instanceof") }
        if let unknown = [left, right].first(where: \.isUnknown) { return unknown }
        switch symbol {
        case "==", "!=", "===", "!==":
            guard let isEqual = try self.areEqual(left, right, isStrict: symbol.utf8.count == 3) else {
                return .unknown("a comparison")
            }
            return .boolean(isEqual == (symbol.utf8.first == UInt8(ascii: "=")))
        case "in":
            guard case .object(let id) = right, let name = try self.string(left) else { return .unknown("in") }
            try self.charge(name)
            switch self.objects[id].kind {
            case .plain: return .boolean(self.objects[id].members[name] != nil)
            case .array:
                return Int(name).map { .boolean(self.objects[id].items.indices.contains($0)) } ?? .unknown("in")
            default: return .unknown("in")
            }
        default: break
        }
        if case .string(let first) = left, case .string(let second) = right, ["<", ">", "<=", ">="].contains(symbol) {
            try self.charge(first)
            return .boolean(ScriptInterpreter.compare(symbol, first, second))
        }
        guard let first = self.number(left), let second = self.number(right) else { return .unknown("a number") }
        switch symbol {
        case "<", ">", "<=", ">=": return .boolean(ScriptInterpreter.compare(symbol, first, second))
        case "-": return .number(first - second)
        case "*": return .number(first * second)
        case "/": return .number(first / second)
        case "%": return .number(first.truncatingRemainder(dividingBy: second))
        case "|": return .number(Double(ScriptInterpreter.integer(first) | ScriptInterpreter.integer(second)))
        case "&": return .number(Double(ScriptInterpreter.integer(first) & ScriptInterpreter.integer(second)))
        case "^": return .number(Double(ScriptInterpreter.integer(first) ^ ScriptInterpreter.integer(second)))
        default: return .unknown("a number")
        }
    }

    private static func compare<V: Comparable>(_ symbol: String, _ left: V, _ right: V) -> Bool {
        switch symbol {
        case "<": left < right
        case ">": left > right
        case "<=": left <= right
        default: left >= right
        }
    }

    static func integer(_ number: Double) -> Int32 {
        Int32(truncatingIfNeeded: Int64(exactly: number.rounded(.towardZero)) ?? 0)
    }

    /// `+`, which concatenates strings or adds numbers (§13.15.3).
    mutating func add(_ left: ScriptValue, _ right: ScriptValue) throws(Stop) -> ScriptValue {
        if let unknown = [left, right].first(where: \.isUnknown) { return unknown }
        let isText = [left, right].contains { value in
            switch value {
            case .string, .object: true
            default: false
            }
        }
        if isText {
            guard let first = try self.string(left), let second = try self.string(right) else {
                return .unknown("a string")
            }
            return try self.concatenated(first, second)
        }
        guard let first = self.number(left), let second = self.number(right) else { return .unknown("a number") }
        return .number(first + second)
    }

    /// Whether two values are equal (§7.2.13, §7.2.14); nil if that is unknown.
    mutating func areEqual(_ left: ScriptValue, _ right: ScriptValue, isStrict: Bool) throws(Stop) -> Bool? {
        if left.isUnknown || right.isUnknown { return nil }
        switch (left, right) {
        case (.number(let first), .number(let second)): return first == second
        case (.string(let first), .string(let second)):
            guard first.utf8.count == second.utf8.count else { return false }
            try self.charge(first)
            return first == second
        default: break
        }
        if left == right { return true }
        if isStrict { return false }
        if left.isMissing || right.isMissing { return left.isMissing && right.isMissing }
        if case .object = left, case .object = right { return false }
        guard let first = self.number(left), let second = self.number(right) else {
            guard let first = try self.string(left), let second = try self.string(right) else { return nil }
            return try self.areEqual(.string(first), .string(second), isStrict: true)
        }
        return first == second
    }

    // MARK: Conversions

    /// A value as a number (§7.1.4); nil if it is unknown.
    func number(_ value: ScriptValue) -> Double? {
        switch value {
        case .undefined: return .nan
        case .null: return 0
        case .boolean(let value): return value ? 1 : 0
        case .number(let value): return value
        case .string(let value):
            // Longer strings are not converted, to save time.
            guard value.utf8.count < 400 else { return nil }
            let plain = value.trimmed
            return plain.isEmpty ? 0 : ScriptLiteral.number(plain)
        case .object, .unknown: return nil
        }
    }

    /// A value as a string (§7.1.17); nil if it is unknown.
    ///
    /// An array may contain itself, so its items are converted down to a maximum depth.
    mutating func string(_ value: ScriptValue, depth: Int = 0) throws(Stop) -> String? {
        guard case .object(let id) = value, self.objects[id].kind == .array else { return self.plainString(value) }
        return try self.joined(id, by: ",", depth: depth)
    }

    /// The items of an array as one string (§23.1.3.18); nil if it is unknown.
    mutating func joined(_ list: Int, by separator: String, depth: Int = 0) throws(Stop) -> String? {
        let items = self.objects[list].items
        try self.meter.charge(items.count)
        guard depth < 8 else { return nil }
        var texts: [String] = []
        var length = 0
        for item in items {
            guard let text = item.isMissing ? "" : try self.string(item, depth: depth + 1) else { return nil }
            length += text.utf8.count + separator.utf8.count
            guard length <= ScriptInterpreter.maxStringLength + separator.utf8.count else { throw .tooLong }
            texts.append(text)
        }
        try self.meter.charge(length / StepMeter.bytes)
        return texts.joined(separator: separator)
    }

    /// A value other than an array as a string; nil for an array, and if it is unknown.
    func plainString(_ value: ScriptValue) -> String? {
        switch value {
        case .undefined: return "undefined"
        case .null: return "null"
        case .boolean(let value): return value ? "true" : "false"
        case .number(let value):
            if value == value.rounded(), abs(value) < 1e18 { return String(Int(value)) }
            return value.isNaN ? "NaN" : String(value)
        case .string(let value): return value
        case .object(let id):
            switch self.objects[id].kind {
            case .host(.location): return PageModel.url
            case .host(.openedLocation): return "about:blank"
            case .element(let index): return self.page.elements[index].attributes["href"]
            default: return nil
            }
        case .unknown: return nil
        }
    }
}
