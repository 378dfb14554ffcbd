import AdCore

/// A campaign of ActiveAds', read leniently.
struct ActiveAdsCampaign {
    let id: String?
    let card: CardCreative
    let details: [AdJSON.Member]
    let issues: [AdIssue]

    init(
        reading json: AdJSON,
        _ index: Int,
        _ placement: ActiveAdsPlacement,
        allowing schemes: Set<String>
    ) throws(AdError) {
        guard case .object = json else {
            throw AdError(.unreadableAnswer, "it is \(json.kind) where an object should be")
        }
        var fields = LenientFields(json, at: "ads[\(index)].")
        var description = fields.words("description")
        guard let title = fields.headline("title", else: &description) else {
            let text = "the campaign has no title; there is nothing to show"
            throw AdError(.incompleteOffer, text, issues: fields.issues)
        }
        self.card = CardCreative(
            headline: title,
            body: description,
            callToAction: fields.words("cta_text"),
            link: fields.landing("cta_url", allowing: schemes),
            image: fields.picture("image_url"),
            disclosure: AdDisclosure(advertiser: nil)
        )
        self.id = fields.identifier("id")
        if self.id == nil { fields.note("id.missing", "id", "there is none, and nobody is told of the click") }
        let format = fields.identifier("format")
        if let format, format != placement.rawValue {
            fields.note("format.other", "format", "it is \(format.excerpt()), and \(placement.rawValue) was asked for")
        }
        var details: [AdJSON.Member] = []
        if let id { details.append(.init("id", .string(id))) }
        if let format { details.append(.init("format", .string(format))) }
        if let bid = fields.number("daily_bid") { details.append(.init("daily_bid", .double(bid))) }
        self.details = details
        self.issues = fields.issues
    }
}
