/// Header fields in order; names are compared without regard to case, as HTTP does.
public struct AdHTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// One field.
    public struct Field: Hashable, Sendable {
        /// The name as it was given.
        public let name: String
        /// The value.
        public let value: String

        /// A field, or nil where the name or the value could break out of its line.
        public init?(_ name: String, _ value: String) {
            guard !name.isEmpty, name.utf8.allSatisfy(Field.mayStandInName),
                value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
            else { return nil }
            self.name = name
            self.value = value
        }

        /// Whether the field has this name, capitals and small letters taken as the same.
        func isNamed(_ name: String) -> Bool {
            self.name.utf8.elementsEqual(name.utf8) { $0.lowercased == $1.lowercased }
        }

        private static func mayStandInName(_ byte: UInt8) -> Bool {
            byte.isASCIILetter || byte.isDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// The fields, in order.
    public private(set) var fields: [Field] = []

    /// No fields.
    public init() {}

    /// Fields from a literal; a field that HTTP does not allow is a fault of the program.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements {
            guard let field = Field(name, value) else {
                preconditionFailure("A header field of the program's own is not legal HTTP: \(name)")
            }
            self.fields.append(field)
        }
    }

    /// The first value under a name.
    ///
    /// Setting replaces all of that name; a value that HTTP does not allow is not set.
    public subscript(name: String) -> String? {
        get {
            self.fields.first { $0.isNamed(name) }?.value
        }
        set {
            self.fields.removeAll { $0.isNamed(name) }
            if let newValue, let field = Field(name, newValue) { self.fields.append(field) }
        }
    }

    /// Adds a field; returns false where HTTP does not allow it.
    @discardableResult
    public mutating func add(_ name: String, _ value: String) -> Bool {
        guard let field = Field(name, value) else { return false }
        self.fields.append(field)
        return true
    }
}
