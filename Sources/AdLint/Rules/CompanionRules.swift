/// Companions, icons and overlays.
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
        "Companion without width or height",
        why: "Players choose companions by size, and skip those without one.",
        fix: "Add width and height in pixels.",
        specification: "VAST 4.3 §3.13.1"
    )

    static let companionSizeZero = LintRule(
        "companion-size-zero",
        .warning,
        "Companion size is 0",
        why: "Players choose companions by size, and no slot has size 0.",
        fix: "Write the companion's width and height in pixels.",
        specification: "VAST 4.3 §3.13.1"
    )

    static let companionEmpty = LintRule(
        "companion-empty",
        .error,
        "Companion without a resource",
        why: "Players fail with error 600 or 604.",
        fix: "Add <StaticResource>, <HTMLResource> or <IFrameResource>.",
        specification: "VAST 4.3 §3.15"
    )

    static let companionClickthroughMissing = LintRule(
        "companion-clickthrough-missing",
        .warning,
        "Companion image without a click-through URL",
        why: "A tap on the end card does nothing.",
        fix: "Add <CompanionClickThrough> with the landing page.",
        specification: "VAST 4.3 §3.13.3"
    )

    static let companionRequiredWrong = LintRule(
        "companion-required-wrong",
        .warning,
        "Unknown value of required",
        why: "Players use the default, none.",
        fix: "Write all, any or none.",
        specification: "VAST 4.3 §3.13"
    )

    static let companionRenderingWrong = LintRule(
        "companion-rendering-wrong",
        .warning,
        "Unknown renderingMode",
        why: "Players use the default.",
        fix: "Write default, end-card or concurrent.",
        specification: "VAST 4.3 §3.13"
    )

    static let resourceTypeMissing = LintRule(
        "resource-type-missing",
        .error,
        "<StaticResource> without creativeType",
        why: "Players can't tell an image from a script.",
        fix: "Add creativeType, such as creativeType=\"image/png\".",
        specification: "VAST 4.3 §3.15.1"
    )

    static let resourceTypeWrong = LintRule(
        "resource-type-wrong",
        .warning,
        "creativeType is not a MIME type",
        why: "Players don't know the type, and ignore the resource.",
        fix: "Write the MIME type, such as image/png.",
        specification: "VAST 4.3 §3.15.1"
    )

    static let resourceFlash = LintRule(
        "resource-flash",
        .error,
        "Flash resource",
        why: "Flash has not been supported since 2020.",
        fix: "Send an image or HTML.",
        specification: "VAST 4.3 §1.7"
    )

    static let resourceMarkupRaw = LintRule(
        "resource-markup-raw",
        .error,
        "HTML without CDATA",
        why: "XML parses its tags as elements, and players find no HTML.",
        fix: "Put the HTML into <![CDATA[…]]>.",
        specification: "VAST 4.3 §3.15.3"
    )

    static let iconProgramMissing = LintRule(
        "icon-program-missing",
        .warning,
        "Icon without program",
        why: "Players can't recognize AdChoices, and show one icon for each wrapper.",
        fix: "Add program, such as program=\"AdChoices\".",
        specification: "VAST 4.3 §3.11.1"
    )

    static let iconSizeMissing = LintRule(
        "icon-size-missing",
        .warning,
        "Icon without width or height",
        why: "Players don't know how large to draw it.",
        fix: "Add width and height in pixels.",
        specification: "VAST 4.3 §3.11.1"
    )

    static let iconPositionWrong = LintRule(
        "icon-position-wrong",
        .warning,
        "Invalid icon position",
        why: "Players place it anywhere, or leave it out.",
        fix: "Write a number of pixels, or left, right, top, bottom.",
        specification: "VAST 4.3 §3.11.1"
    )

    static let iconEmpty = LintRule(
        "icon-empty",
        .error,
        "Icon without a resource",
        why: "A notice that the law may require is not shown.",
        fix: "Add <StaticResource>, <HTMLResource> or <IFrameResource>.",
        specification: "VAST 4.3 §3.11.1"
    )

    static let iconClickthroughMissing = LintRule(
        "icon-clickthrough-missing",
        .warning,
        "Icon without a click-through URL",
        why: "AdChoices must open its notice.",
        fix: "Add <IconClicks><IconClickThrough>.",
        specification: "VAST 4.3 §3.11.4"
    )

    static let nonlinearNone = LintRule(
        "nonlinear-none",
        .warning,
        "<NonLinearAds> without <NonLinear>",
        why: "There is nothing to show.",
        fix: "Add <NonLinear>, or remove the creative.",
        specification: "VAST 4.3 §3.12"
    )

    static let nonlinearSizeMissing = LintRule(
        "nonlinear-size-missing",
        .error,
        "Overlay without width or height",
        why: "Players can't tell whether it fits (error 501).",
        fix: "Add width and height in pixels.",
        specification: "VAST 4.3 §3.12.1"
    )

    static let nonlinearEmpty = LintRule(
        "nonlinear-empty",
        .error,
        "Overlay without a resource",
        why: "Players fail with error 500 or 503.",
        fix: "Add <StaticResource>, <HTMLResource> or <IFrameResource>.",
        specification: "VAST 4.3 §3.15"
    )

    static let nonlinearDurationWrong = LintRule(
        "nonlinear-duration-wrong",
        .warning,
        "Invalid minSuggestedDuration",
        why: "Players remove the overlay when they like.",
        fix: "Write HH:MM:SS, such as 00:00:15.",
        specification: "VAST 4.3 §3.12.1"
    )

    static let nonlinearClickthroughMissing = LintRule(
        "nonlinear-clickthrough-missing",
        .info,
        "Overlay image without a click-through URL",
        why: "A tap does nothing.",
        fix: "Add <NonLinearClickThrough> with the landing page.",
        specification: "VAST 4.3 §3.12.2"
    )
}
