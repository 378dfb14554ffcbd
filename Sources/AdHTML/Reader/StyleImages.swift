import AdCore
import AdMarkup

/// The images in a style, inline or in a sheet: those that paint something, and those fetched for other uses.
enum StyleImages {
    /// Finds what is in `url(…)`, with its offset and whether it paints.
    static func each(_ bytes: ByteView, found: (_ url: URLTemplate, _ offset: Int, _ paints: Bool) -> Void) {
        var property = bytes.startIndex
        // One answer for a declaration, however many addresses are in it.
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
            // Without an end the rest of the style is one broken address.
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
