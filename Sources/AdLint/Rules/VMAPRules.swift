/// The ad breaks of VMAP.
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
        "Missing VMAP version",
        why: "The schema requires it.",
        fix: "Write <vmap:VMAP version=\"1.0\">.",
        specification: "VMAP 1.0.1, <VMAP> version"
    )

    static let vmapNamespaceMissing = LintRule(
        "vmap-namespace-missing",
        .warning,
        "Missing VMAP namespace",
        why: "Strict players look for the elements in VMAP's namespace, and find none.",
        fix: "Add xmlns:vmap=\"http://www.iab.net/videosuite/vmap\", and the prefix.",
        specification: "VMAP 1.0.1, <VMAP>"
    )

    static let vmapEmpty = LintRule(
        "vmap-empty",
        .warning,
        "No <vmap:AdBreak>",
        why: "The content plays without ads.",
        fix: "Add <vmap:AdBreak>.",
        specification: "VMAP 1.0.1, <AdBreak>"
    )

    static let vmapOffsetMissing = LintRule(
        "vmap-offset-missing",
        .error,
        "<vmap:AdBreak> without timeOffset",
        why: "Players can't schedule it, and ignore it.",
        fix: "Add timeOffset: start, end, HH:MM:SS, n% or #n.",
        specification: "VMAP 1.0.1, <AdBreak> timeOffset"
    )

    static let vmapOffsetWrong = LintRule(
        "vmap-offset-wrong",
        .error,
        "Invalid timeOffset",
        why: "Players can't schedule it, and ignore it.",
        fix: "Write start, end, HH:MM:SS, n% or #n.",
        specification: "VMAP 1.0.1, <AdBreak> timeOffset"
    )

    static let vmapBreaktypeMissing = LintRule(
        "vmap-breaktype-missing",
        .error,
        "<vmap:AdBreak> without breakType",
        why: "Players don't know which kind of ad to show, and ignore the break.",
        fix: "Add breakType=\"linear\".",
        specification: "VMAP 1.0.1, <AdBreak> breakType"
    )

    static let vmapBreaktypeWrong = LintRule(
        "vmap-breaktype-wrong",
        .error,
        "Unknown breakType",
        why: "Players don't know which kind of ad to show, and ignore the break.",
        fix: "Write linear, nonlinear or display, separated by commas.",
        specification: "VMAP 1.0.1, <AdBreak> breakType"
    )

    static let vmapBreakidTwice = LintRule(
        "vmap-breakid-twice",
        .warning,
        "Duplicate breakId",
        why: "Reports and players treat them as one break.",
        fix: "Give each break its own breakId.",
        specification: "VMAP 1.0.1, <AdBreak> breakId"
    )

    static let vmapSourceMissing = LintRule(
        "vmap-source-missing",
        .warning,
        "<vmap:AdBreak> without <vmap:AdSource>",
        why: "The break has no ad; only its trackers are fired.",
        fix: "Add <vmap:AdSource> with a URL or a VAST response.",
        specification: "VMAP 1.0.1, <AdSource>"
    )

    static let vmapSourceEmpty = LintRule(
        "vmap-source-empty",
        .error,
        "Empty <vmap:AdSource>",
        why: "There is no ad.",
        fix: "Add <vmap:AdTagURI> or <vmap:VASTAdData>.",
        specification: "VMAP 1.0.1, <AdSource>"
    )

    static let vmapSourceSeveral = LintRule(
        "vmap-source-several",
        .error,
        "<vmap:AdSource> with more than one child",
        why: "Players use one of them, and not all use the same.",
        fix: "Keep one of VASTAdData, AdTagURI and CustomAdData.",
        specification: "VMAP 1.0.1, <AdSource>"
    )

    static let vmapTemplateMissing = LintRule(
        "vmap-template-missing",
        .warning,
        "Missing templateType",
        why: "Players don't know the format of the response.",
        fix: "Add templateType, such as templateType=\"vast4\".",
        specification: "VMAP 1.0.1, <AdTagURI> templateType"
    )

    static let vmapTemplateWrong = LintRule(
        "vmap-template-wrong",
        .warning,
        "Unknown templateType",
        why: "Players don't know the format of the response.",
        fix: "Write vast1, vast2, vast3, vast4 or proprietary.",
        specification: "VMAP 1.0.1, <AdTagURI> templateType"
    )

    static let vmapEventWrong = LintRule(
        "vmap-event-wrong",
        .error,
        "Unknown VMAP event",
        why: "Players never fire it.",
        fix: "Write breakStart, breakEnd or error.",
        specification: "VMAP 1.0.1, <Tracking> event"
    )

    static let vmapRepeatWrong = LintRule(
        "vmap-repeat-wrong",
        .warning,
        "Invalid repeatAfter",
        why: "The break is not repeated.",
        fix: "Write HH:MM:SS, such as repeatAfter=\"00:10:00\".",
        specification: "VMAP 1.0.1, <AdBreak> repeatAfter"
    )

    static let vmapElementOld = LintRule(
        "vmap-element-old",
        .warning,
        "<vmap:VASTData> instead of <vmap:VASTAdData>",
        why: "VMAP 1.0.1 names it VASTAdData, and players look for that.",
        fix: "Write <vmap:VASTAdData>.",
        specification: "VMAP 1.0.1, <VASTAdData>"
    )
}
