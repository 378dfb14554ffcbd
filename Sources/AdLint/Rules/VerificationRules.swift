/// VPAID, and the scripts that verify ads.
extension LintRule {
    static let verification: [LintRule] = [
        .vpaidUsed, .vpaidOnly, .vpaidTypeWrong, .verificationVendorMissing, .verificationEmpty,
        .verificationApiMissing, .verificationApiUnknown, .verificationBrowserMissing, .verificationFailureUntracked,
        .verificationInExtension, .verificationTwice,
    ]

    static let vpaidUsed = LintRule(
        "vpaid-used",
        .warning,
        "VPAID is deprecated",
        why: "VAST 4.1 deprecates it, and hardly any player in an app runs it.",
        fix: "Use SIMID for interaction and OMID for measurement.",
        specification: "VAST 4.3 §1.8"
    )

    static let vpaidOnly = LintRule(
        "vpaid-only",
        .error,
        "Only VPAID media files",
        why: "A player without VPAID has nothing to play (error 901).",
        fix: "Add an MP4.",
        specification: "VAST 4.3 §1.8"
    )

    static let vpaidTypeWrong = LintRule(
        "vpaid-type-wrong",
        .error,
        "VPAID media file is not JavaScript",
        why: "Players load it as a video, or run a video as a script.",
        fix: "Write type=\"application/javascript\" for VPAID, and no apiFramework for videos.",
        specification: "VAST 4.3 §3.9.1"
    )

    static let verificationVendorMissing = LintRule(
        "verification-vendor-missing",
        .warning,
        "<Verification> without a vendor",
        why: "The schema requires it, and players can't tell the vendor.",
        fix: "Add vendor, such as vendor=\"example.com-omid\".",
        specification: "VAST 4.3 §3.17"
    )

    static let verificationEmpty = LintRule(
        "verification-empty",
        .error,
        "<Verification> without a resource",
        why: "There is nothing to run.",
        fix: "Add <JavaScriptResource apiFramework=\"omid\">.",
        specification: "VAST 4.3 §3.17"
    )

    static let verificationApiMissing = LintRule(
        "verification-api-missing",
        .warning,
        "Verification script without apiFramework",
        why: "The schema does not require it, but only a player that assumes OMID runs the script.",
        fix: "Add apiFramework=\"omid\".",
        specification: "VAST 4.3 §3.17.1"
    )

    static let verificationApiUnknown = LintRule(
        "verification-api-unknown",
        .warning,
        "Verification script is not for OMID",
        why: "Players run OMID scripts only.",
        fix: "Write apiFramework=\"omid\".",
        specification: "VAST 4.3 §3.17.1"
    )

    static let verificationBrowserMissing = LintRule(
        "verification-browser-missing",
        .info,
        "Missing browserOptional",
        why: "The schema requires it: it says whether the script also runs without a browser.",
        fix: "Add browserOptional=\"true\" or \"false\".",
        specification: "VAST 4.3 §3.17.1"
    )

    static let verificationFailureUntracked = LintRule(
        "verification-failure-untracked",
        .info,
        "No tracker for verificationNotExecuted",
        why: "The vendor measures fewer impressions than are billed, and can't see why.",
        fix: "Track verificationNotExecuted with [REASON].",
        specification: "VAST 4.3 §3.17.4"
    )

    static let verificationInExtension = LintRule(
        "verification-in-extension",
        .info,
        "<AdVerifications> in an <Extension>",
        why: "Since VAST 4.1 it is an element of its own, and players look there.",
        fix: "Put <AdVerifications> into <InLine> or <Wrapper>.",
        specification: "VAST 4.3 §3.16"
    )

    static let verificationTwice = LintRule(
        "verification-twice",
        .warning,
        "Duplicate verification",
        why: "The impression is measured twice.",
        fix: "Keep one."
    )
}
