/// How numbers are written for people: three digits or so, thousands apart.
enum Digits {
    /// A value as text.
    static func text(_ value: Double) -> String {
        let size = value.magnitude
        let places =
            if size >= 100 || size == size.rounded() { 0 } else if size >= 10 { 1 } else if size >= 0.1 { 2 } else { 4 }
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        // A value beyond all whole numbers was not measured.
        guard let scaled = Int(exactly: (size * scale).rounded()) else { return "\(value)" }
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int(scale))
        let digits = places == 0 ? "" : "." + String(repeating: "0", count: places - String(rest).count) + String(rest)
        return (value < 0 && scaled > 0 ? "-" : "") + self.text(whole) + digits
    }

    /// A whole number as text.
    static func text(_ value: Int) -> String {
        let digits = String(value.magnitude)
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (value < 0 ? "-" : "") + text
    }

    /// A value to six digits.
    static func rounded(_ value: Double) -> Double {
        guard value.isFinite, value != 0 else { return value }
        var scale = 1.0
        while value.magnitude * scale < 100_000, scale < 1e15 { scale *= 10 }
        return (value * scale).rounded() / scale
    }
}
