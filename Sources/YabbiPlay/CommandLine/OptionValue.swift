import AdCore
import PlayConsole

/// Reads the values of options from text.
enum OptionValue {
    static func text(_ text: String, _ name: String) throws(UsageError) -> String { text }

    /// A file or folder, whose name is not empty.
    static func path(_ kind: String) -> Option<String>.Read {
        { (text, name) throws(UsageError) in
            guard !text.isEmpty else { throw UsageError("\(name) takes a \(kind), and this one has no name") }
            return text
        }
    }

    /// One of the words of a type.
    static func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: String,
        _ name: String
    ) throws(UsageError) -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue)
            let hint = OptionValue.hint(for: text, among: words)
            throw UsageError("\(name) takes \(words.joined(separator: " or ")), not \u{201C}\(text)\u{201D}\(hint)")
        }
        return choice
    }

    /// The nearest of several words as a question; empty where none is near.
    static func hint(for text: String, among words: [String]) -> String {
        Suggestion.nearest(to: text, among: words).map { "; did you mean \($0)?" } ?? ""
    }

    /// A whole number of a range.
    static func count(_ range: ClosedRange<Int>) -> Option<Int>.Read {
        { (text, name) throws(UsageError) in
            guard let count = Int(text), range.contains(count) else {
                let bounds = "from \(range.lowerBound) to \(range.upperBound)"
                throw UsageError("\(name) takes a whole number \(bounds), not \u{201C}\(text)\u{201D}")
            }
            return count
        }
    }

    /// A number of a range.
    static func number(_ range: ClosedRange<Double>) -> Option<Double>.Read {
        { (text, name) throws(UsageError) in
            guard let number = Double(text), range.contains(number) else {
                let bounds = "from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
                throw UsageError("\(name) takes a number \(bounds), not \u{201C}\(text)\u{201D}")
            }
            return number
        }
    }

    static func seed(_ text: String, _ name: String) throws(UsageError) -> UInt64 {
        guard let seed = UInt64(text) else {
            throw UsageError("\(name) takes a whole number from 0 to \(UInt64.max), not \u{201C}\(text)\u{201D}")
        }
        return seed
    }

    /// Seconds, with or without the unit, as in the times of `--do`.
    static func seconds(_ text: String, _ name: String) throws(UsageError) -> Duration {
        guard let seconds = Double(text.hasSuffix("s") ? String(text.dropLast()) : text), seconds >= 0.001,
            seconds <= 86_400
        else { throw UsageError("\(name) takes seconds, from 0.001 up to a day, not \u{201C}\(text)\u{201D}") }
        return .milliseconds(Int64(seconds * 1000))
    }

    static func days(_ text: String, _ name: String) throws(UsageError) -> Duration {
        guard let days = Double(text), days >= 0, days <= 36_500 else {
            throw UsageError("\(name) takes a number of days, not \u{201C}\(text)\u{201D}")
        }
        return .seconds(days * 86_400)
    }

    static func size(_ text: String, _ name: String) throws(UsageError) -> Size {
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], (1...100_000).contains(width),
            (1...100_000).contains(height)
        else { throw UsageError("\(name) takes a width and a height as in 320x480, not \u{201C}\(text)\u{201D}") }
        return Size(width: width, height: height)
    }

    static func location(_ text: String, _ name: String) throws(UsageError) -> AdContext.Location {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0.trimmed) }
        guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1], let precision = numbers[2],
            let location = AdContext.Location(latitude: latitude, longitude: longitude, precision: precision)
        else {
            throw UsageError("\(name) takes LAT,LON,PRECISION as in 42.7,23.3,100, not \u{201C}\(text)\u{201D}")
        }
        return location
    }

    static func host(_ text: String, _ name: String) throws(UsageError) -> HTTPURL {
        guard let url = HTTPURL(text) else {
            let shown = Redaction.address(text)
            throw UsageError("\(name) takes the http or https address of a server, not \u{201C}\(shown)\u{201D}")
        }
        return url
    }

    /// The slot of an app.
    static func format(_ text: String, _ name: String) throws(UsageError) -> AdFormat {
        guard let format = AdFormat(rawValue: text), self.formats.contains(format) else {
            let hint = self.hint(for: text, among: self.formats.map(\.rawValue))
            throw UsageError("\(name) takes banner, interstitial or rewarded, not \u{201C}\(text)\u{201D}\(hint)")
        }
        return format
    }

    /// The slots that an app can ask for.
    static let formats: [AdFormat] = [.banner, .interstitial, .rewarded]
}
