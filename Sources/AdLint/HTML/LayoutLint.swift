import AdCore
import AdHTML
import AdMarkup

/// Checks the sizes of a banner's images and the length of its animations.
enum LayoutLint {
    static func check(_ document: HTMLDocument, _ tags: [HTMLTag], _ log: inout LintLog) {
        self.images(document, tags, &log)
        self.animations(tags, &log)
    }

    /// Reports an image that is larger than `ad.size`, so it is cropped.
    private static func images(_ document: HTMLDocument, _ tags: [HTMLTag], _ log: inout LintLog) {
        guard let size = document.declaredSize, size.evidence == .meta, size.width > 0, size.height > 0 else { return }
        for tag in tags where tag.name == "img" && !tag.isInert {
            guard let width = tag.pixels("width"), let height = tag.pixels("height"), width.isFinite, height.isFinite,
                width > Double(size.width) || height > Double(size.height),
                // An image with a style of its own may be cropped or scaled on purpose.
                width <= 4 * Double(size.width), height <= 4 * Double(size.height), tag["style"] == nil,
                tag["class"] == nil,
                tag["id"] == nil
            else { continue }
            log.add(
                .htmlImageSize,
                tag.place,
                "the image is \(Int(width)) × \(Int(height)), ad.size is \(size.width) × \(size.height)"
            )
        }
    }

    /// Reports `animation: … infinite` in a style sheet or on an element.
    private static func animations(_ tags: [HTMLTag], _ log: inout LintLog) {
        for tag in tags where !tag.isInert {
            if tag.name == "style", let content = tag.content,
                let offset = self.endlessAnimation(in: Array(content.bytes))
            {
                var places = SourcePlaces(from: content.place, at: 0)
                log.add(.htmlAnimationEndless, places.place(at: offset, in: Array(content.bytes)))
            } else if let style = tag["style"], self.endlessAnimation(in: Array(style.utf8)) != nil {
                log.add(.htmlAnimationEndless, tag.place(of: "style"))
            }
        }
    }

    /// The offset of the first animation in CSS that never ends; nil if there is none.
    private static func endlessAnimation(in css: [UInt8]) -> Int? {
        var at = 0
        while let hit = css[at...].firstRange(of: Array("animation".utf8))?.lowerBound {
            at = hit + 9
            let isName = hit > 0 && (css[hit - 1].isASCIILetter || css[hit - 1] == UInt8(ascii: "_"))
            let value = css[at...].prefix(300).prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "}") }
            guard !isName, let colon = value.firstIndex(of: UInt8(ascii: ":")) else { continue }
            if value[colon...].firstRange(of: Array("infinite".utf8)) != nil { return hit }
        }
        return nil
    }
}
