import AdCore
import AdMarkup

/// The `url(…)` values in a style: images that are painted, and other files such as fonts.
enum StyleImages {
    /// Finds each `url(…)`, with its offset and whether it is painted.
    static func each(_ bytes: ByteView, found: (_ url: URLTemplate, _ offset: Int, _ paints: Bool) -> Void) {
        var property = bytes.startIndex
        // It is the same for all URLs of a declaration.
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
            guard bytes[..<open].endsIgnoringCase("url") else { continue }
            let paints = isPainted ?? StyleImages.isPainted(bytes[property..<open])
            isPainted = paints
            var start = bytes[index...].withoutLeadingWhiteSpace.startIndex
            var close = UInt8(ascii: ")")
            if start < bytes.endIndex, bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'") {
                close = bytes[start]
                start += 1
            }
            // Without a closing mark the rest of the style is one invalid URL.
            guard let end = bytes.index(of: close, from: start) else { return }
            index = end
            guard let url = URLTemplate(bytes[start..<end].withoutWhiteSpace.text) else { continue }
            found(url, open, paints)
        }
    }

    private static func isPainted(_ declaration: ByteView) -> Bool {
        let property = declaration.withoutLeadingWhiteSpace
        return property.startsIgnoringCase("background") || property.startsIgnoringCase("content")
            || property.startsIgnoringCase("list-style")
            || property.startsIgnoringCase("border-image")
    }
}
