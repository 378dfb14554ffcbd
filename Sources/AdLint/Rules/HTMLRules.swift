/// The markup of HTML creatives.
extension LintRule {
    static let html: [LintRule] = [
        .htmlErrorPage, .htmlEmpty, .htmlTooComplex, .htmlLinkMissing, .htmlLinkDead, .htmlLinkJavascript,
        .htmlLinkInsecure,
        .htmlAddressRelative, .htmlResourceInsecure, .htmlScriptInsecure, .htmlRefresh, .htmlPixelTwice,
        .htmlMacroClick, .htmlMacroUnresolved, .htmlImageSize, .htmlAnimationEndless,
        .htmlTargetSelf, .htmlPlugin, .htmlAutoplaySound, .htmlAudioAutoplay, .htmlPlaysinlineMissing,
        .htmlFrameHidden, .htmlFormInsecure, .htmlInputPrivate, .htmlViewportMissing, .htmlCharsetMissing,
        .htmlDoctypeMissing, .htmlHeavy, .htmlDataHeavy, .htmlScriptsMany, .htmlImageAltMissing, .htmlTargetTop,
        .htmlSizeUnreadable, .htmlTagTruncated, .htmlContentUnclosed, .htmlAttributeTwice, .htmlElementMisplaced,
        .htmlElementUnclosed, .htmlEndTagStray, .htmlControlCharacters, .htmlCharacterWrong,
    ]

    static let htmlErrorPage = LintRule(
        "html-error-page",
        .error,
        "Error page instead of an ad",
        why: "Users see the error, and it may be billed as an impression.",
        fix: "Fix the server; without an ad it must respond with 204 or an empty adm."
    )

    static let htmlEmpty = LintRule(
        "html-empty",
        .error,
        "Creative has no visible content",
        why: "Users see nothing, and its impression must not be billed.",
        fix: "Send markup with text, an image, a video or a script that draws."
    )

    static let htmlTooComplex = LintRule(
        "html-too-complex",
        .error,
        "Markup exceeds a limit",
        why: "It can't be parsed in bounded time.",
        fix: "Use fewer elements and less nesting, and link files by URL."
    )

    static let htmlLinkMissing = LintRule(
        "html-link-missing",
        .warning,
        "No click-through URL",
        why: "A tap does nothing, and no click is ever recorded.",
        fix: "Wrap the creative in <a href=\"https://…\">."
    )

    static let htmlLinkDead = LintRule(
        "html-link-dead",
        .warning,
        "Link without a click-through URL",
        why: "A tap does nothing, and no click is recorded.",
        fix: "Put the landing page into href."
    )

    static let htmlLinkJavascript = LintRule(
        "html-link-javascript",
        .warning,
        "Link runs a script instead of opening a URL",
        why: "An app that opens links itself can't open it, and records no click.",
        fix: "Put the landing page into href, or open it with window.open(clickTag)."
    )

    static let htmlLinkInsecure = LintRule(
        "html-link-insecure",
        .info,
        "Click-through URL is not https",
        why: "Browsers warn users before they open the page, and users leave.",
        fix: "Use https."
    )

    static let htmlAddressRelative = LintRule(
        "html-address-relative",
        .warning,
        "Relative URL",
        why: "Markup in an ad response has no URL of its own to resolve it against.",
        fix: "Use an absolute URL, with https:// and the host."
    )

    static let htmlResourceInsecure = LintRule(
        "html-resource-insecure",
        .warning,
        "Insecure resource URL",
        why: "iOS apps and https pages refuse to load it.",
        fix: "Use https."
    )

    static let htmlScriptInsecure = LintRule(
        "html-script-insecure",
        .error,
        "Insecure script URL",
        why: "https pages refuse to load it; elsewhere anyone on the network can replace it.",
        fix: "Use https."
    )

