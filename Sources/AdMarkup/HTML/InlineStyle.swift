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

    private mutating func take(
        name: Slice<UnsafeBufferPointer<UInt8>>,
        value: Slice<UnsafeBufferPointer<UInt8>>
    ) {
        let name = name.drop(while: \.isWhiteSpace)
        if InlineStyle.isWord(name, "width") {
            self.width = InlineStyle.pixels(value) ?? self.width
        } else if InlineStyle.isWord(name, "height") {
            self.height = InlineStyle.pixels(value) ?? self.height
        } else if InlineStyle.isWord(name, "display") {
            self.isHidden = self.isHidden || InlineStyle.begins(value, "none")
        } else if InlineStyle.isWord(name, "visibility") {
            self.isHidden =
                self.isHidden || InlineStyle.begins(value, "hidden") || InlineStyle.begins(value, "collapse")
        }
    }

    private static func isWord(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ word: StaticString) -> Bool {
        bytes.startsIgnoringCase(word) && bytes.dropFirst(word.utf8CodeUnitCount).allSatisfy(\.isWhiteSpace)
    }

    private static func begins(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ word: StaticString) -> Bool {
        bytes.drop(while: \.isWhiteSpace).startsIgnoringCase(word)
    }

    /// A length in pixels; nil for a share, another unit or a word.
    private static func pixels(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
        guard let (number, end) = Measure.number(bytes) else { return nil }
        let unit = bytes[end...].prefix { !$0.isWhiteSpace && $0 != UInt8(ascii: "!") }
        if unit.isEmpty { return number == 0 ? 0 : nil }
        return unit.count == 2 && unit.startsIgnoringCase("px") ? number : nil
    }
}

/// The images in a style, inline or in a sheet: those that paint something, and those fetched for other uses.
struct StyleImages {
    /// Whether an image or a gradient is painted.
    private(set) var paints = false

    /// How far before an image its property is looked for.
    private static let lookBack = 256

    /// Finds what stands in `url(…)`, with its offset and whether it paints.
    init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, found: (_ url: URLTemplate, _ offset: Int, _ paints: Bool) -> Void)
    {
        var index = bytes.startIndex
        while let open = bytes[index...].firstIndex(of: UInt8(ascii: "(")) {
            index = open + 1
            let isURL = StyleImages.ends(bytes[..<open], "url")
            guard isURL || StyleImages.ends(bytes[..<open], "gradient") else { continue }
            let paints = StyleImages.isPainted(bytes[..<open])
            self.paints = self.paints || (paints && !isURL)
            guard isURL else { continue }
            var start = bytes[index...].firstIndex { !$0.isWhiteSpace } ?? bytes.endIndex
            var end: Int?
            if start < bytes.endIndex, bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'") {
                let quote = bytes[start]
                start += 1
                end = bytes[start...].firstIndex(of: quote)
            } else {
                end = bytes[start...].firstIndex(of: UInt8(ascii: ")"))
            }
            // Without an end the rest of the style is one broken address.
            guard let end else { return }
            index = end
            guard let url = URLTemplate(String(decoding: bytes[start..<end], as: UTF8.self)) else { continue }
            self.paints = self.paints || paints
            found(url, open, paints)
        }
    }

    private static func ends(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ word: StaticString) -> Bool {
        let tail = bytes.suffix(word.utf8CodeUnitCount)
        return tail.count == word.utf8CodeUnitCount && tail.startsIgnoringCase(word)
    }

    private static func isPainted(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let near = bytes.suffix(self.lookBack)
        let start = near.lastIndex { "{};".utf8.contains($0) }.map { $0 + 1 } ?? near.startIndex
        let property = near[start...].drop(while: \.isWhiteSpace)
        return property.startsIgnoringCase("background") || property.startsIgnoringCase("content")
            || property.startsIgnoringCase("list-style") || property.startsIgnoringCase("border-image")
    }
}
