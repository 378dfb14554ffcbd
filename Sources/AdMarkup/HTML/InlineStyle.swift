import AdCore

/// What an element's own `style` says of its size and of whether it can be seen.
struct InlineStyle {
    private(set) var width: Double?
    private(set) var height: Double?
    /// Whether it is not laid out at all; nil where nothing is said of that.
    private(set) var isAbsent: Bool?
    /// Whether it takes its room and is not painted, but for what stands inside and says otherwise; nil where nothing is
    /// said of that.
    private(set) var isVeiled: Bool?
    /// Whether something may be painted although nothing stands inside.
    private(set) var mayPaint = false

    init() {}

    init(_ value: AttributeValue) {
        StyleScan.each(value.bytes[...]) { self.take($0) }
    }

    /// Takes over what a declaration says; of two the last counts.
    mutating func take(_ declaration: StyleScan.Declaration) {
        let value = declaration.value
        if declaration.isNamed("width") {
            self.width = InlineStyle.pixels(value) ?? self.width
        } else if declaration.isNamed("height") {
            self.height = InlineStyle.pixels(value) ?? self.height
        } else if declaration.isNamed("display") {
            self.isAbsent = value.begins("none")
        } else if declaration.isNamed("visibility") {
            self.isVeiled = value.begins("hidden") || value.begins("collapse")
        }
        self.mayPaint = self.mayPaint || declaration.mayPaint
    }

    /// A length in pixels; nil for a share, another unit or a word.
    private static func pixels(_ bytes: ByteView) -> Double? {
        guard let (number, end) = Measure.number(bytes) else { return nil }
        let unit = bytes[end...].prefix { !$0.isBlank && $0 != UInt8(ascii: "!") }
        if unit.isEmpty { return number == 0 ? 0 : nil }
        return unit.count == 2 && unit.begins("px") ? number : nil
    }
}
