/// Reads the fields of an object leniently, and records repairs as issues.
///
/// Numbers may be strings, and integers may have a fraction of zero. An invalid field is nil with an issue; an absent
/// or null field is nil without one.
package struct LenientFields {
    private let json: AdJSON
    /// The object's path in the response with a dot at its end; empty for the response itself.
    private let path: String
    package private(set) var issues: [AdIssue] = []

    package init(_ json: AdJSON, at path: String = "") {
        self.json = json
        self.path = path
    }

    package mutating func addIssue(_ code: String, _ field: String, _ message: String) {
        self.issues.append(AdIssue(code, at: .field(self.path + field), message))
    }

    /// The fields of a nested object; they are empty if it is absent, and with an issue if it is not an object.
    package mutating func object(_ name: String) -> LenientFields {
        let value = self.json[name] ?? .null
        switch value {
        case .null, .object: break
        default:
            self.addIssue("\(name).noObject", name, "it is \(value.kind) where an object should be, and was ignored")
        }
        return LenientFields(value, at: "\(self.path)\(name).")
    }

    /// Adds the issues of a nested object.
    package mutating func merge(_ inner: LenientFields) { self.issues += inner.issues }

    /// The unchecked value of a field.
    package func value(_ name: String) -> AdJSON? { self.json[name] }

    /// Whether a field is present and not null.
    package func has(_ name: String) -> Bool { self.json[name] ?? .null != .null }

    /// A number, also if it is written as a string.
    package mutating func number(_ name: String) -> Double? {
        switch self.json[name] {
        case nil, .null: return nil
        case .number(let number):
            if let value = number.double { return value }
            self.addIssue("\(name).range", name, "\(number.text.prefix(40)) is out of range, and was ignored")
            return nil
        case .string(let text):
            guard let value = LenientFields.decimal(text.trimmed) else {
                self.addIssue(
                    "\(name).noNumber",
                    name,
                    "the string \u{201C}\(text.excerpt())\u{201D} is not a number, and was ignored"
                )
                return nil
            }
            self.addIssue("\(name).text", name, "the number \(value) was written as a string")
            return value
        case let other?:
            self.addIssue("\(name).noNumber", name, "it is \(other.kind) where a number should be, and was ignored")
            return nil
        }
    }

    /// An integer.
    package mutating func integer(_ name: String) -> Int? {
        guard let value = self.number(name) else { return nil }
        guard let whole = Int(exactly: value) else {
            self.addIssue("\(name).noWhole", name, "\(value) is not an integer in range, and was ignored")
            return nil
        }
        return whole
    }

    /// A number with all its digits, also if it is written as a string.
    package mutating func exact(_ name: String) -> AdDecimal? {
        guard let nearest = self.number(name) else { return nil }
        let text: String
        switch self.json[name] {
        case .number(let number): text = number.text
        case .string(let string): text = string.trimmed
        default: return nil
        }
        if let exact = AdDecimal(text) { return exact }
        // Digits beyond those that are kept are rounded away; a number without an exact form is out of range.
        if let rounded = AdDecimal("\((nearest * 1e9).rounded() / 1e9)") {
            self.addIssue("\(name).rounded", name, "\(text.prefix(40)) has too many digits, and was rounded")
            return rounded
        }
        self.addIssue("\(name).range", name, "\(text.prefix(40)) is out of range, and was ignored")
        return nil
    }

    /// The strings of an array, at most `limit`; other elements are left out with an issue.
    package mutating func texts(_ name: String, limit: Int = 50) -> [String] {
        switch self.json[name] {
        case nil, .null: return []
        case .array(let elements):
            let texts = elements.prefix(limit).compactMap(\.string)
            if texts.count < elements.count {
                self.addIssue("\(name).partly", name, "only \(texts.count) of \(elements.count) elements were used")
            }
            return texts
        case let other?:
            self.addIssue("\(name).noArray", name, "it is \(other.kind) where an array should be, and was ignored")
            return []
        }
    }

    /// A number in decimal digits, without `nan`, `inf` and `0x10`, which Swift accepts, too.
    private static func decimal(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }), let value = Double(text),
            value.isFinite
        else { return nil }
        return value
    }

    /// A width or height; nil, which means adaptive, for an impossible one.
    package mutating func length(_ name: String) -> Double? {
        guard let value = self.number(name) else { return nil }
        guard value >= 0, value <= 100_000 else {
            self.addIssue(
                "\(name).impossible",
                name,
                "\(value) can't be the width or height of an ad, and adaptive is used"
            )
            return nil
        }
        return value
    }

    /// A string.
    package mutating func text(_ name: String) -> String? {
        switch self.json[name] {
        case nil, .null: return nil
        case .string(let text): return text
        case let other?:
            self.addIssue("\(name).noText", name, "it is \(other.kind) where a string should be, and was ignored")
            return nil
        }
    }

    /// An identifier, also if it is written as a number; nil for an empty one.
    package mutating func identifier(_ name: String) -> String? {
        if case .number(let number) = self.json[name] {
            self.addIssue("\(name).number", name, "the identifier \(number.text.prefix(40)) was written as a number")
            return number.text
        }
        return self.text(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The URL of a tracker; a missing or empty one is nil with an issue.
    ///
    /// An invalid one (a relative URL, `javascript:`, a number) is uncallable, also with an issue: its beacon
    /// is recorded when the event happens, dead from the start, and listed with the reason.
    package mutating func tracker(_ object: String, _ name: String) -> BeaconAddress? {
        let field = "\(object).\(name)"
        switch self.json[object] {
        case nil, .null, .object: break
        case let other?:
            let text = "it is \(other.kind) where an object should be, and no \(name) beacon is sent"
            self.addIssue("\(object).noObject", object, text)
            return nil
        }
        switch self.json[object]?[name] {
        case .string(let text) where !text.trimmed.isEmpty:
            let address = BeaconAddress(text)
            if let problem = address.uncallableReason {
                self.addIssue(
                    "\(field).noURL",
                    field,
                    "\(problem); the beacon of the \(name) is never sent, and listed as dead"
                )
            }
            return address
        case nil, .null, .string:
            self.addIssue("\(field).missing", field, "it is missing, and no \(name) beacon is sent")
        case let other?:
            let reason = "it is \(other.kind) where a URL should be"
            self.addIssue(
                "\(field).noText",
                field,
                "\(reason); the beacon of the \(name) is never sent, and listed as dead"
            )
            return .uncallable(UncallableAddress(other.text(), reason))
        }
        return nil
    }
}
