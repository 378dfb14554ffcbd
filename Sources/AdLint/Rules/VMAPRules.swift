import AdHTML
import AdMarkup

/// What can be wrong with a schedule of breaks.
extension LintRule {
    static let vmap: [LintRule] = [
        .vmapVersionMissing, .vmapNamespaceMissing, .vmapEmpty, .vmapOffsetMissing, .vmapOffsetWrong,
        .vmapBreaktypeMissing, .vmapBreaktypeWrong, .vmapBreakidTwice, .vmapSourceMissing, .vmapSourceEmpty,
        .vmapSourceSeveral, .vmapTemplateMissing, .vmapTemplateWrong, .vmapEventWrong, .vmapRepeatWrong,
        .vmapElementOld,
    ]

    static let vmapVersionMissing = LintRule(
        "vmap-version-missing",
        .warning,
        "The version is missing",
        why: "The schema requires it.",
        cure: "Write <vmap:VMAP version=\"1.0\">."
    )

    static let vmapNamespaceMissing = LintRule(
        "vmap-namespace-missing",
        .warning,
        "The namespace is missing",
        why: "Strict players look for the elements in VMAP's namespace, and find none.",
        cure: "Add xmlns:vmap=\"http://www.iab.net/videosuite/vmap\", and the prefix."
    )

    static let vmapEmpty = LintRule(
        "vmap-empty",
        .warning,
        "No <vmap:AdBreak>",
        why: "The content plays without ads.",
        cure: "Add <vmap:AdBreak>."
    )

    static let vmapOffsetMissing = LintRule(
        "vmap-offset-missing",
        .error,
        "A break has no timeOffset",
        why: "Players can't schedule it, and ignore it.",
        cure: "Add timeOffset: start, end, HH:MM:SS, n% or #n."
    )

    static let vmapOffsetWrong = LintRule(
        "vmap-offset-wrong",
        .error,
        "Invalid timeOffset",
        why: "Players can't schedule it, and ignore it.",
        cure: "Write start, end, HH:MM:SS, n% or #n."
    )

    static let vmapBreaktypeMissing = LintRule(
        "vmap-breaktype-missing",
        .error,
        "A break has no breakType",
        why: "Players can't choose an ad for it, and ignore it.",
        cure: "Add breakType=\"linear\"."
    )

    static let vmapBreaktypeWrong = LintRule(
        "vmap-breaktype-wrong",
        .error,
        "Unknown breakType",
        why: "Players can't choose an ad for it, and ignore it.",
        cure: "Write linear, nonlinear or display, with commas between them."
    )

    static let vmapBreakidTwice = LintRule(
        "vmap-breakid-twice",
        .warning,
        "Two breaks have the same breakId",
        why: "Reports and players treat them as one.",
        cure: "Give each break an id of its own."
    )

    static let vmapSourceMissing = LintRule(
        "vmap-source-missing",
        .warning,
        "A break has no source",
        why: "There is no ad in it; only its trackers are called.",
        cure: "Add <vmap:AdSource> with a URL or a VAST inside."
    )

    static let vmapSourceEmpty = LintRule(
        "vmap-source-empty",
        .error,
        "Empty <vmap:AdSource>",
        why: "There is no ad.",
        cure: "Add <vmap:AdTagURI> or <vmap:VASTAdData>."
    )

    static let vmapSourceSeveral = LintRule(
        "vmap-source-several",
        .error,
        "A source has more than one content",
        why: "Players choose one of them, and not all choose the same.",
        cure: "Keep one of VASTAdData, AdTagURI and CustomAdData."
    )

    static let vmapTemplateMissing = LintRule(
        "vmap-template-missing",
        .warning,
        "A source has no templateType",
        why: "Players don't know the format of the response.",
        cure: "Add templateType, as in templateType=\"vast4\"."
    )

    static let vmapTemplateWrong = LintRule(
        "vmap-template-wrong",
        .warning,
        "Unknown templateType",
        why: "Players don't know the format of the response.",
        cure: "Write vast1, vast2, vast3, vast4 or proprietary."
    )

    static let vmapEventWrong = LintRule(
        "vmap-event-wrong",
        .error,
        "Unknown VMAP event",
        why: "Players never call it.",
        cure: "Write breakStart, breakEnd or error."
    )

    static let vmapRepeatWrong = LintRule(
        "vmap-repeat-wrong",
        .warning,
        "Invalid repeatAfter",
        why: "The break is not repeated.",
        cure: "Write HH:MM:SS, as in repeatAfter=\"00:10:00\"."
    )

    static let vmapElementOld = LintRule(
        "vmap-element-old",
        .warning,
        "<vmap:VASTData> instead of <vmap:VASTAdData>",
        why: "VMAP 1.0 calls it VASTAdData, and players look for that.",
        cure: "Write <vmap:VASTAdData>."
    )
}
