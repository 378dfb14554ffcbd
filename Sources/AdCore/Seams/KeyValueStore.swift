/// The settings of an app by key, as a consent management platform writes them.
///
/// The IAB names the keys: `NSUserDefaults` on iOS, `SharedPreferences` on Android (CMP API v2, "What is the CMP in-app
/// internal structure for the defined API?"). `UserDefaultsStore` of `YabbiFoundation` reads the first.
public protocol KeyValueStore: Sendable {
    /// The value of a key; nil if there is none.
    func value(for key: String) -> StoredValue?
}

/// A value in a key-value store.
public enum StoredValue: Hashable, Sendable {
    /// A text.
    case text(String)
    /// A number, whole or not.
    case number(Double)
    /// True or false, where the platform stores them as other than numbers.
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
