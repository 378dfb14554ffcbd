/// Reads fields of an object as servers really write them, and records what was repaired.
///
/// Numbers may come as texts, whole numbers as decimals. What can't be understood is nil, with an issue; what is absent
/// or null is nil without one.
package struct LenientFields {
    private let json: AdJSON
    /// Where the object stands in the answer, with a point behind it; empty for the answer itself.
    private let path: String
    package private(set) var issues: [AdIssue] = []

    package init(_ json: AdJSON, at path: String = "") {
        self.json = json
        self.path = path
    }

    package mutating func note(_ code: String, _ field: String, _ message: String) {
        self.issues.append(AdIssue(code, at: .field(self.path + field), message))
    }

    /// The fields of an object within; what is no object has none, which is an issue where it is not absent.
    package mutating func object(_ name: String) -> LenientFields {
        let value = self.json[name] ?? .null
        switch value {
        case .null, .object: break
        default: self.note("\(name).noObject", name, "it is \(value.kind) where an object should be, and was left out")
        }
        return LenientFields(value, at: "\(self.path)\(name).")
    }

    /// Takes over what was repaired within.
    package mutating func take(_ inner: LenientFields) { self.issues += inner.issues }

    /// A field as it came.
    package func value(_ name: String) -> AdJSON? { self.json[name] }

    /// Whether a field is there, and not null.
    package func has(_ name: String) -> Bool { self.json[name] ?? .null != .null }

    /// A number, also one that was written as a text.
    package mutating func number(_ name: String) -> Double? {
        switch self.json[name] {
        case nil, .null: return nil
        case .number(let number):
            if let value = number.double { return value }
            self.note("\(name).range", name, "\(number.text.prefix(40)) is beyond all numbers, and was left out")
            return nil
        case .string(let text):
            guard let value = LenientFields.decimal(text.trimmed) else {
                self.note(
                    "\(name).noNumber",
                    name,
                    "it is the text \u{201C}\(text.excerpt())\u{201D}, and was left out"
                )
                return nil
            }
            self.note("\(name).text", name, "the number \(value) was written as a text")
            return value
        case let other?:
            self.note("\(name).noNumber", name, "it is \(other.kind) where a number should be, and was left out")
            return nil
        }
    }

    /// A whole number; one with a fraction is left out.
    package mutating func whole(_ name: String) -> Int? {
        guard let value = self.number(name) else { return nil }
        guard let whole = Int(exactly: value) else {
            self.note("\(name).noWhole", name, "\(value) is no whole number that can be used, and was left out")
            return nil
        }
        return whole
    }

    /// A number in decimal digits: not the `nan`, `inf` and `0x10` that Swift reads as well.
    private static func decimal(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }), let value = Double(text),
            value.isFinite
        else { return nil }
        return value
    }

    /// One side of a size: 0 stands for adaptive, and so does what can't be a side.
    package mutating func side(_ name: String) -> Double? {
        guard let value = self.number(name) else { return nil }
        guard value >= 0, value <= 100_000 else {
            self.note("\(name).impossible", name, "\(value) can't be the side of an ad, and adaptive was taken")
            return nil
        }
        return value
    }

    /// A text.
    package mutating func text(_ name: String) -> String? {
        switch self.json[name] {
        case nil, .null: return nil
        case .string(let text): return text
        case let other?:
            self.note("\(name).noText", name, "it is \(other.kind) where a text should be, and was left out")
            return nil
        }
    }

    /// A name for something, also one that was written as a number; an empty one is none.
    package mutating func identifier(_ name: String) -> String? {
        if case .number(let number) = self.json[name] {
            self.note("\(name).number", name, "the name \(number.text.prefix(40)) was written as a number")
            return number.text
        }
        return self.text(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// An address that is called; absent, empty and impossible ones are issues: no server will be told.
    ///
    /// One that is there and can't be called (a relative address, `javascript:`, a number) is returned all the same: its
    /// beacon is recorded when the event happens, dead from the start, and listed with the reason.
    package mutating func tracker(_ object: String, _ name: String) -> BeaconAddress? {
        let field = "\(object).\(name)"
        switch self.json[object] {
        case nil, .null, .object: break
        case let other?:
            let text = "it is \(other.kind) where an object should be, and nobody is told of the \(name)"
            self.note("\(object).noObject", object, text)
            return nil
        }
        switch self.json[object]?[name] {
        case .string(let text) where !text.trimmed.isEmpty:
            let address = BeaconAddress(text)
            if let fault = address.fault {
                self.note(
                    "\(field).noURL",
                    field,
                    "\(fault); the beacon of the \(name) is never sent, and listed as dead"
                )
            }
            return address
        case nil, .null, .string:
            self.note("\(field).missing", field, "there is none, and nobody is told of the \(name)")
        case let other?:
            let reason = "it is \(other.kind) where an address should be"
            self.note(
                "\(field).noText",
                field,
                "\(reason); the beacon of the \(name) is never sent, and listed as dead"
            )
            return .uncallable(UncallableAddress(other.text(), reason))
        }
        return nil
    }
}
