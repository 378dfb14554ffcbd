/// A decimal number that is stored exactly, as prices are: `0.1` is a tenth, and no binary fraction near it.
///
/// It has up to 18 significant digits, of which up to 12 are after the decimal point.
public struct AdDecimal: Hashable, Sendable {
    /// The number times ten to the power of `scale`.
    private let digits: Int64
    /// How many of the digits are after the decimal point; the last of those is not zero.
    private let scale: Int

    /// The number of digits after the decimal point at most.
    package static let maximumScale = 12
    private static let maximumDigits = 18

    /// Zero.
    package static let zero = AdDecimal(digits: 0, scale: 0)

    private init(digits: Int64, scale: Int) {
        var (digits, scale) = (digits, scale)
        while scale > 0, digits % 10 == 0 { (digits, scale) = (digits / 10, scale - 1) }
        self.digits = digits
        self.scale = scale
    }

    /// Reads a number such as `2.35`, `-4` or `1.5e-3`; nil if it is none, or has more digits than are kept.
    public init?(_ text: String) {
        var bytes = text.utf8[...]
        guard bytes.count <= 64 else { return nil }
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative { bytes.removeFirst() }
        let whole = bytes.prefix(while: \.isDigit)
        bytes = bytes[whole.endIndex...]
        var fraction = bytes.prefix(0)
        if bytes.first == UInt8(ascii: ".") {
            fraction = bytes.dropFirst().prefix(while: \.isDigit)
            guard !fraction.isEmpty else { return nil }
            bytes = bytes[fraction.endIndex...]
        }
        guard !whole.isEmpty, let exponent = AdDecimal.exponent(bytes) else { return nil }
        var significant = Array((Array(whole) + fraction).drop { $0 == UInt8(ascii: "0") })
        var scale = fraction.count - exponent
        while significant.last == UInt8(ascii: "0") {
            significant.removeLast()
            scale -= 1
        }
        guard !significant.isEmpty else {
            self = .zero
            return
        }
        if scale < 0 {
            guard significant.count - scale <= AdDecimal.maximumDigits else { return nil }
            significant += repeatElement(UInt8(ascii: "0"), count: -scale)
            scale = 0
        }
        guard significant.count <= AdDecimal.maximumDigits, scale <= AdDecimal.maximumScale,
            let digits = Int64(String(decoding: significant, as: UTF8.self))
        else { return nil }
        self.init(digits: isNegative ? -digits : digits, scale: scale)
    }

    /// The exponent of a number, as in `e-3`; 0 for no text, and nil for another text.
    private static func exponent(_ text: Substring.UTF8View) -> Int? {
        guard let first = text.first else { return 0 }
        guard first | 0x20 == UInt8(ascii: "e"), let value = Int(Substring(text.dropFirst())) else { return nil }
        return (-100...100).contains(value) ? value : nil
    }

    /// The nearest `Double`.
    public var double: Double { Double(self.description) ?? 0 }

    /// This number times another one, rounded to the digits that are kept; nil if it is too large.
    package func times(_ other: AdDecimal) -> AdDecimal? {
        let product = self.digits.multipliedFullWidth(by: other.digits)
        var scale = self.scale + other.scale
        var (high, low) = (product.high, product.low)
        var half = false
        // One decimal digit is dropped at a time until the product fits; the last one decides the rounding.
        while high != (Int64(bitPattern: low) < 0 ? -1 : 0) || scale > AdDecimal.maximumScale
            || Int64(bitPattern: low).magnitude >= AdDecimal.bound
        {
            guard scale > 0 else { return nil }
            (high, low, half) = AdDecimal.tenth(high, low)
            scale -= 1
        }
        let digits = Int64(bitPattern: low)
        return AdDecimal(digits: half ? digits + (product.high < 0 ? -1 : 1) : digits, scale: scale)
    }

    /// 10 to the power of the number of digits that are kept.
    private static let bound: UInt64 = 1_000_000_000_000_000_000

    /// A tenth of a 128-bit integer, truncated, and whether the dropped digit is 5 or more.
    private static func tenth(_ high: Int64, _ low: UInt64) -> (high: Int64, low: UInt64, half: Bool) {
        let isNegative = high < 0
        var (top, bottom) = (UInt64(bitPattern: high), low)
        if isNegative {
            bottom = ~bottom &+ 1
            top = ~top &+ (bottom == 0 ? 1 : 0)
        }
        let upper = top.quotientAndRemainder(dividingBy: 10)
        let lower = UInt64(10).dividingFullWidth((upper.remainder, bottom))
        (top, bottom) = (upper.quotient, lower.quotient)
        if isNegative {
            bottom = ~bottom &+ 1
            top = ~top &+ (bottom == 0 ? 1 : 0)
        }
        return (Int64(bitPattern: top), bottom, lower.remainder >= 5)
    }
}

extension AdDecimal: Comparable, CustomStringConvertible, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    /// Creates an integer.
    public init(integerLiteral value: Int32) { self.init(digits: Int64(value), scale: 0) }

    /// Creates a number from a literal such as `1.5`.
    public init(floatLiteral value: Double) {
        guard let exact = AdDecimal("\(value)") else {
            preconditionFailure("\(value) has more digits than an AdDecimal has; write it with fewer")
        }
        self = exact
    }

    /// Compares the values.
    public static func < (left: AdDecimal, right: AdDecimal) -> Bool { left.parts < right.parts }

    /// The integral part, and the fraction in units of the last digit that is kept; both have the sign.
    private var parts: (Int64, Int64) {
        let unit = AdDecimal.power(self.scale)
        return (self.digits / unit, self.digits % unit * AdDecimal.power(AdDecimal.maximumScale - self.scale))
    }

    private static func power(_ exponent: Int) -> Int64 { (0..<exponent).reduce(1) { result, _ in result * 10 } }

    /// The number with all its digits and without an exponent, as in `2.35`.
    public var description: String {
        let text = String(self.digits.magnitude)
        let sign = self.digits < 0 ? "-" : ""
        guard self.scale > 0 else { return sign + text }
        let padded = String(repeating: "0", count: max(0, self.scale + 1 - text.count)) + text
        return "\(sign)\(padded.dropLast(self.scale)).\(padded.suffix(self.scale))"
    }
}
