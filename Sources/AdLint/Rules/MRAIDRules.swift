import AdHTML
import AdMarkup

/// How a creative talks to its host.
extension LintRule {
    static let mraid: [LintRule] = [
        .mraidNoReady, .mraidReadyOnly, .mraidNotLoaded, .mraidUnused, .mraidAddress, .mraidMethodUnknown,
        .mraidEventUnknown,
        .mraidDeprecated, .mraidOpenAtLoad, .mraidExpandAtLoad, .mraidCloseAtLoad, .mraidOpenEmpty,
        .mraidResizeUnprepared, .mraidWindowOpen, .mraidFilmInsecure, .mraidOpenRelative, .mraidExpandInsecure,
        .mraidPropertyWrong, .mraidSupportsMissing, .mraidScheme,
    ]

    static let mraidNoReady = LintRule(
        "mraid-no-ready",
        .error,
        "MRAID is used without waiting for ready",
        why: "While the state is loading, calls fail or are lost.",
        cure: "If mraid.getState() is \"loading\", wait for the event ready."
    )

    static let mraidReadyOnly = LintRule(
        "mraid-ready-only",
        .warning,
        "The creative waits for ready, and never asks for the state",
        why: "Where MRAID is ready before the script runs, the event never comes.",
        cure: "Wait if mraid.getState() is \"loading\", else begin at once."
    )

    static let mraidFilmInsecure = LintRule(
        "mraid-film-insecure",
        .warning,
        "Insecure media URL passed to MRAID",
        why: "iOS apps refuse plain http by default, and nothing happens.",
        cure: "Use https."
    )

    static let mraidOpenRelative = LintRule(
        "mraid-open-relative",
        .error,
        "mraid.open with a URL without a scheme",
        why: "The host opens it outside the creative, and has no page to resolve it against.",
        cure: "Use an absolute URL: mraid.open(\"https://…\")."
    )

    static let mraidExpandInsecure = LintRule(
        "mraid-expand-insecure",
        .warning,
        "Insecure URL passed to mraid.expand",
        why: "iOS apps refuse plain http by default, and the expanded ad stays blank.",
        cure: "Use https."
    )

    static let mraidPropertyWrong = LintRule(
        "mraid-property-wrong",
        .error,
        "Unknown value of an MRAID property",
        why: "The host reports an error, or ignores all properties of the call.",
        cure: "Use a value that MRAID 3.0 lists for this property."
    )

    static let mraidSupportsMissing = LintRule(
        "mraid-supports-missing",
        .warning,
        "MRAID feature used without asking mraid.supports",
        why: "Many hosts don't have it, and the call does nothing there.",
        cure: "Call it only where mraid.supports(\"storePicture\") or (\"calendar\") is true."
    )

    static let mraidScheme = LintRule(
        "mraid-scheme",
        .error,
        "A link calls MRAID by its scheme",
        why: "mraid:// is a matter between mraid.js and its host; elsewhere the tap leads nowhere.",
        cure: "Call mraid.open(\"https://…\") in the handler of a tap."
    )

    static let mraidNotLoaded = LintRule(
        "mraid-not-loaded",
        .warning,
        "MRAID is used and not asked for",
        why: "Most hosts give it only to creatives that load mraid.js.",
        cure: "Add <script src=\"mraid.js\"></script> before the first use."
    )

    static let mraidUnused = LintRule(
        "mraid-unused",
        .info,
        "MRAID is asked for and not used",
        why: "The host prepares it for nothing.",
        cure: "Take mraid.js out, or open links with mraid.open."
    )

    static let mraidAddress = LintRule(
        "mraid-address",
        .warning,
        "mraid.js is loaded from a server",
        why: "The host supplies it under this plain name; from elsewhere it is not connected.",
        cure: "Write <script src=\"mraid.js\"></script>."
    )

    static let mraidMethodUnknown = LintRule(
        "mraid-method-unknown",
        .error,
        "Unknown MRAID method",
        why: "The script throws an error there.",
        cure: "Use a method that MRAID has."
    )

    static let mraidEventUnknown = LintRule(
        "mraid-event-unknown",
        .error,
        "Unknown MRAID event",
        why: "The listener is never called.",
        cure: "Listen to an event that MRAID has."
    )

    static let mraidDeprecated = LintRule(
        "mraid-deprecated",
        .info,
        "Deprecated part of MRAID",
        why: "3.0 has deprecated it, and hosts take no notice.",
        cure: "Use exposureChange for visibility; the close button is the host's."
    )

    static let mraidOpenAtLoad = LintRule(
        "mraid-open-at-load",
        .error,
        "MRAID opens a page without a tap",
        why: "Hosts block it, and networks ban the creative.",
        cure: "Call mraid.open in the handler of a tap."
    )

    static let mraidExpandAtLoad = LintRule(
        "mraid-expand-at-load",
        .error,
        "expand or resize without user interaction",
        why: "Hosts block it, and networks ban the creative.",
        cure: "Call mraid.expand or mraid.resize in the handler of a tap."
    )

    static let mraidCloseAtLoad = LintRule(
        "mraid-close-at-load",
        .warning,
        "The creative closes itself at once",
        why: "Nobody sees it, and the view may count all the same.",
        cure: "Call mraid.close after a tap."
    )

    static let mraidOpenEmpty = LintRule(
        "mraid-open-empty",
        .error,
        "mraid.open has no address",
        why: "The host does nothing, or reports an error.",
        cure: "Give the landing page: mraid.open(\"https://…\")."
    )

    static let mraidResizeUnprepared = LintRule(
        "mraid-resize-unprepared",
        .error,
        "resize is called without its properties",
        why: "The host refuses with an error.",
        cure: "Call mraid.setResizeProperties before."
    )

    static let mraidWindowOpen = LintRule(
        "mraid-window-open",
        .warning,
        "MRAID creative opens links without mraid.open",
        why: "The host can't record the click, and in a web view nothing may open.",
        cure: "Use mraid.open instead of window.open or location."
    )
}
