import AdCore
import AdMarkup

/// The methods of strings that ads use to build URLs (ECMA-262 §22.1).
extension ScriptInterpreter {
    mutating func call(string text: String, _ name: String, _ arguments: [ScriptValue]) throws(Stop) -> ScriptValue {
        try self.meter.charge(1 + text.utf8.count / StepMeter.bytes)
        if let unknown = arguments.first(where: \.isUnknown) { return unknown }
        switch name {
        case "toString", "valueOf", "normalize": return .string(text)
        case "trim", "trimStart", "trimEnd": return .string(text.trimmed)
        case "toLowerCase": return try self.concatenated(text.lowercased())
        case "toUpperCase": return try self.concatenated(text.uppercased())
        case "concat":
            var result = ScriptValue.string(text)
            for argument in arguments { result = try self.add(result, argument) }
            return result
        case "match", "search", "matchAll":
            return text.isEmpty ? (name == "search" ? .number(-1) : .null) : .unknown(name)
        case "charAt":
            return .string(
                ScriptInterpreter.character(of: text, at: arguments.first.flatMap { self.index($0) } ?? 0) ?? ""
            )
        case "charCodeAt":
            let unit = ScriptInterpreter.character(of: text, at: arguments.first.flatMap { self.index($0) } ?? 0)?.utf16
                .first
            return .number(unit.map(Double.init) ?? .nan)
        case "slice", "substring", "substr": return try self.part(of: text, name, arguments)
        case "replace", "replaceAll", "split", "indexOf", "lastIndexOf", "includes", "startsWith", "endsWith":
            guard let wanted = try self.wanted(arguments.first) else {
                if name == "split", arguments.isEmpty { return try self.make(.array, items: [.string(text)]) }
                return text.isEmpty && name.hasPrefix("replace") ? .string("") : .unknown(name)
            }
            // A search may take time in proportion to the product of both lengths.
            let (work, isMore) = text.utf8.count.multipliedReportingOverflow(by: 1 + wanted.utf8.count)
            try self.meter.charge(isMore ? .max : work / 256)
            return switch name {
            case "replace", "replaceAll": try self.replace(text, wanted, arguments, all: name == "replaceAll")
            case "split": try self.split(text, wanted)
            default: self.find(text, name, wanted)
            }
        default: return .unknown(name)
        }
    }

    /// The string to search for; nil for a regular expression, and if it is unknown.
    private mutating func wanted(_ value: ScriptValue?) throws(Stop) -> String? {
        guard let value, self.kind(value) != .regularExpression, self.kind(value) != .plain else { return nil }
        return try self.string(value)
    }

    func index(_ value: ScriptValue) -> Int? {
        self.number(value).flatMap { Int(exactly: $0.rounded(.towardZero)) }
    }

    private mutating func replace(
        _ text: String,
        _ wanted: String,
        _ arguments: [ScriptValue],
        all: Bool
    ) throws(Stop) -> ScriptValue {
        guard let by = arguments.dropFirst().first, !self.isFunction(by), let new = try self.string(by),
            !new.utf8.contains(UInt8(ascii: "$")), !wanted.isEmpty
        else { return text.isEmpty ? .string("") : .unknown("replace") }
        // The length of the result is checked before it is created.
        var pieces: [Substring] = []
        var rest = text[...]
        var length = text.utf8.count
        while all || pieces.isEmpty, let found = rest.firstRange(of: wanted) {
            try self.meter.charge()
            length += new.utf8.count - wanted.utf8.count
            guard length <= ScriptInterpreter.maxStringLength + text.utf8.count else { throw .tooLong }
            pieces.append(rest[..<found.lowerBound])
            rest = rest[found.upperBound...]
        }
        if pieces.isEmpty { return .string(text) }
        guard length <= ScriptInterpreter.maxStringLength else { throw .tooLong }
        try self.meter.charge(length / StepMeter.bytes)
        return .string((pieces + [rest]).joined(separator: new))
    }

    private mutating func split(_ text: String, _ separator: String) throws(Stop) -> ScriptValue {
        var parts: [ScriptValue] = []
        if separator.isEmpty {
            try self.meter.charge(text.utf8.count / StepMeter.values)
            parts = text.unicodeScalars.map { .string(String($0)) }
        } else {
            var rest = text[...]
            while let found = rest.firstRange(of: separator) {
                try self.meter.charge()
                parts.append(.string(String(rest[..<found.lowerBound])))
                rest = rest[found.upperBound...]
            }
            parts.append(.string(String(rest)))
        }
        return try self.make(.array, items: parts)
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

    private mutating func part(of text: String, _ name: String, _ arguments: [ScriptValue]) throws(Stop) -> ScriptValue
    {
        let count = text.utf16.count
        func clampedIndex(_ value: ScriptValue?, default: Int) -> Int {
            guard let value, value != .undefined, let index = self.index(value) else { return `default` }
            let isFromEnd = index < 0 && name != "substring"
            return min(max(0, isFromEnd ? count + max(index, -count) : index), count)
        }
        var start = clampedIndex(arguments.first, default: 0)
        var end = count
        if name == "substr" {
            let length = arguments.dropFirst().first.flatMap { self.index($0) } ?? count
            end = min(count, start + min(max(0, length), count))
        } else {
            end = clampedIndex(arguments.dropFirst().first, default: count)
            if name == "substring", end < start { swap(&start, &end) }
        }
        guard start < end else { return .string("") }
        let units = text.utf16
        let from = units.index(units.startIndex, offsetBy: start)
        return .string(String(decoding: units[from..<units.index(from, offsetBy: end - start)], as: UTF16.self))
    }
}
