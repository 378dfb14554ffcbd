import AdHTML
import AdMarkup

/// What a creative's code must not do.
extension LintRule {
    static let scripts: [LintRule] = [
        .scriptSyntax, .scriptWindowOpenAtLoad, .scriptRedirectAtLoad, .scriptTopNavigation, .scriptParentAccess,
        .scriptSelfClick,
        .scriptDocumentWrite, .scriptDialog, .scriptEval, .scriptTimerText, .scriptTimerFast, .scriptEndlessLoop,
        .scriptBusyLoop, .scriptRequestInsecure,
        .scriptStorage, .scriptCookie, .scriptGeolocation, .scriptCamera, .scriptNotification, .scriptClipboard,
        .scriptVibrate, .scriptAudioAtLoad, .scriptFullscreenAtLoad, .scriptSynchronousRequest, .scriptUnloadHandler,
        .scriptHistory, .scriptWorkerService, .scriptDebugger, .scriptConsole,
    ]

    static let scriptSyntax = LintRule(
        "script-syntax",
        .error,
        "JavaScript syntax error",
        why: "The browser runs nothing of this script: neither its clicks nor its animation.",
        cure: "Fix the code at this place, or at the bracket that is named."
    )

    static let scriptWindowOpenAtLoad = LintRule(
        "script-window-open-at-load",
        .error,
        "Window opened without a tap",
        why: "Hosts block it, and networks ban the creative.",
        cure: "Open it in the handler of a click."
    )

    static let scriptRedirectAtLoad = LintRule(
        "script-redirect-at-load",
        .error,
        "Auto-redirect by script",
        why: "Hosts block it, and networks ban the creative.",
        cure: "Navigate in the handler of a click only."
    )

    static let scriptTopNavigation = LintRule(
        "script-top-navigation",
        .error,
        "Script navigates the page around the ad",
        why: "It replaces the publisher's page; sandboxed frames refuse it.",
        cure: "Open a new window: window.open(url, \"_blank\"), or mraid.open(url)."
    )

    static let scriptParentAccess = LintRule(
        "script-parent-access",
        .warning,
        "Script accesses the page around the ad",
        why: "The ad is in a frame of another origin: the script throws an error there.",
        cure: "Keep to the creative's own document."
    )

    static let scriptSelfClick = LintRule(
        "script-self-click",
        .error,
        "Synthetic click",
        why: "A click without a user is invalid traffic, and networks ban it.",
        cure: "Remove the synthetic click."
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
        "Script opens a dialog",
        why: "It blocks the app until the user answers.",
        cure: "Show the text in the creative."
    )

    static let scriptEval = LintRule(
        "script-eval",
        .warning,
        "Script evaluates text as code",
        why: "A content security policy refuses it, and reviewers too.",
        cure: "Write the code out; read data with JSON.parse."
    )

    static let scriptTimerText = LintRule(
        "script-timer-text",
        .warning,
        "Timer with code as text",
        why: "A content security policy refuses it.",
        cure: "Give it a function."
    )

    static let scriptTimerFast = LintRule(
        "script-timer-fast",
        .warning,
        "Very fast timer",
        why: "It empties the battery, and makes the app stutter.",
        cure: "Use requestAnimationFrame."
    )

    static let scriptEndlessLoop = LintRule(
        "script-endless-loop",
        .error,
        "Endless loop",
        why: "It hangs the creative, and with it perhaps the app.",
        cure: "Add a condition that ends it."
    )

    static let scriptBusyLoop = LintRule(
        "script-busy-loop",
        .warning,
        "Busy loop",
        why: "It blocks the page, and with it taps and the close button, while it runs.",
        cure: "Use setTimeout to wait."
    )

    static let scriptRequestInsecure = LintRule(
        "script-request-insecure",
        .warning,
        "Insecure request URL in a script",
        why: "https pages and iOS apps block the request.",
        cure: "Use https."
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
        why: "What users have copied is none of an ad's business.",
        cure: "Do without."
    )

    static let scriptVibrate = LintRule(
        "script-vibrate",
        .warning,
        "The script makes the phone vibrate",
        why: "Users look for a message, and find an ad.",
        cure: "Do without, or after a tap."
    )

    static let scriptAudioAtLoad = LintRule(
        "script-audio-at-load",
        .warning,
        "The script plays sound without a tap",
        why: "Browsers refuse, and users are startled.",
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
        cure: "Remove it."
    )

    static let scriptWorkerService = LintRule(
        "script-worker-service",
        .warning,
        "The script registers a service worker",
        why: "Without an origin of its own a creative can't, and the script stops there.",
        cure: "Remove it."
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
        cure: "Remove it."
    )
}
