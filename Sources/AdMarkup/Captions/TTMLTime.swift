import AdCore

/// The time expressions of TTML (TTML2 §12.3.1), with the rates of the document.
struct TTMLTime {
    /// Frames per second: `ttp:frameRate`, times `ttp:frameRateMultiplier`.
    var frameRate = 30.0
    /// Ticks per second: `ttp:tickRate`.
    var tickRate = 1.0

    /// A time as in `00:00:01.5`, `00:00:01:12`, `1.5s`, `90f` or `10000t`; nil for others, and from a day on.
    func duration(_ text: String) -> Duration? {
        let seconds = text.contains(":") ? self.clock(text) : self.offset(text)
        guard let seconds, seconds >= 0, seconds < 86_400 else { return nil }
        return .milliseconds(Int64((seconds * 1000).rounded()))
    }

    private func clock(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (3...4).contains(parts.count) else { return nil }
        let numbers = parts.compactMap { TTMLTime.number($0) }
        guard numbers.count == parts.count else { return nil }
        let whole = numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
        return numbers.count == 4 ? whole + numbers[3] / self.frameRate : whole
    }

    private func offset(_ text: String) -> Double? {
        let units: [(String, Double)] = [
            ("ms", 0.001), ("h", 3600), ("m", 60), ("s", 1), ("f", 1 / self.frameRate), ("t", 1 / self.tickRate),
        ]
        for (unit, factor) in units where text.hasSuffix(unit) {
            return TTMLTime.number(text.dropLast(unit.count)).map { $0 * factor }
        }
        return nil
    }

    /// A number of digits with a fraction, because `Double` reads more than TTML allows.
    private static func number(_ text: Substring) -> Double? {
        guard text.utf8.count <= 20, text.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }) else { return nil }
        return Double(text)
    }
}
