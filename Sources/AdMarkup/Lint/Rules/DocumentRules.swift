/// What can be wrong with any bytes.
extension LintRule {
    static let documents: [LintRule] = [
        .documentEmpty, .documentBinary, .documentTooLarge, .rootUnknown, .encodingWrong,
    ]

    static let documentEmpty = LintRule(
        "document-empty",
        .error,
        "There is nothing",
        why: "An empty answer is no ad, and nobody is told why.",
        cure: "Send the tag or the creative; a VAST server without an ad sends <VAST> with an <Error>."
    )

    static let documentBinary = LintRule(
        "document-binary",
        .error,
        "The bytes are no text",
        why: "A picture or a compressed answer is shown by nobody as a creative.",
        cure: "Send text; where it is compressed, declare it with Content-Encoding."
    )

    static let documentTooLarge = LintRule(
        "document-too-large",
        .error,
        "It goes beyond what players read",
        why: "Players bound what they read, so that no ad can use up a device.",
        cure: "Send less: fewer ads, fewer elements, files by their address."
    )

    static let rootUnknown = LintRule(
        "root-unknown",
        .error,
        "The root is no ad",
        why: "Players read <VAST> and <VMAP>, and refuse any other root with error 101.",
        cure: "Send <VAST version=\"4.2\"> as the outermost element."
    )

    static let encodingWrong = LintRule(
        "encoding-wrong",
        .warning,
        "The text is not in the encoding that it declares",
        why: "Letters turn into question marks, or the whole is refused.",
        cure: "Save the file as UTF-8 and declare that, or nothing."
    )
}
