public import AdCore
public import Foundation

/// The user defaults of the app, in which a consent management platform stores the IAB's keys.
///
/// ```swift
/// let store = UserDefaultsStore()
/// let gdprApplies = store.value(for: "IABTCF_gdprApplies")
/// ```
public struct UserDefaultsStore: KeyValueStore {
    /// User defaults are thread-safe by their documentation, which not every platform declares.
    private struct Shared: @unchecked Sendable {
        let defaults: UserDefaults
    }

    private let shared: Shared

    /// Creates a store; platforms write into the standard defaults, unless the app gave them others.
    public init(_ defaults: UserDefaults = .standard) { self.shared = Shared(defaults: defaults) }

    /// The value of a key as it was stored; nil if there is none.
    public func value(for key: String) -> StoredValue? {
        self.shared.defaults.object(forKey: key).map(StoredValue.init(ofDefaults:))
    }
}

extension StoredValue {
    /// The value of a property list.
    fileprivate init(ofDefaults value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let number as NSNumber: self = number.isFlag ? .flag(number.boolValue) : .number(number.doubleValue)
        default: self = .other
        }
    }
}

extension NSNumber {
    /// Whether it was stored as a flag: `true as NSNumber` and `1 as NSNumber` are equal, and differ in their type only.
    fileprivate var isFlag: Bool { type(of: self) == type(of: NSNumber(value: true)) }
}
