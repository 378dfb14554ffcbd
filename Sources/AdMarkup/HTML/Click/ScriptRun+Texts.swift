import AdCore

/// The methods of texts and lists that ads use to put addresses together (ECMA-262 §22.1, §23.1).
extension ScriptRun {
    mutating func call(text: String, _ name: String, _ arguments: [ScriptValue]) throws(Stop) -> ScriptValue {
        try self.charge(text.utf8.count / 64)
        if let unknown = arguments.first(where: \.isUnknown) { return unknown }
        let first = arguments.first.flatMap { self.text($0) }
        // A search takes the product of both lengths.
        if let first, first.utf8.count > 200 { return .unknown(name) }
        let isPattern = arguments.first.map { self.kind($0) == .plain } ?? false
        switch name {
        case "toString", "valueOf", "normalize": return .text(text)
        case "trim", "trimStart", "trimEnd": return .text(text.trimmed)
        case "toLowerCase": return .text(text.lowercased())
        case "toUpperCase": return .text(text.uppercased())
        case "concat":
            var result = ScriptValue.text(text)
            for argument in arguments { result = try self.add(result, argument) }
            return result
        case "match", "search", "matchAll":
            return text.isEmpty ? (name == "search" ? .number(-1) : .null) : .unknown(name)
        case "replace", "replaceAll":
            guard !isPattern, let first, let by = arguments.dropFirst().first, !self.isFunction(by),
                let other = self.text(by)
            else { return text.isEmpty ? .text("") : .unknown(name) }
            guard let range = text.firstRange(of: first) else { return .text(text) }
            if name == "replaceAll" { return try self.made(text.replacing(first, by: other)) }
            return try self.made(text[..<range.lowerBound] + other + text[range.upperBound...])
        case "split":
            guard !isPattern, let first else {
                return arguments.isEmpty ? self.make(.array, items: [.text(text)]) : .unknown(name)
            }
            let parts = first.isEmpty ? text.map { String($0) } : text.split(text: first)
            try self.charge(parts.count)
            return self.make(.array, items: parts.map { .text($0) })
        case "indexOf", "lastIndexOf", "includes", "startsWith", "endsWith":
            return self.find(text, name, first ?? "undefined")
        case "charAt":
            return .text(ScriptRun.character(of: text, at: arguments.first.flatMap { self.index($0) } ?? 0) ?? "")
        case "charCodeAt":
            let unit = ScriptRun.character(of: text, at: arguments.first.flatMap { self.index($0) } ?? 0)?.utf16.first
            return .number(unit.map(Double.init) ?? .nan)
        case "slice", "substring", "substr": return .text(self.part(of: text, name, arguments))
        default: return .unknown(name)
        }
    }

    private func index(_ value: ScriptValue) -> Int? {
        self.number(value).flatMap { Int(exactly: $0.rounded(.towardZero)) }
    }

    private func find(_ text: String, _ name: String, _ wanted: String) -> ScriptValue {
        switch name {
        case "startsWith": return .boolean(text.hasPrefix(wanted))
        case "endsWith": return .boolean(text.hasSuffix(wanted))
        default: break
        }
        guard let range = text.firstRange(of: wanted) else { return name == "includes" ? .boolean(false) : .number(-1) }
        if name == "includes" { return .boolean(true) }
        guard name == "indexOf" else { return .unknown(name) }
        return .number(Double(text[..<range.lowerBound].utf16.count))
    }

    private func part(of text: String, _ name: String, _ arguments: [ScriptValue]) -> String {
        let units = Array(text.utf16)
        let count = units.count
        func place(_ value: ScriptValue?, else other: Int) -> Int {
            guard let value, value != .undefined, let index = self.index(value) else { return other }
            let isFromEnd = index < 0 && name != "substring"
            return min(max(0, isFromEnd ? count + index : index), count)
        }
        var start = place(arguments.first, else: 0)
        var end = count
        if name == "substr" {
            let length = arguments.dropFirst().first.flatMap { self.index($0) } ?? count
            end = min(count, start + min(max(0, length), count))
        } else {
            end = place(arguments.dropFirst().first, else: count)
            if name == "substring", end < start { swap(&start, &end) }
        }
        return start < end ? String(decoding: units[start..<end], as: UTF16.self) : ""
    }

    // MARK: Lists

    mutating func call(list id: Int, _ name: String, _ arguments: [ScriptValue]) throws(Stop) -> ScriptValue {
        let items = self.objects[id].items
        try self.charge(items.count / 8)
        switch name {
        case "push", "unshift":
            if self.doubt == 0 {
                self.objects[id].items.insert(contentsOf: arguments, at: name == "push" ? items.count : 0)
            }
            return .number(Double(self.objects[id].items.count))
        case "pop": return self.objects[id].items.popLast() ?? .undefined
        case "shift": return items.isEmpty ? .undefined : self.objects[id].items.removeFirst()
        case "join":
            let separator = arguments.first.flatMap { self.text($0) } ?? ","
            let texts = items.compactMap { $0.isMissing ? "" : self.text($0) }
            return texts.count == items.count ? try self.made(texts.joined(separator: separator)) : .unknown(name)
        case "concat":
            var all = items
            for argument in arguments {
                if case .object(let other) = argument, self.kind(argument) == .array {
                    all += self.objects[other].items
                } else {
                    all.append(argument)
                }
            }
            try self.charge(all.count / 8)
            return self.make(.array, items: all)
        case "reverse":
            self.objects[id].items = items.reversed()
            return .object(id)
        case "slice":
            let start = arguments.first.flatMap { self.index($0) } ?? 0
            let end = arguments.dropFirst().first.flatMap { self.index($0) } ?? items.count
            guard start >= 0, end >= 0 else { return .unknown(name) }
            return self.make(.array, items: Array(items.prefix(end).dropFirst(start)))
        case "indexOf", "includes":
            let index = arguments.first.flatMap { items.firstIndex(of: $0) }
            return name == "includes" ? .boolean(index != nil) : .number(Double(index ?? -1))
        case "forEach", "map", "filter", "some", "every", "find", "reduce":
            return try self.go(through: items, name, arguments)
        case "item":
            return arguments.first.flatMap { self.index($0) }.flatMap { items.indices.contains($0) ? items[$0] : nil }
                ?? .null
        default: return .unknown(name)
        }
    }

    private mutating func go(
        through items: [ScriptValue],
        _ name: String,
        _ arguments: [ScriptValue]
    ) throws(Stop) -> ScriptValue {
        guard let function = arguments.first, name != "reduce" else { return .unknown(name) }
        var results: [ScriptValue] = []
        for (index, item) in items.enumerated() {
            let result = try self.call(function, this: .undefined, [item, .number(Double(index))])
            switch name {
            case "map": results.append(result)
            case "filter": if result.truth != false { results.append(item) }
            case "find": if result.truth == true { return item }
            case "some": if result.truth == true { return .boolean(true) }
            case "every": if result.truth == false { return .boolean(false) }
            default: break
            }
        }
        switch name {
        case "map", "filter": return self.make(.array, items: results)
        case "some", "every": return .boolean(name == "every")
        default: return .undefined
        }
    }
}

extension String {
    /// The parts between a text.
    fileprivate func split(text separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}
