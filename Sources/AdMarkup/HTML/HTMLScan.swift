/// The result of scanning a banner's bytes, with a map from the parser's offsets to those of the source.
///
/// libxml2 parses a copy without comments and without the contents of scripts, style sheets and frames. That keeps its
/// tree equal to a browser's (libxml2 follows HTML 4 there), is faster, and lets the scanner check every limit first.
package struct HTMLScan {
    /// A tag with its positions in the source and in the parser's text.
    package struct Tag {
        /// The offset of `<` in the source.
        package let start: UInt32
        /// The parser's offset when it reports the tag: at the `>` or `/>` of a start tag, after the `>` of an end tag.
        package let textEnd: UInt32
        let name: UInt64
        package let element: ElementName
        package let isEnd: Bool
    }

    /// The content of an element that contains text only.
    package struct Content {
        /// The `textEnd` of its start tag.
        package let tagEnd: UInt32
        /// Its position in the source.
        package let range: Range<Int>
        /// Whether it has an end tag; a browser never runs a script without one.
        package let isClosed: Bool
    }

    /// The number of bytes by which the source is ahead of the parser's text from an offset on.
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
    /// All parts of the source except comments, in order.
    package internal(set) var segments: [Segment] = []
    /// Whether the markup has a doctype, or a start tag `html`, `head` or `body`.
    package internal(set) var isWhole = false
    /// Whether control characters of the source are replaced by DEL in the parser's text.
    package internal(set) var hasControls = false
}
