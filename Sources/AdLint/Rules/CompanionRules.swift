import AdHTML
import AdMarkup

/// What stands beside and over the video.
extension LintRule {
    static let companions: [LintRule] = [
        .companionSizeMissing, .companionSizeZero, .companionEmpty, .companionClickthroughMissing,
        .companionRequiredWrong,
        .companionRenderingWrong, .resourceTypeMissing, .resourceTypeWrong, .resourceFlash, .resourceMarkupRaw,
        .iconProgramMissing, .iconSizeMissing, .iconPositionWrong, .iconEmpty, .iconClickthroughMissing,
        .nonlinearNone, .nonlinearSizeMissing, .nonlinearEmpty, .nonlinearDurationWrong,
        .nonlinearClickthroughMissing,
    ]

    static let companionSizeMissing = LintRule(
        "companion-size-missing",
        .error,
        "A companion has no width or height",
        why: "Players choose companions by size, and ignore those without one.",
        cure: "Add width and height in pixels."
    )

    static let companionSizeZero = LintRule(
        "companion-size-zero",
        .warning,
        "Companion size is 0",
        why: "Players choose companions by size, and no slot has this one.",
        cure: "Write the companion's width and height in pixels."
    )

    static let companionEmpty = LintRule(
        "companion-empty",
        .error,
        "Companion without a resource",
        why: "Players fail with error 600 or 604.",
        cure: "Add <StaticResource>, <HTMLResource> or <IFrameResource>."
    )

    static let companionClickthroughMissing = LintRule(
        "companion-clickthrough-missing",
        .warning,
        "Companion image without a click-through URL",
        why: "A tap on the end card does nothing.",
        cure: "Add <CompanionClickThrough> with the landing page."
    )

    static let companionRequiredWrong = LintRule(
        "companion-required-wrong",
        .warning,
        "Unknown value of required",
        why: "Players use the default, none.",
        cure: "Write all, any or none."
    )

    static let companionRenderingWrong = LintRule(
        "companion-rendering-wrong",
        .warning,
        "Unknown renderingMode",
        why: "Players use the default.",
        cure: "Write default, end-card or concurrent."
    )

    static let resourceTypeMissing = LintRule(
        "resource-type-missing",
        .error,
        "A static resource has no creativeType",
        why: "Players can't tell an image from a script.",
        cure: "Add creativeType, as in creativeType=\"image/png\"."
    )

    static let resourceTypeWrong = LintRule(
        "resource-type-wrong",
        .warning,
        "creativeType is not a MIME type",
        why: "Players can't recognise it, and ignore it.",
        cure: "Write the MIME type, as in image/png."
    )

    static let resourceFlash = LintRule(
        "resource-flash",
        .error,
        "A resource needs Flash",
        why: "Nothing has played Flash since 2020.",
        cure: "Send an image or HTML."
    )

    static let resourceMarkupRaw = LintRule(
        "resource-markup-raw",
        .error,
        "HTML without CDATA",
        why: "XML reads its tags as elements, and players get no text.",
        cure: "Put the HTML into <![CDATA[…]]>."
    )

    static let iconProgramMissing = LintRule(
        "icon-program-missing",
        .warning,
        "An icon has no program",
        why: "Players can't tell AdChoices from others, and show it twice with wrappers.",
        cure: "Add program, as in program=\"AdChoices\"."
    )

    static let iconSizeMissing = LintRule(
        "icon-size-missing",
        .warning,
        "An icon has no width or height",
        why: "Players don't know how large to draw it.",
        cure: "Add width and height in pixels."
    )

    static let iconPositionWrong = LintRule(
        "icon-position-wrong",
        .warning,
        "Invalid icon position",
        why: "Players put it anywhere, or leave it out.",
        cure: "Write a number of pixels, or left, right, top, bottom."
    )

    static let iconEmpty = LintRule(
        "icon-empty",
        .error,
        "Icon without a resource",
        why: "A notice that may be required by law is not shown.",
        cure: "Add <StaticResource>, <HTMLResource> or <IFrameResource>."
    )

    static let iconClickthroughMissing = LintRule(
        "icon-clickthrough-missing",
        .warning,
        "Icon without a click-through URL",
        why: "AdChoices must open its notice.",
        cure: "Add <IconClicks><IconClickThrough>."
    )

    static let nonlinearNone = LintRule(
        "nonlinear-none",
        .warning,
        "NonLinearAds has no NonLinear",
        why: "There is nothing to show.",
        cure: "Add a <NonLinear>, or leave the creative out."
    )

    static let nonlinearSizeMissing = LintRule(
        "nonlinear-size-missing",
        .error,
        "An overlay has no width or height",
        why: "Players can't tell whether it fits: error 501.",
        cure: "Add width and height in pixels."
    )

    static let nonlinearEmpty = LintRule(
        "nonlinear-empty",
        .error,
        "An overlay has nothing to show",
        why: "Players fail with error 500 or 503.",
        cure: "Add <StaticResource>, <HTMLResource> or <IFrameResource>."
    )

    static let nonlinearDurationWrong = LintRule(
        "nonlinear-duration-wrong",
        .warning,
        "minSuggestedDuration can't be understood",
        why: "Players take the overlay away when they like.",
        cure: "Write HH:MM:SS, as in 00:00:15."
    )

    static let nonlinearClickthroughMissing = LintRule(
        "nonlinear-clickthrough-missing",
        .info,
        "An overlay image leads nowhere",
        why: "A tap does nothing.",
        cure: "Add <NonLinearClickThrough> with the landing page."
    )
}
