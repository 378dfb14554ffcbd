import AdHTML
import AdMarkup

/// Wrappers.
extension LintRule {
    static let wrappers: [LintRule] = [
        .wrapperTagMissing, .wrapperTagOld, .wrapperTagSelf, .wrapperMedia, .wrapperElementIdle, .wrapperFollowFalse,
    ]

    static let wrapperTagMissing = LintRule(
        "wrapper-tag-missing",
        .error,
        "Wrapper without a VASTAdTagURI",
        why: "There is no ad to load (error 300 or 303).",
        cure: "Add <VASTAdTagURI> with the URL of the next response."
    )

    static let wrapperTagOld = LintRule(
        "wrapper-tag-old",
        .error,
        "VASTAdTagURI is written as in VAST 1",
        why: "Players look for <VASTAdTagURI>, and find none.",
        cure: "Write <VASTAdTagURI><![CDATA[…]]></VASTAdTagURI>."
    )

    static let wrapperTagSelf = LintRule(
        "wrapper-tag-self",
        .error,
        "Wrapper requests itself",
        why: "Players repeat the request until their limit (error 302).",
        cure: "Give the URL of the next server."
    )

    static let wrapperMedia = LintRule(
        "wrapper-media",
        .warning,
        "A wrapper has media files",
        why: "They are never played: only those of the inline ad are.",
        cure: "Remove them, or make the ad <InLine>."
    )

    static let wrapperElementIdle = LintRule(
        "wrapper-element-idle",
        .info,
        "Element of inline ads in a wrapper",
        why: "Players use the one of the inline ad.",
        cure: "Leave it out."
    )

    static let wrapperFollowFalse = LintRule(
        "wrapper-follow-false",
        .info,
        "Wrapper forbids further wrappers",
        why: "An ad from one more server is refused with error 300.",
        cure: "Leave followAdditionalWrappers out unless that is meant."
    )
}
