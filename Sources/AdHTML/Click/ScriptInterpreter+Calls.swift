import AdCore
import AdMarkup

/// Calls of functions: those of the script, and those of strings, arrays and the window.
extension ScriptInterpreter {
    /// Calls a value; `callee` is its expression, for messages.
    mutating func call(
        _ function: ScriptValue,
        this: ScriptValue,
        _ arguments: [ScriptValue],
        as callee: Int? = nil
    ) throws(Stop) -> ScriptValue {
        try self.enter()
        defer { self.leave() }
        try self.meter.charge(arguments.count / StepMeter.values)
        switch function {
        case .unknown(let source):
            let name = callee.flatMap { self.path($0) } ?? source
            if self.isPressed { self.pressResult.unknownCall = self.pressResult.unknownCall ?? name }
            return .unknown(name)
        case .object(let id):
            switch self.objects[id].kind {
            case .function(let index, let scope, let bound):
                return try self.call(self.program.functions[index], in: scope, this: bound ?? this, function, arguments)
            case .native(let method, let owner):
                return try self.callNative(method, this.isMissing ? owner : this, arguments)
            case .bound(let inner, let this, let first):
                try self.meter.charge(first.count / StepMeter.values)
                return try self.call(inner, this: this, first + arguments)
            case .host(let host): return try self.convert(host, arguments)
            default: break
            }
        // An unsupported method of an element is assumed to exist.
        case .undefined where self.isOfPage(this):
            let name = callee.flatMap { self.path($0) } ?? "a method"
            if self.isPressed { self.pressResult.unknownCall = self.pressResult.unknownCall ?? name }
            self.markPageUncertain("a script calls \(name), which is not supported")
            return .unknown(name)
        default: break
        }
        throw .thrown(.string("TypeError: \(callee.flatMap { self.path($0) } ?? "a value") is not a function"))
    }

    private func isOfPage(_ value: ScriptValue) -> Bool {
        switch self.kind(value) {
        case .element, .host(.document): true
        default: false
        }
    }

    private mutating func call(
        _ function: ScriptProgram.Function,
        in scope: Int,
        this: ScriptValue,
        _ value: ScriptValue,
        _ arguments: [ScriptValue]
    ) throws(Stop) -> ScriptValue {
        let uncertainty = self.uncertainty
        defer { self.uncertainty = uncertainty }
        // The charge covers the memory of the scope, its variables and its arguments.
        try self.meter.charge(4 + function.variables.count / StepMeter.values)
        let inner = self.newScope(in: scope)
        if !function.isArrow {
            self.scopes[inner].values["this"] = this == .undefined ? self.host(.window) : this
            self.scopes[inner].values["arguments"] = try self.make(.array, items: arguments)
        }
        if let name = function.name { self.scopes[inner].values[name] = value }
        for name in function.variables where self.scopes[inner].values[name] == nil {
            self.scopes[inner].values[name] = .undefined
        }
        for (index, parameter) in function.parameters.enumerated() {
            if case .spread(let rest) = self.program.nodes[parameter] {
                let list = try self.make(.array, items: Array(arguments.dropFirst(index)))
                try self.assign(list, to: rest, in: inner, declares: true)
            } else {
                let value = arguments.indices.contains(index) ? arguments[index] : .undefined
                try self.assign(value, to: parameter, in: inner, declares: true)
            }
        }
        switch function.body {
        case .value(let id): return try self.evaluate(id, in: inner)
        case .statements(let statements):
            guard case .returning(let value) = try self.run(statements, in: inner) else {
                return self.uncertainty > uncertainty ? .conditional : .undefined
            }
            return self.uncertainty > uncertainty ? .conditional : value
        }
    }

    /// Runs a script, whose variables are properties of the window.
    mutating func run(script index: Int) throws(Stop) {
        let function = self.program.functions[index]
        for name in function.variables where self.scopes[0].values[name] == nil {
            // A property of the window keeps its value, as in `var mraid = mraid || {}`; the id of an element does not.
            try self.meter.charge()
            let own = try self.page.element(withID: name, &self.meter) == nil ? try self.global(name) : nil
            self.scopes[0].values[name] = own ?? .undefined
        }
        guard case .statements(let statements) = function.body else { return }
        _ = try self.run(statements, in: 0)
    }

