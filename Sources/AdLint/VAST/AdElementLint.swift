import AdCore
import AdHTML
import AdMarkup

/// Checks an `<Ad>`: the elements that it requires (VAST 4.3 §3.4, §3.19), and its creatives.
enum AdElementLint {
    static func check(_ ad: LintElement, from source: HTTPURL?, _ log: inout LintLog) {
        let bodies = ad.children("InLine", "Wrapper")
        guard let body = bodies.first else {
            return log.add(.adEmpty, ad.place)
        }
        if Set(bodies.map(\.name)).count > 1 {
            log.add(.adTwoKinds, bodies[1].place)
        }
        if ad.attribute("conditionalAd") != nil, let release = ad.release, release >= .v41 {
            log.add(
                .adConditional,
                ad.place(of: "conditionalAd"),
                "the document declares \(release.text)"
            )
        }
        if let type = ad.attribute("adType")?.trimmed, !["video", "audio", "hybrid"].contains(type) {
            log.add(.adTypeWrong, ad.place(of: "adType"), "adType is \(type.quoted)")
        }
        if body.name == "Wrapper" { self.wrapper(body, from: source, &log) } else { self.inline(body, &log) }
        self.common(body, &log)
        for creatives in body.children("Creatives") {
            for creative in creatives.children("Creative") { CreativeLint.check(creative, in: body, &log) }
        }
        TrackingLint.check(body, &log)
        VerificationLint.check(body, &log)
    }

    // MARK: Inline ads and wrappers

    private static func inline(_ body: LintElement, _ log: inout LintLog) {
        if body.child("AdTitle") == nil { log.add(.adtitleMissing, body.place, "<InLine> has no <AdTitle>") }
        if body.child("AdSystem") == nil { log.add(.adsystemMissing, body.place, "<InLine> has no <AdSystem>") }
        for name in ["AdTitle", "AdSystem"] {
            if let element = body.child(name), element.isEmpty {
                log.add(.elementEmpty, element.place, "<\(name)> is empty")
            }
        }
        if body.child("Impression") == nil { log.add(.impressionMissing, body.place) }
        if let release = body.release, release >= .v41 {
            if let id = body.child("AdServingId") {
                if id.isEmpty { log.add(.elementEmpty, id.place, "<AdServingId> is empty") }
            } else {
                log.add(.adservingidMissing, body.place, "<InLine> of \(release.text) has no <AdServingId>")
            }
        }
        let creatives = body.children("Creatives").flatMap { $0.children("Creative") }
        if creatives.isEmpty { log.add(.creativesMissing, body.place) }
        // Several videos in a row are a pod, which has one ad for each.
        let videos = creatives.filter { $0.child("Linear") != nil }
        if videos.count > 1 {
            log.add(.creativeLinearTwice, videos[1].place, "the creative on line \(videos[0].line) is linear, too")
        }
    }

    private static func wrapper(_ body: LintElement, from source: HTTPURL?, _ log: inout LintLog) {
        if body.child("AdSystem") == nil { log.add(.adsystemMissing, body.place, "<Wrapper> has no <AdSystem>") }
        if body.child("Impression") == nil {
            log.add(.impressionMissingWrapper, body.place)
        }
        if let old = body.child("VASTAdTagURL") {
            log.add(.wrapperTagOld, old.place)
        } else if let tag = body.child("VASTAdTagURI") {
            if let source, let url = HTTPURL(tag.text), url == source {
                log.add(.wrapperTagSelf, tag.textPlace, "the response came from \(tag.text.quotedURL)")
            }
        } else {
            log.add(.wrapperTagMissing, body.place, "<Wrapper> has no <VASTAdTagURI>")
        }
        if body.attribute("followAdditionalWrappers")?.trimmed == "false" {
            log.add(
                .wrapperFollowFalse,
                body.place(of: "followAdditionalWrappers"),
                "followAdditionalWrappers is false"
            )
        }
        if let file = body.descendants("MediaFile").first(where: { !$0.isForeign }) {
            log.add(.wrapperMedia, file.place, "<MediaFile> is in a <Wrapper>")
        }
    }

    // MARK: Both

    private static func common(_ body: LintElement, _ log: inout LintLog) {
        if body.child("Error") == nil { log.add(.errorMissing, body.place, "<\(body.name)> has no <Error>") }
        for category in body.children("Category", "BlockedAdCategories") {
            if (category.attribute("authority") ?? "").trimmed.isEmpty {
                log.add(
                    .categoryAuthorityMissing,
                    category.place,
                    "the category \(category.text.quoted) has no authority"
                )
            }
        }
        if let pricing = body.child("Pricing") { self.pricing(pricing, &log) }
        if let expires = body.child("Expires"), expires.text.isEmpty || !expires.text.utf8.allSatisfy(\.isDigit) {
            log.add(.expiresWrong, expires.place, "<Expires> is \(expires.text.quoted)")
        }
        if let survey = body.child("Survey"), let release = body.release, release >= .v41 {
            log.add(.surveyOld, survey.place, "the document declares \(release.text)")
        }
        for viewable in body.children("ViewableImpression") where viewable.children.isEmpty {
            log.add(.viewableEmpty, viewable.place)
        }
    }

    private static func pricing(_ pricing: LintElement, _ log: inout LintLog) {
        let model = (pricing.attribute("model") ?? "").trimmed
        if !["cpm", "cpc", "cpe", "cpv"].contains(model.asciiLowercased) {
            log.add(.pricingModelWrong, pricing.place, "model is \(model.quoted)")
        }
        let currency = (pricing.attribute("currency") ?? "").trimmed
        if currency.utf8.count != 3 || !currency.utf8.allSatisfy(\.isASCIILetter) {
            log.add(.pricingCurrencyWrong, pricing.place, "currency is \(currency.quoted)")
        }
        let isNumber = Double(pricing.text).map { $0.isFinite && $0 >= 0 } ?? false
        if !isNumber, !LintMacros.containsMacro(pricing.text) {
            log.add(.pricingValueWrong, pricing.place, "the price is \(pricing.text.quoted)")
        }
    }
}
