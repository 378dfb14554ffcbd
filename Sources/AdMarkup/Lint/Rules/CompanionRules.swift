/// What stands beside and over the film.
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
        why: "Players choose by size, and pass over what has none.",
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
        "A companion has nothing to show",
        why: "Players fail with error 600 or 604.",
        cure: "Add <StaticResource>, <HTMLResource> or <IFrameResource>."
    )

    static let companionClickthroughMissing = LintRule(
        "companion-clickthrough-missing",
        .warning,
        "A companion picture leads nowhere",
        why: "A tap on the end card does nothing.",
        cure: "Add <CompanionClickThrough> with the landing page."
    )

    static let companionRequiredWrong = LintRule(
        "companion-required-wrong",
        .warning,
        "There is no such value of required",
        why: "Players take the default, none.",
        cure: "Write all, any or none."
    )

    static let companionRenderingWrong = LintRule(
        "companion-rendering-wrong",
        .warning,
        "There is no such renderingMode",
        why: "Players take the default.",
        cure: "Write default, end-card or concurrent."
    )

    static let resourceTypeMissing = LintRule(
        "resource-type-missing",
        .error,
        "A static resource has no creativeType",
        why: "Players don't know whether it is a picture or a script.",
        cure: "Add creativeType, as in creativeType=\"image/png\"."
    )

    static let resourceTypeWrong = LintRule(
        "resource-type-wrong",
        .warning,
        "A creativeType is no MIME type",
        why: "Players don't know what it is, and pass over it.",
        cure: "Write the MIME type, as in image/png."
    )

    static let resourceFlash = LintRule(
        "resource-flash",
        .error,
        "A resource needs Flash",
        why: "Nothing has played Flash since 2020.",
        cure: "Send a picture or HTML."
    )

    static let resourceMarkupRaw = LintRule(
        "resource-markup-raw",
        .error,
        "HTML stands in the document without CDATA",
        why: "XML takes its tags for elements, and players get no text.",
        cure: "Put the HTML into <![CDATA[…]]>."
    )

    static let iconProgramMissing = LintRule(
        "icon-program-missing",
        .warning,
        "An icon has no program",
        why: "Players can't tell AdChoices from others, and show it twice behind wrappers.",
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
        "An icon's position can't be understood",
        why: "Players put it anywhere, or leave it out.",
        cure: "Write a number of pixels, or left, right, top, bottom."
    )

    static let iconEmpty = LintRule(
        "icon-empty",
        .error,
        "An icon has nothing to show",
        why: "The notice that the law may want is not there.",
        cure: "Add <StaticResource>, <HTMLResource> or <IFrameResource>."
    )

    static let iconClickthroughMissing = LintRule(
        "icon-clickthrough-missing",
        .warning,
        "An icon leads nowhere",
        why: "AdChoices must lead to its notice.",
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
        "An overlay picture leads nowhere",
        why: "A tap does nothing.",
        cure: "Add <NonLinearClickThrough> with the landing page."
    )
}
