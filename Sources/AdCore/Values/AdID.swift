/// Names one ad session: one load, one show, one close.
///
/// Ids are minted by the runtime from the randomness it was given; a cached offer gets a new id for each load.
public struct AdID: Hashable, Sendable, CustomStringConvertible {
    /// The id as it stands in beacons, events and traces.
    public let rawValue: String

    /// Takes an id that was minted elsewhere.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Mints an id of 16 hexadecimal digits from 64 random bits.
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

/// Names a provider in events, errors and traces, as in `yabbi`.
public struct ProviderName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, in lower case.
    public let rawValue: String

    /// Takes the name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Takes the name from a literal.
    public init(stringLiteral value: String) { self.rawValue = value }

    /// The name itself.
    public var description: String { self.rawValue }
}
