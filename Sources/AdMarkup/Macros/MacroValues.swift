public import AdCore

/// The values of the macros in a URL (VAST 4.3 §6).
///
/// Names are case-sensitive, in brackets: `[CACHEBUSTING]`. Each value is percent-encoded separately. A macro that is
/// not in the IAB's list stays unchanged.
///
/// ```swift
/// var values = MacroValues()
/// values[.errorCode] = .text("303")
/// let url = try values.finished(template)
/// ```
public struct MacroValues: Hashable, Sendable {
    /// The value of one macro.
    public enum Value: Hashable, Sendable {
        /// One text.
        case text(String)
        /// Several texts, joined by commas, which are not encoded.
        case list([String])
        /// Known, but withheld: `-2`.
        case withheld
        /// Unknown: `-1`.
        case unknown
    }

    private var values: [VASTMacro: Value] = [:]

    /// Creates a value in which every macro is unknown.
    public init() {}

    /// The value of a macro; nil if it is not set.
    public subscript(macro: VASTMacro) -> Value? {
        get { self.values[macro] }
        set { self.values[macro] = newValue }
    }

    /// These values, overridden by others.
    public func adding(_ others: MacroValues) -> MacroValues {
        var sum = self
        sum.values.merge(others.values) { $1 }
        return sum
    }

    /// These values without those that others have.
    package func removing(_ others: MacroValues) -> MacroValues {
        var rest = self
        for macro in others.values.keys { rest.values[macro] = nil }
        return rest
    }

    /// Replaces the macros that have a value; the others remain for a later step.
    public func filled(_ template: URLTemplate) -> URLTemplate {
        guard MacroScanner.mayHaveMacros(template.text) else { return template }
        let text = MacroScanner.replaced(template.text) { self.values[$0].map(MacroValues.text) }
        return URLTemplate(text) ?? template
    }

    /// The URL to call, with all macros of the list replaced: those without a value by `-1`.
    ///
    /// A relative URL is resolved against `base`, the URL of the document.
    public func finished(_ template: URLTemplate, from base: HTTPURL? = nil) throws(HTTPURL.ParseError) -> HTTPURL {
        var text = template.text
        if MacroScanner.mayHaveMacros(text) {
            text = MacroScanner.replaced(text) { MacroValues.text(self.values[$0] ?? .unknown) }
        }
        if text.utf8.starts(with: "//".utf8) { text = (base?.isSecure == false ? "http:" : "https:") + text }
        if let base, !HTTPURL.hasScheme(text.utf8) { return try base.resolving(text) }
        return try HTTPURL(parsing: text)
    }

    /// The URL as a beacon's address; an invalid one is recorded with the reason.
    public func address(_ template: URLTemplate) -> BeaconAddress {
        do throws(HTTPURL.ParseError) {
            return .callable(TrackingURL(try self.finished(template)))
        } catch {
            return .uncallable(UncallableAddress(template.text, error.reason))
        }
    }

    /// Percent-encodes each value, joins lists by commas, and marks missing values by -1 and -2 (VAST 4.3 §6.1).
    private static func text(_ value: Value) -> String {
        switch value {
        case .text(let text): PercentEncoding.component(text)
        case .list(let texts): texts.map { PercentEncoding.component($0) }.joined(separator: ",")
        case .withheld: "-2"
        case .unknown: "-1"
        }
    }
}

/// Finds macros in a text: names in square brackets (VAST 4.3 §6.1).
enum MacroScanner {
    /// The maximum length of a name; longer than any in the list.
    private static let maxNameLength = 32

    /// Whether the text may contain a macro; a fast check.
    static func mayHaveMacros(_ text: String) -> Bool {
        var wasPercent = false
        for byte in text.utf8 {
            let isPercent = byte == UInt8(ascii: "%")
            if byte == UInt8(ascii: "[") || (isPercent && wasPercent) { return true }
            wasPercent = isPercent
        }
        return false
    }

    /// Replaces the macros of the list for which the closure returns a value.
    static func replaced(_ text: String, by value: (VASTMacro) -> String?) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 64)
        var at = 0
        while at < bytes.count {
            if let (macro, end) = self.macro(bytes, at), let value = value(macro) {
                result += value.utf8
                at = end
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The names of everything that is written as a macro, in the list or not.
    static func names(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return bytes.indices.compactMap { at in
            guard bytes[at] == UInt8(ascii: "["), let (name, _) = self.name(bytes, at + 1, "]") else { return nil }
            return name
        }
    }

    /// The macro at an index, and the index after it.
    private static func macro(_ bytes: [UInt8], _ at: Int) -> (VASTMacro, Int)? {
        switch bytes[at] {
        case UInt8(ascii: "["):
            guard let (name, end) = self.name(bytes, at + 1, "]"), let macro = VASTMacro(named: name) else {
                return nil
            }
            return (macro, end)
        case UInt8(ascii: "%"):
            guard at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "%"),
                let (name, end) = self.name(bytes, at + 2, "%%"), let macro = VASTMacro(named: name),
                VASTMacro.betweenPercentSigns.contains(macro)
            else { return nil }
            return (macro, end)
        default: return nil
        }
    }

    private static func name(_ bytes: [UInt8], _ start: Int, _ end: StaticString) -> (String, Int)? {
        var at = start
        while at < bytes.count, at - start <= self.maxNameLength,
            bytes[at].isUpperCase || bytes[at] == UInt8(ascii: "_")
        {
            at += 1
        }
        guard at > start, at + end.utf8CodeUnitCount <= bytes.count else { return nil }
        for offset in 0..<end.utf8CodeUnitCount where bytes[at + offset] != end.utf8Start[offset] { return nil }
        return (String(decoding: bytes[start..<at], as: UTF8.self), at + end.utf8CodeUnitCount)
    }
}

extension UInt8 {
    fileprivate var isUpperCase: Bool { self >= 0x41 && self <= 0x5A }
}
