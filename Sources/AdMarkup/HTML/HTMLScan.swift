/// What one ignore a banner's bytes found, and how it maps what the parser reads to where it stood.
///
/// The parser does not read the bytes as they are, but a copy without comments and without the contents of scripts,
/// style sheets and frames. That keeps its tree true to what a browser makes of the same bytes (libxml2 follows
/// HTML 4 there), costs a fraction of the time, and lets every bound be checked before it is paid for.
package struct HTMLScan {
    /// A tag, where it stood and where the parser ends reading it.
    package struct Tag {
        /// The offset of `<` in the source.
        package let start: UInt32
        /// What the parser has taken of its text when it tells of the tag: up to `>` or `/>` of a start tag, and past
        /// the `>` of an end tag.
        package let textEnd: UInt32
        let name: UInt64
        package let element: ElementName
        package let isEnd: Bool
    }

    /// What stood inside an element that holds text.
    package struct Content {
        /// Its start tag's `textEnd`.
        package let tagEnd: UInt32
        /// Where it stood in the source.
        package let range: Range<Int>
        /// Whether its end tag was there: without it a browser never runs a script.
        package let isClosed: Bool
    }

    /// From this offset in the parser's text on, the source is that many bytes ahead.
    struct Cut {
        let at: Int
        let ahead: Int
    }

    /// A part of the source outside comments.
    package struct Segment {
        package let range: Range<Int>
        /// Whether it is the content of a script or a style sheet.
        package let isCode: Bool
    }

    var textCount = 0
    package internal(set) var tags: [Tag] = []
    package internal(set) var contents: [Content] = []
    var cuts: [Cut] = []
    /// What the parser reads, and the contents that it does not: everything but comments, in order.
    package internal(set) var segments: [Segment] = []
    /// Whether the markup has a doctype, or a start tag of `html`, `head` or `body`.
    package internal(set) var isWhole = false
    /// Whether the parser reads DEL where the source has a control character.
    package internal(set) var hasControls = false
}
