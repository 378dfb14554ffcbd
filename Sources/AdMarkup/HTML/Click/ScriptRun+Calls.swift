import AdCore

/// Calls of functions: the script's, and those of texts, lists and the window.
extension ScriptRun {
    /// Calls a value; `callee` is the expression that it came from, for the words.
    mutating func call(
        _ function: ScriptValue,
        this: ScriptValue,
        _ arguments: [ScriptValue],
        as callee: Int? = nil
    ) throws(Stop) -> ScriptValue {
        try self.enter()
        defer { self.leave() }
        let name = callee.flatMap { self.path($0) }
        switch function {
        case .unknown(let source):
            if self.isPressed { self.unknownCall = self.unknownCall ?? name ?? source }
            return .unknown(name ?? source)
        case .object(let id):
            switch self.objects[id].kind {
            case .function(let index, let scope, let bound):
                return try self.call(self.program.functions[index], in: scope, this: bound ?? this, function, arguments)
            case .native(let method, let owner):
                return try self.callNative(method, this.isMissing ? owner : this, arguments)
            case .bound(let inner, let this, let first): return try self.call(inner, this: this, first + arguments)
            case .host(let host): return try self.convert(host, arguments)
            default: break
            }
        default: break
        }
        throw .thrown(.text("TypeError: \(name ?? "a value") is not a function"))
    }

    private mutating func call(
        _ function: ScriptProgram.Function,
        in scope: Int,
        this: ScriptValue,
        _ value: ScriptValue,
        _ arguments: [ScriptValue]
    ) throws(Stop) -> ScriptValue {
        let doubt = self.doubt
        defer { self.doubt = doubt }
        let inner = self.newScope(in: scope)
        if !function.isArrow {
            self.scopes[inner].values["this"] = this == .undefined ? self.host(.window) : this
            self.scopes[inner].values["arguments"] = self.make(.array, items: arguments)
        }
        if let name = function.name { self.scopes[inner].values[name] = value }
        for name in function.variables where self.scopes[inner].values[name] == nil {
            self.scopes[inner].values[name] = .undefined
        }
        for (index, parameter) in function.parameters.enumerated() {
            if case .spread(let rest) = self.program.nodes[parameter] {
                let list = self.make(.array, items: Array(arguments.dropFirst(index)))
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
                return self.doubt > doubt ? .unknown("a condition that can't be known here") : .undefined
            }
            return self.doubt > doubt ? .unknown("a condition that can't be known here") : value
        }
    }

    /// Runs a script: what it declares is the window's.
    mutating func run(script index: Int) throws(Stop) {
        let function = self.program.functions[index]
        for name in function.variables where self.scopes[0].values[name] == nil {
            // What the window has keeps its value, as in `var mraid = mraid || {}`; an element's name does not.
            let own = self.page.element(withID: name) == nil ? self.global(name) : nil
            self.scopes[0].values[name] = own ?? .undefined
        }
        guard case .statements(let statements) = function.body else { return }
        _ = try self.run(statements, in: 0)
    }

    mutating func makeNew(_ type: ScriptValue, _ name: String?, _ arguments: [ScriptValue]) throws(Stop) -> ScriptValue
    {
        guard case .object(let id) = type else {
            if case .unknown = type { return .unknown(name ?? "an object") }
            throw .thrown(.text("TypeError: \(name ?? "a value") is not a constructor"))
        }
        switch self.objects[id].kind {
        case .function:
            let object = self.make(.plain)
            if case .object(let prototype)? = self.objects[id].members["prototype"] {
                for name in self.objects[prototype].names {
                    self.setMember(object, name, to: self.objects[prototype].members[name] ?? .undefined)
                }
            }
            let result = try self.call(type, this: object, arguments)
            if case .object = result { return result }
            return object
        case .native(let native, _):
            switch native {
            case "Image", "Audio": return self.element(self.page.make(native == "Image" ? "img" : "audio"))
            case "Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError":
                let error = self.make(.plain)
                self.setMember(error, "message", to: arguments.first ?? .text(""))
                return error
            case "URLSearchParams":
                let parameters = self.make(.plain)
                self.setMember(parameters, "\u{0}query", to: arguments.first ?? .text(""))
                return parameters
            case "RegExp":
                let pattern = self.make(.plain)
                self.setMember(pattern, "source", to: arguments.first ?? .undefined)
                self.setMember(pattern, "\u{0}pattern", to: .boolean(true))
                return pattern
            default: return .unknown(native)
            }
        case .host(.date): return .number(ScriptRun.time)
        case .host(.array), .host(.object): return try self.call(type, this: .undefined, arguments)
        default: return .unknown(name ?? "an object")
        }
    }