    static let htmlRefresh = LintRule(
        "html-refresh",
        .error,
        "Auto-redirect",
        why: "It leaves the ad without a tap: apps block it, and networks ban it.",
        fix: "Remove the <meta http-equiv=\"refresh\">.",
        specification: "HTML Living Standard, Pragma directives"
    )

    static let htmlPixelTwice = LintRule(
        "html-pixel-twice",
        .error,
        "Duplicate impression pixel",
        why: "The impression is counted and billed twice.",
        fix: "Keep one."
    )

    static let htmlMacroClick = LintRule(
        "html-macro-click",
        .warning,
        "Click macro not replaced by the ad server",
        why: "The click-through URL begins with the macro's name, or the click is never tracked.",
        fix: "Use your ad server's click macro, such as %%CLICK_URL_UNESC%% in Google Ad Manager."
    )

    static let htmlMacroUnresolved = LintRule(
        "html-macro-unresolved",
        .warning,
        "Macro not replaced by the ad server",
        why: "The request is sent with the macro's name instead of a value.",
        fix: "Use a macro that your ad server documents, or write the value."
    )

    static let htmlImageSize = LintRule(
        "html-image-size",
        .warning,
        "Image is larger than ad.size",
        why: "The part beyond ad.size is cropped.",
        fix: "Scale the image to ad.size, or declare the image's size."
    )

    static let htmlAnimationEndless = LintRule(
        "html-animation-endless",
        .info,
        "Animation never ends",
        why: "Networks allow at most 30 seconds of animation, and it drains the battery.",
        fix: "Set animation-iteration-count to a number, so that it ends within 30 seconds."
    )

    static let htmlTargetSelf = LintRule(
        "html-target-self",
        .info,
        "Link opens in the ad's own frame",
        why: "The landing page replaces the creative inside the ad slot.",
        fix: "Use target=\"_blank\"."
    )

    static let htmlPlugin = LintRule(
        "html-plugin",
        .error,
        "Creative needs a plug-in",
        why: "Mobile browsers and web views have no plug-ins.",
        fix: "Use HTML, or a <video>."
    )

    static let htmlAutoplaySound = LintRule(
        "html-autoplay-sound",
        .error,
        "Autoplay with sound",
        why: "Browsers block it, and users are startled.",
        fix: "Add muted, and turn the sound on after a tap."
    )

    static let htmlAudioAutoplay = LintRule(
        "html-audio-autoplay",
        .error,
        "Audio autoplay",
        why: "Browsers block it, and users are startled.",
        fix: "Play it after a tap."
    )

    static let htmlPlaysinlineMissing = LintRule(
        "html-playsinline-missing",
        .warning,
        "Video without playsinline",
        why: "On iPhones the video leaves the creative and fills the screen.",
        fix: "Add playsinline to <video>."
    )

    static let htmlFrameHidden = LintRule(
        "html-frame-hidden",
        .warning,
        "Hidden frame",
        why: "It uses up the user's data, and reviewers treat it as fraud.",
        fix: "Remove it; track with a pixel."
    )

    static let htmlFormInsecure = LintRule(
        "html-form-insecure",
        .error,
        "Form is submitted over http",
        why: "Anyone on the network can read what users fill in.",
        fix: "Use https in action."
    )

    static let htmlInputPrivate = LintRule(
        "html-input-private",
        .warning,
        "Creative asks for a password or card data",
        why: "Networks ban ads that do.",
        fix: "Ask on the landing page."
    )

    static let htmlViewportMissing = LintRule(
        "html-viewport-missing",
        .warning,
        "No viewport",
        why: "Phones lay the page out 980 pixels wide, and scale it down.",
        fix: "Add <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">."
    )

    static let htmlCharsetMissing = LintRule(
        "html-charset-missing",
        .warning,
        "Non-ASCII characters without a declared charset",
        why: "Unless the server declares the charset, they are displayed wrongly.",
        fix: "Add <meta charset=\"utf-8\"> at the top.",
        specification: "HTML Living Standard, Specifying the document's character encoding"
    )

