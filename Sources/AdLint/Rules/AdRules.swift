/// Ads, pods and creatives, and the elements that each requires.
extension LintRule {
    static let ads: [LintRule] = [
        .adNone, .adEmpty, .adTwoKinds, .adIdMissing, .adIdTwice, .adSequenceWrong, .adSequenceTwice, .adSequenceGap,
        .adSequenceLone, .adSequenceLoneWrapper, .adConditional, .adTypeWrong, .errorBesideAd, .errorMissing,
        .adsystemMissing,
        .adtitleMissing, .adservingidMissing, .impressionMissing, .impressionMissingWrapper, .creativesMissing,
        .creativeEmpty, .creativeTwoKinds, .creativeLinearTwice, .universaladidMissing, .universaladidRegistryMissing,
        .universaladidEmpty, .categoryAuthorityMissing, .pricingModelWrong, .pricingCurrencyWrong, .pricingValueWrong,
        .expiresWrong, .surveyOld, .viewableEmpty,
    ]

    static let adNone = LintRule(
        "ad-none",
        .info,
        "Neither <Ad> nor <Error>",
        why: "A response without an ad is valid, but without <Error> no error URL is fired for it.",
        fix: "Add <Error> with a URL to <VAST>; players fire it with error 303.",
        specification: "VAST 4.3 §3.2.1"
    )

    static let adEmpty = LintRule(
        "ad-empty",
        .error,
        "<Ad> with neither <InLine> nor <Wrapper>",
        why: "Players skip it with error 101.",
        fix: "Add <InLine> or <Wrapper>, or remove the ad.",
        specification: "VAST 4.3 §3.3.2"
    )

    static let adTwoKinds = LintRule(
        "ad-two-kinds",
        .error,
        "<Ad> with both <InLine> and <Wrapper>",
        why: "Players use one of the two, and not all use the same.",
        fix: "Split it into two ads.",
        specification: "VAST 4.3 §3.3.2"
    )

    static let adIdMissing = LintRule(
        "ad-id-missing",
        .info,
        "<Ad> without an id",
        why: "VAST 2.0 and 3.0 require it, and reports can't tell the ads apart.",
        fix: "Give each <Ad> an id.",
        specification: "VAST 4.3 §3.3.2"
    )

    static let adIdTwice = LintRule(
        "ad-id-twice",
        .warning,
        "Duplicate ad id",
        why: "Players and reports treat them as one ad.",
        fix: "Give each <Ad> its own id."
    )

    static let adSequenceWrong = LintRule(
        "ad-sequence-wrong",
        .error,
        "Invalid sequence",
        why: "The ad drops out of its pod, or the pod is not recognized.",
        fix: "Number the ads of a pod from 1, such as sequence=\"1\".",
        specification: "VAST 4.3 §3.3.2"
    )

    static let adSequenceTwice = LintRule(
        "ad-sequence-twice",
        .warning,
        "Duplicate sequence in a pod",
        why: "The values must be unique: which of the two ads plays is undefined.",
        fix: "Number the ads of a pod 1, 2, 3.",
        specification: "VAST 4.3 §3.3.1"
    )

    static let adSequenceGap = LintRule(
        "ad-sequence-gap",
        .warning,
        "Gap in the sequence of a pod",
        why: "Some players wait for the missing ad, or end the pod there.",
        fix: "Number the ads of a pod 1, 2, 3 without a gap.",
        specification: "VAST 4.3 §3.3.1"
    )

    static let adSequenceLone = LintRule(
        "ad-sequence-lone",
        .info,
        "Single ad with a sequence",
        why: "It is a pod of one: some players drop it when it comes from a wrapper without allowMultipleAds.",
        fix: "Remove sequence from an ad that is not part of a pod.",
        specification: "VAST 4.3 §3.3.1"
    )

    static let adSequenceLoneWrapper = LintRule(
        "ad-sequence-lone-wrapper",
        .warning,
        "Single wrapper with a sequence",
        why: "It makes the ad of the next server a pod of one.",
        fix: "Remove sequence from an ad that is not part of a pod.",
        specification: "VAST 4.3 §3.3.1"
    )

    static let adConditional = LintRule(
        "ad-conditional",
        .info,
        "conditionalAd is deprecated",
        why: "VAST 4.1 deprecates it, and players ignore it.",
        fix: "Remove it.",
        specification: "VAST 4.3 §3.3.2"
    )

    static let adTypeWrong = LintRule(
        "ad-type-wrong",
        .error,
        "Unknown adType",
        why: "Players that check it skip the ad with error 200.",
        fix: "Write video, audio or hybrid.",
        specification: "VAST 4.3 §3.3.2"
    )

    static let errorBesideAd = LintRule(
        "error-beside-ad",
        .warning,
        "<Error> under <VAST> together with an <Ad>",
        why: "It reports a response without an ad: next to an ad it is never fired, or wrongly.",
        fix: "Move it into the ad's <InLine> or <Wrapper>.",
        specification: "VAST 4.3 §3.2.1"
    )

    static let errorMissing = LintRule(
        "error-missing",
        .info,
        "Ad without an <Error> URL",
        why: "When the ad can't be played, no error URL is fired.",
        fix: "Add <Error> with a URL that contains [ERRORCODE].",
        specification: "VAST 4.3 §3.4.11"
    )

    static let adsystemMissing = LintRule(
        "adsystem-missing",
        .warning,
        "Missing <AdSystem>",
        why: "The schema requires it; strict players reject the ad with error 101.",
        fix: "Add <AdSystem> with the name of the ad server.",
        specification: "VAST 4.3 §3.4.1"
    )

