/// The well-formedness of XML.
extension LintRule {
    static let xml: [LintRule] = [
        .xmlNotWellFormed, .xmlAmpersandRaw, .xmlEntity, .xmlDeclarationLate, .xmlTextBeforeRoot, .xmlTextAfterRoot,
        .xmlDoctype,
        .xmlTruncated, .xmlCDATAUnclosed, .xmlQuotesEscaped, .xmlTextStray, .xmlTagMismatch, .xmlAttributeTwice,
        .xmlPrefixUndeclared, .xmlEncodingWrong,
    ]

    static let xmlNotWellFormed = LintRule(
        "xml-not-well-formed",
        .error,
        "Not well-formed XML",
        why: "Most players reject the whole document with error 100.",
        fix: "Correct the XML at this line; generate it with an XML library instead of string templates.",
        specification: "VAST 4.3 §2.3.6.3"
    )

    static let xmlCDATAUnclosed = LintRule(
        "xml-cdata-unclosed",
        .error,
        "CDATA section is not closed",
        why: "Everything up to the next ]]> becomes part of this text, and the document is rejected.",
        fix: "End the section with ]]> before the end tag.",
        specification: "XML 1.0 §2.7"
    )

    static let xmlQuotesEscaped = LintRule(
        "xml-quotes-escaped",
        .error,
        "Quotation marks are escaped as in JSON",
        why: "\\\" is not XML: players reject the document with error 100.",
        fix: "Decode the JSON string before you send it, so that each \\\" becomes \"."
    )

    static let xmlTextStray = LintRule(
        "xml-text-stray",
        .warning,
        "Text between elements",
        why: "Players ignore it; often it is a URL or an element without its tags.",
        fix: "Put it into the element that it belongs to, or remove it.",
        specification: "VAST 4.3 §5"
    )

    static let xmlAmpersandRaw = LintRule(
        "xml-ampersand-raw",
        .error,
        "Unescaped ampersand",
        why: "Strict players reject the whole document; others lose part of the URL.",
        fix: "Put the URL into <![CDATA[…]]>, or write each & as &amp;.",
        specification: "XML 1.0 §2.4"
    )

    static let xmlEntity = LintRule(
        "xml-entity",
        .error,
        "Entity that players do not expand",
        why: "VAST declares no entities, and most players expand none: text is lost, or the ad is rejected.",
        fix: "Write the character or its number, such as &#160;; XML has only &amp; &lt; &gt; &quot; &apos;.",
        specification: "XML 1.0 §4.6"
    )

    static let xmlDeclarationLate = LintRule(
        "xml-declaration-late",
        .error,
        "Content before <?xml",
        why: "The XML declaration must come first; strict players reject the document.",
        fix: "Begin with <?xml; look for blank lines or comments at the top of the template.",
        specification: "XML 1.0 §2.8"
    )

    static let xmlTextBeforeRoot = LintRule(
        "xml-text-before-root",
        .error,
        "Content before the root element",
        why: "Players reject a document with text before its root element.",
        fix: "Send nothing before <VAST>; look for log output or a warning of the server.",
        specification: "XML 1.0 §2.1"
    )

    static let xmlTextAfterRoot = LintRule(
        "xml-text-after-root",
        .error,
        "Content after the root element",
        why: "Only comments may follow the root element; strict players reject the document.",
        fix: "Send nothing after </VAST>; look for two documents in one response.",
        specification: "XML 1.0 §2.1"
    )

    static let xmlDoctype = LintRule(
        "xml-doctype",
        .warning,
        "DOCTYPE in the document",
        why: "VAST needs none, and some players reject it because entities can be used in attacks.",
        fix: "Remove the DOCTYPE and its entities."
    )

    static let xmlTruncated = LintRule(
        "xml-truncated",
        .error,
        "Truncated document",
        why: "The ad at the end is lost; strict players reject the whole document.",
        fix: "Send the whole document; look for a limit on the size of responses.",
        specification: "XML 1.0 §2.1"
    )

    static let xmlTagMismatch = LintRule(
        "xml-tag-mismatch",
        .error,
        "Mismatched end tag",
        why: "Strict players reject the whole document.",
        fix: "Close each element with its own name, the innermost first.",
        specification: "XML 1.0 §3"
    )

    static let xmlAttributeTwice = LintRule(
        "xml-attribute-twice",
        .error,
        "Duplicate attribute",
        why: "XML forbids it, and strict players reject the whole document.",
        fix: "Keep one of the two.",
        specification: "XML 1.0 §3.1"
    )

    static let xmlPrefixUndeclared = LintRule(
        "xml-prefix-undeclared",
        .error,
        "Undeclared namespace prefix",
        why: "Browsers, and web players with them, reject a document with an undeclared prefix.",
        fix: "Declare it on the root, such as xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\".",
        specification: "Namespaces in XML 1.0 §5"
    )

    static let xmlEncodingWrong = LintRule(
        "xml-encoding-wrong",
        .error,
        "Bytes are not in the declared encoding",
        why: "Strict players stop at the first byte that is not valid.",
        fix: "Send UTF-8, and declare <?xml … encoding=\"UTF-8\"?> or no encoding.",
        specification: "XML 1.0 §4.3.3"
    )

    /// The rules about missing parts: a truncated document may have had them, so its open elements are not reported.
    static let absences: Set<LintRule> = [
        .adNone, .adEmpty, .errorMissing, .adsystemMissing, .adtitleMissing, .adservingidMissing, .impressionMissing,
        .impressionMissingWrapper, .creativesMissing, .creativeEmpty, .universaladidMissing, .universaladidEmpty,
        .viewableEmpty, .elementEmpty, .durationMissing, .mediafilesMissing, .quartilesIncomplete,
        .clickthroughMissing, .wrapperTagMissing, .verificationEmpty, .verificationFailureUntracked, .companionEmpty,
        .companionClickthroughMissing, .iconEmpty, .iconClickthroughMissing, .nonlinearNone, .nonlinearEmpty,
        .nonlinearClickthroughMissing, .urlEmpty, .urlRequiredEmpty, .durationWrong, .pricingValueWrong,
        .expiresWrong, .vmapEmpty, .vmapSourceMissing, .vmapSourceEmpty,
    ]

    /// The rules about missing media files and clicks, which a truncated document may have had after its last line.
    static let linearAbsences: Set<LintRule> = [
        .mediaUnplayable, .mediaNoMp4, .vpaidOnly, .clicktrackingIdle, .adparametersIdle, .mediaBitrateHeavy,
    ]
}
