/// What the scripts of a creative must not do.
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
        why: "The browser runs nothing of this script, neither its clicks nor its animation.",
        fix: "Fix the code here, or at the bracket that the message names."
    )

    static let scriptWindowOpenAtLoad = LintRule(
        "script-window-open-at-load",
        .error,
        "Window opened without a tap",
        why: "Apps block it, and networks ban the creative.",
        fix: "Open it in a click handler."
    )

    static let scriptRedirectAtLoad = LintRule(
        "script-redirect-at-load",
        .error,
        "Auto-redirect by script",
        why: "Apps block it, and networks ban the creative.",
        fix: "Navigate in a click handler only."
    )

    static let scriptTopNavigation = LintRule(
        "script-top-navigation",
        .error,
        "Script navigates the page around the ad",
        why: "It replaces the publisher's page; sandboxed frames block it.",
        fix: "Open a new window: window.open(url, \"_blank\"), or mraid.open(url)."
    )

    static let scriptParentAccess = LintRule(
        "script-parent-access",
        .warning,
        "Script accesses the page around the ad",
        why: "The ad is in a frame of another origin: the script throws an error there.",
        fix: "Use the creative's own document only."
    )

    static let scriptSelfClick = LintRule(
        "script-self-click",
        .error,
        "Synthetic click",
        why: "A click without a user is invalid traffic, and networks ban it.",
        fix: "Remove the synthetic click."
    )

    static let scriptDocumentWrite = LintRule(
        "script-document-write",
        .warning,
        "Script uses document.write",
        why: "It delays the page, and browsers on slow networks don't run it.",
        fix: "Add elements with appendChild."
    )

    static let scriptDialog = LintRule(
        "script-dialog",
        .error,
        "Script opens a dialog",
        why: "It blocks the app until the user answers.",
        fix: "Show the text in the creative."
    )

    static let scriptEval = LintRule(
        "script-eval",
        .warning,
        "Script evaluates text as code",
        why: "A content security policy blocks it, and reviewers reject it.",
        fix: "Write the code out; read data with JSON.parse."
    )

    static let scriptTimerText = LintRule(
        "script-timer-text",
        .warning,
        "Timer runs code from a string",
        why: "A content security policy blocks it.",
        fix: "Pass a function."
    )

    static let scriptTimerFast = LintRule(
        "script-timer-fast",
        .warning,
        "Very fast timer",
        why: "It drains the battery, and makes the app stutter.",
        fix: "Use requestAnimationFrame."
    )

    static let scriptEndlessLoop = LintRule(
        "script-endless-loop",
        .error,
        "Endless loop",
        why: "It hangs the creative, and possibly the app.",
        fix: "Add a condition that ends it."
    )

    static let scriptBusyLoop = LintRule(
        "script-busy-loop",
        .warning,
        "Busy loop",
        why: "It blocks the page, with its taps and the close button, while it runs.",
        fix: "Use setTimeout to wait."
    )

    static let scriptRequestInsecure = LintRule(
        "script-request-insecure",
        .warning,
        "Insecure request URL in a script",
        why: "https pages and iOS apps block the request.",
        fix: "Use https."
    )

    static let scriptStorage = LintRule(
        "script-storage",
        .warning,
        "Script stores data on the device",
        why: "It throws in a sandboxed frame, and without consent it may be unlawful.",
        fix: "Do without it, or catch the error."
    )

    static let scriptCookie = LintRule(
        "script-cookie",
        .warning,
        "Script uses cookies",
        why: "It throws in a sandboxed frame, and without consent it may be unlawful.",
        fix: "Do without them."
    )

    static let scriptGeolocation = LintRule(
        "script-geolocation",
        .warning,
        "Script requests the user's location",
        why: "The app asks for permission in its own name; most apps deny it.",
        fix: "Do without it, or use a location from the server."
    )

    static let scriptCamera = LintRule(
        "script-camera",
        .error,
        "Script requests the camera or microphone",
        why: "The app asks for permission in its own name; networks ban it.",
        fix: "Do without it."
    )

    static let scriptNotification = LintRule(
        "script-notification",
        .error,
        "Script requests permission for notifications",
        why: "The app asks for permission in its own name; networks ban it.",
        fix: "Do without it."
    )

    static let scriptClipboard = LintRule(
        "script-clipboard",
        .error,
        "Script uses the clipboard",
        why: "What users have copied is private; networks ban it.",
        fix: "Do without it."
    )

    static let scriptVibrate = LintRule(
        "script-vibrate",
        .warning,
        "Script vibrates the device",
        why: "Users look for a message, and find an ad.",
        fix: "Do without it, or vibrate after a tap only."
    )

    static let scriptAudioAtLoad = LintRule(
        "script-audio-at-load",
        .warning,
        "Script plays audio without a tap",
        why: "Browsers block it, and users are startled.",
        fix: "Play it in a tap handler."
    )

    static let scriptFullscreenAtLoad = LintRule(
        "script-fullscreen-at-load",
        .warning,
        "Script enters fullscreen without a tap",
        why: "Browsers block it.",
        fix: "Request it in a tap handler."
    )

    static let scriptSynchronousRequest = LintRule(
        "script-synchronous-request",
        .warning,
        "Synchronous request",
        why: "The creative, and possibly the app, freezes until the response arrives.",
        fix: "Use fetch, or pass true as the third argument of open."
    )

    static let scriptUnloadHandler = LintRule(
        "script-unload-handler",
        .warning,
        "beforeunload handler",
        why: "It tries to keep users in the ad: apps ignore it, and networks ban it.",
        fix: "Remove the beforeunload handler."
    )

    static let scriptHistory = LintRule(
        "script-history",
        .warning,
        "Script changes the browser history",
        why: "The app's back button then does nothing.",
        fix: "Remove it."
    )

    static let scriptWorkerService = LintRule(
        "script-worker-service",
        .warning,
        "Script registers a service worker",
        why: "A creative has no origin of its own: the script throws an error there.",
        fix: "Remove it."
    )

    static let scriptDebugger = LintRule(
        "script-debugger",
        .warning,
        "debugger statement",
        why: "The creative stops there when developer tools are open.",
        fix: "Remove it."
    )

    static let scriptConsole = LintRule(
        "script-console",
        .info,
        "Console output",
        why: "It slows the creative down, and shows others how it works.",
        fix: "Remove it."
    )
}
