/// The JSON of traces for a name with an optional value: `"close"` or `{"timer": "close"}`.
extension AdJSON {
    /// An object with one name and value.
    package static func word(_ name: String, _ value: AdJSON) -> AdJSON { .object([.init(name, value)]) }

    /// The name and the value, null for a name alone; nil for any other JSON.
    package var word: (name: String, value: AdJSON)? {
        switch self {
        case .string(let name): (name, .null)
        case .object(let members) where members.count == 1: (members[0].name, members[0].value)
        default: nil
        }
    }

    /// The boolean, if it is one.
    package var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The integer, if it is one.
    package func whole<Whole: FixedWidthInteger>(_ type: Whole.Type = Whole.self) -> Whole? {
        guard case .number(let number) = self else { return nil }
        return Whole(number.text)
    }

    /// An object without members that are null; in a trace, null and absent are the same.
    package static func members(_ members: KeyValuePairs<String, AdJSON>) -> AdJSON {
        .object(members.filter { $0.value != .null }.map { .init($0.key, $0.value) })
    }

    /// A number that may not be finite.
    package static func measure(_ value: Double) -> AdJSON { value.isFinite ? .double(value) : .string("\(value)") }

    /// The number that `measure` has written.
    package var measure: Double? { self.number ?? self.string.flatMap(Double.init) }

    /// Reads an optional member: `.some(nil)` if it is absent or null, nil if it can't be read.
    package func optional<Value>(_ name: String, _ read: (AdJSON) -> Value?) -> Value?? {
        guard let value = self[name], value != .null else { return .some(nil) }
        return read(value).map { .some($0) } ?? nil
    }
}

/// The exact JSON of durations and moments in traces.
extension Duration {
    /// The longest duration in a trace in seconds; sums of a few of them do not overflow.
    private static let maximumSeconds: Int64 = 1_000_000_000_000

    /// The duration as JSON, as in `3.12s`.
    package var traced: AdJSON { .string(self.seconds + "s") }

    /// The exact number of seconds, as in `3.12`.
    package var seconds: String {
        let (seconds, attoseconds) = self.components
        let sign = seconds < 0 || attoseconds < 0 ? "-" : ""
        guard attoseconds != 0 else { return "\(seconds)" }
        let digits = String(attoseconds.magnitude)
        var places = String(repeating: "0", count: 18 - digits.count) + digits
        while places.hasSuffix("0") { places.removeLast() }
        return "\(sign)\(seconds.magnitude).\(places)"
    }

    /// Reads a duration of a trace; nil if it is invalid or too long.
    package init?(traced json: AdJSON) {
        guard let text = json.string, text.utf8.count <= 40, text.hasSuffix("s") else { return nil }
        let isNegative = text.hasPrefix("-")
        let parts = text.dropFirst(isNegative ? 1 : 0).dropLast().split(
            separator: ".",
            omittingEmptySubsequences: false
        )
        guard let first = parts.first, parts.count <= 2,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }),
            let seconds = Int64(first), seconds <= Duration.maximumSeconds
        else { return nil }
        let places = parts.count == 2 ? String(parts[1]) : ""
        guard places.utf8.count <= 18 else { return nil }
        let attoseconds = Int64(places + String(repeating: "0", count: 18 - places.utf8.count)) ?? 0
        self.init(
            secondsComponent: isNegative ? -seconds : seconds,
            attosecondsComponent: isNegative ? -attoseconds : attoseconds
        )
    }
}

extension Moment {
    package var traced: AdJSON { self.sinceOrigin.traced }

    package init?(traced json: AdJSON) {
        guard let duration = Duration(traced: json) else { return nil }
        self.init(duration)
    }
}
