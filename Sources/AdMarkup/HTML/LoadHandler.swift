import AdCore

/// Handlers that run without a user: `onload` and `onerror` (HTML §8.1.8.2).
///
/// Some vendors' tags are nothing else: an image that can't be loaded, whose `onerror` puts the ad's script into the page.
enum LoadHandler {
    /// Whether a handler of an element runs while the creative loads, and may show something.
    static func mayShow(_ start: HTMLReader.StartTag) -> Bool {
        guard self.loads(start) else { return false }
        return [start.attributes.value("onload"), start.attributes.value("onerror")].contains { handler in
            handler.map { !self.isOfElement($0.bytes[...]) } ?? false
        }
    }

    private static func loads(_ start: HTMLReader.StartTag) -> Bool {
        switch start.element {
        case .body, .iframe, .svg, .script, .style, .object, .embed: true
        case .img, .image, .video, .audio, .source, .track, .input:
            start.attributes.has("src") || start.attributes.has("srcset")
        case .link: start.attributes.has("href")
        default: false
        }
    }

    /// Whether code does nothing, or nothing but change the element that it belongs to, as `this.style.display='none'`.
    private static func isOfElement(_ code: ByteView) -> Bool {
        var rest = code
        while !rest.isEmpty {
            let statement = rest.prefix { $0 != UInt8(ascii: ";") }
            rest = rest[statement.endIndex...].dropFirst()
            let words = statement.withoutBlanks
            let isHarmless = words.isEmpty || words.begins("return") || words.begins("void") || words.begins("null")
            if isHarmless { continue }
            guard words.begins("this."), !self.reachesOut(words) else { return false }
        }
        return true
    }

    private static let others: [StaticString] = [
        "parent", "html", "insert", "before", "after", "append", "replace", "document", "window", "sibling",
    ]

    private static func reachesOut(_ code: ByteView) -> Bool {
        code.indices.contains { index in self.others.contains { code[index...].begins($0) } }
    }
}
