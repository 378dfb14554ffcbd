/// Header fields in order, with case-insensitive names (RFC 9110 §5.1).
public struct AdHTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// A header field.
    public struct Field: Hashable, Sendable {
        /// The name as it was given.
        public let name: String
        /// The value.
        public let value: String

        /// Creates a field; nil if the name is not a token or the value contains control characters (RFC 9110 §5.5).
        public init?(_ name: String, _ value: String) {
            guard !name.isEmpty, name.utf8.allSatisfy(Field.isTokenCharacter),
                value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
            else { return nil }
            self.name = name
            self.value = value
        }

        /// Whether the field has this name, ignoring case.
        func isNamed(_ name: String) -> Bool {
            self.name.utf8.elementsEqual(name.utf8) { $0.lowercased == $1.lowercased }
        }

        private static func isTokenCharacter(_ byte: UInt8) -> Bool {
            byte.isASCIILetter || byte.isDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// The fields, in order.
    public private(set) var fields: [Field] = []

    /// Creates headers without fields.
    public init() {}

    /// Creates headers from a literal.
    ///
    /// Space and line breaks around a value are removed, as readers of HTTP do (RFC 9110 §5.5): a token that was read
    /// from a file ends with one. A field that is invalid all the same is left out, because its value may be data.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self.add(name, value.trimmed) }
    }

    /// The first value of a name.
    ///
    /// Setting replaces all fields of that name; an invalid value is not set.
    public subscript(name: String) -> String? {
        get {
            self.fields.first { $0.isNamed(name) }?.value
        }
        set {
            self.fields.removeAll { $0.isNamed(name) }
            if let newValue, let field = Field(name, newValue) { self.fields.append(field) }
        }
    }

    /// Adds a field; returns false if it is invalid.
    @discardableResult
    public mutating func add(_ name: String, _ value: String) -> Bool {
        guard let field = Field(name, value) else { return false }
        self.fields.append(field)
        return true
    }
}
