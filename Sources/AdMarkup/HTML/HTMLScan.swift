/// What one pass over a banner's bytes found, and how it maps what the parser reads to where it stood.
///
/// The parser does not read the bytes as they are, but a copy without comments and without the contents of scripts,
/// style sheets and frames. That keeps its tree true to what a browser makes of the same bytes (libxml2 follows
/// HTML 4 there), costs a fraction of the time, and lets every bound be checked before it is paid for.
struct HTMLScan {
    /// A tag, where it stood and where the parser ends reading it.
    struct Tag {
        /// The offset of `<` in the source.
        let start: UInt32
        /// What the parser has taken of its text when it tells of the tag: up to `>` or `/>` of a start tag, and past
        /// the `>` of an end tag.
        let textEnd: UInt32
        let name: UInt64
        let element: ElementName
        let isEnd: Bool
    }

    /// What stood inside an element that holds text.
    struct Content {
        /// Its start tag's `textEnd`.
        let tagEnd: UInt32
        /// Where it stood in the source.
        let range: Range<Int>
        /// Whether its end tag was there: without it a browser never runs a script.
        let isClosed: Bool
    }

    /// From this offset in the parser's text on, the source is that many bytes ahead.
    struct Cut {
        let at: Int
        let ahead: Int
    }

    var textCount = 0
    var tags: [Tag] = []
    var contents: [Content] = []
    var cuts: [Cut] = []
    var placeholders = PlaceholderSearch.Result()
    /// Whether the markup has a doctype, or a start tag of `html`, `head` or `body`.
    var isWhole = false
    /// Whether the parser reads DEL where the source has a control character.
    var hasControls = false
}
