import AdCore
import PlayConsole

/// Parses the values of options.
enum OptionValue {
    static func text(_ text: String, _ name: String) throws(UsageError) -> String { text }

    /// The path of a file or folder, which must not be empty.
    static func path(_ kind: String) -> Option<String>.Read {
        { (text, name) throws(UsageError) in
            guard !text.isEmpty else { throw UsageError("the value of \(name) is empty; expected a \(kind)") }
            return text
        }
    }

    /// The error for a text that is not a value of an option.
    static func invalid(_ text: String, for name: String, expected: String) -> UsageError {
        UsageError("invalid value \u{201C}\(text)\u{201D} for \(name); expected \(expected)")
    }

    /// One of the raw values of a type.
    static func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: String,
        _ name: String
    ) throws(UsageError) -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue)
            let hint = OptionValue.hint(for: text, among: words)
            throw OptionValue.invalid(text, for: name, expected: OptionValue.list(words) + hint)
        }
        return choice
    }

    /// The words as "a, b or c".
    static func list(_ words: [String]) -> String {
        guard words.count > 1, let last = words.last else { return words.joined() }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    /// A question that suggests the nearest of several words; empty if none is near.
    static func hint(for text: String, among words: [String]) -> String {
        Suggestion.nearest(to: text, among: words).map { "; did you mean \($0)?" } ?? ""
    }

    /// An integer in a range.
    static func count(_ range: ClosedRange<Int>) -> Option<Int>.Read {
        { (text, name) throws(UsageError) in
            guard let count = Int(text), range.contains(count) else {
                let bounds = "from \(range.lowerBound) to \(range.upperBound)"
                throw OptionValue.invalid(text, for: name, expected: "an integer \(bounds)")
            }
            return count
        }
    }

    /// A number in a range.
    static func number(_ range: ClosedRange<Double>) -> Option<Double>.Read {
        { (text, name) throws(UsageError) in
            guard let number = Double(text), range.contains(number) else {
                let bounds = "from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
                throw OptionValue.invalid(text, for: name, expected: "a number \(bounds)")
            }
            return number
        }
    }

    static func seed(_ text: String, _ name: String) throws(UsageError) -> UInt64 {
        guard let seed = UInt64(text) else {
            throw OptionValue.invalid(text, for: name, expected: "an integer from 0 to \(UInt64.max)")
        }
        return seed
    }

    /// Seconds, with or without the unit `s`, or milliseconds with `ms`.
    static func seconds(_ text: String, _ name: String) throws(UsageError) -> Duration {
        let units: [(suffix: String, milliseconds: Double)] = [("ms", 1), ("s", 1000), ("", 1000)]
        let unit = units.first { text.hasSuffix($0.suffix) }
        guard let unit, let number = Double(text.dropLast(unit.suffix.count)) else {
            throw OptionValue.invalid(text, for: name, expected: "seconds, from 0.001 to 86400, or 300ms")
        }
        let milliseconds = number * unit.milliseconds
        guard milliseconds >= 1, milliseconds <= 86_400_000 else {
            throw OptionValue.invalid(text, for: name, expected: "seconds, from 0.001 to 86400, or 300ms")
        }
        return .milliseconds(Int64(milliseconds))
    }

    static func hours(_ text: String, _ name: String) throws(UsageError) -> Duration {
        guard let hours = Double(text), hours >= 0, hours <= 876_000 else {
            throw OptionValue.invalid(text, for: name, expected: "a number of hours")
        }
        return .seconds(hours * 3600)
    }

    static func days(_ text: String, _ name: String) throws(UsageError) -> Duration {
        guard let days = Double(text), days >= 0, days <= 36_500 else {
            throw OptionValue.invalid(text, for: name, expected: "a number of days")
        }
        return .seconds(days * 86_400)
    }

    static func size(_ text: String, _ name: String) throws(UsageError) -> Size {
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], (1...100_000).contains(width),
            (1...100_000).contains(height)
        else { throw OptionValue.invalid(text, for: name, expected: "<width>x<height>, for example 320x480") }
        return Size(width: width, height: height)
    }

    static func location(_ text: String, _ name: String) throws(UsageError) -> AdContext.Location {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0.trimmed) }
        guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1], let precision = numbers[2],
            let location = AdContext.Location(latitude: latitude, longitude: longitude, precision: precision)
        else {
            throw OptionValue.invalid(text, for: name, expected: "<lat>,<lon>,<precision>, for example 42.7,23.3,100")
        }
        return location
    }

    static func host(_ text: String, _ name: String) throws(UsageError) -> HTTPURL {
        guard let url = HTTPURL(text) else {
            throw OptionValue.invalid(Redaction.address(text), for: name, expected: "an http or https URL")
        }
        return url
    }

    /// The ad format.
    static func format(_ text: String, _ name: String) throws(UsageError) -> AdFormat {
        guard let format = AdFormat(rawValue: text), self.formats.contains(format) else {
            let hint = self.hint(for: text, among: self.formats.map(\.rawValue))
            throw OptionValue.invalid(text, for: name, expected: "banner, interstitial or rewarded\(hint)")
        }
        return format
    }

    /// The formats that an app can request.
    static let formats: [AdFormat] = [.banner, .interstitial, .rewarded]
}
