import AdHTML
import AdMarkup

/// Ads, pods, and what each must have.
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
        why: "Having no ad is no fault, but no error URL is fired for it.",
        cure: "Add <Error> with a URL to <VAST>; players call it with code 303."
    )

    static let adEmpty = LintRule(
        "ad-empty",
        .error,
        "An ad is neither inline nor a wrapper",
        why: "Players skip it with error 101.",
        cure: "Put <InLine> or <Wrapper> into it, or leave the ad out."
    )

    static let adTwoKinds = LintRule(
        "ad-two-kinds",
        .error,
        "An ad is both inline and a wrapper",
        why: "Players choose one of the two, and not all choose the same.",
        cure: "Make two ads of it."
    )

    static let adIdMissing = LintRule(
        "ad-id-missing",
        .info,
        "An ad has no id",
        why: "2.0 and 3.0 require it, and reports can't tell the ads apart.",
        cure: "Give each <Ad> an id."
    )

    static let adIdTwice = LintRule(
        "ad-id-twice",
        .warning,
        "Two ads have the same id",
        why: "Players and reports treat them as one ad.",
        cure: "Give each <Ad> an id of its own."
    )

    static let adSequenceWrong = LintRule(
        "ad-sequence-wrong",
        .error,
        "sequence is not a positive number",
        why: "The ad falls out of its pod, or the pod is not recognised.",
        cure: "Count from 1 on: sequence=\"1\"."
    )

    static let adSequenceTwice = LintRule(
        "ad-sequence-twice",
        .warning,
        "Two ads of a pod have the same sequence",
        why: "It is undefined which of the two plays.",
        cure: "Number the ads of a pod 1, 2, 3."
    )

    static let adSequenceGap = LintRule(
        "ad-sequence-gap",
        .warning,
        "The sequence of a pod has a gap",
        why: "Some players wait for the missing ad, or end the pod there.",
        cure: "Number the ads of a pod 1, 2, 3 without a gap."
    )

    static let adSequenceLone = LintRule(
        "ad-sequence-lone",
        .info,
        "The only ad has a sequence",
        why: "That makes it a pod of one; behind a wrapper without allowMultipleAds it disappears.",
        cure: "Leave sequence out where there is one ad."
    )

    static let adSequenceLoneWrapper = LintRule(
        "ad-sequence-lone-wrapper",
        .warning,
        "The only ad is a wrapper, and has a sequence",
        why: "It makes a pod of one ad out of whatever comes from the next server.",
        cure: "Leave sequence out where there is one ad."
    )

    static let adConditional = LintRule(
        "ad-conditional",
        .info,
        "conditionalAd is deprecated",
        why: "VAST 4.1 deprecates it, and players ignore it.",
        cure: "Leave it out."
    )

    static let adTypeWrong = LintRule(
        "ad-type-wrong",
        .error,
        "Unknown adType",
        why: "Players that look at it skip the ad with error 200.",
        cure: "Write video, audio or hybrid."
    )

    static let errorBesideAd = LintRule(
        "error-beside-ad",
        .warning,
        "<Error> under <VAST> together with an <Ad>",
        why: "It is for responses without an ad; with an ad it is never called, or wrongly.",
        cure: "Move it into the ad's <InLine> or <Wrapper>."
    )

    static let errorMissing = LintRule(
        "error-missing",
        .info,
        "Ad without an <Error> URL",
        why: "When it can't be played, no error URL is fired.",
        cure: "Add <Error> with a URL that has [ERRORCODE] in it."
    )

    static let adsystemMissing = LintRule(
        "adsystem-missing",
        .warning,
        "AdSystem is missing",
        why: "The schema requires it, and strict players answer with error 101.",
        cure: "Add <AdSystem> with the name of the server."
    )

    static let adtitleMissing = LintRule(
        "adtitle-missing",
        .warning,
        "AdTitle is missing",
        why: "The schema requires it, and strict players answer with error 101.",
        cure: "Add <AdTitle> with a name that users recognise."
    )

    static let adservingidMissing = LintRule(
        "adservingid-missing",
        .warning,
        "AdServingId is missing",
        why: "4.1 requires it: without it buyer and seller can't compare their numbers.",
        cure: "Add <AdServingId> with an id that is new for each serving."
    )

    static let impressionMissing = LintRule(
        "impression-missing",
        .error,
        "An inline ad has no Impression",
        why: "No impression is recorded, and nothing is billed.",
        cure: "Add <Impression> with the URL of the billing pixel."
    )

    static let impressionMissingWrapper = LintRule(
        "impression-missing-wrapper",
        .warning,
        "A wrapper has no Impression",
        why: "The schema requires it, and strict players answer with error 101.",
        cure: "Add <Impression>; if nothing is counted, any URL that responds will do."
    )

    static let creativesMissing = LintRule(
        "creatives-missing",
        .error,
        "An inline ad has no creative",
        why: "There is nothing to play (error 101).",
        cure: "Add <Creatives> with a <Creative> that has <Linear>."
    )

    static let creativeEmpty = LintRule(
        "creative-empty",
        .error,
        "Empty <Creative>",
        why: "There is nothing to play or to show.",
        cure: "Put <Linear>, <NonLinearAds> or <CompanionAds> into it, or leave it out."
    )

    static let creativeTwoKinds = LintRule(
        "creative-two-kinds",
        .warning,
        "A creative has more than one type",
        why: "The schema allows one; players use the first and ignore the rest.",
        cure: "Make a <Creative> for each of them."
    )

    static let creativeLinearTwice = LintRule(
        "creative-linear-twice",
        .warning,
        "An ad has two linear creatives",
        why: "Players play one of them.",
        cure: "Make a pod: one <Ad sequence=\"…\"> for each video."
    )

    static let universaladidMissing = LintRule(
        "universaladid-missing",
        .warning,
        "UniversalAdId is missing",
        why: "4.x requires it: without it the same video can't be recognised.",
        cure: "Add <UniversalAdId idRegistry=\"…\"> to the <Creative>."
    )

    static let universaladidRegistryMissing = LintRule(
        "universaladid-registry-missing",
        .warning,
        "UniversalAdId has no registry",
        why: "The id has no meaning without its registry.",
        cure: "Add idRegistry, as in idRegistry=\"ad-id.org\"; unknown is allowed."
    )

    static let universaladidEmpty = LintRule(
        "universaladid-empty",
        .warning,
        "UniversalAdId is empty",
        why: "The same video can't be recognised.",
        cure: "Write the id as text; VAST 4.0 requires idValue too."
    )

    static let categoryAuthorityMissing = LintRule(
        "category-authority-missing",
        .warning,
        "A category has no authority",
        why: "The code has no meaning without its list, and players ignore it.",
        cure: "Add authority, as in authority=\"iabtechlab.com\"."
    )

    static let pricingModelWrong = LintRule(
        "pricing-model-wrong",
        .warning,
        "Unknown pricing model",
        why: "The price can't be understood.",
        cure: "Write one of CPM, CPC, CPE and CPV in model."
    )

    static let pricingCurrencyWrong = LintRule(
        "pricing-currency-wrong",
        .warning,
        "Currency is not an ISO 4217 code",
        why: "The price can't be understood.",
        cure: "Write the ISO 4217 code in currency, as in USD."
    )

    static let pricingValueWrong = LintRule(
        "pricing-value-wrong",
        .warning,
        "Price is not a number",
        why: "The price can't be understood.",
        cure: "Write digits with a point, as in 25.00."
    )

    static let expiresWrong = LintRule(
        "expires-wrong",
        .warning,
        "Expires is not a number of seconds",
        why: "Players keep the ad as long as they like.",
        cure: "Write whole seconds, as in <Expires>3600</Expires>."
    )

    static let surveyOld = LintRule(
        "survey-old",
        .info,
        "Survey is deprecated",
        why: "VAST 4.1 deprecates it, and players don't load it.",
        cure: "Measure with <AdVerifications>, or leave it out."
    )

    static let viewableEmpty = LintRule(
        "viewable-empty",
        .info,
        "ViewableImpression without a URL",
        why: "Viewability is not reported.",
        cure: "Put <Viewable>, <NotViewable> or <ViewUndetermined> into it."
    )
}
