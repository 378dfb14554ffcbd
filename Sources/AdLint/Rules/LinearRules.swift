import AdHTML
import AdMarkup

/// How long a video is, and when something happens in it.
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
        "The duration is missing",
        why: "Players can't count quartiles, and strict ones refuse the ad with error 101 or 202.",
        cure: "Add <Duration>00:00:30</Duration>."
    )

    static let durationWrong = LintRule(
        "duration-wrong",
        .error,
        "The duration can't be understood",
        why: "Players refuse the ad, or play it without quartiles and skip.",
        cure: "Write HH:MM:SS, as in 00:00:30."
    )

    static let durationForm = LintRule(
        "duration-form",
        .error,
        "The duration is not HH:MM:SS",
        why: "Some players understand it, others refuse the ad with error 101.",
        cure: "Write HH:MM:SS or HH:MM:SS.mmm, as in 00:00:30."
    )

    static let durationMilliseconds = LintRule(
        "duration-milliseconds",
        .error,
        "The duration looks like milliseconds",
        why: "A player that reads seconds takes the video for hours long.",
        cure: "Write HH:MM:SS, as in 00:00:30."
    )

    static let durationZero = LintRule(
        "duration-zero",
        .error,
        "The duration is zero",
        why: "Quartiles and completion are counted at once or never.",
        cure: "Write the length of the video."
    )

    static let durationLong = LintRule(
        "duration-long",
        .warning,
        "The video is longer than ten minutes",
        why: "Mostly the hours come first by mistake: 00:30:00 is half an hour.",
        cure: "Write 00:00:30 for thirty seconds."
    )

    static let mediafilesMissing = LintRule(
        "mediafiles-missing",
        .error,
        "A linear ad has no media",
        why: "There is nothing to play: error 401 or 403.",
        cure: "Add <MediaFiles> with at least one <MediaFile>."
    )

    static let skipoffsetWrong = LintRule(
        "skipoffset-wrong",
        .error,
        "The skip offset can't be understood",
        why: "The ad can't be skipped, or at once.",
        cure: "Write HH:MM:SS or a share, as in skipoffset=\"00:00:05\" or \"25%\"."
    )

    static let skipoffsetForm = LintRule(
        "skipoffset-form",
        .warning,
        "The skip offset is neither HH:MM:SS nor a share",
        why: "Some players read seconds, others nothing.",
        cure: "Write HH:MM:SS, as in skipoffset=\"00:00:05\"."
    )

    static let skipoffsetMilliseconds = LintRule(
        "skipoffset-milliseconds",
        .error,
        "The skip offset looks like milliseconds",
        why: "A player that reads seconds never lets anybody skip.",
        cure: "Write HH:MM:SS, as in skipoffset=\"00:00:05\"."
    )

    static let skipoffsetLate = LintRule(
        "skipoffset-late",
        .warning,
        "The ad can be skipped only when it is over",
        why: "The button never comes, or comes for nothing.",
        cure: "Take an offset that is less than the duration, or leave it out."
    )

    static let progressOffsetMissing = LintRule(
        "progress-offset-missing",
        .error,
        "A progress event has no offset",
        why: "Players don't know when to call it, and never do.",
        cure: "Add offset, as in offset=\"00:00:05\" or offset=\"25%\"."
    )

    static let offsetWrong = LintRule(
        "offset-wrong",
        .error,
        "An offset can't be understood",
        why: "The event is never counted.",
        cure: "Write HH:MM:SS or a share, as in 00:00:05 or 25%."
    )

    static let offsetForm = LintRule(
        "offset-form",
        .warning,
        "An offset is neither HH:MM:SS nor a share",
        why: "Some players read seconds, others nothing.",
        cure: "Write HH:MM:SS, as in 00:00:05."
    )

    static let offsetLate = LintRule(
        "offset-late",
        .warning,
        "An offset lies behind the end",
        why: "The event is never counted.",
        cure: "Take an offset that is less than the duration."
    )

    static let offsetIdle = LintRule(
        "offset-idle",
        .info,
        "An offset stands on an event that has none",
        why: "Only progress looks at it.",
        cure: "Leave it out, or make the event progress."
    )

    static let quartilesIncomplete = LintRule(
        "quartiles-incomplete",
        .info,
        "Some quartiles are not counted",
        why: "Reports have a hole between start and complete.",
        cure: "Track start, firstQuartile, midpoint, thirdQuartile and complete."
    )

    static let clickthroughMissing = LintRule(
        "clickthrough-missing",
        .info,
        "A linear ad has no ClickThrough",
        why: "A tap does nothing.",
        cure: "Add <VideoClicks><ClickThrough> with the landing page."
    )

    static let clicktrackingIdle = LintRule(
        "clicktracking-idle",
        .warning,
        "Clicks are counted, but lead nowhere",
        why: "Without <ClickThrough> there is no click to be counted.",
        cure: "Add <ClickThrough> beside <ClickTracking>."
    )

    static let adparametersIdle = LintRule(
        "adparameters-idle",
        .info,
        "AdParameters without an interactive media file",
        why: "Only interactive creatives read them, and there is none.",
        cure: "Leave them out, or add the interactive file that reads them."
    )
}
