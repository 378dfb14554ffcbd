/// How numbers are written for people: three digits or so, thousands apart.
enum Digits {
    /// A value as text.
    static func text(_ value: Double) -> String {
        let size = value.magnitude
        var places = if size >= 100 || size == size.rounded() { 0 } else if size >= 10 { 1 } else { 2 }
        var scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        // Of what is small two digits are shown, as far as anybody would read.
        while size > 0, size * scale < 9.95, places > 1, places < 7 { (places, scale) = (places + 1, scale * 10) }
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
