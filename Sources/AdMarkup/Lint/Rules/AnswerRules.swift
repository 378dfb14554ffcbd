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
        "The answer is no JSON",
        why: "It is not read at all: the load fails.",
        cure: "Write it with a JSON library."
    )

    static let answerNoObject = LintRule(
        "answer-no-object",
        .error,
        "The answer is no object",
        why: "It is not read at all: the load fails.",
        cure: "Send one object with type, adm and the rest."
    )

    static let answerForeign = LintRule(
        "answer-foreign",
        .error,
        "JSON is no ad response that is known",
        why: "It is neither YABBI's (type, adm) nor OpenRTB's (seatbid) nor Prebid's (bids), and no ad loads.",
        cure: "Send the ad response itself; an error message of the server looks like this, too."
    )

    static let answerTypeMissing = LintRule(
        "answer-type-missing",
        .error,
        "The type is missing",
        why: "Nobody knows how to show it: the load fails.",
        cure: "Add type: 1 banner, 2 video, 3 rewarded."
    )

    static let answerTypeUnknown = LintRule(
        "answer-type-unknown",
        .error,
        "There is no such type",
        why: "Nobody knows how to show it: the load fails.",
        cure: "Write 1 for a banner, 2 for video, 3 for rewarded."
    )

    static let answerNumberText = LintRule(
        "answer-number-text",
        .warning,
        "A number is written as text",
        why: "Strict readers refuse it.",
        cure: "Write it without quotation marks."
    )

    static let answerFieldWrong = LintRule(
        "answer-field-wrong",
        .error,
        "A field has the wrong kind of value",
        why: "It is left out, and the default taken.",
        cure: "Write a number for sizes and times, and a text for addresses."
    )

    static let answerFieldUnknown = LintRule(
        "answer-field-unknown",
        .info,
        "There is no such field",
        why: "Nobody reads it.",
        cure: "Take it out."
    )

    static let answerFieldMisspelt = LintRule(
        "answer-field-misspelt",
        .warning,
        "A field is misspelt",
        why: "Nobody reads it, and the default is taken.",
        cure: "Write the name that the protocol has for it."
    )

    static let answerFieldTwice = LintRule(
        "answer-field-twice",
        .warning,
        "A field is given twice",
        why: "Some readers take the first, others the last.",
        cure: "Keep one."
    )

    static let answerAdmMissing = LintRule(
        "answer-adm-missing",
        .warning,
        "The markup is missing",
        why: "It counts as no ad.",
        cure: "Put the markup into adm; without an ad send an empty adm, or 204."
    )

    static let answerAdmEscaped = LintRule(
        "answer-adm-escaped",
        .error,
        "The markup is escaped",
        why: "It is shown as text, or not at all.",
        cure: "Put the markup into adm as it is: JSON's own escapes are enough."
    )

    static let answerAdmEncoded = LintRule(
        "answer-adm-encoded",
        .error,
        "The markup is encoded",
        why: "Nobody decodes it.",
        cure: "Put the markup into adm as it is."
    )

    static let answerAdmMismatch = LintRule(
        "answer-adm-mismatch",
        .error,
        "Type and markup contradict each other",
        why: "A banner needs HTML, video and rewarded need VAST: the load fails.",
        cure: "Send the type that the markup is of."
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
        why: "0 is taken: the ad can be closed at once.",
        cure: "Write milliseconds from 0 on."
    )

    static let answerTimeoutLong = LintRule(
        "answer-timeout-long",
        .warning,
        "closeTimeout is longer than half a minute",
        why: "People can't close the ad for so long; up to ten minutes are honoured.",
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
        "One side is 0, and the other is not",
        why: "The ad is then adaptive in both.",
        cure: "Give both sides, or 0 and 0."
    )

    static let answerSizeWrong = LintRule(
        "answer-size-wrong",
        .error,
        "A side can't be the side of an ad",
        why: "The ad is then adaptive in both.",
        cure: "Write points from 1 on, or 0."
    )

    static let answerSizeMismatch = LintRule(
        "answer-size-mismatch",
        .warning,
        "The answer and the creative differ in size",
        why: "The creative is cut, or stands in empty space.",
        cure: "Send the size that the creative was made for."
    )

    static let answerViewMissing = LintRule(
        "answer-view-missing",
        .error,
        "Nobody is told of a view",
        why: "The view is what is billed.",
        cure: "Add tracker.view with the address of the billing pixel."
    )

    static let answerClickMissing = LintRule(
        "answer-click-missing",
        .warning,
        "Nobody is told of a click",
        why: "Clicks are missing in reports.",
        cure: "Add tracker.click."
    )

    static let answerTrackerBroken = LintRule(
        "answer-tracker-broken",
        .error,
        "A tracker can't be called",
        why: "It is no http or https address, and nobody is told.",
        cure: "Write an https address."
    )

    static let answerTrackerInsecure = LintRule(
        "answer-tracker-insecure",
        .warning,
        "Tracker URL is not https",
        why: "Apps on iOS refuse plain http by default, and the call is lost.",
        cure: "Write https."
    )

    static let answerTrackersSame = LintRule(
        "answer-trackers-same",
        .error,
        "View and click have the same tracker",
        why: "Each click counts as a view, and somebody pays twice.",
        cure: "Give each an address of its own."
    )

    static let answerBillingTwice = LintRule(
        "answer-billing-twice",
        .error,
        "The view is counted in the markup as well",
        why: "The tracker and the pixel are both called, and somebody pays twice.",
        cure: "Keep the tracker, and take the pixel out of adm."
    )
}
