import AdCore

/// The size and visibility that an element's `style` attribute sets.
package struct InlineStyle {
    package private(set) var width: Double?
    package private(set) var height: Double?
    /// Whether `display: none` applies; nil if `display` is not set.
    package private(set) var isAbsent: Bool?
    /// Whether the element takes up space but is not painted; nil if `visibility` is not set.
    package private(set) var isInvisible: Bool?
    /// Whether something may be painted although the element has no content.
    package private(set) var mayPaint = false

    package init() {}

    package init(_ value: AttributeValue) {
        StyleScan.each(value.bytes[...]) { self.apply($0) }
    }

    /// Applies a declaration; of two for the same property the last counts.
    package mutating func apply(_ declaration: StyleScan.Declaration) {
        let value = declaration.value
        if declaration.isNamed("width") {
            self.width = InlineStyle.pixels(value) ?? self.width
        } else if declaration.isNamed("height") {
            self.height = InlineStyle.pixels(value) ?? self.height
        } else if declaration.isNamed("display") {
            self.isAbsent = value.startsIgnoringCase("none")
        } else if declaration.isNamed("visibility") {
            self.isInvisible = value.startsIgnoringCase("hidden") || value.startsIgnoringCase("collapse")
        }
        self.mayPaint = self.mayPaint || declaration.mayPaint
    }

    /// A length in pixels; nil for a percentage, another unit or a keyword.
    private static func pixels(_ bytes: ByteView) -> Double? {
        guard let (number, end) = Measure.number(bytes) else { return nil }
        let unit = bytes[end...].prefix { !$0.isWhiteSpace && $0 != UInt8(ascii: "!") }
        if unit.isEmpty { return number == 0 ? 0 : nil }
        return unit.count == 2 && unit.startsIgnoringCase("px") ? number : nil
    }
}
