/// A JSON value (RFC 8259) that keeps the order of members and the text of numbers.
///
/// Decoding into Swift's numbers would lose 2^64−1, `1.0` and the order of members. Parsing is bounded in depth and
/// size.
public enum AdJSON: Hashable, Sendable {
    /// The value `null`, which differs from an absent member.
    case null
    /// A boolean.
    case bool(Bool)
    /// A number.
    case number(Number)
    /// A string.
    case string(String)
    /// An array.
    case array([AdJSON])
    /// An object with its members in order; of repeated names, the last one counts (RFC 8259 §4 leaves that open).
    case object([Member])

    /// A member of an object.
    public struct Member: Hashable, Sendable {
        /// The name, unescaped; names are compared exactly.
        public let name: String
        /// The value, null included.
        public let value: AdJSON

        /// Creates a member.
        public init(_ name: String, _ value: AdJSON) {
            self.name = name
            self.value = value
        }
    }

    /// A number, stored as its text.
    public struct Number: Hashable, Sendable {
        /// The number as JSON text.
        public let text: String

        init(unchecked text: String) { self.text = text }

        /// Creates a number from an integer.
        public init(_ value: some BinaryInteger) { self.text = String(value) }

        /// Creates a number; nil for NaN and infinities, which JSON does not have (RFC 8259 §6).
        ///
        /// Integral values are written without a decimal point.
        public init?(_ value: Double) {
            guard value.isFinite else { return nil }
            if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 {
                self.text = String(whole)
            } else {
                self.text = "\(value)"
            }
        }

        /// The nearest `Double`; nil if the number is out of its range.
        public var double: Double? {
            guard let value = Double(self.text), value.isFinite else { return nil }
            return value
        }
    }

    /// The value of a member; nil if this is not an object or has no such member.
    public subscript(name: String) -> AdJSON? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    /// The string, if it is one.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The number, if it is one.
    public var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number.double
    }

    /// The elements, if it is an array.
    public var array: [AdJSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The kind of value, for error messages.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// An integer.
    public static func int(_ value: some BinaryInteger) -> AdJSON { .number(Number(value)) }

    /// A number; NaN and infinities become null.
    public static func double(_ value: Double) -> AdJSON { Number(value).map(AdJSON.number) ?? .null }

    /// The number with all its digits; nil if this is no number, or has too many.
    package var decimal: AdDecimal? {
        guard case .number(let number) = self else { return nil }
        return AdDecimal(number.text)
    }

    /// A decimal number, with all its digits.
    package static func decimal(_ value: AdDecimal) -> AdJSON { .number(Number(unchecked: value.description)) }

    /// A string, or null for nil.
    public static func text(_ value: String?) -> AdJSON { value.map(AdJSON.string) ?? .null }
}

extension AdJSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int) { self = .int(value) }
    /// Creates an array.
    public init(arrayLiteral elements: AdJSON...) { self = .array(elements) }
    /// Creates an object with its members in order.
    public init(dictionaryLiteral elements: (String, AdJSON)...) { self = .object(elements.map(Member.init)) }
    /// Creates null.
    public init(nilLiteral: ()) { self = .null }
}
