/// The id of one ad session: one load, one show, one close.
///
/// The runtime makes ids from its random number generator; a cached offer gets a new id for each load.
public struct AdID: Hashable, Sendable, CustomStringConvertible {
    /// The id as beacons, events and traces contain it.
    public let rawValue: String

    /// Creates an id from its text.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Creates an id of 16 hexadecimal digits from 64 random bits.
    public init(bits: UInt64) {
        self.rawValue = String(unsafeUninitializedCapacity: 16) { digits in
            for index in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: bits >> UInt64(60 - 4 * index)) & 15
                digits[index] = digit < 10 ? digit + 0x30 : digit + 0x57
            }
            return 16
        }
    }

    /// The id itself.
    public var description: String { self.rawValue }
}

/// A provider's name in events, errors and traces, as in `yabbi`.
public struct ProviderName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, in lower case.
    public let rawValue: String

    /// Creates a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Creates a name from a literal.
    public init(stringLiteral value: String) { self.rawValue = value }

    /// The name itself.
    public var description: String { self.rawValue }
}
