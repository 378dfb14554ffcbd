/// The document around markup that is only a fragment.
package enum FragmentDocument {
    /// The text before a fragment: doctype (for no-quirks mode), UTF-8, viewport, and no margin.
    ///
    /// It has no line break, so that the lines of the fragment keep their numbers.
    package static let opening =
        "<!DOCTYPE html><html><head><meta charset=\"utf-8\">"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
        + "<style>html,body{margin:0;padding:0}</style></head><body>"

    /// The text after a fragment.
    package static let closing = "</body></html>"

    /// The number of columns in a document's first line that come from `opening`.
    package static func columns(before document: String) -> Int {
        document.utf8.starts(with: self.opening.utf8) ? self.opening.utf8.count : 0
    }
}
