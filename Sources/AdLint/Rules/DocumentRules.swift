/// Input of any kind.
extension LintRule {
    static let documents: [LintRule] = [
        .documentEmpty, .documentBinary, .documentTooLarge, .rootUnknown, .encodingWrong,
    ]

    static let documentEmpty = LintRule(
        "document-empty",
        .error,
        "Empty input",
        why: "An empty response has no ad, and no error URL that could be fired.",
        fix: "Send the creative or the tag; for a VAST no-ad response, send <VAST> with an <Error>.",
        specification: "VAST 4.3 §3.2.1"
    )

    static let documentBinary = LintRule(
        "document-binary",
        .error,
        "Binary file; expected HTML, VAST or JSON",
        why: "Players read text: neither an image nor compressed bytes are a creative or a tag.",
        fix: "Send text; if the response is compressed, set its Content-Encoding header.",
        specification: "RFC 9110 §8.4"
    )

    static let documentTooLarge = LintRule(
        "document-too-large",
        .error,
        "Document is too large",
        why: "Players limit the size of a response, to protect the device.",
        fix: "Send fewer ads and fewer elements, and link files by URL."
    )

    static let rootUnknown = LintRule(
        "root-unknown",
        .error,
        "Root element is neither <VAST> nor <VMAP>",
        why: "Players accept these two only, and reject any other root with error 101.",
        fix: "Send <VAST version=\"4.2\"> as the outermost element.",
        specification: "VAST 4.3 §3.2"
    )

    static let encodingWrong = LintRule(
        "encoding-wrong",
        .warning,
        "Text is not in its declared encoding",
        why: "Characters are displayed wrongly, or the document is rejected.",
        fix: "Save the file as UTF-8, and declare UTF-8 or no encoding."
    )
}
