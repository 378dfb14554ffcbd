/// What can be wrong with a banner's markup.
extension LintRule {
    static let html: [LintRule] = [
        .htmlErrorPage, .htmlEmpty, .htmlTooComplex, .htmlLinkMissing, .htmlLinkDead, .htmlLinkJavascript,
        .htmlLinkInsecure,
        .htmlAddressRelative, .htmlResourceInsecure, .htmlScriptInsecure, .htmlRefresh, .htmlPixelTwice,
        .htmlMacroUnresolved, .htmlPlugin, .htmlAutoplaySound, .htmlAudioAutoplay, .htmlPlaysinlineMissing,
        .htmlFrameHidden, .htmlFormInsecure, .htmlInputPrivate, .htmlViewportMissing, .htmlCharsetMissing,
        .htmlDoctypeMissing, .htmlHeavy, .htmlDataHeavy, .htmlScriptsMany, .htmlImageAltMissing, .htmlTargetTop,
        .htmlSizeUnreadable, .htmlTagTruncated, .htmlContentUnclosed, .htmlAttributeTwice, .htmlElementMisplaced,
        .htmlElementUnclosed, .htmlEndTagStray, .htmlControlCharacters, .htmlCharacterWrong,
    ]

    static let htmlErrorPage = LintRule(
        "html-error-page",
        .error,
        "It is a server's error page",
        why: "People see the error instead of an ad, and it may count as a view.",
        cure: "Mend the server; without an ad it is to answer with status 204 or an empty adm."
    )

    static let htmlEmpty = LintRule(
        "html-empty",
        .error,
        "There is nothing to see",
        why: "Nobody sees it, and a view of it must not be billed.",
        cure: "Send markup that shows something."
    )

    static let htmlTooComplex = LintRule(
        "html-too-complex",
        .error,
        "The markup goes beyond what is read",
        why: "Nothing reads it to the end in bounded time.",
        cure: "Send less: fewer elements, less nesting, files by their address."
    )

    static let htmlLinkMissing = LintRule(
        "html-link-missing",
        .warning,
        "Nothing leads anywhere",
        why: "A tap does nothing, and no click is ever counted.",
        cure: "Put an <a href=\"https://…\"> around the creative."
    )

    static let htmlLinkDead = LintRule(
        "html-link-dead",
        .warning,
        "A link leads nowhere",
        why: "A tap does nothing.",
        cure: "Give the landing page in href."
    )

    static let htmlLinkJavascript = LintRule(
        "html-link-javascript",
        .warning,
        "A link is a script",
        why: "A host that opens links itself can't open it, and counts no click.",
        cure: "Put the address into href."
    )

    static let htmlLinkInsecure = LintRule(
        "html-link-insecure",
        .info,
        "A link leads to http",
        why: "Browsers warn, and people turn back.",
        cure: "Write https."
    )

    static let htmlAddressRelative = LintRule(
        "html-address-relative",
        .warning,
        "An address is not whole",
        why: "Markup in an answer has no address of its own, and nothing to complete it with.",
        cure: "Write it from https:// on."
    )

    static let htmlResourceInsecure = LintRule(
        "html-resource-insecure",
        .warning,
        "Something is loaded over http",
        why: "Stages on iOS and secure pages refuse it.",
        cure: "Write https."
    )

    static let htmlScriptInsecure = LintRule(
        "html-script-insecure",
        .error,
        "A script is loaded over http",
        why: "Stages refuse it; where not, anybody on the way can put another one in its place.",
        cure: "Write https."
    )

    static let htmlRefresh = LintRule(
        "html-refresh",
        .error,
        "The creative leads away by itself",
        why: "Nobody has tapped: hosts block it, and networks ban it.",
        cure: "Take the <meta http-equiv=\"refresh\"> out."
    )

    static let htmlPixelTwice = LintRule(
        "html-pixel-twice",
        .error,
        "The same pixel is there twice",
        why: "The view is counted twice, and somebody pays twice.",
        cure: "Keep one."
    )

    static let htmlMacroUnresolved = LintRule(
        "html-macro-unresolved",
        .warning,
        "A macro was not filled in",
        why: "The browser asks for its name, and the server gets that.",
        cure: "Let the server that owns it fill it in before sending."
    )

    static let htmlPlugin = LintRule(
        "html-plugin",
        .error,
        "The creative needs a plug-in",
        why: "No phone has plug-ins.",
        cure: "Use HTML, or a <video>."
    )

    static let htmlAutoplaySound = LintRule(
        "html-autoplay-sound",
        .error,
        "Media play with sound by themselves",
        why: "Browsers refuse to play them, and people are startled.",
        cure: "Add muted, and let a tap turn the sound on."
    )

    static let htmlAudioAutoplay = LintRule(
        "html-audio-autoplay",
        .error,
        "A sound plays by itself",
        why: "Browsers refuse to play it, and people are startled.",
        cure: "Play it after a tap."
    )

