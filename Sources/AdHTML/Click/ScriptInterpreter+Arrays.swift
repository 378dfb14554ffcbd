import AdMarkup

/// The methods of arrays (ECMA-262 §23.1).
extension ScriptInterpreter {
    mutating func call(list id: Int, _ name: String, _ arguments: [ScriptValue]) throws(Stop) -> ScriptValue {
        let items = self.objects[id].items
        try self.meter.charge(1 + items.count / StepMeter.values)
        switch name {
        case "push", "unshift":
            let new = arguments.map { self.settled($0, old: .undefined, madeAt: self.objects[id].uncertainty) }
            self.objects[id].items.insert(contentsOf: new, at: name == "push" ? items.count : 0)
            return .number(Double(self.objects[id].items.count))
        case "pop", "shift":
            let last = name == "pop" ? items.last : items.first
            if self.makesItemsUnknown(list: id) { return .conditional }
            if !items.isEmpty { self.objects[id].items.remove(at: name == "pop" ? items.count - 1 : 0) }
            return last ?? .undefined
        case "reverse":
            if !self.makesItemsUnknown(list: id) { self.objects[id].items = items.reversed() }
            return .object(id)
        case "join":
            let separator = try arguments.first.map { value throws(Stop) in try self.string(value) } ?? ","
            guard let separator, let text = try self.joined(id, by: separator) else { return .unknown(name) }
            return .string(text)
        case "concat":
            var all = items
            for argument in arguments {
                if case .object(let other) = argument, self.kind(argument) == .array {
                    try self.meter.charge(self.objects[other].items.count / StepMeter.values)
                    all += self.objects[other].items
                } else {
                    all.append(argument)
                }
            }
            return try self.make(.array, items: all)
        case "slice":
            let start = arguments.first.flatMap { self.index($0) } ?? 0
            let end = arguments.dropFirst().first.flatMap { self.index($0) } ?? items.count
            guard start >= 0, end >= 0 else { return .unknown(name) }
            return try self.make(.array, items: Array(items.prefix(end).dropFirst(start)))
        case "indexOf", "includes":
            let wanted = arguments.first ?? .undefined
            for (index, item) in items.enumerated() {
                guard let isEqual = try self.areEqual(item, wanted, isStrict: true) else { return .unknown(name) }
                if isEqual { return name == "includes" ? .boolean(true) : .number(Double(index)) }
            }
            return name == "includes" ? .boolean(false) : .number(-1)
        case "forEach", "map", "filter", "some", "every", "find": return try self.iterate(over: items, name, arguments)
        case "item":
            return arguments.first.flatMap { self.index($0) }.flatMap { items.indices.contains($0) ? items[$0] : nil }
                ?? .null
        default:
            // After an unsupported change all items are unknown.
            if ["copyWithin", "fill", "sort", "splice"].contains(name) { self.makeItemsUnknown(list: id) }
            return .unknown(name)
        }
    }

    /// Makes the items of an array unknown.
    private mutating func makeItemsUnknown(list id: Int) {
        self.objects[id].items = self.objects[id].items.map { _ in .unknown("an array with unknown items") }
    }

    /// Makes the items of an array unknown if it is changed under an unknown condition; returns whether it did.
    private mutating func makesItemsUnknown(list id: Int) -> Bool {
        guard self.uncertainty > self.objects[id].uncertainty else { return false }
        self.makeItemsUnknown(list: id)
        return true
    }

    private mutating func iterate(
        over items: [ScriptValue],
        _ name: String,
        _ arguments: [ScriptValue]
    ) throws(Stop) -> ScriptValue {
        guard let function = arguments.first else { return .unknown(name) }
        var results: [ScriptValue] = []
        for (index, item) in items.enumerated() {
            let result = try self.call(function, this: .undefined, [item, .number(Double(index))])
            switch name {
            case "map": results.append(result)
            case "filter": if result.booleanValue != false { results.append(item) }
            case "find", "some", "every":
                // After an unknown result the later items decide nothing.
                guard let booleanValue = result.booleanValue else { return .unknown(name) }
                if name == "find", booleanValue { return item }
                if booleanValue == (name == "some"), name != "find" { return .boolean(booleanValue) }
            default: break
            }
        }
        switch name {
        case "map", "filter": return try self.make(.array, items: results)
        case "some", "every": return .boolean(name == "every")
        default: return .undefined
        }
    }
}
