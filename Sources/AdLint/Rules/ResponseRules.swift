/// The fields of an ad response of YABBI's server.
extension LintRule {
    static let responses: [LintRule] = [
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
        why: "It can't be read, and the load fails.",
        fix: "Generate it with a JSON library.",
        specification: "RFC 8259"
    )

    static let answerNoObject = LintRule(
        "answer-no-object",
        .error,
        "The ad response is not a JSON object",
        why: "It can't be read, and the load fails.",
        fix: "Send one object with type, adm and the other fields."
    )

    package static let answerForeign = LintRule(
        "answer-foreign",
        .error,
        "Not a known ad response",
        why: "It has no fields of YABBI (type, adm), OpenRTB (seatbid) or Prebid (bids), and no ad loads.",
        fix: "Send the ad response itself; an error message of a server looks like this, too."
    )

    static let answerTypeMissing = LintRule(
        "answer-type-missing",
        .error,
        "Missing type",
        why: "The format is unknown, and the load fails.",
        fix: "Add type: 1 banner, 2 video, 3 rewarded."
    )

    static let answerTypeUnknown = LintRule(
        "answer-type-unknown",
        .error,
        "Unknown type",
        why: "The format is unknown, and the load fails.",
        fix: "Use 1 for a banner, 2 for video, 3 for rewarded."
    )

    static let answerNumberText = LintRule(
        "answer-number-text",
        .warning,
        "Number is a JSON string",
        why: "Strict parsers reject it.",
        fix: "Write it without quotation marks."
    )

    static let answerFieldWrong = LintRule(
        "answer-field-wrong",
        .error,
        "Field has the wrong type",
        why: "It is ignored, and the default is used.",
        fix: "Use numbers for sizes and times, and strings for URLs."
    )

    static let answerFieldUnknown = LintRule(
        "answer-field-unknown",
        .info,
        "Unknown field",
        why: "It is ignored.",
        fix: "Remove it."
    )

    static let answerFieldMisspelt = LintRule(
        "answer-field-misspelt",
        .warning,
        "Misspelt field",
        why: "It is ignored, and the default is used.",
        fix: "Write the name as the protocol spells it."
    )

    static let answerFieldTwice = LintRule(
        "answer-field-twice",
        .warning,
        "Duplicate field",
        why: "Some parsers use the first, others the last.",
        fix: "Keep one.",
        specification: "RFC 8259 §4"
    )

    static let answerAdmMissing = LintRule(
        "answer-adm-missing",
        .warning,
        "Missing adm",
        why: "The response counts as no fill.",
        fix: "Put the markup into adm; for no fill send an empty adm, or status 204."
    )

    static let answerAdmEscaped = LintRule(
        "answer-adm-escaped",
        .error,
        "Markup in adm is escaped",
        why: "It is shown as text, or not at all.",
        fix: "Put the markup into adm unescaped: a JSON string needs no other escapes."
    )

    static let answerAdmEncoded = LintRule(
        "answer-adm-encoded",
        .error,
        "Markup in adm is encoded",
        why: "It is never decoded, and not shown.",
        fix: "Put the markup into adm without encoding it."
    )

    static let answerAdmMismatch = LintRule(
        "answer-adm-mismatch",
        .error,
        "Type and markup do not match",
        why: "A banner needs HTML, video and rewarded need VAST: the load fails.",
        fix: "Send the type that matches the markup."
    )

    static let answerTimeoutSeconds = LintRule(
        "answer-timeout-seconds",
        .warning,
        "closeTimeout looks like seconds",
        why: "The unit is milliseconds: the ad can be closed almost at once.",
        fix: "Multiply by 1000: 5 seconds are 5000."
    )

    static let answerTimeoutNegative = LintRule(
        "answer-timeout-negative",
        .error,
        "closeTimeout is negative",
        why: "0 is used instead: the ad can be closed at once.",
        fix: "Use milliseconds, from 0 on."
    )

    static let answerTimeoutLong = LintRule(
        "answer-timeout-long",
        .warning,
        "closeTimeout is longer than 30 seconds",
        why: "Users can't close the ad for that long; the limit is ten minutes.",
        fix: "Use 30000 at most."
    )

    static let answerSizeMissing = LintRule(
        "answer-size-missing",
        .warning,
        "Missing width or height",
        why: "The ad becomes adaptive in both.",
        fix: "Send both; use 0 and 0 for an adaptive ad."
    )

    static let answerSizeHalf = LintRule(
        "answer-size-half",
        .warning,
        "Only one of width and height is 0",
        why: "The ad becomes adaptive in both.",
        fix: "Send both sizes, or 0 and 0."
    )

    static let answerSizeWrong = LintRule(
        "answer-size-wrong",
        .error,
        "Width or height is out of range",
        why: "The ad becomes adaptive in both.",
        fix: "Use points from 1 on, or 0."
    )

    static let answerSizeMismatch = LintRule(
        "answer-size-mismatch",
        .warning,
        "Ad response and creative differ in size",
        why: "The creative is cropped, or has empty space around it.",
        fix: "Send the size that the creative was made for."
    )

    static let answerViewMissing = LintRule(
        "answer-view-missing",
        .error,
        "No view tracker",
        why: "Views are what is billed.",
        fix: "Add tracker.view with the URL of the billing pixel."
    )

    static let answerClickMissing = LintRule(
        "answer-click-missing",
        .warning,
        "No click tracker",
        why: "Clicks are missing in reports.",
        fix: "Add tracker.click with the URL of the click tracker."
    )

    static let answerTrackerBroken = LintRule(
        "answer-tracker-broken",
        .error,
        "Invalid tracker URL",
        why: "It is not an http or https URL, and the event is lost.",
        fix: "Use an https URL."
    )

    static let answerTrackerInsecure = LintRule(
        "answer-tracker-insecure",
        .warning,
        "Tracker URL is not https",
        why: "iOS apps block plain http by default, and the request is lost.",
        fix: "Use https."
    )

    static let answerTrackersSame = LintRule(
        "answer-trackers-same",
        .error,
        "View and click trackers are the same",
        why: "Each click is counted as a view, and billed.",
        fix: "Use a URL of its own for each."
    )

    static let answerBillingTwice = LintRule(
        "answer-billing-twice",
        .error,
        "View tracker is also a pixel in the markup",
        why: "Both are requested, and the view is billed twice.",
        fix: "Keep the tracker, and remove the pixel from adm."
    )
}
