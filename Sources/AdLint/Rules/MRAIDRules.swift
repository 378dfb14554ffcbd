/// The use of MRAID by creatives.
extension LintRule {
    static let mraid: [LintRule] = [
        .mraidNoReady, .mraidReadyOnly, .mraidNotLoaded, .mraidUnused, .mraidAddress, .mraidMethodUnknown,
        .mraidEventUnknown,
        .mraidDeprecated, .mraidOpenAtLoad, .mraidExpandAtLoad, .mraidCloseAtLoad, .mraidOpenEmpty,
        .mraidResizeUnprepared, .mraidWindowOpen, .mraidVideoInsecure, .mraidOpenRelative, .mraidExpandInsecure,
        .mraidPropertyWrong, .mraidSupportsMissing, .mraidScheme,
    ]

    static let mraidNoReady = LintRule(
        "mraid-no-ready",
        .error,
        "MRAID is used without waiting for ready",
        why: "While the state is loading, calls fail or are lost.",
        fix: "If mraid.getState() is \"loading\", wait for the ready event.",
        specification: "MRAID 3.0 §7, event ready"
    )

    static let mraidReadyOnly = LintRule(
        "mraid-ready-only",
        .warning,
        "Creative waits for ready without checking getState",
        why: "If MRAID is ready before the script runs, the event never comes.",
        fix: "Wait only if mraid.getState() is \"loading\"; otherwise start at once.",
        specification: "MRAID 3.0 §6, method getState"
    )

    static let mraidVideoInsecure = LintRule(
        "mraid-film-insecure",
        .warning,
        "Insecure media URL passed to MRAID",
        why: "iOS apps refuse plain http by default, and nothing happens.",
        fix: "Use https."
    )

    static let mraidOpenRelative = LintRule(
        "mraid-open-relative",
        .error,
        "mraid.open with a URL without a scheme",
        why: "The app opens it outside the creative, and has no page to resolve it against.",
        fix: "Use an absolute URL: mraid.open(\"https://…\").",
        specification: "MRAID 3.0 §5.4"
    )

    static let mraidExpandInsecure = LintRule(
        "mraid-expand-insecure",
        .warning,
        "Insecure URL passed to mraid.expand",
        why: "iOS apps refuse plain http by default, and the expanded ad stays blank.",
        fix: "Use https."
    )

    static let mraidPropertyWrong = LintRule(
        "mraid-property-wrong",
        .error,
        "Unknown value of an MRAID property",
        why: "The app reports an error, or ignores all properties of the call.",
        fix: "Use a value that MRAID 3.0 lists for this property.",
        specification: "MRAID 3.0 §6, expand, resize and orientation properties"
    )

    static let mraidSupportsMissing = LintRule(
        "mraid-supports-missing",
        .warning,
        "MRAID feature used without mraid.supports",
        why: "Many apps lack it, and the call does nothing there.",
        fix: "Call it only where mraid.supports(\"storePicture\") or (\"calendar\") is true.",
        specification: "MRAID 3.0 §6.1"
    )

    static let mraidScheme = LintRule(
        "mraid-scheme",
        .error,
        "Link with the mraid: scheme",
        why: "mraid: URLs are private to mraid.js and the app; elsewhere a tap does nothing.",
        fix: "Call mraid.open(\"https://…\") in a tap handler."
    )

    static let mraidNotLoaded = LintRule(
        "mraid-not-loaded",
        .warning,
        "MRAID is used without mraid.js",
        why: "Most apps provide it only to creatives that load mraid.js.",
        fix: "Add <script src=\"mraid.js\"></script> before the first use.",
        specification: "MRAID 3.0 §3.1.3"
    )

    static let mraidUnused = LintRule(
        "mraid-unused",
        .info,
        "mraid.js is loaded but not used",
        why: "The app prepares MRAID for nothing.",
        fix: "Remove mraid.js, or open links with mraid.open."
    )

    static let mraidAddress = LintRule(
        "mraid-address",
        .warning,
        "mraid.js is loaded from a server",
        why: "The app provides it under this plain name; a copy is not connected to the app.",
        fix: "Write <script src=\"mraid.js\"></script>.",
        specification: "MRAID 3.0 §3.1.3"
    )

    static let mraidMethodUnknown = LintRule(
        "mraid-method-unknown",
        .error,
        "Unknown MRAID method",
        why: "The script throws an error there.",
        fix: "Use a method of MRAID 3.0.",
        specification: "MRAID 3.0 §5 and §6"
    )

    static let mraidEventUnknown = LintRule(
        "mraid-event-unknown",
        .error,
        "Unknown MRAID event",
        why: "The listener is never called.",
        fix: "Use an event of MRAID 3.0.",
        specification: "MRAID 3.0 §7"
    )

    static let mraidDeprecated = LintRule(
        "mraid-deprecated",
        .info,
        "Deprecated MRAID feature",
        why: "MRAID 3.0 deprecates it, and apps ignore it.",
        fix: "Use exposureChange for visibility; the app provides the close button.",
        specification: "MRAID 3.0 §5.7"
    )

    static let mraidOpenAtLoad = LintRule(
        "mraid-open-at-load",
        .error,
        "mraid.open without user interaction",
        why: "Apps block it, and networks ban the creative.",
        fix: "Call mraid.open in a tap handler.",
        specification: "MRAID 3.0 §5.4"
    )

    static let mraidExpandAtLoad = LintRule(
        "mraid-expand-at-load",
        .error,
        "expand or resize without user interaction",
        why: "Apps block it, and networks ban the creative.",
        fix: "Call mraid.expand or mraid.resize in a tap handler.",
        specification: "MRAID 3.0 §5.8 and §5.11"
    )

    static let mraidCloseAtLoad = LintRule(
        "mraid-close-at-load",
        .warning,
        "mraid.close without user interaction",
        why: "Users see no ad, but the view may be counted all the same.",
        fix: "Call mraid.close in a tap handler.",
        specification: "MRAID 3.0 §5.5"
    )

    static let mraidOpenEmpty = LintRule(
        "mraid-open-empty",
        .error,
        "mraid.open without a URL",
        why: "The app does nothing, or reports an error.",
        fix: "Pass the landing page: mraid.open(\"https://…\").",
        specification: "MRAID 3.0 §5.4"
    )

    static let mraidResizeUnprepared = LintRule(
        "mraid-resize-unprepared",
        .error,
        "mraid.resize without mraid.setResizeProperties",
        why: "The app rejects the call with an error.",
        fix: "Call mraid.setResizeProperties first.",
        specification: "MRAID 3.0 §5.11"
    )

    static let mraidWindowOpen = LintRule(
        "mraid-window-open",
        .warning,
        "MRAID creative opens links without mraid.open",
        why: "The app can't record the click, and in a web view nothing may open.",
        fix: "Use mraid.open instead of window.open or location.",
        specification: "MRAID 3.0 §5.4"
    )
}
