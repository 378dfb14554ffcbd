import AdCore
import AdHTML
import AdMarkup

/// Looks at what a banner's boxes and styles say against its own size and against networks' bounds.
enum LayoutLint {
    static func check(_ document: HTMLDocument, _ tags: [HTMLTag], _ log: inout LintLog) {
        self.pictures(document, tags, &log)
        self.animations(tags, &log)
    }

    /// A image that is larger than `ad.size` is cropped.
    private static func pictures(_ document: HTMLDocument, _ tags: [HTMLTag], _ log: inout LintLog) {
        guard let size = document.declaredSize, size.evidence == .meta, size.width > 0, size.height > 0 else { return }
        for tag in tags where tag.name == "img" && !tag.isInert {
            guard let width = tag.pixels("width"), let height = tag.pixels("height"), width.isFinite, height.isFinite,
                width > Double(size.width) || height > Double(size.height),
                // A image in a box of its own may be cropped or scaled on purpose.
                width <= 4 * Double(size.width), height <= 4 * Double(size.height), tag["style"] == nil,
                tag["class"] == nil,
                tag["id"] == nil
            else { continue }
            log.add(
                .htmlImageSize,
                tag.place,
                "the image is \(Int(width)) × \(Int(height)), and ad.size is \(size.width) × \(size.height)"
            )
        }
    }

    /// `animation: … infinite`, in a style sheet of the markup or on an element.
    private static func animations(_ tags: [HTMLTag], _ log: inout LintLog) {
        for tag in tags where !tag.isInert {
            if tag.name == "style", let content = tag.content, let offset = self.endless(Array(content.bytes)) {
                var places = SourcePlaces(from: content.place, at: 0)
                log.add(.htmlAnimationEndless, places.place(at: offset, in: Array(content.bytes)))
            } else if let style = tag["style"], self.endless(Array(style.utf8)) != nil {
                log.add(.htmlAnimationEndless, tag.place(of: "style"))
            }
        }
    }

    /// Where an animation begins in CSS that never ends; nil if there is none.
    private static func endless(_ css: [UInt8]) -> Int? {
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
