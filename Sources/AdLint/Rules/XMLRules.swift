import AdHTML
import AdMarkup

/// What can be wrong with a document as XML.
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
        why: "Most players refuse the whole document with error 100.",
        cure: "Correct the XML at this line; write it with an XML library instead of string templates."
    )

    static let xmlCDATAUnclosed = LintRule(
        "xml-cdata-unclosed",
        .error,
        "CDATA section is not closed",
        why: "Everything up to the next ]]> becomes part of this text, and the document is refused.",
        cure: "End the section with ]]> before the end tag."
    )

    static let xmlQuotesEscaped = LintRule(
        "xml-quotes-escaped",
        .error,
        "Quotation marks are escaped as in JSON",
        why: "\\\" is not XML: players refuse the document with error 100.",
        cure: "Decode the JSON string before you send its text, so that each \\\" becomes \"."
    )

    static let xmlTextStray = LintRule(
        "xml-text-stray",
        .warning,
        "Text between elements",
        why: "Players ignore it; often it is a URL or an element without its tags.",
        cure: "Put it into the element that it belongs to, or remove it."
    )

    static let xmlAmpersandRaw = LintRule(
        "xml-ampersand-raw",
        .error,
        "Unescaped ampersand",
        why: "A strict player refuses the whole document, others lose part of the address.",
        cure: "Put the address into <![CDATA[…]]>, or write each & as &amp;."
    )

    static let xmlEntity = LintRule(
        "xml-entity",
        .error,
        "Entities are not expanded",
        why: "VAST declares none, and most players expand none: the text is lost, or the document is refused.",
        cure: "Write the character itself or its number, as &#160;; XML's own are &amp; &lt; &gt; &quot; &apos;."
    )

    static let xmlDeclarationLate = LintRule(
        "xml-declaration-late",
        .error,
        "Content before <?xml",
        why: "XML allows its declaration at the very beginning only, and strict players refuse it.",
        cure: "Begin with <?xml; look for blank lines or comments at the top of the template."
    )

    static let xmlTextBeforeRoot = LintRule(
        "xml-text-before-root",
        .error,
        "Content before the root element",
        why: "An XML document begins with its root, and players refuse others.",
        cure: "Send nothing before <VAST>; look for log output or a warning of the server."
    )

    static let xmlTextAfterRoot = LintRule(
        "xml-text-after-root",
        .error,
        "Content after the root element",
        why: "An XML document ends with its root, and strict players refuse more.",
        cure: "Send nothing after </VAST>; look for two documents in one answer."
    )

    static let xmlDoctype = LintRule(
        "xml-doctype",
        .warning,
        "The document has a DOCTYPE",
        why: "VAST has none, and some players refuse it, because its entities can be used in attacks.",
        cure: "Leave the DOCTYPE and its entities out."
    )

    static let xmlTruncated = LintRule(
        "xml-truncated",
        .error,
        "Truncated document",
        why: "The ad that was being read is lost; strict players lose all of them.",
        cure: "Send the whole document; look for a limit on the size of answers."
    )

    static let xmlTagMismatch = LintRule(
        "xml-tag-mismatch",
        .error,
        "Mismatched end tag",
        why: "Strict players refuse the whole document.",
        cure: "Close each element with its own name, the innermost first."
    )

    static let xmlAttributeTwice = LintRule(
        "xml-attribute-twice",
        .error,
        "Duplicate attribute",
        why: "XML forbids it, and strict players refuse the whole document.",
        cure: "Keep one of the two."
    )

    static let xmlPrefixUndeclared = LintRule(
        "xml-prefix-undeclared",
        .error,
        "Undeclared namespace prefix",
        why: "Browsers refuse a document that uses a prefix without its xmlns, and web players with them.",
        cure: "Declare it on the root, as in xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"."
    )

    static let xmlEncodingWrong = LintRule(
        "xml-encoding-wrong",
        .error,
        "Bytes are not in the declared encoding",
        why: "Strict players stop at the first such byte.",
        cure: "Send UTF-8, and declare it in <?xml … encoding=\"UTF-8\"?> or nowhere."
    )

    /// What a document that breaks off can't have yet: of elements that nothing closes these say nothing.
    static let absences: Set<LintRule> = [
        .adNone, .adEmpty, .errorMissing, .adsystemMissing, .adtitleMissing, .adservingidMissing, .impressionMissing,
        .impressionMissingWrapper, .creativesMissing, .creativeEmpty, .universaladidMissing, .universaladidEmpty,
        .viewableEmpty, .elementEmpty, .durationMissing, .mediafilesMissing, .quartilesIncomplete,
        .clickthroughMissing, .wrapperTagMissing, .verificationEmpty, .verificationFailureUntracked, .companionEmpty,
        .companionClickthroughMissing, .iconEmpty, .iconClickthroughMissing, .nonlinearNone, .nonlinearEmpty,
        .nonlinearClickthroughMissing, .urlEmpty, .urlRequiredEmpty, .durationWrong, .pricingValueWrong,
        .expiresWrong, .vmapEmpty, .vmapSourceMissing, .vmapSourceEmpty,
    ]

    /// What is said of a video because of what its further files and clicks may be.
    static let filmAbsences: Set<LintRule> = [
        .mediaUnplayable, .mediaNoMp4, .vpaidOnly, .clicktrackingIdle, .adparametersIdle, .mediaBitrateHeavy,
    ]
}
