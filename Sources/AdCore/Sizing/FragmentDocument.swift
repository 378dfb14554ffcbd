/// What a stage puts around markup that is no whole document.
package enum FragmentDocument {
    /// What stands before a fragment on a stage: a doctype, so that the browser lays out by today's rules; UTF-8; the width of
    /// the container; and no margin, so that the creative begins in the corner.
    ///
    /// It has no line break: the lines of a fragment keep their numbers.
    package static let opening =
        "<!DOCTYPE html><html><head><meta charset=\"utf-8\">"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
        + "<style>html,body{margin:0;padding:0}</style></head><body>"

    /// What stands behind a fragment.
    package static let closing = "</body></html>"

    /// How many columns of a stage's document were put in front of its first line.
    package static func columns(before document: String) -> Int {
        document.utf8.starts(with: self.opening.utf8) ? self.opening.utf8.count : 0
    }
}
