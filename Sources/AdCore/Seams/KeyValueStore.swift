/// The settings of an app by key, as a consent management platform writes them.
///
/// The IAB names the keys: `NSUserDefaults` on iOS, `SharedPreferences` on Android (CMP API v2, "What is the CMP in-app
/// internal structure for the defined API?").
package protocol KeyValueStore: Sendable {
    /// The value of a key; nil if there is none.
    func value(for key: String) -> StoredValue?
}

/// A value in a key-value store.
package enum StoredValue: Hashable, Sendable {
    case text(String)
    case number(Double)
    case flag(Bool)
    /// A list, data or a date, which no key of the IAB has.
    case other
}

/// A store whose values are known.
package struct FixedStore: KeyValueStore {
    private let values: [String: StoredValue]

    package init(_ values: [String: StoredValue]) { self.values = values }

    package func value(for key: String) -> StoredValue? { self.values[key] }
}
