/// A JSON value as it was written: members in order, numbers to the digit.
///
/// Every provider speaks JSON, and none quite the same. This value keeps what a decode into numbers would lose
/// (2^64−1, `1.0`, the order of members), reads leniently, and is bounded in depth and size.
public enum AdJSON: Hashable, Sendable {
    /// `null`, which is not the same as absent.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number.
    case number(Number)
    /// A text.
    case string(String)
    /// Values in order.
    case array([AdJSON])
    /// Members in order, as they came; a repeated name stays, and the last one counts when reading.
    case object([Member])

    /// A name and its value.
    public struct Member: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The value.
        public let value: AdJSON

        /// A member.
        public init(_ name: String, _ value: AdJSON) {
            self.name = name
            self.value = value
        }
    }

    /// A number, kept as its text.
    public struct Number: Hashable, Sendable {
        /// The number as JSON writes it.
        public let text: String

        init(unchecked text: String) { self.text = text }

        /// A whole number.
        public init(_ value: some BinaryInteger) { self.text = String(value) }

        /// A number, or nil for NaN and infinities, which JSON can't say.
        ///
        /// Whole values are written without a point.
        public init?(_ value: Double) {
            guard value.isFinite else { return nil }
            if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 {
                self.text = String(whole)
            } else {
                self.text = "\(value)"
            }
        }

        /// The nearest floating-point value; nil where it is beyond all of them.
        public var double: Double? {
            guard let value = Double(self.text), value.isFinite else { return nil }
            return value
        }
    }

    /// The value of a member of an object; nil where this is no object or has no such member.
    public subscript(name: String) -> AdJSON? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    /// The text, if it is one.
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

    /// What kind of value it is, in words for an error.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .number: "a number"
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// A whole number.
    public static func int(_ value: some BinaryInteger) -> AdJSON { .number(Number(value)) }

    /// A number; NaN and infinities become null.
    public static func double(_ value: Double) -> AdJSON { Number(value).map(AdJSON.number) ?? .null }

    /// A text, or null for nil.
    public static func text(_ value: String?) -> AdJSON { value.map(AdJSON.string) ?? .null }
}

extension AdJSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .int(value) }
    /// Values in order.
    public init(arrayLiteral elements: AdJSON...) { self = .array(elements) }
    /// Members in order.
    public init(dictionaryLiteral elements: (String, AdJSON)...) { self = .object(elements.map(Member.init)) }
    /// Null.
    public init(nilLiteral: ()) { self = .null }
}
