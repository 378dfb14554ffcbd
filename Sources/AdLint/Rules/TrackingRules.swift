/// Trackers, tracking events, and the macros in URLs.
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
        fix: "Keep one <Impression> with this URL.",
        specification: "VAST 4.3 §3.4.4"
    )

    static let impressionAlsoEvent = LintRule(
        "impression-also-event",
        .error,
        "<Impression> URL is also an event tracker",
        why: "The impression is counted and billed twice.",
        fix: "Give the event a URL of its own.",
        specification: "VAST 4.3 §3.4.4"
    )

    static let impressionMany = LintRule(
        "impression-many",
        .info,
        "Many <Impression> URLs",
        why: "Each is a request while the video starts.",
        fix: "Keep those that are used for billing or reporting."
    )

    static let trackerTwice = LintRule(
        "tracker-twice",
        .warning,
        "Duplicate tracker for one event",
        why: "The event is counted twice.",
        fix: "Keep one."
    )

    static let trackerMany = LintRule(
        "tracker-many",
        .warning,
        "Too many trackers",
        why: "A device sends hundreds of requests for one video.",
        fix: "Keep the trackers that are used for billing or reporting."
    )

    static let eventMissing = LintRule(
        "event-missing",
        .error,
        "<Tracking> without an event",
        why: "Players don't know when to fire it, and never do.",
        fix: "Add event, such as event=\"start\".",
        specification: "VAST 4.3 §3.14.3"
    )

    static let eventUnknown = LintRule(
        "event-unknown",
        .warning,
        "Unknown tracking event",
        why: "Players never fire it.",
        fix: "Use a VAST event, or move the tracker into an <Extension>.",
        specification: "VAST 4.3 §3.14.1"
    )

    static let eventMisspelt = LintRule(
        "event-misspelt",
        .error,
        "Misspelt tracking event",
        why: "Players compare names exactly, and never fire it.",
        fix: "Write the event's name as VAST spells it, including its capitals.",
        specification: "VAST 4.3 §3.14.1"
    )

    static let eventNotYet = LintRule(
        "event-not-yet",
        .warning,
        "Event is newer than the declared version",
        why: "Players of that version never fire it.",
        fix: "Declare a version that has it, or remove it.",
        specification: "VAST 4.3 §3.14.1"
    )

    static let eventNoMore = LintRule(
        "event-no-more",
        .warning,
        "Event no longer exists in the declared version",
        why: "Players of that version may not fire it.",
        fix: "Use its replacement.",
        specification: "VAST 4.3 §3.14.1"
    )

    static let eventMisplaced = LintRule(
        "event-misplaced",
        .warning,
        "Tracking event is not allowed here",
        why: "A companion fires only creativeView, and a video never fires the events of an expandable ad.",
        fix: "Move it to the creative that fires it.",
        specification: "VAST 4.3 §3.14.1"
    )

    static let macroUnknown = LintRule(
        "macro-unknown",
        .warning,
        "Unknown macro",
        why: "Players don't replace it, and the server receives its name.",
        fix: "Use a VAST macro (VAST 4.3 §6.2), or have the ad server replace it.",
        specification: "VAST 4.3 §6.2"
    )

    static let macroMisspelt = LintRule(
        "macro-misspelt",
        .error,
        "Misspelt macro",
        why: "Players replace exact names only, and the server receives the name.",
        fix: "Write the macro's name as VAST spells it, in capitals.",
        specification: "VAST 4.3 §6.2"
    )

    static let macroUnclosed = LintRule(
        "macro-unclosed",
        .error,
        "Macro without a closing bracket",
        why: "Players leave it unchanged, and the server receives its name.",
        fix: "Close it; at the end of CDATA that takes three brackets: [CACHEBUSTING]]]>.",
        specification: "VAST 4.3 §6.1"
    )

    static let macroForm = LintRule(
        "macro-form",
        .info,
        "Macro is not in square brackets",
        why: "Some players replace it, others leave it unchanged.",
        fix: "Write [NAME], not %%NAME%%.",
        specification: "VAST 4.3 §6.1"
    )

    static let macroUnresolved = LintRule(
        "macro-unresolved",
        .warning,
        "Macro not replaced by the ad server",
        why: "Players don't replace it, and the server receives its name.",
        fix: "Use a macro that your ad server documents, or a VAST macro.",
        specification: "VAST 4.3 §6.1"
    )

    static let macroServing = LintRule(
        "macro-serving",
        .info,
        "Macro is replaced when the ad is served",
        why: "Until the ad server or exchange has replaced it, the tag can't be tested with real values.",
        fix: "No action if the tag is trafficked in the system that owns the macro."
    )

    static let macroVendor = LintRule(
        "macro-vendor",
        .info,
        "Vendor macro, not in IAB's list",
        why: "Only that vendor's player or script replaces it; others send its name.",
        fix: "No action if the ad runs in that vendor's player.",
        specification: "VAST 4.3 §6.2"
    )

    static let macroMisplaced = LintRule(
        "macro-misplaced",
        .warning,
        "Macro has no value here",
        why: "Players send -1, or leave it unchanged.",
        fix: "Use ERRORCODE in <Error>, REASON in verificationNotExecuted, CLICKPOS in clicks.",
        specification: "VAST 4.3 §6.2"
    )

    static let macroOld = LintRule(
        "macro-old",
        .info,
        "Deprecated macro",
        why: "VAST 4.1 deprecates it, and players may send -1.",
        fix: "Use MEDIAPLAYHEAD or ADPLAYHEAD instead of CONTENTPLAYHEAD.",
        specification: "VAST 4.3 §6.2"
    )

    static let macroNotYet = LintRule(
        "macro-not-yet",
        .info,
        "Macro is newer than the declared version",
        why: "Players of that version leave it unchanged.",
        fix: "Declare a version that has it.",
        specification: "VAST 4.3 §6.2"
    )

    static let macroEscaped = LintRule(
        "macro-escaped",
        .warning,
        "Macro is percent-encoded",
        why: "Players look for square brackets, and leave it unchanged.",
        fix: "Write [NAME], not %5BNAME%5D.",
        specification: "VAST 4.3 §6.1"
    )

    static let macroInMedia = LintRule(
        "macro-in-media",
        .warning,
        "Macro in a media URL",
        why: "Players replace macros in trackers only; media URLs are requested unchanged.",
        fix: "Write the URL without macros."
    )

    static let errorcodeMissing = LintRule(
        "errorcode-missing",
        .info,
        "Error URL without [ERRORCODE]",
        why: "The server learns that the ad failed, but not why.",
        fix: "Add [ERRORCODE] to the URL.",
        specification: "VAST 4.3 §2.3.6.1"
    )
}