    static let htmlDoctypeMissing = LintRule(
        "html-doctype-missing",
        .info,
        "No doctype",
        why: "Browsers lay the page out in quirks mode.",
        fix: "Begin with <!DOCTYPE html>.",
        specification: "HTML Living Standard, The DOCTYPE"
    )

    static let htmlHeavy = LintRule(
        "html-heavy",
        .warning,
        "Heavy markup",
        why: "On a slow network the ad stays blank while it loads.",
        fix: "Keep it below 200 KB; link files by URL."
    )

    static let htmlDataHeavy = LintRule(
        "html-data-heavy",
        .warning,
        "Large data: URL",
        why: "It loads before anything is visible, and is never cached.",
        fix: "Host it, and use its URL."
    )

    static let htmlScriptsMany = LintRule(
        "html-scripts-many",
        .warning,
        "Many external scripts",
        why: "Each is a request before the creative is visible.",
        fix: "Bundle them."
    )

    static let htmlImageAltMissing = LintRule(
        "html-image-alt-missing",
        .info,
        "Image without alt text",
        why: "A screen reader can't tell what is advertised.",
        fix: "Add alt; leave it empty for decoration.",
        specification: "HTML Living Standard, The img element"
    )

    static let htmlTargetTop = LintRule(
        "html-target-top",
        .warning,
        "Link replaces the page around the ad",
        why: "The publisher's page or the app's screen is lost.",
        fix: "Use target=\"_blank\"."
    )

    static let htmlSizeUnreadable = LintRule(
        "html-size-unreadable",
        .warning,
        "ad.size can't be read",
        why: "Servers and players don't know the size.",
        fix: "Write <meta name=\"ad.size\" content=\"width=300,height=250\">."
    )

    static let htmlTagTruncated = LintRule(
        "html-tag-truncated",
        .error,
        "Tag is not closed",
        why: "Browsers drop it and everything after it.",
        fix: "Close the tag; look for a missing quotation mark.",
        specification: "HTML Living Standard, Parse errors"
    )

    static let htmlContentUnclosed = LintRule(
        "html-content-unclosed",
        .error,
        "Script, style or comment is not closed",
        why: "Everything after it becomes part of it, and is not shown.",
        fix: "Close it.",
        specification: "HTML Living Standard, Parse errors"
    )

    static let htmlAttributeTwice = LintRule(
        "html-attribute-twice",
        .warning,
        "Duplicate attribute",
        why: "Browsers use the first, and ignore the others.",
        fix: "Keep one.",
        specification: "HTML Living Standard, Parse errors"
    )

    static let htmlElementMisplaced = LintRule(
        "html-element-misplaced",
        .warning,
        "Element is not allowed here",
        why: "Browsers ignore its tag.",
        fix: "Move it, or remove it.",
        specification: "HTML Living Standard, Parse errors"
    )

    static let htmlElementUnclosed = LintRule(
        "html-element-unclosed",
        .info,
        "Element is not closed",
        why: "Browsers decide where it ends, which may not be where you mean.",
        fix: "Close it.",
        specification: "HTML Living Standard, Parse errors"
    )

    static let htmlEndTagStray = LintRule(
        "html-end-tag-stray",
        .info,
        "End tag without a start tag",
        why: "Browsers ignore it; often another end tag is missing.",
        fix: "Remove it.",
        specification: "HTML Living Standard, Parse errors"
    )

    static let htmlControlCharacters = LintRule(
        "html-control-characters",
        .warning,
        "Control characters",
        why: "Browsers replace them, and scripts break.",
        fix: "Remove them.",
        specification: "HTML Living Standard, Parse errors"
    )

    static let htmlCharacterWrong = LintRule(
        "html-character-wrong",
        .info,
        "Invalid character reference",
        why: "Browsers show other characters than intended.",
        fix: "Write &amp; for an ampersand, and end references with a semicolon.",
        specification: "HTML Living Standard, Parse errors"
    )
}
