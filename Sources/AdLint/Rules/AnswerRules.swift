import AdHTML
import AdMarkup

/// What can be wrong with an answer of YABBI's server.
extension LintRule {
    static let answers: [LintRule] = [
        .answerNoJson, .answerNoObject, .answerForeign, .answerTypeMissing, .answerTypeUnknown, .answerNumberText,
        .answerFieldWrong, .answerFieldUnknown, .answerFieldMisspelt, .answerFieldTwice, .answerAdmMissing,
        .answerAdmEscaped, .answerAdmEncoded, .answerAdmMismatch, .answerTimeoutSeconds, .answerTimeoutNegative,
        .answerTimeoutLong, .answerSizeMissing, .answerSizeHalf, .answerSizeWrong, .answerSizeMismatch,
        .answerViewMissing, .answerClickMissing, .answerTrackerBroken, .answerTrackerInsecure, .answerTrackersSame,
        .answerBillingTwice,
    ]

    static let answerNoJson = LintRule(
        "answer-no-json",
        .error,
        "The ad response is not JSON",
        why: "It can't be read: the load fails.",
        cure: "Write it with a JSON library."
    )

    static let answerNoObject = LintRule(
        "answer-no-object",
        .error,
        "The ad response is not a JSON object",
        why: "It can't be read: the load fails.",
        cure: "Send one object with type, adm and the rest."
    )

    static let answerForeign = LintRule(
        "answer-foreign",
        .error,
        "JSON is not a known ad response",
        why: "It is neither YABBI's (type, adm) nor OpenRTB's (seatbid) nor Prebid's (bids), and no ad loads.",
        cure: "Send the ad response itself; a server's error message looks like this, too."
    )

    static let answerTypeMissing = LintRule(
        "answer-type-missing",
        .error,
        "No type",
        why: "The format is unknown: the load fails.",
        cure: "Add type: 1 banner, 2 video, 3 rewarded."
    )

    static let answerTypeUnknown = LintRule(
        "answer-type-unknown",
        .error,
        "Unknown type",
        why: "The format is unknown: the load fails.",
        cure: "Write 1 for a banner, 2 for video, 3 for rewarded."
    )

    static let answerNumberText = LintRule(
        "answer-number-text",
        .warning,
        "Number is a JSON string",
        why: "Strict readers refuse it.",
        cure: "Write it without quotation marks."
    )

    static let answerFieldWrong = LintRule(
        "answer-field-wrong",
        .error,
        "A field has the wrong kind of value",
        why: "It is ignored, and the default is used.",
        cure: "Write a number for sizes and times, and a text for URLs."
    )

    static let answerFieldUnknown = LintRule(
        "answer-field-unknown",
        .info,
        "Unknown field",
        why: "It is ignored.",
        cure: "Remove it."
    )

    static let answerFieldMisspelt = LintRule(
        "answer-field-misspelt",
        .warning,
        "Misspelt field",
        why: "It is ignored, and the default is used.",
        cure: "Write the name that the protocol has for it."
    )

    static let answerFieldTwice = LintRule(
        "answer-field-twice",
        .warning,
        "Duplicate field",
        why: "Some parsers use the first, others the last.",
        cure: "Keep one."
    )

    static let answerAdmMissing = LintRule(
        "answer-adm-missing",
        .warning,
        "No markup in adm",
        why: "It counts as no ad.",
        cure: "Put the markup into adm; without an ad send an empty adm, or 204."
    )

    static let answerAdmEscaped = LintRule(
        "answer-adm-escaped",
        .error,
        "Markup in adm is escaped",
        why: "It is shown as text, or not at all.",
        cure: "Put the markup into adm as it is: JSON's own escapes are enough."
    )

    static let answerAdmEncoded = LintRule(
        "answer-adm-encoded",
        .error,
        "Markup in adm is encoded",
        why: "It is not decoded.",
        cure: "Put the markup into adm as it is."
    )

    static let answerAdmMismatch = LintRule(
        "answer-adm-mismatch",
        .error,
        "Type and markup contradict each other",
        why: "A banner needs HTML, video and rewarded need VAST: the load fails.",
        cure: "Send the type that matches the markup."
    )

    static let answerTimeoutSeconds = LintRule(
        "answer-timeout-seconds",
        .warning,
        "closeTimeout looks like seconds",
        why: "It is in milliseconds: the ad can be closed almost at once.",
        cure: "Multiply by 1000: 5 s are 5000."
    )

    static let answerTimeoutNegative = LintRule(
        "answer-timeout-negative",
        .error,
        "closeTimeout is negative",
        why: "0 is used: the ad can be closed at once.",
        cure: "Write milliseconds from 0 on."
    )

    static let answerTimeoutLong = LintRule(
        "answer-timeout-long",
        .warning,
        "closeTimeout is longer than half a minute",
        why: "Users can't close the ad for that long; up to ten minutes are honoured.",
        cure: "Write 30000 at most."
    )

    static let answerSizeMissing = LintRule(
        "answer-size-missing",
        .warning,
        "Width or height is missing",
        why: "The ad is then adaptive in both.",
        cure: "Send both; 0 and 0 for an adaptive ad."
    )

    static let answerSizeHalf = LintRule(
        "answer-size-half",
        .warning,
        "Only one of width and height is 0",
        why: "The ad is then adaptive in both.",
        cure: "Give both sides, or 0 and 0."
    )

    static let answerSizeWrong = LintRule(
        "answer-size-wrong",
        .error,
        "Width or height out of range",
        why: "The ad is then adaptive in both.",
        cure: "Write points from 1 on, or 0."
    )

    static let answerSizeMismatch = LintRule(
        "answer-size-mismatch",
        .warning,
        "Size of the ad response and of the creative differ",
        why: "The creative is cropped, or has empty space around it.",
        cure: "Send the size that the creative was made for."
    )

    static let answerViewMissing = LintRule(
        "answer-view-missing",
        .error,
        "No view tracker",
        why: "The view is what is billed.",
        cure: "Add tracker.view with the URL of the billing pixel."
    )

    static let answerClickMissing = LintRule(
        "answer-click-missing",
        .warning,
        "No click tracker",
        why: "Clicks are missing in reports.",
        cure: "Add tracker.click."
    )

    static let answerTrackerBroken = LintRule(
        "answer-tracker-broken",
        .error,
        "Invalid tracker URL",
        why: "It is not an http or https URL, and the event is lost.",
        cure: "Use an https URL."
    )

    static let answerTrackerInsecure = LintRule(
        "answer-tracker-insecure",
        .warning,
        "Tracker URL is not https",
        why: "Apps on iOS refuse plain http by default, and the call is lost.",
        cure: "Use https."
    )

    static let answerTrackersSame = LintRule(
        "answer-trackers-same",
        .error,
        "View and click have the same tracker",
        why: "Each click is counted as a view and billed twice.",
        cure: "Use a different URL for each."
    )

    static let answerBillingTwice = LintRule(
        "answer-billing-twice",
        .error,
        "View tracker is also a pixel in the markup",
        why: "The tracker and the pixel are both called, and the view is billed twice.",
        cure: "Keep the tracker, and remove the pixel from adm."
    )
}
