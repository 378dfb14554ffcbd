import AdCore

/// What is wrong with a member of a JSON value that somebody sent.
struct FieldFault: Error, Hashable, Sendable {
    /// Where the member stands: `app.name`, `imp[0].tagid`; empty for the value as a whole.
    let field: String
    /// What is wrong with it, in one sentence.
    let message: String

    init(_ field: String, _ problem: String) {
        self.field = field
        self.message = (field.isEmpty ? "the body" : "\"\(field)\"") + " " + problem
    }

    /// Nothing is wrong with any one member: the sentence says it all.
    init(saying message: String) {
        self.field = ""
        self.message = message
    }

    /// An event tells of something that nobody was ever given.
    static func notHandedOut(_ field: String) -> FieldFault {
        FieldFault(field, "is none that the sandbox handed out, or one that it has forgotten since")
    }
}

/// Reads the members of a JSON object, and says exactly what is wrong with them.
struct Fields {
    private let members: [AdJSON.Member]
    private let path: String

    /// The members of a value which must be an object.
    init(_ value: AdJSON, at path: String = "") throws(FieldFault) {
        guard case .object(let members) = value else { throw FieldFault(path, "must be an object, not \(value.kind)") }
        self.members = members
        self.path = path
    }

    /// The members of the object that a body holds.
    init(parsing body: [UInt8]) throws(FieldFault) {
        let value: AdJSON
        do throws(AdJSON.Fault) {
            value = try AdJSON(parsing: body)
        } catch {
            throw FieldFault("", "is no JSON: \(error)")
        }
        try self.init(value)
    }

    /// The names of all members.
    var names: [String] { self.members.map(\.name) }

    /// The place of a member, for an error.
    func place(_ name: String) -> String { self.path.isEmpty ? name : "\(self.path).\(name)" }

    /// Says what is wrong with a member.
    func fault(_ name: String, _ problem: String) -> FieldFault { FieldFault(self.place(name), problem) }

    /// A member that may be absent.
    subscript(name: String) -> AdJSON? { self.members.last { $0.name == name }?.value }

    /// A member that must be there.
    func value(_ name: String) throws(FieldFault) -> AdJSON {
        guard let value = self[name] else { throw self.fault(name, "is missing") }
        return value
    }

    /// A text that must be there.
    func text(_ name: String, mayBeEmpty: Bool = false) throws(FieldFault) -> String {
        let value = try self.value(name)
        guard let text = value.string else { throw self.fault(name, "must be a text, not \(value.kind)") }
        guard mayBeEmpty || !text.isEmpty else { throw self.fault(name, "must not be empty") }
        return text
    }

    /// A text, or a null which says that there is none; one of them must be there.
    func textOrNull(_ name: String) throws(FieldFault) -> String? {
        let value = try self.value(name)
        if value == .null { return nil }
        guard let text = value.string else { throw self.fault(name, "must be a text or null, not \(value.kind)") }
        return text
    }

    /// A text that must be there and is short enough to be remembered.
    func id(_ name: String) throws(FieldFault) -> String {
        let text = try self.text(name)
        guard text.utf8.count <= Fields.longestID else {
            throw self.fault(name, "must not be longer than \(Fields.longestID) bytes")
        }
        return text
    }

    private static let longestID = 1000

    /// A list of texts that must be there; each may be empty.
    func texts(_ name: String, atMost: Int) throws(FieldFault) -> [String] {
        var texts: [String] = []
        for (index, element) in try self.array(name, atMost: atMost).enumerated() {
            guard let text = element.string else {
                throw self.fault("\(name)[\(index)]", "must be a text, not \(element.kind)")
            }
            texts.append(text)
        }
        return texts
    }

    /// Refuses every member but these.
    func allow(only known: [String]) throws(FieldFault) {
        guard let other = self.names.first(where: { !known.contains($0) }) else { return }
        throw self.fault(other, "must not be there; known are \(known.joined(separator: ", "))")
    }

    /// A number that must be there, within bounds.
    func number(_ name: String, in bounds: ClosedRange<Double>) throws(FieldFault) -> Double {
        let value = try self.value(name)
        guard case .number = value else { throw self.fault(name, "must be a number, not \(value.kind)") }
        guard let number = value.number, bounds.contains(number) else {
            throw self.fault(
                name,
                "must lie between \(AdJSON.double(bounds.lowerBound).text()) and \(AdJSON.double(bounds.upperBound).text())"
            )
        }
        return number
    }

    /// A whole number that must be there, within bounds.
    func whole(_ name: String, in bounds: ClosedRange<Int>) throws(FieldFault) -> Int {
        let number = try self.number(name, in: Double(bounds.lowerBound)...Double(bounds.upperBound))
        guard let whole = Int(exactly: number) else { throw self.fault(name, "must be a whole number") }
        return whole
    }

    /// An object that must be there.
    func object(_ name: String) throws(FieldFault) -> Fields {
        try Fields(self.value(name), at: self.place(name))
    }

    /// An array that must be there.
    func array(_ name: String, atMost: Int) throws(FieldFault) -> [AdJSON] {
        let value = try self.value(name)
        guard let elements = value.array else { throw self.fault(name, "must be an array, not \(value.kind)") }
        guard elements.count <= atMost else { throw self.fault(name, "must not have more than \(atMost) elements") }
        return elements
    }
}
