import AdHTML
import AdMarkup

/// Code that runs beside the video.
extension LintRule {
    static let verification: [LintRule] = [
        .vpaidUsed, .vpaidOnly, .vpaidTypeWrong, .verificationVendorMissing, .verificationEmpty,
        .verificationApiMissing, .verificationApiUnknown, .verificationBrowserMissing, .verificationFailureUntracked,
        .verificationInExtension, .verificationTwice,
    ]

    static let vpaidUsed = LintRule(
        "vpaid-used",
        .warning,
        "The ad uses VPAID",
        why: "VAST 4.1 deprecates it, and in apps hardly any player runs it.",
        cure: "Use SIMID for interaction and OMID for measurement."
    )

    static let vpaidOnly = LintRule(
        "vpaid-only",
        .error,
        "The ad has only VPAID media",
        why: "A player without VPAID has nothing to play (error 403).",
        cure: "Add an MP4."
    )

    static let vpaidTypeWrong = LintRule(
        "vpaid-type-wrong",
        .error,
        "VPAID media file is not JavaScript",
        why: "Players load it as a video, or run a video as a script.",
        cure: "Write type=\"application/javascript\" for VPAID, and no apiFramework for videos."
    )

    static let verificationVendorMissing = LintRule(
        "verification-vendor-missing",
        .warning,
        "A verification has no vendor",
        why: "The schema requires it, and players can't tell the vendor.",
        cure: "Add vendor, as in vendor=\"example.com-omid\"."
    )

    static let verificationEmpty = LintRule(
        "verification-empty",
        .error,
        "A verification has no resource",
        why: "There is nothing to run.",
        cure: "Add <JavaScriptResource apiFramework=\"omid\">."
    )

    static let verificationApiMissing = LintRule(
        "verification-api-missing",
        .warning,
        "A verification script has no apiFramework",
        why: "The schema lets it be left out, but a player that does not guess OMID can't run the script.",
        cure: "Add apiFramework=\"omid\"."
    )

    static let verificationApiUnknown = LintRule(
        "verification-api-unknown",
        .warning,
        "A verification is not for OMID",
        why: "Players run OMID, and nothing else.",
        cure: "Write apiFramework=\"omid\"."
    )

    static let verificationBrowserMissing = LintRule(
        "verification-browser-missing",
        .info,
        "browserOptional is missing",
        why: "The schema requires it: whether the script also runs without a browser.",
        cure: "Add browserOptional=\"true\" or \"false\"."
    )

    static let verificationFailureUntracked = LintRule(
        "verification-failure-untracked",
        .info,
        "No tracker for verificationNotExecuted",
        why: "The vendor measures fewer impressions than are billed, without a reason.",
        cure: "Track verificationNotExecuted with [REASON]."
    )

    static let verificationInExtension = LintRule(
        "verification-in-extension",
        .info,
        "<AdVerifications> in an <Extension>",
        why: "Since VAST 4.1 it has its own element, and newer players look there.",
        cure: "Put <AdVerifications> into <InLine> or <Wrapper>."
    )

    static let verificationTwice = LintRule(
        "verification-twice",
        .warning,
        "Duplicate verification",
        why: "The impression is measured twice.",
        cure: "Keep one."
    )
}