    static let adtitleMissing = LintRule(
        "adtitle-missing",
        .warning,
        "Missing <AdTitle>",
        why: "The schema requires it; strict players reject the ad with error 101.",
        fix: "Add <AdTitle> with a name that people recognize in reports.",
        specification: "VAST 4.3 §3.4.2"
    )

    static let adservingidMissing = LintRule(
        "adservingid-missing",
        .warning,
        "Missing <AdServingId>",
        why: "VAST 4.1 requires it: without it, buyer and seller can't compare their reports.",
        fix: "Add <AdServingId> with an id that is new each time the ad is served.",
        specification: "VAST 4.3 §3.4.3"
    )

    static let impressionMissing = LintRule(
        "impression-missing",
        .error,
        "Inline ad without <Impression>",
        why: "No impression is recorded, and nothing is billed.",
        fix: "Add <Impression> with the URL of the billing pixel.",
        specification: "VAST 4.3 §3.4.4"
    )

    static let impressionMissingWrapper = LintRule(
        "impression-missing-wrapper",
        .warning,
        "Wrapper without <Impression>",
        why: "The schema requires it; strict players reject the ad with error 101.",
        fix: "Add <Impression>; if you do not count impressions, any URL that responds will do.",
        specification: "VAST 4.3 §3.19"
    )

    static let creativesMissing = LintRule(
        "creatives-missing",
        .error,
        "Inline ad without a <Creative>",
        why: "There is nothing to play (error 101).",
        fix: "Add <Creatives> with a <Creative> that has <Linear>.",
        specification: "VAST 4.3 §3.6"
    )

    static let creativeEmpty = LintRule(
        "creative-empty",
        .error,
        "Empty <Creative>",
        why: "There is nothing to play or show.",
        fix: "Add <Linear>, <NonLinearAds> or <CompanionAds>, or remove the creative.",
        specification: "VAST 4.3 §3.7"
    )

    static let creativeTwoKinds = LintRule(
        "creative-two-kinds",
        .warning,
        "<Creative> with more than one type",
        why: "The schema allows one; players use the first and ignore the rest.",
        fix: "Use a <Creative> of its own for each type.",
        specification: "VAST 4.3 §3.7"
    )

    static let creativeLinearTwice = LintRule(
        "creative-linear-twice",
        .warning,
        "Ad with two linear creatives",
        why: "Players play only one of them.",
        fix: "Make a pod: one <Ad sequence=\"…\"> for each video."
    )

    static let universaladidMissing = LintRule(
        "universaladid-missing",
        .warning,
        "Missing <UniversalAdId>",
        why: "VAST 4.0 requires it, so that all systems recognize the same creative.",
        fix: "Add <UniversalAdId idRegistry=\"…\"> to the <Creative>.",
        specification: "VAST 4.3 §3.7.1"
    )

    static let universaladidRegistryMissing = LintRule(
        "universaladid-registry-missing",
        .warning,
        "<UniversalAdId> without idRegistry",
        why: "The id has no meaning without its registry.",
        fix: "Add idRegistry, such as idRegistry=\"ad-id.org\"; \"unknown\" is allowed.",
        specification: "VAST 4.3 §3.7.1"
    )

    static let universaladidEmpty = LintRule(
        "universaladid-empty",
        .warning,
        "Empty <UniversalAdId>",
        why: "Other systems can't recognize the same creative.",
        fix: "Write the id as text; VAST 4.0 requires idValue too.",
        specification: "VAST 4.3 §3.7.1"
    )

    static let categoryAuthorityMissing = LintRule(
        "category-authority-missing",
        .warning,
        "Category without authority",
        why: "The code has no meaning without its list, and players ignore it.",
        fix: "Add authority, such as authority=\"iabtechlab.com\".",
        specification: "VAST 4.3 §3.4.5"
    )

    static let pricingModelWrong = LintRule(
        "pricing-model-wrong",
        .warning,
        "Unknown pricing model",
        why: "Players and reports can't use the price.",
        fix: "Set model to CPM, CPC, CPE or CPV.",
        specification: "VAST 4.3 §3.4.8"
    )

    static let pricingCurrencyWrong = LintRule(
        "pricing-currency-wrong",
        .warning,
        "Currency is not an ISO 4217 code",
        why: "Players and reports can't use the price.",
        fix: "Set currency to a code of three letters, such as USD.",
        specification: "VAST 4.3 §3.4.8"
    )

    static let pricingValueWrong = LintRule(
        "pricing-value-wrong",
        .warning,
        "Price is not a number",
        why: "Players and reports can't use the price.",
        fix: "Write digits and a decimal point, such as 25.00.",
        specification: "VAST 4.3 §3.4.8"
    )

    static let expiresWrong = LintRule(
        "expires-wrong",
        .warning,
        "<Expires> is not a number of seconds",
        why: "Players cache the ad for as long as they like.",
        fix: "Write whole seconds, such as <Expires>3600</Expires>.",
        specification: "VAST 4.3 §3.4.10"
    )

    static let surveyOld = LintRule(
        "survey-old",
        .info,
        "<Survey> is deprecated",
        why: "VAST 4.1 deprecates it, and players don't load it.",
        fix: "Remove it; measure with <AdVerifications>.",
        specification: "VAST 4.3 §3.4.9"
    )

    static let viewableEmpty = LintRule(
        "viewable-empty",
        .info,
        "ViewableImpression without a URL",
        why: "Viewability is not reported.",
        fix: "Add <Viewable>, <NotViewable> or <ViewUndetermined> with a URL.",
        specification: "VAST 4.3 §3.5"
    )
}
