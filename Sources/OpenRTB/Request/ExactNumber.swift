package import AdCore

/// A number that is not negative and keeps every digit, such as a price.
///
/// A `Double` would make 0.1 a number that is only near it.
package struct ExactNumber: Hashable, Sendable {
    /// The number as text: digits with at most one point.
    package let text: String

    private static let maximumLength = 40

    /// Creates a number; nil unless the text is digits with at most one point between them, as in `1.25`.
    ///
    /// A leading zero is refused like in JSON (RFC 8259 §6), and so are signs and exponents.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= ExactNumber.maximumLength, parts.count <= 2,
            parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }),
            let whole = parts.first, whole.count == 1 || whole.first != UInt8(ascii: "0")
        else { return nil }
        self.text = text
    }

    /// The number in JSON, with the same digits.
    package var json: AdJSON { (try? AdJSON(parsing: self.text)) ?? .double(self.double) }

    /// The nearest `Double`.
    package var double: Double { Double(self.text) ?? 0 }
}

/// An alphabetic currency code of ISO 4217: three capital letters.
package struct CurrencyCode: Hashable, Sendable {
    /// The code, as in `EUR`.
    package let text: String

    /// Creates a code; nil unless the text is three letters of ASCII.
    ///
    /// Small letters become capital ones.
    package init?(_ text: String) {
        guard text.utf8.count == 3, text.utf8.allSatisfy(\.isASCIILetter) else { return nil }
        self.text = text.uppercased()
    }
}

/// A size in whole density-independent pixels, from 1 to 100,000: what a screen can have.
package struct WholeSize: Hashable, Sendable {
    /// The width.
    package let width: Int
    /// The height.
    package let height: Int

    private static let range = 1...100_000

    /// Creates a size; nil when no screen can have it.
    package init?(width: Int, height: Int) {
        guard WholeSize.range.contains(width), WholeSize.range.contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    /// Creates a size from points, rounded down; nil when it is unknown or no screen can have it.
    package init?(_ size: Size?) {
        guard let size else { return nil }
        self.init(width: Int(min(size.width, 1e6)), height: Int(min(size.height, 1e6)))
    }
}
