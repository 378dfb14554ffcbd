/// What is counted, and what is filled in.
extension LintRule {
    static let tracking: [LintRule] = [
        .impressionTwice, .impressionAlsoEvent, .impressionMany, .trackerTwice, .trackerMany, .eventMissing,
        .eventUnknown, .eventMisspelt, .eventNotYet, .eventNoMore, .eventMisplaced, .macroUnknown, .macroMisspelt,
        .macroUnclosed, .macroForm, .macroUnresolved, .macroMisplaced, .macroOld, .macroNotYet, .macroEscaped,
        .macroInMedia, .errorcodeMissing,
    ]

    static let impressionTwice = LintRule(
        "impression-twice",
        .error,
        "The same billing pixel is there twice",
        why: "The view is counted twice, and somebody pays twice.",
        cure: "Keep one <Impression> with this address."
    )

    static let impressionAlsoEvent = LintRule(
        "impression-also-event",
        .error,
        "The billing pixel is also called for an event",
        why: "The view is counted twice, and somebody pays twice.",
        cure: "Give the event an address of its own."
    )

    static let impressionMany = LintRule(
        "impression-many",
        .info,
        "There are many impressions",
        why: "Each is a request while the film begins.",
        cure: "Keep those of parties that count."
    )

    static let trackerTwice = LintRule(
        "tracker-twice",
        .warning,
        "The same tracker is there twice for one event",
        why: "The event is counted twice.",
        cure: "Keep one."
    )

    static let trackerMany = LintRule(
        "tracker-many",
        .warning,
        "There are very many trackers",
        why: "A phone sends hundreds of requests for one film.",
        cure: "Keep those that somebody reads."
    )

    static let eventMissing = LintRule(
        "event-missing",
        .error,
        "A Tracking has no event",
        why: "Players don't know when to call it, and never do.",
        cure: "Add event, as in event=\"start\"."
    )

    static let eventUnknown = LintRule(
        "event-unknown",
        .warning,
        "There is no such event",
        why: "Players never call it.",
        cure: "Use an event of VAST, or put it into an <Extension>."
    )

    static let eventMisspelt = LintRule(
        "event-misspelt",
        .error,
        "An event is misspelt",
        why: "Players compare exactly, and never call it.",
        cure: "Write the name that VAST has for it, capitals included."
    )

    static let eventNotYet = LintRule(
        "event-not-yet",
        .warning,
        "The declared version does not have this event",
        why: "Players of that version never call it.",
        cure: "Declare the version that has it, or leave it out."
    )

    static let eventNoMore = LintRule(
        "event-no-more",
        .warning,
        "The declared version has this event no more",
        why: "Players of that version may not call it.",
        cure: "Use what has taken its place."
    )

    static let eventMisplaced = LintRule(
        "event-misplaced",
        .warning,
        "An event stands where it never happens",
        why: "A companion knows creativeView, and a film no expanding banner.",
        cure: "Move it to the creative that has it."
    )

    static let macroUnknown = LintRule(
        "macro-unknown",
        .warning,
        "There is no such macro",
        why: "Players leave it as it is, and the server gets its name.",
        cure: "Use a macro of VAST, or let the ad server fill it in before."
    )

    static let macroMisspelt = LintRule(
        "macro-misspelt",
        .error,
        "A macro is misspelt",
        why: "Players replace exact names only, and the server gets the name.",
        cure: "Write the name that VAST has for it, in capitals."
    )

    static let macroUnclosed = LintRule(
        "macro-unclosed",
        .error,
        "A macro has no closing bracket",
        why: "Players leave it as it is, and the server gets its name.",
        cure: "Close it; at the end of CDATA that takes three brackets: [CACHEBUSTING]]]>."
    )

    static let macroForm = LintRule(
        "macro-form",
        .info,
        "A macro is not written as IAB writes it",
        why: "Some players fill it in, the others leave it as it is.",
        cure: "Write [NAME], not %%NAME%%."
    )

    static let macroUnresolved = LintRule(
        "macro-unresolved",
        .warning,
        "A macro of a server was not filled in",
        why: "Players don't know it, and the server gets its name.",
        cure: "Let the server that owns it fill it in before sending."
    )

    static let macroMisplaced = LintRule(
        "macro-misplaced",
        .warning,
        "A macro stands where it has no value",
        why: "Players fill in -1, or leave it as it is.",
        cure: "Use ERRORCODE in <Error>, REASON in verificationNotExecuted, CLICKPOS in clicks."
    )

    static let macroOld = LintRule(
        "macro-old",
        .info,
        "A macro is on its way out",
        why: "4.1 has deprecated it, and players may send -1.",
        cure: "Use MEDIAPLAYHEAD or ADPLAYHEAD instead of CONTENTPLAYHEAD."
    )

    static let macroNotYet = LintRule(
        "macro-not-yet",
        .info,
        "The declared version does not have this macro",
        why: "Players of that version leave it as it is.",
        cure: "Declare the version that has it."
    )

    static let macroEscaped = LintRule(
        "macro-escaped",
        .warning,
        "A macro is percent-encoded",
        why: "Players look for brackets, and leave it as it is.",
        cure: "Write [NAME], not %5BNAME%5D."
    )

    static let macroInMedia = LintRule(
        "macro-in-media",
        .warning,
        "The address of a file has a macro",
        why: "Players fill in trackers; files are loaded as they stand, from cache or not at all.",
        cure: "Write the address without macros."
    )

    static let errorcodeMissing = LintRule(
        "errorcode-missing",
        .info,
        "An Error has no ERRORCODE",
        why: "Somebody is told that it failed, and not why.",
        cure: "Add [ERRORCODE] to the address."
    )
}
