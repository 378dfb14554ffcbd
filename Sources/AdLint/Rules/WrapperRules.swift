/// Wrappers, and the URL of the next response.
extension LintRule {
    static let wrappers: [LintRule] = [
        .wrapperTagMissing, .wrapperTagOld, .wrapperTagSelf, .wrapperMedia, .wrapperElementIdle, .wrapperFollowFalse,
    ]

    static let wrapperTagMissing = LintRule(
        "wrapper-tag-missing",
        .error,
        "Wrapper without a VASTAdTagURI",
        why: "There is no ad to load (error 300 or 303).",
        fix: "Add <VASTAdTagURI> with the URL of the next response.",
        specification: "VAST 4.3 §3.19.1"
    )

    static let wrapperTagOld = LintRule(
        "wrapper-tag-old",
        .error,
        "<VASTAdTagURL> instead of <VASTAdTagURI>",
        why: "That is its name in VAST 1; players look for <VASTAdTagURI>, and find no URL.",
        fix: "Write <VASTAdTagURI><![CDATA[…]]></VASTAdTagURI>.",
        specification: "VAST 4.3 §3.19.1"
    )

    static let wrapperTagSelf = LintRule(
        "wrapper-tag-self",
        .error,
        "Wrapper requests itself",
        why: "Players follow it until they reach their wrapper limit (error 302).",
        fix: "Use the URL of the next ad server.",
        specification: "VAST 4.3 §2.3.5.1"
    )

    static let wrapperMedia = LintRule(
        "wrapper-media",
        .warning,
        "Media files in a wrapper",
        why: "They are never played; only those of the inline ad are.",
        fix: "Remove them, or make the ad <InLine>.",
        specification: "VAST 4.3 §3.19"
    )

    static let wrapperElementIdle = LintRule(
        "wrapper-element-idle",
        .info,
        "Inline-only element in a wrapper",
        why: "Players use the one of the inline ad.",
        fix: "Remove it.",
        specification: "VAST 4.3 §5"
    )

    static let wrapperFollowFalse = LintRule(
        "wrapper-follow-false",
        .info,
        "Wrapper forbids further wrappers",
        why: "If the next response is a wrapper, too, players reject it with error 300.",
        fix: "Remove followAdditionalWrappers unless that is intended.",
        specification: "VAST 4.3 §3.19"
    )
}
