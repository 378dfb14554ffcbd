/// Elements and attributes: whether VAST has them, where, and in which versions.
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
        "VAST 1 is obsolete",
        why: "VAST 2.0 replaced it in 2009; players reject it with error 102.",
        fix: "Send VAST 3.0 or later, with <VAST version=\"…\"> as the root.",
        specification: "VAST 4.3 §3.2"
    )

    static let versionMissing = LintRule(
        "version-missing",
        .error,
        "Missing VAST version",
        why: "Players guess the version, or reject the document with error 102.",
        fix: "Add it to the root element, such as <VAST version=\"4.2\">.",
        specification: "VAST 4.3 §3.2"
    )

    static let versionUnknown = LintRule(
        "version-unknown",
        .error,
        "Unknown VAST version",
        why: "Players that check the version reject the document with error 102.",
        fix: "Write one of 2.0, 3.0, 4.0, 4.1, 4.2 and 4.3.",
        specification: "VAST 4.3 §3.2"
    )

    static let elementUnknown = LintRule(
        "element-unknown",
        .warning,
        "Unknown element",
        why: "Players ignore it and its content.",
        fix: "Remove it, or move it into an <Extension>.",
        specification: "VAST 4.3 §5"
    )

    static let elementMisspelt = LintRule(
        "element-misspelt",
        .error,
        "Misspelt element",
        why: "Players ignore it and its content.",
        fix: "Write the name as VAST spells it.",
        specification: "VAST 4.3 §5"
    )

    static let elementCase = LintRule(
        "element-case",
        .error,
        "Wrong case in an element name",
        why: "XML names are case-sensitive: strict players ignore it and its content.",
        fix: "Write the name exactly as VAST spells it.",
        specification: "XML 1.0 §1.2"
    )

    static let elementMisplaced = LintRule(
        "element-misplaced",
        .error,
        "Element is not allowed here",
        why: "Players do not look for it in this element.",
        fix: "Move it to an element where the schema allows it.",
        specification: "VAST 4.3 §5"
    )

    static let elementNotYet = LintRule(
        "element-not-yet",
        .warning,
        "Element is newer than the declared version",
        why: "Players of that version ignore it.",
        fix: "Declare a version that has it, or remove it.",
        specification: "VAST 4.3 §5"
    )

    static let elementNoMore = LintRule(
        "element-no-more",
        .warning,
        "Element no longer exists in the declared version",
        why: "Players of that version ignore it.",
        fix: "Use its replacement, or declare the older version.",
        specification: "VAST 4.3 §5"
    )

    static let elementTwice = LintRule(
        "element-twice",
        .warning,
        "Duplicate element",
        why: "Some players use the first, others the last.",
        fix: "Keep one.",
        specification: "VAST 4.3 §5"
    )

    static let elementEmpty = LintRule(
        "element-empty",
        .warning,
        "Required element is empty",
        why: "The schema requires a value, and reports have none to show.",
        fix: "Add a value, such as the name of the ad server in <AdSystem>.",
        specification: "VAST 4.3 §5"
    )

    static let elementEscaped = LintRule(
        "element-escaped",
        .error,
        "Elements are escaped as text",
        why: "Players read them as text, and find no elements.",
        fix: "Write < instead of &lt; around elements, and use CDATA for URLs only."
    )

    static let attributeUnknown = LintRule(
        "attribute-unknown",
        .info,
        "Unknown attribute",
        why: "Players ignore it.",
        fix: "Remove it, or move the value into an <Extension>.",
        specification: "VAST 4.3 §5"
    )

    static let attributeMisspelt = LintRule(
        "attribute-misspelt",
        .warning,
        "Misspelt attribute",
        why: "Players ignore it, and use the default.",
        fix: "Write the name as VAST spells it, including its capitals.",
        specification: "VAST 4.3 §5"
    )

    static let attributeNotYet = LintRule(
        "attribute-not-yet",
        .info,
        "Attribute is newer than the declared version",
        why: "Players of that version ignore it.",
        fix: "Declare a version that has it, or remove it.",
        specification: "VAST 4.3 §5"
    )

    static let booleanWrong = LintRule(
        "boolean-wrong",
        .warning,
        "Boolean is neither true nor false",
        why: "Players use a default instead, and not all use the same.",
        fix: "Write true or false.",
        specification: "VAST 4.3 §5"
    )

    static let numberWrong = LintRule(
        "number-wrong",
        .warning,
        "Number is not an integer",
        why: "Players ignore the value, or read 0.",
        fix: "Write digits only: no unit, no sign, no fraction.",
        specification: "VAST 4.3 §5"
    )
}
