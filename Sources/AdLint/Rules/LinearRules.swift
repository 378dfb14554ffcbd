/// The duration of linear ads, their offsets and clicks.
extension LintRule {
    static let linear: [LintRule] = [
        .durationMissing, .durationWrong, .durationForm, .durationMilliseconds, .durationZero, .durationLong,
        .mediafilesMissing, .skipoffsetWrong, .skipoffsetForm, .skipoffsetMilliseconds, .skipoffsetLate,
        .progressOffsetMissing, .offsetWrong, .offsetForm, .offsetLate, .offsetIdle, .quartilesIncomplete,
        .clickthroughMissing, .clicktrackingIdle, .adparametersIdle,
    ]

    static let durationMissing = LintRule(
        "duration-missing",
        .error,
        "Missing <Duration>",
        why: "Quartiles can't be tracked, and strict players reject the ad with error 101 or 202.",
        fix: "Add <Duration>00:00:30</Duration>.",
        specification: "VAST 4.3 §3.8.1"
    )

    static let durationWrong = LintRule(
        "duration-wrong",
        .error,
        "Invalid <Duration>",
        why: "Players reject the ad, or play it without quartiles and skip button.",
        fix: "Write HH:MM:SS, such as 00:00:30.",
        specification: "VAST 4.3 §3.8.1"
    )

    static let durationForm = LintRule(
        "duration-form",
        .error,
        "<Duration> is not HH:MM:SS",
        why: "Some players accept it, others reject the ad with error 101.",
        fix: "Write HH:MM:SS or HH:MM:SS.mmm, such as 00:00:30.",
        specification: "VAST 4.3 §3.8.1"
    )

    static let durationMilliseconds = LintRule(
        "duration-milliseconds",
        .error,
        "<Duration> looks like milliseconds",
        why: "A player that reads seconds expects a video that is hours long.",
        fix: "Write HH:MM:SS, such as 00:00:30.",
        specification: "VAST 4.3 §3.8.1"
    )

    static let durationZero = LintRule(
        "duration-zero",
        .error,
        "<Duration> is zero",
        why: "Quartiles and completion are tracked at once, or never.",
        fix: "Write the length of the video.",
        specification: "VAST 4.3 §3.8.1"
    )

    static let durationLong = LintRule(
        "duration-long",
        .warning,
        "Video is longer than ten minutes",
        why: "Often a mistake: the hours come first, so 00:30:00 is half an hour.",
        fix: "Write 00:00:30 for 30 seconds."
    )

    static let mediafilesMissing = LintRule(
        "mediafiles-missing",
        .error,
        "Linear ad without media files",
        why: "There is nothing to play (error 401 or 403).",
        fix: "Add <MediaFiles> with at least one <MediaFile>.",
        specification: "VAST 4.3 §3.9"
    )

    static let skipoffsetWrong = LintRule(
        "skipoffset-wrong",
        .error,
        "Invalid skipoffset",
        why: "The ad can't be skipped, or can be skipped at once.",
        fix: "Write HH:MM:SS or a percentage, such as skipoffset=\"00:00:05\" or \"25%\".",
        specification: "VAST 4.3 §3.8"
    )

    static let skipoffsetForm = LintRule(
        "skipoffset-form",
        .warning,
        "skipoffset is neither HH:MM:SS nor a percentage",
        why: "Some players read seconds, others ignore it.",
        fix: "Write HH:MM:SS, such as skipoffset=\"00:00:05\".",
        specification: "VAST 4.3 §3.8"
    )

    static let skipoffsetMilliseconds = LintRule(
        "skipoffset-milliseconds",
        .error,
        "skipoffset looks like milliseconds",
        why: "A player that reads seconds never shows the skip button.",
        fix: "Write HH:MM:SS, such as skipoffset=\"00:00:05\".",
        specification: "VAST 4.3 §3.8"
    )

    static let skipoffsetLate = LintRule(
        "skipoffset-late",
        .warning,
        "skipoffset is not before the end of the video",
        why: "The skip button never appears, or is of no use.",
        fix: "Use an offset that is less than the duration, or remove skipoffset.",
        specification: "VAST 4.3 §3.8"
    )

    static let progressOffsetMissing = LintRule(
        "progress-offset-missing",
        .error,
        "progress event without an offset",
        why: "Players don't know when to fire it, and never do.",
        fix: "Add offset, such as offset=\"00:00:05\" or offset=\"25%\".",
        specification: "VAST 4.3 §3.14.3"
    )

    static let offsetWrong = LintRule(
        "offset-wrong",
        .error,
        "Invalid offset",
        why: "Players ignore it, and never fire an event with such an offset.",
        fix: "Write HH:MM:SS or a percentage, such as 00:00:05 or 25%.",
        specification: "VAST 4.3 §3.14.3"
    )

    static let offsetForm = LintRule(
        "offset-form",
        .warning,
        "Offset is neither HH:MM:SS nor a percentage",
        why: "Some players read seconds, others ignore it.",
        fix: "Write HH:MM:SS, such as 00:00:05.",
        specification: "VAST 4.3 §3.14.3"
    )

    static let offsetLate = LintRule(
        "offset-late",
        .warning,
        "Offset is after the end of the video",
        why: "The event is never fired.",
        fix: "Use an offset that is less than the duration.",
        specification: "VAST 4.3 §3.14.3"
    )

    static let offsetIdle = LintRule(
        "offset-idle",
        .info,
        "Offset on an event other than progress",
        why: "Players use the offset of progress events only.",
        fix: "Remove it, or change the event to progress.",
        specification: "VAST 4.3 §3.14.3"
    )

    static let quartilesIncomplete = LintRule(
        "quartiles-incomplete",
        .info,
        "Some quartiles are not tracked",
        why: "Reports have a gap between start and complete.",
        fix: "Track start, firstQuartile, midpoint, thirdQuartile and complete.",
        specification: "VAST 4.3 §3.14.1"
    )

    static let clickthroughMissing = LintRule(
        "clickthrough-missing",
        .info,
        "Linear ad without <ClickThrough>",
        why: "A tap does nothing.",
        fix: "Add <VideoClicks><ClickThrough> with the landing page.",
        specification: "VAST 4.3 §3.10.1"
    )

    static let clicktrackingIdle = LintRule(
        "clicktracking-idle",
        .warning,
        "<ClickTracking> without <ClickThrough>",
        why: "Without a click-through URL there is no click to track.",
        fix: "Add <ClickThrough> next to <ClickTracking>.",
        specification: "VAST 4.3 §3.10"
    )

    static let adparametersIdle = LintRule(
        "adparameters-idle",
        .info,
        "AdParameters without an interactive media file",
        why: "Only interactive creatives read them, and there is none.",
        fix: "Remove them, or add the interactive file that reads them.",
        specification: "VAST 4.3 §3.8.2"
    )
}
