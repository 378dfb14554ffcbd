import AdCore
import LibC

/// Recognizes event handlers that run without a user, such as `onload` and `onerror` (HTML Living Standard, "Event
/// handlers").
///
/// Some vendors' tags consist of nothing else: an image that can't be loaded, whose `onerror` inserts the ad's script.
enum LoadHandler {
    /// Whether an event handler of an element runs while the creative loads, and may show something.
    static func mayShow(_ start: HTMLStartTag) -> Bool {
        let loads = self.loads(start)
        // A link's `onload` usually turns it into a style sheet, which may paint something.
        let isLink = start.element == .link
        return start.attributes.contains(prefix: "on") { name, handler in
            let code = handler.bytes[...]
            if self.loadEvents.contains(where: name.matches) {
                return loads && (isLink ? !code.withoutWhiteSpace.isEmpty : !self.isHarmless(code))
            }
            return self.automaticEvents.contains(where: name.matches) && !self.isHarmless(code)
        }
    }

    private static let loadEvents: [StaticString] = ["onload", "onerror"]
    /// Other events without a user: of media, animations, the page, and automatic focus.
    private static let automaticEvents: [StaticString] = [
        "onanimationstart", "onanimationiteration", "onanimationend", "ontransitionrun", "ontransitionstart",
        "ontransitionend", "onbegin", "oncanplay", "oncanplaythrough", "ondurationchange", "onended", "onfocus",
        "onloadeddata", "onloadedmetadata", "onloadstart", "onmessage", "onpageshow", "onplay", "onplaying",
        "onprogress", "onreadystatechange", "onresize", "onscroll", "onstalled", "onsuspend", "ontimeupdate",
        "ontoggle",
    ]

    private static func loads(_ start: HTMLStartTag) -> Bool {
        switch start.element {
        case .body, .iframe, .svg, .script, .style, .object, .embed, .paintedVoid: true
        case .img, .image, .video, .audio, .source, .track, .input:
            start.attributes.has("src") || start.attributes.has("srcset")
        case .link: start.attributes.has("href")
        default: false
        }
    }

    /// Whether code does nothing, only hides its own element (`this.style.display='none'`), or only loads another
    /// address into it.
    private static func isHarmless(_ code: ByteView) -> Bool {
        var rest = code
        while !rest.isEmpty {
            let statement = rest.prefix { $0 != UInt8(ascii: ";") }
            rest = rest[statement.endIndex...].dropFirst()
            let words = statement.withoutWhiteSpace
            let isNoOperation =
                words.isEmpty || words.startsIgnoringCase("return") || words.startsIgnoringCase("void")
                || words.startsIgnoringCase("null")
            if isNoOperation || (words.count == 13 && words.startsIgnoringCase("this.remove()")) { continue }
            guard words.startsIgnoringCase("this."), !words.contains(UInt8(ascii: "(")),
                !words.contains(UInt8(ascii: ",")),
                self.targets.contains(where: words.startsIgnoringCase) || self.hides(words)
            else { return false }
        }
        return true
    }

    private static let targets: [StaticString] = ["this.onerror", "this.onload", "this.src", "this.alt"]

    /// Whether a statement sets a value that hides the element.
    private static func hides(_ words: ByteView) -> Bool {
        let end =
            words.lastIndex { $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "\"") && !$0.isWhiteSpace }
            ?? words.startIndex
        let value = words[...end]
        if value.startsIgnoringCase("this.hidden") { return value.endsIgnoringCase("true") }
        if value.startsIgnoringCase("this.width") || value.startsIgnoringCase("this.height") {
            return ["=0", "=1", "= 0", "= 1", "'0", "'1", "\"0", "\"1"].contains(where: value.endsIgnoringCase)
        }
        return value.startsIgnoringCase("this.style.")
            && ["none", "hidden", "'0", "\"0", "0px", "1px"].contains(where: value.endsIgnoringCase)
    }
}

extension UnsafePointer<UInt8> {
    /// Whether it is this NUL-terminated text.
    fileprivate func matches(_ text: StaticString) -> Bool {
        strcmp(
            UnsafeRawPointer(self).assumingMemoryBound(to: CChar.self),
            UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
        ) == 0
    }
}