    /// The time that scripts are told, in milliseconds: the same in every run, because what is read of it is only ever a part
    /// of an address that keeps caches away.
    private static let time = 1_700_000_000_000.0

    // MARK: Native functions

    private mutating func callNative(
        _ name: String,
        _ owner: ScriptValue,
        _ arguments: [ScriptValue]
    ) throws(Stop) -> ScriptValue {
        switch owner {
        case .text(let text): return try self.call(text: text, name, arguments)
        case .number, .boolean:
            // A date is the number of its milliseconds here.
            if name == "getTime" || name == "valueOf" { return owner }
            return name == "toString" || name == "toFixed"
                ? self.text(owner).map { .text($0) } ?? owner : .unknown(name)
        case .object(let id):
            switch self.objects[id].kind {
            case .array: return try self.call(list: id, name, arguments)
            case .element(let element): return try self.call(element: element, name, arguments)
            case .part(let part, let element):
                if part == "classList" { self.callClasses(name, element, arguments) }
                return .undefined
            case .event: return self.call(event: id, name)
            case .function, .bound, .native: return try self.call(function: owner, name, arguments)
            case .plain: return try self.call(plain: id, name, arguments)
            case .host(.window): return try self.callWindow(name, arguments)
            case .host(.document): return try self.call(document: name, arguments)
            case .host(.mraid): return try self.callBridge(name, arguments)
            case .host(.location), .host(.outerLocation):
                if name == "assign" || name == "replace" { self.open(arguments.first ?? .undefined) }
                return name == "toString" ? .text(PageModel.address) : .undefined
            case .host(.math): return self.callMath(name, arguments)
            case .host(.date): return .number(ScriptRun.time)
            case .host(.object) where name == "keys":
                guard case .object(let id)? = arguments.first else { return .unknown("Object.keys") }
                return self.make(.array, items: self.objects[id].names.map { .text($0) })
            case .host(.object) where name == "assign":
                guard let target = arguments.first else { return .undefined }
                for case .object(let id) in arguments.dropFirst() {
                    for name in self.objects[id].names {
                        self.setMember(target, name, to: self.objects[id].members[name] ?? .undefined)
                    }
                }
                return target
            case .host(.array) where name == "isArray": return .boolean(self.kind(arguments.first ?? .null) == .array)
            case .host(.outer) where name == "open": return try self.callWindow(name, arguments)
            case .host(.console), .host(.outer): return .undefined
            case .host: return .unknown(name)
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

    /// `String(…)`, `Number(…)` and their like.
    private mutating func convert(_ host: ScriptHost, _ arguments: [ScriptValue]) throws(Stop) -> ScriptValue {
        switch host {
        case .text: return arguments.first.map { self.text($0).map { .text($0) } ?? .unknown("String") } ?? .text("")
        case .number:
            return arguments.first.map { self.number($0).map { .number($0) } ?? .unknown("Number") } ?? .number(0)
        case .array:
            return self.make(.array, items: arguments.count == 1 && self.number(arguments[0]) != nil ? [] : arguments)
        case .object: return arguments.first { $0 != .undefined } ?? self.make(.plain)
        case .date: return .text("Tue Nov 14 2023")
        default: throw .thrown(.text("TypeError: \(host.rawValue) is not a function"))
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
        default: return self.make(.bound(function, this: this, Array(arguments.dropFirst())))
        }
    }

    private mutating func call(
        plain id: Int,
        _ name: String,
        _ arguments: [ScriptValue]
    ) throws(Stop) -> ScriptValue {
        let object = self.objects[id]
        switch name {
        case "hasOwnProperty":
            return .boolean(arguments.first.flatMap { self.text($0) }.map { object.members[$0] != nil } ?? false)
        case "get" where object.members["\u{0}query"] != nil:
            let query = object.members["\u{0}query"].flatMap { self.text($0) }
            return query == "" || query == "?" ? .null : .unknown("URLSearchParams.get")
        // A pattern finds nothing in an empty text, but for one that looks for nothing.
        case "test" where arguments.first == .text(""): return .boolean(false)
        case "exec" where arguments.first == .text(""): return .null
        case "then":
            guard let next = arguments.first else { return .undefined }
            return try self.call(next, this: .undefined, [.undefined])
        default: return .unknown("a pattern")
        }
    }
}