    mutating func construct(_ type: ScriptValue, _ callee: Int, _ arguments: [ScriptValue]) throws(Stop) -> ScriptValue
    {
        try self.meter.charge(arguments.count / StepMeter.values)
        guard case .object(let id) = type else {
            let name = self.path(callee)
            if case .unknown = type { return .unknown(name ?? "an object") }
            throw .thrown(.string("TypeError: \(name ?? "a value") is not a constructor"))
        }
        let first = arguments.first ?? .undefined
        switch self.objects[id].kind {
        case .function:
            let object = try self.make(.plain)
            try self.copyMembers(of: self.objects[id].members["prototype"] ?? .undefined, to: object)
            let result = try self.call(type, this: object, arguments)
            if case .object = result { return result }
            return object
        case .native(let native, _):
            switch native {
            case "Image", "Audio": return try self.createElement(native == "Image" ? "img" : "audio")
            case "Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError":
                let error = try self.make(.plain)
                try self.setMember(error, "message", to: first == .undefined ? .string("") : first)
                return error
            case "URLSearchParams":
                let query = first == .undefined ? "" : try self.string(first)
                return try self.make(.query(isEmpty: query.map { $0.isEmpty || $0 == "?" }))
            case "RegExp":
                let pattern = try self.make(.regularExpression)
                try self.setMember(pattern, "source", to: first)
                return pattern
            default: return .unknown(native.excerpt())
            }
        case .host(.date): return .number(ScriptInterpreter.time)
        case .host(.array), .host(.object): return try self.call(type, this: .undefined, arguments)
        default: return .unknown(self.path(callee) ?? "an object")
        }
    }

    /// The current time for scripts, in milliseconds; a constant, because ads use it only for cache busting.
    private static let time = 1_700_000_000_000.0

    // MARK: Native functions

    private mutating func callNative(
        _ name: String,
        _ owner: ScriptValue,
        _ arguments: [ScriptValue]
    ) throws(Stop) -> ScriptValue {
        switch owner {
        case .string(let text): return try self.call(string: text, name, arguments)
        case .number, .boolean:
            // A date is represented by its milliseconds.
            if name == "getTime" || name == "valueOf" { return owner }
            return name == "toString" ? self.plainString(owner).map { .string($0) } ?? owner : .unknown(name)
        case .object(let id):
            switch self.objects[id].kind {
            case .array: return try self.call(list: id, name, arguments)
            case .element(let element): return try self.call(element: element, name, arguments)
            case .part(let part, let element): return try self.call(part: part, of: element, name, arguments)
            case .event:
                self.setFlag(event: id, name)
                return .undefined
            case .function, .bound, .native: return try self.call(function: owner, name, arguments)
            case .plain: return try self.call(plain: id, name, arguments)
            case .regularExpression, .query: return try self.call(matcher: id, name, arguments)
            case .host(.window): return try self.callWindow(name, arguments)
            case .host(.document): return try self.call(document: name, arguments)
            case .host(.mraid): return try self.callMRAID(name, arguments)
            case .host(.location), .host(.outerLocation), .host(.openedLocation):
                if name == "assign" || name == "replace" { try self.open(arguments.first ?? .undefined) }
                return name == "toString" ? self.plainString(owner).map { .string($0) } ?? .unknown(name) : .undefined
            // A window without a URL does nothing.
            case .host(.opened), .host(.openedDocument): return .undefined
            case .host(.math): return self.callMath(name, arguments)
            case .host(.date): return .number(ScriptInterpreter.time)
            case .host(.object) where name == "keys":
                guard case .object(let id)? = arguments.first else { return .unknown("Object.keys") }
                return try self.make(.array, items: self.objects[id].names.map { .string($0) })
            case .host(.object) where name == "assign":
                guard let target = arguments.first else { return .undefined }
                for source in arguments.dropFirst() { try self.copyMembers(of: source, to: target) }
                return target
            case .host(.array) where name == "isArray": return .boolean(self.kind(arguments.first ?? .null) == .array)
            case .host(.outer) where name == "open": return try self.callWindow(name, arguments)
            case .host(.console), .host(.outer): return .undefined
            case .host: return .unknown(name.excerpt())
            }
        default: return .unknown(name)
        }
    }

