import AdHTML

/// The visible text and the links of a popup's template, read without a browser.
///
/// Nothing is repaired and no script runs; a long template is truncated.
package struct PopupReading: Equatable, Sendable {
    /// An element with a deep link.
    package struct Link: Equatable, Sendable {
        package let text: String
        /// The deep link: the value of `data-dp`.
        package let dp: String

        /// Whether an app does nothing for it.
        package var isDummy: Bool { ["dp:ok", "dp:cancel", "dp:close", "dp:action"].contains(self.dp) }
    }

    /// The text without that of the links, one line per block.
    package let lines: [String]
    package let links: [Link]

    /// The link of a simulated click: the first that does something, or else the first.
    package var firstLink: Link? { self.links.first { !$0.isDummy } ?? self.links.first }

    /// How many bytes are read, and how many lines and links are kept.
    static let limits = (bytes: 256 << 10, parts: 40)

    package init(_ html: String) {
        let outline = TextOutline.read(
            Array(html.utf8.prefix(PopupReading.limits.bytes)),
            linksBy: "data-dp",
            limit: PopupReading.limits.parts
        )
        self.lines = outline.lines
        self.links = outline.links.map { Link(text: $0.text, dp: $0.address) }
    }
}
