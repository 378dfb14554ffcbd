import AdCore

/// Looks at one ad: what it must have, and its creatives.
enum AdLint {
    static func check(_ ad: LintElement, from source: HTTPURL?, _ log: inout LintLog) {
        let bodies = ad.children("InLine", "Wrapper")
        guard let body = bodies.first else {
            return log.add(.adEmpty, ad.line, "<Ad> has neither <InLine> nor <Wrapper>")
        }
        if Set(bodies.map(\.name)).count > 1 {
            log.add(.adTwoKinds, bodies[1].line, "<Ad> has <InLine> and <Wrapper>")
        }
        if ad.attribute("conditionalAd") != nil, let release = ad.release, release >= .v41 {
            log.add(
                .adConditional,
                ad.line(of: "conditionalAd"),
                "conditionalAd stands in a document of \(release.text)"
            )
        }
        if let type = ad.attribute("adType")?.trimmed, !["video", "audio", "hybrid"].contains(type) {
            log.add(.adTypeWrong, ad.line(of: "adType"), "adType is \(type.quoted)")
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
        if body.child("AdTitle") == nil { log.add(.adtitleMissing, body.line, "<InLine> has no <AdTitle>") }
        if body.child("AdSystem") == nil { log.add(.adsystemMissing, body.line, "<InLine> has no <AdSystem>") }
        for name in ["AdTitle", "AdSystem"] {
            if let element = body.child(name), element.isBlank {
                log.add(.elementEmpty, element.line, "<\(name)> is empty")
            }
        }
        if body.child("Impression") == nil { log.add(.impressionMissing, body.line, "<InLine> has no <Impression>") }
        if let release = body.release, release >= .v41 {
            if let id = body.child("AdServingId") {
                if id.isBlank { log.add(.elementEmpty, id.line, "<AdServingId> is empty") }
            } else {
                log.add(.adservingidMissing, body.line, "<InLine> of \(release.text) has no <AdServingId>")
            }
        }
        let creatives = body.children("Creatives").flatMap { $0.children("Creative") }
        if creatives.isEmpty { log.add(.creativesMissing, body.line, "<InLine> has no <Creative>") }
        // An ad has one film; several are a pod, which is several ads.
        let films = creatives.filter { $0.child("Linear") != nil }
        if films.count > 1 {
            log.add(.creativeLinearTwice, films[1].line, "the creative on line \(films[0].line) is linear too")
        }
    }

    private static func wrapper(_ body: LintElement, from source: HTTPURL?, _ log: inout LintLog) {
        if body.child("AdSystem") == nil { log.add(.adsystemMissing, body.line, "<Wrapper> has no <AdSystem>") }
        if body.child("Impression") == nil {
            log.add(.impressionMissingWrapper, body.line, "<Wrapper> has no <Impression>")
        }
        if let old = body.child("VASTAdTagURL") {
            log.add(.wrapperTagOld, old.line, "the address stands in <VASTAdTagURL>")
        } else if let tag = body.child("VASTAdTagURI") {
            if let source, let url = HTTPURL(tag.text), url == source {
                log.add(.wrapperTagSelf, tag.textLine, "it came from \(tag.text.quotedAddress), and leads there again")
            }
        } else {
            log.add(.wrapperTagMissing, body.line, "<Wrapper> has no <VASTAdTagURI>")
        }
        if body.attribute("followAdditionalWrappers")?.trimmed == "false" {
            log.add(.wrapperFollowFalse, body.line(of: "followAdditionalWrappers"), "followAdditionalWrappers is false")
        }
        if let file = body.all("MediaFile").first(where: { !$0.isForeign }) {
            log.add(.wrapperMedia, file.line, "<MediaFile> stands in a <Wrapper>")
        }
    }

    // MARK: What both have

    private static func common(_ body: LintElement, _ log: inout LintLog) {
        if body.child("Error") == nil { log.add(.errorMissing, body.line, "<\(body.name)> has no <Error>") }
        for category in body.children("Category", "BlockedAdCategories") {
            if (category.attribute("authority") ?? "").trimmed.isEmpty {
                log.add(
                    .categoryAuthorityMissing,
                    category.line,
                    "the category \(category.text.quoted) has no authority"
                )
            }
        }
        if let pricing = body.child("Pricing") { self.pricing(pricing, &log) }
        if let expires = body.child("Expires"), expires.text.isEmpty || !expires.text.utf8.allSatisfy(\.isNumeral) {
            log.add(.expiresWrong, expires.line, "<Expires> is \(expires.text.quoted)")
        }
        if let survey = body.child("Survey"), let release = body.release, release >= .v41 {
            log.add(.surveyOld, survey.line, "<Survey> stands in a document of \(release.text)")
        }
        for viewable in body.children("ViewableImpression") where viewable.children.isEmpty {
            log.add(.viewableEmpty, viewable.line, "<ViewableImpression> has nothing in it")
        }
    }

    private static func pricing(_ pricing: LintElement, _ log: inout LintLog) {
        let model = (pricing.attribute("model") ?? "").trimmed
        if !["cpm", "cpc", "cpe", "cpv"].contains(model.asciiLowercased) {
            log.add(.pricingModelWrong, pricing.line, "model is \(model.quoted)")
        }
        let currency = (pricing.attribute("currency") ?? "").trimmed
        if currency.utf8.count != 3 || !currency.utf8.allSatisfy(\.isLetter) {
            log.add(.pricingCurrencyWrong, pricing.line, "currency is \(currency.quoted)")
        }
        let isNumber = Double(pricing.text).map { $0.isFinite && $0 >= 0 } ?? false
        if !isNumber, !LintMacros.holdsMacro(pricing.text) {
            log.add(.pricingValueWrong, pricing.line, "the price is \(pricing.text.quoted)")
        }
    }
}
