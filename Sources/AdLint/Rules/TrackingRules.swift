import AdHTML
import AdMarkup

/// What is counted, and what is filled in.
extension LintRule {
    static let tracking: [LintRule] = [
        .impressionTwice, .impressionAlsoEvent, .impressionMany, .trackerTwice, .trackerMany, .eventMissing,
        .eventUnknown, .eventMisspelt, .eventNotYet, .eventNoMore, .eventMisplaced, .macroUnknown, .macroMisspelt,
        .macroUnclosed, .macroForm, .macroUnresolved, .macroServing, .macroVendor, .macroMisplaced, .macroOld,
        .macroNotYet, .macroEscaped,
        .macroInMedia, .errorcodeMissing,
    ]

    static let impressionTwice = LintRule(
        "impression-twice",
        .error,
        "Duplicate <Impression> URL",
        why: "The impression is counted and billed twice.",
        cure: "Keep one <Impression> with this address."
    )

    static let impressionAlsoEvent = LintRule(
        "impression-also-event",
        .error,
        "<Impression> URL is also an event tracker",
        why: "The impression is counted and billed twice.",
        cure: "Give the event a URL of its own."
    )

    static let impressionMany = LintRule(
        "impression-many",
        .info,
        "Many <Impression> URLs",
        why: "Each is a request while the video starts.",
        cure: "Keep those that are used for billing or reporting."
    )

    static let trackerTwice = LintRule(
        "tracker-twice",
        .warning,
        "Duplicate tracker for one event",
        why: "The event is counted twice.",
        cure: "Keep one."
    )

    static let trackerMany = LintRule(
        "tracker-many",
        .warning,
        "Very many trackers",
        why: "A phone sends hundreds of requests for one video.",
        cure: "Keep the trackers that are used for billing or reporting."
    )

    static let eventMissing = LintRule(
        "event-missing",
        .error,
        "<Tracking> without an event",
        why: "Players don't know when to call it, and never do.",
        cure: "Add event, as in event=\"start\"."
    )

    static let eventUnknown = LintRule(
        "event-unknown",
        .warning,
        "Unknown tracking event",
        why: "Players never fire it.",
        cure: "Use an event of VAST, or put it into an <Extension>."
    )

    static let eventMisspelt = LintRule(
        "event-misspelt",
        .error,
        "Misspelt tracking event",
        why: "Players compare names exactly, and never fire it.",
        cure: "Use the event's name as VAST spells it, capitals included."
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
        "The declared version no longer has this event",
        why: "Players of that version may not call it.",
        cure: "Use its replacement."
    )

    static let eventMisplaced = LintRule(
        "event-misplaced",
        .warning,
        "Tracking event is not possible here",
        why: "A companion fires only creativeView, and a video never fires the events of an expandable ad.",
        cure: "Move it to the creative that fires it."
    )

    static let macroUnknown = LintRule(
        "macro-unknown",
        .warning,
        "Unknown macro",
        why: "Players don't replace it, and the server receives its name.",
        cure: "Use a macro of VAST (4.3 §6), or have the ad server replace it before."
    )

    static let macroMisspelt = LintRule(
        "macro-misspelt",
        .error,
        "Misspelt macro",
        why: "Players replace exact names only, and the server receives the name.",
        cure: "Use the macro's name as VAST spells it, in capitals."
    )

    static let macroUnclosed = LintRule(
        "macro-unclosed",
        .error,
        "Macro without a closing bracket",
        why: "Players leave it as it is, and the server receives its name.",
        cure: "Close it; at the end of CDATA that takes three brackets: [CACHEBUSTING]]]>."
    )

    static let macroForm = LintRule(
        "macro-form",
        .info,
        "Macro is not in brackets",
        why: "Some players replace it, others leave it unchanged.",
        cure: "Write [NAME], not %%NAME%%."
    )

    static let macroUnresolved = LintRule(
        "macro-unresolved",
        .warning,
        "Macro not replaced by the ad server",
        why: "Players don't replace it, and the server receives its name.",
        cure: "Use a macro that your ad server documents, or one of VAST."
    )

    static let macroServing = LintRule(
        "macro-serving",
        .info,
        "Macro is filled in at serving",
        why: "Until the ad server or exchange has replaced it, the tag can't be tested with real values.",
        cure: "Nothing, if the tag is trafficked in the system that the macro belongs to."
    )

    static let macroVendor = LintRule(
        "macro-vendor",
        .info,
        "Macro of a vendor, not of IAB's list",
        why: "Only that vendor's player or script replaces it; others send its name.",
        cure: "Nothing, if the ad runs in that vendor's player."
    )

    static let macroMisplaced = LintRule(
        "macro-misplaced",
        .warning,
        "Macro has no value here",
        why: "Players send -1, or leave it unchanged.",
        cure: "Use ERRORCODE in <Error>, REASON in verificationNotExecuted, CLICKPOS in clicks."
    )

    static let macroOld = LintRule(
        "macro-old",
        .info,
        "Deprecated macro",
        why: "VAST 4.1 deprecates it, and players may send -1.",
        cure: "Use MEDIAPLAYHEAD or ADPLAYHEAD instead of CONTENTPLAYHEAD."
    )

    static let macroNotYet = LintRule(
        "macro-not-yet",
        .info,
        "The declared version does not have this macro",
        why: "Players of that version leave it unchanged.",
        cure: "Declare the version that has it."
    )

    static let macroEscaped = LintRule(
        "macro-escaped",
        .warning,
        "Macro is percent-encoded",
        why: "Players look for brackets, and leave it unchanged.",
        cure: "Write [NAME], not %5BNAME%5D."
    )

    static let macroInMedia = LintRule(
        "macro-in-media",
        .warning,
        "Macro in a media URL",
        why: "Players replace macros in trackers; media URLs are loaded unchanged.",
        cure: "Write the address without macros."
    )

    static let errorcodeMissing = LintRule(
        "errorcode-missing",
        .info,
        "Error URL without [ERRORCODE]",
        why: "The server learns that the ad failed, and not why.",
        cure: "Add [ERRORCODE] to the address."
    )
}
