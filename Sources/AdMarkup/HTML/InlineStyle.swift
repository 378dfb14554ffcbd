import AdCore

/// What an element's own `style` says of its size and of whether it can be seen.
struct InlineStyle {
    var width: Double?
    var height: Double?
    var isHidden = false

    init() {}

    init(_ value: AttributeValue) {
        let bytes = value.bytes
        var start = 0
        var colon: Int?
        var depth = 0
        var quote: UInt8?
        for index in 0...bytes.count {
            let byte = index < bytes.count ? bytes[index] : UInt8(ascii: ";")
            if index < bytes.count, let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth = max(0, depth - 1)
            case UInt8(ascii: ":") where colon == nil && depth == 0: colon = index
            case UInt8(ascii: ";") where depth == 0 || index == bytes.count:
                if let colon { self.take(name: bytes[start..<colon], value: bytes[(colon + 1)..<index]) }
                start = index + 1
                colon = nil
            default: break
            }
        }
    }

    private mutating func take(name: ByteView, value: ByteView) {
        let name = name.withoutBlanks
        let value = value.unindented
        if InlineStyle.isWord(name, "width") {
            self.width = InlineStyle.pixels(value) ?? self.width
        } else if InlineStyle.isWord(name, "height") {
            self.height = InlineStyle.pixels(value) ?? self.height
        } else if InlineStyle.isWord(name, "display") {
            self.isHidden = self.isHidden || value.begins("none")
        } else if InlineStyle.isWord(name, "visibility") {
            self.isHidden = self.isHidden || value.begins("hidden") || value.begins("collapse")
        }
    }

    private static func isWord(_ bytes: ByteView, _ word: StaticString) -> Bool {
        bytes.count == word.utf8CodeUnitCount && bytes.begins(word)
    }

    /// A length in pixels; nil for a share, another unit or a word.
    private static func pixels(_ bytes: ByteView) -> Double? {
        guard let (number, end) = Measure.number(bytes) else { return nil }
        let unit = bytes[end...].prefix { !$0.isBlank && $0 != UInt8(ascii: "!") }
        if unit.isEmpty { return number == 0 ? 0 : nil }
        return unit.count == 2 && unit.begins("px") ? number : nil
    }
}

/// The images in a style, inline or in a sheet: those that paint something, and those fetched for other uses.
struct StyleImages {
    /// Whether an image or a gradient is painted.
    private(set) var paints = false

    /// Finds what stands in `url(…)`, with its offset and whether it paints.
    init(_ bytes: ByteView, found: (_ url: URLTemplate, _ offset: Int, _ paints: Bool) -> Void) {
        var property = bytes.startIndex
        // One answer for a declaration, however many addresses stand in it.
        var isPainted: Bool?
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: ";") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") {
                (property, isPainted) = (index, nil)
            }
            guard byte == UInt8(ascii: "(") else { continue }
            let open = index - 1
            let isURL = bytes[..<open].ends("url")
            guard isURL || bytes[..<open].ends("gradient") else { continue }
            let paints = isPainted ?? StyleImages.isPainted(bytes[property..<open])
            isPainted = paints
            guard isURL else {
                self.paints = self.paints || paints
                continue
            }
            var start = bytes[index...].unindented.startIndex
            var close = UInt8(ascii: ")")
            if start < bytes.endIndex, bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'") {
                close = bytes[start]
                start += 1
            }
            // Without an end the rest of the style is one broken address.
            guard let end = bytes.index(of: close, from: start) else { return }
            index = end
            guard let url = URLTemplate(bytes[start..<end].withoutBlanks.text) else { continue }
            self.paints = self.paints || paints
            found(url, open, paints)
        }
    }

    private static func isPainted(_ declaration: ByteView) -> Bool {
        let property = declaration.unindented
        return property.begins("background") || property.begins("content") || property.begins("list-style")
            || property.begins("border-image")
    }
}
