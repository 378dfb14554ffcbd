import AdCore

/// The ad in a CeedAds response, parsed leniently.
struct CeedAdsAd {
    let id: String?
    let advertiserID: String?
    let requestID: String?
    let card: CardCreative
    let details: [AdJSON.Member]
    let issues: [AdIssue]

    init(reading json: AdJSON, requestID: String?, allowing schemes: Set<String>) throws(AdError) {
        var fields = LenientFields(json, at: "ad.")
        let format = try CeedAdsAd.format(&fields)
        let advertiser = fields.advertiser("advertiserName")
        var body = fields.displayText("description")
        // A static ad is an image: the advertiser's name is enough text.
        var name = format == .static ? advertiser : nil
        let title = fields.headline("title", else: &body, &name)
        guard let title else {
            let text = "the ad has neither a title nor a description; send one of them"
            throw AdError(.incompleteOffer, text, issues: fields.issues)
        }
        self.card = CardCreative(
            headline: title,
            body: body,
            callToAction: fields.displayText("ctaText"),
            link: fields.clickThroughURL("ctaUrl", allowing: schemes),
            image: fields.imageURL("imageUrl"),
            disclosure: AdDisclosure(advertiser: advertiser)
        )
        guard self.card.link != nil || format != .actionCard else {
            let text = "no click-through URL: there is no ctaUrl that can be opened"
            throw AdError(.incompleteOffer, text, issues: fields.issues)
        }
        self.id = fields.identifier("id")
        self.advertiserID = fields.identifier("advertiserId")
        self.requestID = requestID
        if self.id == nil { fields.addIssue("id.missing", "id", "no id; impression and click are not tracked") }
        if self.advertiserID == nil {
            fields.addIssue("advertiserId.missing", "advertiserId", "no advertiserId; events are sent without one")
        }
        var details: [AdJSON.Member] = [.init("format", .string(format.rawValue))]
        for (name, value) in [("id", self.id), ("advertiserId", self.advertiserID), ("requestId", requestID)] {
            if let value { details.append(.init(name, .string(value))) }
        }
        self.details = details
        self.issues = fields.issues
    }

    /// The format; an ad without one is an `action_card`, the only format that servers send so far.
    private static func format(_ fields: inout LenientFields) throws(AdError) -> CeedAdsFormat {
        guard let name = fields.identifier("format") else {
            fields.addIssue("format.missing", "format", "no format; action_card is assumed")
            return .actionCard
        }
        guard let format = CeedAdsFormat(rawValue: name) else {
            let known = CeedAdsFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw AdError(.unknownType, "unknown ad format \(name.excerpt()); known formats are \(known)")
        }
        return format
    }
}
