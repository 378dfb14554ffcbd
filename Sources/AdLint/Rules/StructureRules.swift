import AdHTML
import AdMarkup

/// Elements and attributes: which there are, where, and since when.
extension LintRule {
    static let structure: [LintRule] = [
        .versionOne, .versionMissing, .versionUnknown, .elementUnknown, .elementMisspelt, .elementCase,
        .elementMisplaced, .elementNotYet, .elementNoMore, .elementTwice, .elementEmpty, .elementEscaped,
        .attributeUnknown,
        .attributeMisspelt, .attributeNotYet, .booleanWrong, .numberWrong,
    ]

    static let versionOne = LintRule(
        "version-one",
        .error,
        "It is VAST 1",
        why: "VAST 1 ended in 2009, and players answer with error 102.",
        cure: "Send VAST 3.0 or 4.2: the root is <VAST version=\"…\">."
    )

    static let versionMissing = LintRule(
        "version-missing",
        .error,
        "The version is missing",
        why: "Players guess, or refuse the document with error 102.",
        cure: "Write the version on the root: <VAST version=\"4.2\">."
    )

    static let versionUnknown = LintRule(
        "version-unknown",
        .error,
        "There is no such version",
        why: "Players that check the version refuse the document with error 102.",
        cure: "Write one of 2.0, 3.0, 4.0, 4.1, 4.2 and 4.3."
    )

    static let elementUnknown = LintRule(
        "element-unknown",
        .warning,
        "Unknown element",
        why: "Players ignore it with its content.",
        cure: "Remove it, or put it into an <Extension>."
    )

    static let elementMisspelt = LintRule(
        "element-misspelt",
        .error,
        "Misspelt element",
        why: "Players ignore it with its content.",
        cure: "Write the name that VAST has for it."
    )

    static let elementCase = LintRule(
        "element-case",
        .error,
        "Wrong case in an element name",
        why: "XML names are case-sensitive: strict players ignore it with its content.",
        cure: "Write the name exactly as VAST has it."
    )

    static let elementMisplaced = LintRule(
        "element-misplaced",
        .error,
        "Element is not allowed here",
        why: "Players look for it elsewhere, and don't find it here.",
        cure: "Move it to where the schema has it."
    )

    static let elementNotYet = LintRule(
        "element-not-yet",
        .warning,
        "The declared version does not have this element",
        why: "Players of that version ignore it.",
        cure: "Declare the version that has it, or leave it out."
    )

    static let elementNoMore = LintRule(
        "element-no-more",
        .warning,
        "The declared version no longer has this element",
        why: "Players of that version ignore it.",
        cure: "Use its replacement, or declare the older version."
    )

    static let elementTwice = LintRule(
        "element-twice",
        .warning,
        "Duplicate element",
        why: "Some players use the first, others the last.",
        cure: "Keep one."
    )

    static let elementEmpty = LintRule(
        "element-empty",
        .warning,
        "A required element is empty",
        why: "The schema requires a value, and reports show nothing.",
        cure: "Fill it in; the name of the ad server is enough."
    )

    static let elementEscaped = LintRule(
        "element-escaped",
        .error,
        "Elements are escaped as text",
        why: "Players read a text, and none of the elements in it.",
        cure: "Write < and not &lt; before elements; use CDATA around URLs only."
    )

    static let attributeUnknown = LintRule(
        "attribute-unknown",
        .info,
        "Unknown attribute",
        why: "Players ignore it.",
        cure: "Remove it, or put the value into an <Extension>."
    )

    static let attributeMisspelt = LintRule(
        "attribute-misspelt",
        .warning,
        "Misspelt attribute",
        why: "Players ignore it, and use the default.",
        cure: "Write the name that VAST has for it, capitals included."
    )

    static let attributeNotYet = LintRule(
        "attribute-not-yet",
        .info,
        "The declared version does not have this attribute",
        why: "Players of that version ignore it.",
        cure: "Declare the version that has it, or leave it out."
    )

    static let booleanWrong = LintRule(
        "boolean-wrong",
        .warning,
        "Boolean is neither true nor false",
        why: "Players use a default, and not all use the same.",
        cure: "Write true or false."
    )

    static let numberWrong = LintRule(
        "number-wrong",
        .warning,
        "Number is not an integer",
        why: "Players use no value, or 0.",
        cure: "Write digits only: no unit, no sign, no fraction."
    )
}
