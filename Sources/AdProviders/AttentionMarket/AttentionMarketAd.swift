import AdCore

/// The ad in an AttentionMarket response, parsed leniently.
struct AttentionMarketAd {
    let id: String?
    let card: CardCreative
    let trackingToken: String?
    let details: [AdJSON.Member]
    let issues: [AdIssue]

    init(reading json: AdJSON, allowing schemes: Set<String>) throws(AdError) {
        var fields = LenientFields(json, at: "ad.")
        var creative = fields.object("creative")
        var disclosure = fields.object("disclosure")
        var teaser = creative.displayText("teaser")
        var body = creative.displayText("body")
        let callToAction = creative.displayText("cta")
        let promoCode = creative.displayText("promo_code")
        let title = creative.headline("title", else: &teaser, &body)
        fields.merge(creative)
        guard let title else {
            let text = "the ad has neither a title nor a body; send one of them"
            throw AdError(.incompleteOffer, text, issues: fields.issues)
        }
        let direct = fields.clickThroughURL("direct_url", allowing: schemes)
        let link = try AttentionMarketAd.link(&fields, direct, schemes)
        self.card = CardCreative(
            headline: title,
            body: body,
            callToAction: callToAction,
            link: link,
            teaser: teaser,
            promoCode: promoCode,
            disclosure: AdDisclosure(advertiser: disclosure.advertiser("sponsor_name"))
        )
        AttentionMarketAd.checkSponsoring(&disclosure)
        self.trackingToken = fields.identifier("tracking_token")
        if self.trackingToken == nil {
            fields.addIssue("tracking_token.missing", "tracking_token", "no tracking_token; the click is not tracked")
        }
        self.id = fields.identifier("id")
        self.details = AttentionMarketAd.details(self.id, &fields, direct)
        fields.merge(disclosure)
        self.issues = fields.issues
    }

    private static func checkSponsoring(_ disclosure: inout LenientFields) {
        guard disclosure.bool("is_sponsored") == false else { return }
        let text = "is_sponsored is false; the card is labeled as an ad anyway"
        disclosure.addIssue("is_sponsored.false", "is_sponsored", text)
    }

    private static func link(
        _ fields: inout LenientFields,
        _ direct: ClickThroughURL?,
        _ schemes: Set<String>
    ) throws(AdError) -> ClickThroughURL {
        if let link = fields.clickThroughURL("click_url", allowing: schemes) { return link }
        guard let direct else {
            let text = "no click-through URL: neither click_url nor direct_url can be opened"
            throw AdError(.incompleteOffer, text, issues: fields.issues)
        }
        fields.addIssue("click_url.missing", "click_url", "no click_url that can be opened; direct_url is used instead")
        return direct
    }

    private static func details(
        _ id: String?,
        _ fields: inout LenientFields,
        _ direct: ClickThroughURL?
    ) -> [AdJSON.Member] {
        var details: [AdJSON.Member] = []
        if let id { details.append(.init("id", .string(id))) }
        if let type = fields.identifier("type") { details.append(.init("type", .string(type))) }
        if let payout = fields.number("payout") { details.append(.init("payout", .double(payout))) }
        if let direct { details.append(.init("direct_url", .string(direct.text))) }
        return details
    }
}