    static let htmlPlaysinlineMissing = LintRule(
        "html-playsinline-missing",
        .warning,
        "A video lacks playsinline",
        why: "On an iPhone it leaves the creative and fills the screen.",
        cure: "Add playsinline to <video>."
    )

    static let htmlFrameHidden = LintRule(
        "html-frame-hidden",
        .warning,
        "A hidden frame is loaded",
        why: "It costs the user's data, and reviewers take it for fraud.",
        cure: "Take it out; count with a pixel."
    )

    static let htmlFormInsecure = LintRule(
        "html-form-insecure",
        .error,
        "A form is sent over http",
        why: "Anybody on the way can read what was filled in.",
        cure: "Write https in action."
    )

    static let htmlInputPrivate = LintRule(
        "html-input-private",
        .warning,
        "The creative asks for a password or a card",
        why: "Ads must not, and networks ban what does.",
        cure: "Ask on the landing page."
    )

    static let htmlViewportMissing = LintRule(
        "html-viewport-missing",
        .warning,
        "A page has no viewport",
        why: "Phones lay it out 980 wide, and show it tiny.",
        cure: "Add <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">."
    )

    static let htmlCharsetMissing = LintRule(
        "html-charset-missing",
        .warning,
        "A page has letters beyond ASCII, and no charset",
        why: "Where the server says nothing, letters come out wrong.",
        cure: "Add <meta charset=\"utf-8\"> at the top."
    )

    static let htmlDoctypeMissing = LintRule(
        "html-doctype-missing",
        .info,
        "A page has no doctype",
        why: "Browsers lay it out as in 1998.",
        cure: "Begin with <!DOCTYPE html>."
    )

    static let htmlHeavy = LintRule(
        "html-heavy",
        .warning,
        "The markup is heavy",
        why: "People on a slow network look at nothing while it loads.",
        cure: "Keep it below 200 KB; load files by their address."
    )

    static let htmlDataHeavy = LintRule(
        "html-data-heavy",
        .warning,
        "A large file stands in the markup",
        why: "It is loaded before anything is seen, and never from cache.",
        cure: "Put it on a server, and give its address."
    )

    static let htmlScriptsMany = LintRule(
        "html-scripts-many",
        .warning,
        "Many scripts are loaded",
        why: "Each is a request before the creative is there.",
        cure: "Bundle them."
    )

    static let htmlImageAltMissing = LintRule(
        "html-image-alt-missing",
        .info,
        "A picture has no alt text",
        why: "Whoever can't see it does not know what is advertised.",
        cure: "Add alt, empty for what only decorates."
    )

    static let htmlTargetTop = LintRule(
        "html-target-top",
        .warning,
        "A link opens in the app's own frame",
        why: "It replaces the page that the ad stands in.",
        cure: "Write target=\"_blank\"."
    )

    static let htmlSizeUnreadable = LintRule(
        "html-size-unreadable",
        .warning,
        "ad.size can't be read",
        why: "Servers and players don't know the size.",
        cure: "Write <meta name=\"ad.size\" content=\"width=300,height=250\">."
    )

    static let htmlTagTruncated = LintRule(
        "html-tag-truncated",
        .error,
        "A tag does not end",
        why: "A browser drops it, with all that stands behind.",
        cure: "Close the tag, and look for a missing quotation mark."
    )

    static let htmlContentUnclosed = LintRule(
        "html-content-unclosed",
        .error,
        "A script, a style or a comment does not end",
        why: "All that stands behind is part of it, and nobody sees it.",
        cure: "Close it."
    )

    static let htmlAttributeTwice = LintRule(
        "html-attribute-twice",
        .warning,
        "An attribute is given twice",
        why: "Browsers take the first.",
        cure: "Keep one."
    )

    static let htmlElementMisplaced = LintRule(
        "html-element-misplaced",
        .warning,
        "An element stands where it can't",
        why: "Browsers pass over its tag.",
        cure: "Move it, or take it out."
    )

    static let htmlElementUnclosed = LintRule(
        "html-element-unclosed",
        .info,
        "An element does not end",
        why: "Browsers guess where, and not all the same.",
        cure: "Close it."
    )

    static let htmlEndTagStray = LintRule(
        "html-end-tag-stray",
        .info,
        "An end tag closes nothing",
        why: "Browsers pass over it; mostly another one is missing.",
        cure: "Take it out."
    )

    static let htmlControlCharacters = LintRule(
        "html-control-characters",
        .warning,
        "There are control characters",
        why: "Browsers replace them, and code breaks.",
        cure: "Take them out."
    )

    static let htmlCharacterWrong = LintRule(
        "html-character-wrong",
        .info,
        "A character reference is wrong",
        why: "Browsers show something else than was meant.",
        cure: "Write &amp; for an ampersand, and end references with a semicolon."
    )
}
