/// Formats numbers with about three digits and thousands separators.
enum NumberFormat {
    static func text(_ value: Double) -> String {
        let size = value.magnitude
        var places = if size >= 100 || size == size.rounded() { 0 } else if size >= 10 { 1 } else { 2 }
        var scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        // Small values get two significant digits.
        while size > 0, size * scale < 9.95, places > 1, places < 7 { (places, scale) = (places + 1, scale * 10) }
        // A value beyond the range of Int can't be a measurement.
        guard let scaled = Int(exactly: (size * scale).rounded()) else { return "\(value)" }
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int(scale))
        let digits = places == 0 ? "" : "." + String(repeating: "0", count: places - String(rest).count) + String(rest)
        return (value < 0 && scaled > 0 ? "-" : "") + self.text(whole) + digits
    }

    static func text(_ value: Int) -> String {
        let digits = String(value.magnitude)
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (value < 0 ? "-" : "") + text
    }

    /// A value rounded to six digits.
    static func rounded(_ value: Double) -> Double {
        guard value.isFinite, value != 0 else { return value }
        var scale = 1.0
        while value.magnitude * scale < 100_000, scale < 1e15 { scale *= 10 }
        return (value * scale).rounded() / scale
    }
}