    private func callMath(_ name: String, _ arguments: [ScriptValue]) -> ScriptValue {
        if name == "random" { return .number(0.5) }
        let numbers = arguments.compactMap { self.number($0) }
        guard numbers.count == arguments.count, let first = numbers.first else { return .unknown("Math.\(name)") }
        return switch name {
        case "floor": .number(first.rounded(.down))
        case "ceil": .number(first.rounded(.up))
        case "round": .number((first + 0.5).rounded(.down))
        case "abs": .number(abs(first))
        case "max": .number(numbers.max() ?? first)
        case "min": .number(numbers.min() ?? first)
        default: .unknown("Math.\(name)")
        }
    }

    /// Calls a constructor as a function, such as `String(…)` or `Number(…)`.
    private mutating func convert(_ host: ScriptHost, _ arguments: [ScriptValue]) throws(Stop) -> ScriptValue {
        switch host {
        case .string:
            guard let first = arguments.first else { return .string("") }
            return try self.string(first).map { .string($0) } ?? .unknown("String")
        case .number:
            return arguments.first.map { self.number($0).map { .number($0) } ?? .unknown("Number") } ?? .number(0)
        case .array:
            guard arguments.count == 1, case .number(let number) = arguments[0] else {
                return try self.make(.array, items: arguments)
            }
            guard let count = Int(exactly: number), (0...1_000).contains(count) else { return .unknown("Array") }
            return try self.make(.array, items: Array(repeating: .undefined, count: count))
        case .object:
            if let first = arguments.first, !first.isMissing { return first }
            return try self.make(.plain)
        case .date: return .string("Tue Nov 14 2023")
        default: throw .thrown(.string("TypeError: \(host.rawValue) is not a function"))
        }
    }

    private mutating func call(
        function: ScriptValue,
        _ name: String,
        _ arguments: [ScriptValue]
    ) throws(Stop) -> ScriptValue {
        let this = arguments.first ?? .undefined
        switch name {
        case "call": return try self.call(function, this: this, Array(arguments.dropFirst()))
        case "apply":
            guard arguments.count > 1, case .object(let list) = arguments[1] else {
                return try self.call(function, this: this, [])
            }
            return try self.call(function, this: this, self.objects[list].items)
        case "bind": return try self.make(.bound(function, this: this, Array(arguments.dropFirst())))
        default: return .unknown(name)
        }
    }

    private mutating func call(
        plain id: Int,
        _ name: String,
        _ arguments: [ScriptValue]
    ) throws(Stop) -> ScriptValue {
        switch name {
        case "hasOwnProperty":
            guard let key = try arguments.first.flatMap({ value throws(Stop) in try self.string(value) }) else {
                return .unknown(name)
            }
            try self.charge(key)
            return .boolean(self.objects[id].members[key] != nil)
        case "valueOf": return .object(id)
        case "then":
            guard let next = arguments.first else { return .undefined }
            return try self.call(next, this: .undefined, [.undefined])
        default: return .unknown(name)
        }
    }

    /// Calls a method of a regular expression or of `URLSearchParams`; only the results for empty input are known.
    private mutating func call(
        matcher id: Int,
        _ name: String,
        _ arguments: [ScriptValue]
    ) throws(Stop) -> ScriptValue {
        switch (self.objects[id].kind, name) {
        case (.query(isEmpty: true), "get"): .null
        case (.query(isEmpty: true), "has"): .boolean(false)
        // The regular expressions of ads do not match an empty string.
        case (.regularExpression, "test") where arguments.first == .string(""): .boolean(false)
        case (.regularExpression, "exec") where arguments.first == .string(""): .null
        case (.regularExpression, _): .unknown("a regular expression")
        default: .unknown("URLSearchParams.\(name.excerpt())")
        }
    }
}
