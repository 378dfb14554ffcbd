import AdCore
import LoopbackServer

/// An invalid member of a JSON value.
struct FieldError: Error, Hashable, Sendable {
    /// The path of the member: `app.name`, `imp[0].tagid`; empty for the whole value.
    let field: String
    /// What is wrong with it, in one sentence.
    let message: String

    init(_ field: String, _ problem: String) {
        self.field = field
        self.message = (field.isEmpty ? "the body" : "\"\(field)\"") + " " + problem
    }

    /// Creates an error that is not about one member.
    init(message: String) {
        self.field = ""
        self.message = message
    }

    /// The error for an id that the sandbox did not issue.
    static func unknownID(_ field: String) -> FieldError {
        FieldError(field, "was not issued by this sandbox, or is no longer stored")
    }
}

/// The members of a JSON object, read strictly: an invalid one throws an error with its path.
struct Fields {
    private let members: [AdJSON.Member]
    private let path: String

    /// Creates the members of a value; throws when it is not an object.
    init(_ value: AdJSON, at path: String = "") throws(FieldError) {
        guard case .object(let members) = value else { throw FieldError(path, "must be an object, not \(value.kind)") }
        self.members = members
        self.path = path
    }

    /// Parses a body that must be a JSON object.
    init(parsing body: [UInt8]) throws(FieldError) {
        let value: AdJSON
        do throws(AdJSON.ParseError) {
            value = try AdJSON(parsing: body)
        } catch {
            throw FieldError("", "is not valid JSON: \(error)")
        }
        try self.init(value)
    }

    /// The names of all members.
    var names: [String] { self.members.map(\.name) }

    /// The full path of a member.
    func path(of name: String) -> String { self.path.isEmpty ? name : "\(self.path).\(name)" }

    /// An error about a member.
    func error(_ name: String, _ problem: String) -> FieldError { FieldError(self.path(of: name), problem) }

    /// The value of a member; nil when it is absent.
    subscript(name: String) -> AdJSON? { self.members.last { $0.name == name }?.value }

    /// The value of a required member.
    func value(_ name: String) throws(FieldError) -> AdJSON {
        guard let value = self[name] else { throw self.error(name, "is missing") }
        return value
    }

    /// A required string.
    func text(_ name: String, mayBeEmpty: Bool = false) throws(FieldError) -> String {
        let value = try self.value(name)
        guard let text = value.string else { throw self.error(name, "must be a string, not \(value.kind)") }
        guard mayBeEmpty || !text.isEmpty else { throw self.error(name, "must not be empty") }
        return text
    }

    /// A required member that is a string or null.
    func textOrNull(_ name: String) throws(FieldError) -> String? {
        let value = try self.value(name)
        if value == .null { return nil }
        guard let text = value.string else { throw self.error(name, "must be a string or null, not \(value.kind)") }
        return text
    }

    /// A required string that is short enough to be stored.
    func id(_ name: String) throws(FieldError) -> String {
        let text = try self.text(name)
        guard text.utf8.count <= Fields.maximumIDLength else {
            throw self.error(name, "must not be longer than \(Fields.maximumIDLength) bytes")
        }
        return text
    }

    private static let maximumIDLength = 1000

    /// A required array of strings; each may be empty.
    func texts(_ name: String, atMost: Int) throws(FieldError) -> [String] {
        var texts: [String] = []
        for (index, element) in try self.array(name, atMost: atMost).enumerated() {
            guard let text = element.string else {
                throw self.error("\(name)[\(index)]", "must be a string, not \(element.kind)")
            }
            texts.append(text)
        }
        return texts
    }

    /// Throws when there are other members than these.
    func allow(only known: [String]) throws(FieldError) {
        guard let other = self.names.first(where: { !known.contains($0) }) else { return }
        throw self.error(other, "is not allowed; allowed: \(known.joined(separator: ", "))")
    }

    /// A required number within bounds.
    func number(_ name: String, in bounds: ClosedRange<Double>) throws(FieldError) -> Double {
        let value = try self.value(name)
        guard case .number = value else { throw self.error(name, "must be a number, not \(value.kind)") }
        guard let number = value.number, bounds.contains(number) else {
            throw self.error(
                name,
                "must be between \(AdJSON.double(bounds.lowerBound).text()) and \(AdJSON.double(bounds.upperBound).text())"
            )
        }
        return number
    }

    /// A required integer within bounds.
    func integer(_ name: String, in bounds: ClosedRange<Int>) throws(FieldError) -> Int {
        let number = try self.number(name, in: Double(bounds.lowerBound)...Double(bounds.upperBound))
        guard let whole = Int(exactly: number) else { throw self.error(name, "must be an integer") }
        return whole
    }

    /// A required object.
    func object(_ name: String) throws(FieldError) -> Fields {
        try Fields(self.value(name), at: self.path(of: name))
    }

    /// A required array.
    func array(_ name: String, atMost: Int) throws(FieldError) -> [AdJSON] {
        let value = try self.value(name)
        guard let elements = value.array else { throw self.error(name, "must be an array, not \(value.kind)") }
        guard elements.count <= atMost else { throw self.error(name, "must not have more than \(atMost) elements") }
        return elements
    }
}

extension ServerResponse {
    /// An error response about an invalid member.
    static func failure(_ error: FieldError, status: Int = 400) -> ServerResponse {
        .failure(status, error.message, field: error.field.isEmpty ? nil : error.field)
    }
}
