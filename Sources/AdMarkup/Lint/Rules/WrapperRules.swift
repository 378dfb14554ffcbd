/// What leads to the next document.
extension LintRule {
    static let wrappers: [LintRule] = [
        .wrapperTagMissing, .wrapperTagOld, .wrapperTagSelf, .wrapperMedia, .wrapperElementIdle, .wrapperFollowFalse,
    ]

    static let wrapperTagMissing = LintRule(
        "wrapper-tag-missing",
        .error,
        "A wrapper leads nowhere",
        why: "There is no ad behind it: error 300 or 303.",
        cure: "Add <VASTAdTagURI> with the address of the next document."
    )

    static let wrapperTagOld = LintRule(
        "wrapper-tag-old",
        .error,
        "A wrapper's address is written as in VAST 1",
        why: "Players look for <VASTAdTagURI>, and find nothing.",
        cure: "Write <VASTAdTagURI><![CDATA[…]]></VASTAdTagURI>."
    )

    static let wrapperTagSelf = LintRule(
        "wrapper-tag-self",
        .error,
        "A wrapper leads to itself",
        why: "Players go round until they give up: error 302.",
        cure: "Give the address of the next server."
    )

    static let wrapperMedia = LintRule(
        "wrapper-media",
        .warning,
        "A wrapper has media files",
        why: "They are never played: only those behind it are.",
        cure: "Take them out, or make the ad <InLine>."
    )

    static let wrapperElementIdle = LintRule(
        "wrapper-element-idle",
        .info,
        "A wrapper has what only inline ads have",
        why: "Players take it from the ad behind the wrapper.",
        cure: "Leave it out."
    )

    static let wrapperFollowFalse = LintRule(
        "wrapper-follow-false",
        .info,
        "A wrapper forbids further wrappers",
        why: "An ad that comes through one more server is refused with error 300.",
        cure: "Leave followAdditionalWrappers out unless that is meant."
    )
}
