import AdHTML
import AdMarkup

/// What can be wrong with any bytes.
extension LintRule {
    static let documents: [LintRule] = [
        .documentEmpty, .documentBinary, .documentTooLarge, .rootUnknown, .encodingWrong,
    ]

    static let documentEmpty = LintRule(
        "document-empty",
        .error,
        "Empty input",
        why: "An empty response is no ad, and no error URL is fired for it.",
        cure: "Send the tag or the creative; a VAST server without an ad sends <VAST> with an <Error>."
    )

    static let documentBinary = LintRule(
        "document-binary",
        .error,
        "Binary file; expected HTML, VAST or JSON",
        why: "Neither an image nor a compressed response is a creative or a tag.",
        cure: "Send text; if it is compressed, declare that with Content-Encoding."
    )

    static let documentTooLarge = LintRule(
        "document-too-large",
        .error,
        "Document is too large for players",
        why: "Players limit what they read, so that no ad can use up a device.",
        cure: "Send less: fewer ads, fewer elements, files by their address."
    )

    static let rootUnknown = LintRule(
        "root-unknown",
        .error,
        "Root element is neither <VAST> nor <VMAP>",
        why: "Players read <VAST> and <VMAP>, and refuse any other root with error 101.",
        cure: "Send <VAST version=\"4.2\"> as the outermost element."
    )

    static let encodingWrong = LintRule(
        "encoding-wrong",
        .warning,
        "Text is not in its declared encoding",
        why: "Characters are shown wrong, or the document is refused.",
        cure: "Save the file as UTF-8 and declare that, or nothing."
    )
}
