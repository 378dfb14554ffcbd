import AdCore

/// An ad of CeedAds', read leniently.
struct CeedAdsAnswer {
    let id: String?
    let advertiserID: String?
    let requestID: String?
    let card: CardCreative
    let details: [AdJSON.Member]
    let issues: [AdIssue]

    init(reading json: AdJSON, requestID: String?, allowing schemes: Set<String>) throws(AdError) {
        var fields = LenientFields(json, at: "ad.")
        let format = try CeedAdsAnswer.format(&fields)
        let advertiser = fields.advertiser("advertiserName")
        var body = fields.words("description")
        // A picture needs no other text than whose it is.
        var name = format == .static ? advertiser : nil
        let title = fields.headline("title", else: &body, &name)
        guard let title else {
            let text = "the ad has neither a title nor a description; there is nothing to show"
            throw AdError(.incompleteOffer, text, issues: fields.issues)
        }
        self.card = CardCreative(
            headline: title,
            body: body,
            callToAction: fields.words("ctaText"),
            link: fields.landing("ctaUrl", allowing: schemes),
            image: fields.picture("imageUrl"),
            disclosure: AdDisclosure(advertiser: advertiser)
        )
        guard self.card.link != nil || format != .actionCard else {
            let text = "the card leads nowhere: there is no ctaUrl that can be opened"
            throw AdError(.incompleteOffer, text, issues: fields.issues)
        }
        self.id = fields.identifier("id")
        self.advertiserID = fields.identifier("advertiserId")
        self.requestID = requestID
        if self.id == nil { fields.note("id.missing", "id", "there is none, and nobody is told of view and click") }
        if self.advertiserID == nil {
            fields.note("advertiserId.missing", "advertiserId", "there is none, and it is told as empty")
        }
        var details: [AdJSON.Member] = [.init("format", .string(format.rawValue))]
        for (name, value) in [("id", self.id), ("advertiserId", self.advertiserID), ("requestId", requestID)] {
            if let value { details.append(.init(name, .string(value))) }
        }
        self.details = details
        self.issues = fields.issues
    }

    /// The format; without one it is the one that all have had so far.
    private static func format(_ fields: inout LenientFields) throws(AdError) -> CeedAdsFormat {
        guard let name = fields.identifier("format") else {
            fields.note("format.missing", "format", "there is none, and action_card was taken")
            return .actionCard
        }
        guard let format = CeedAdsFormat(rawValue: name) else {
            let known = CeedAdsFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw AdError(.unknownType, "the ad is of the format \(name.excerpt()), and only \(known) are known")
        }
        return format
    }
}
