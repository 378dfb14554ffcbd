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
        "There is no such element",
        why: "Players pass over it, with all that stands in it.",
        cure: "Take it out, or put it into an <Extension>."
    )

    static let elementMisspelt = LintRule(
        "element-misspelt",
        .error,
        "An element is misspelt",
        why: "Players pass over it, with all that stands in it.",
        cure: "Write the name that VAST has for it."
    )

    static let elementCase = LintRule(
        "element-case",
        .error,
        "An element has the wrong capitals",
        why: "Names of XML are exact: strict players pass over it, with all that stands in it.",
        cure: "Write the name exactly as VAST has it."
    )

    static let elementMisplaced = LintRule(
        "element-misplaced",
        .error,
        "An element stands in the wrong place",
        why: "Players look for it elsewhere, and never find it here.",
        cure: "Move it to where VAST wants it."
    )

    static let elementNotYet = LintRule(
        "element-not-yet",
        .warning,
        "The declared version does not have this element",
        why: "Players of that version pass over it.",
        cure: "Declare the version that has it, or leave it out."
    )

    static let elementNoMore = LintRule(
        "element-no-more",
        .warning,
        "The declared version has this element no more",
        why: "Players of that version pass over it.",
        cure: "Use what has taken its place, or declare the older version."
    )

    static let elementTwice = LintRule(
        "element-twice",
        .warning,
        "An element stands twice where one is allowed",
        why: "Some players take the first, others the last.",
        cure: "Keep one."
    )

    static let elementEmpty = LintRule(
        "element-empty",
        .warning,
        "A required element is empty",
        why: "The schema wants a value, and reports show nothing.",
        cure: "Fill it in; a name that says who serves the ad is enough."
    )

    static let elementEscaped = LintRule(
        "element-escaped",
        .error,
        "Elements are written as text",
        why: "Players see a text, and none of the elements in it.",
        cure: "Write < and not &lt; before elements; CDATA belongs around addresses only."
    )

    static let attributeUnknown = LintRule(
        "attribute-unknown",
        .info,
        "There is no such attribute",
        why: "Players pass over it.",
        cure: "Take it out, or put the value into an <Extension>."
    )

    static let attributeMisspelt = LintRule(
        "attribute-misspelt",
        .warning,
        "An attribute is misspelt",
        why: "Players pass over it, and take the default instead.",
        cure: "Write the name that VAST has for it, capitals included."
    )

    static let attributeNotYet = LintRule(
        "attribute-not-yet",
        .info,
        "The declared version does not have this attribute",
        why: "Players of that version pass over it.",
        cure: "Declare the version that has it, or leave it out."
    )

    static let booleanWrong = LintRule(
        "boolean-wrong",
        .warning,
        "A truth value is neither true nor false",
        why: "Players take the default, or what they like.",
        cure: "Write true or false."
    )

    static let numberWrong = LintRule(
        "number-wrong",
        .warning,
        "A number is no whole number",
        why: "Players take nothing, or zero.",
        cure: "Write digits only: no unit, no sign, no fraction."
    )
}
