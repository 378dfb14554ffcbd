/// What a creative's code must not do.
extension LintRule {
    static let scripts: [LintRule] = [
        .scriptWindowOpenAtLoad, .scriptRedirectAtLoad, .scriptTopNavigation, .scriptParentAccess, .scriptSelfClick,
        .scriptDocumentWrite, .scriptDialog, .scriptEval, .scriptTimerText, .scriptTimerFast, .scriptEndlessLoop,
        .scriptStorage, .scriptCookie, .scriptGeolocation, .scriptCamera, .scriptNotification, .scriptClipboard,
        .scriptVibrate, .scriptAudioAtLoad, .scriptFullscreenAtLoad, .scriptSynchronousRequest, .scriptUnloadHandler,
        .scriptHistory, .scriptWorkerService, .scriptDebugger, .scriptConsole,
    ]

    static let scriptWindowOpenAtLoad = LintRule(
        "script-window-open-at-load",
        .error,
        "A window is opened without a tap",
        why: "Hosts block it, and networks ban the creative.",
        cure: "Open it in the handler of a click."
    )

    static let scriptRedirectAtLoad = LintRule(
        "script-redirect-at-load",
        .error,
        "The creative leads away without a tap",
        why: "Hosts block it, and networks ban the creative.",
        cure: "Lead away in the handler of a click."
    )

    static let scriptTopNavigation = LintRule(
        "script-top-navigation",
        .error,
        "The script navigates the app's own frame",
        why: "It replaces the page that the ad stands in; sandboxes refuse it.",
        cure: "Open a new window: window.open(url, \"_blank\"), or mraid.open(url)."
    )

    static let scriptParentAccess = LintRule(
        "script-parent-access",
        .warning,
        "The script reaches into the page around it",
        why: "The ad stands in a frame of another origin, and the script stops there.",
        cure: "Keep to the creative's own document."
    )

    static let scriptSelfClick = LintRule(
        "script-self-click",
        .error,
        "The script clicks by itself",
        why: "A click that nobody made is fraud.",
        cure: "Leave clicks to people."
    )

    static let scriptDocumentWrite = LintRule(
        "script-document-write",
        .warning,
        "The script uses document.write",
        why: "It holds up the page, and browsers on slow networks don't run it.",
        cure: "Add elements with appendChild."
    )

    static let scriptDialog = LintRule(
        "script-dialog",
        .error,
        "The script opens a dialog",
        why: "It stops the app until somebody answers.",
        cure: "Show the text in the creative."
    )

    static let scriptEval = LintRule(
        "script-eval",
        .warning,
        "The script makes code of text",
        why: "A content security policy refuses it, and reviewers too.",
        cure: "Write the code out; read data with JSON.parse."
    )

    static let scriptTimerText = LintRule(
        "script-timer-text",
        .warning,
        "A timer is given code as text",
        why: "A content security policy refuses it.",
        cure: "Give it a function."
    )

    static let scriptTimerFast = LintRule(
        "script-timer-fast",
        .warning,
        "A timer runs very often",
        why: "It empties the battery, and makes the app stutter.",
        cure: "Use requestAnimationFrame."
    )

    static let scriptEndlessLoop = LintRule(
        "script-endless-loop",
        .error,
        "A loop has no end",
        why: "It stops the creative, and with it perhaps the app.",
        cure: "Give it an end."
    )

    static let scriptStorage = LintRule(
        "script-storage",
        .warning,
        "The script stores something on the device",
        why: "In a sandboxed frame it throws, and without consent it may be unlawful.",
        cure: "Do without, or catch the error."
    )

    static let scriptCookie = LintRule(
        "script-cookie",
        .warning,
        "The script uses cookies",
        why: "In a sandboxed frame it throws, and without consent it may be unlawful.",
        cure: "Do without."
    )

    static let scriptGeolocation = LintRule(
        "script-geolocation",
        .warning,
        "The script asks where the user is",
        why: "The app asks for permission in its own name; hosts refuse it.",
        cure: "Do without, or take the place from the server."
    )

    static let scriptCamera = LintRule(
        "script-camera",
        .error,
        "The script asks for camera or microphone",
        why: "The app asks for permission in its own name; networks ban it.",
        cure: "Do without."
    )

    static let scriptNotification = LintRule(
        "script-notification",
        .error,
        "The script asks to send notifications",
        why: "The app asks for permission in its own name; networks ban it.",
        cure: "Do without."
    )

    static let scriptClipboard = LintRule(
        "script-clipboard",
        .error,
        "The script uses the clipboard",
        why: "What people have copied is none of an ad's business.",
        cure: "Do without."
    )

    static let scriptVibrate = LintRule(
        "script-vibrate",
        .warning,
        "The script makes the phone vibrate",
        why: "People look for a message, and find an ad.",
        cure: "Do without, or after a tap."
    )

    static let scriptAudioAtLoad = LintRule(
        "script-audio-at-load",
        .warning,
        "The script plays sound without a tap",
        why: "Browsers refuse, and people are startled.",
        cure: "Play it in the handler of a tap."
    )

    static let scriptFullscreenAtLoad = LintRule(
        "script-fullscreen-at-load",
        .warning,
        "The script asks for the full screen without a tap",
        why: "Browsers refuse.",
        cure: "Ask in the handler of a tap."
    )

    static let scriptSynchronousRequest = LintRule(
        "script-synchronous-request",
        .warning,
        "A request stops everything",
        why: "The creative, and perhaps the app, stands still until the answer comes.",
        cure: "Use fetch, or pass true as the third argument of open."
    )

    static let scriptUnloadHandler = LintRule(
        "script-unload-handler",
        .warning,
        "The script wants to hold the user back",
        why: "Hosts don't ask, and networks ban it.",
        cure: "Take the beforeunload handler out."
    )

    static let scriptHistory = LintRule(
        "script-history",
        .warning,
        "The script changes the history",
        why: "The app's back key then does nothing.",
        cure: "Take it out."
    )

    static let scriptWorkerService = LintRule(
        "script-worker-service",
        .warning,
        "The script registers a service worker",
        why: "Without an origin of its own a creative can't, and the script stops there.",
        cure: "Take it out."
    )

    static let scriptDebugger = LintRule(
        "script-debugger",
        .warning,
        "A breakpoint was left",
        why: "Where tools are open, the creative stops.",
        cure: "Take debugger out."
    )

    static let scriptConsole = LintRule(
        "script-console",
        .info,
        "Output to the console was left",
        why: "It slows the creative, and tells others how it works.",
        cure: "Take it out."
    )
}
