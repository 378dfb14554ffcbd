import AdCore

/// A campaign in an ActiveAds response, parsed leniently.
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
            throw AdError(.unreadableResponse, "the campaign is \(json.kind); expected an object")
        }
        var fields = LenientFields(json, at: "ads[\(index)].")
        var description = fields.displayText("description")
        guard let title = fields.headline("title", else: &description) else {
            let text = "the campaign has neither a title nor a description; send a title"
            throw AdError(.incompleteOffer, text, issues: fields.issues)
        }
        self.card = CardCreative(
            headline: title,
            body: description,
            callToAction: fields.displayText("cta_text"),
            link: fields.clickThroughURL("cta_url", allowing: schemes),
            image: fields.imageURL("image_url"),
            disclosure: AdDisclosure(advertiser: nil)
        )
        self.id = fields.identifier("id")
        if self.id == nil { fields.addIssue("id.missing", "id", "no id; clicks on this campaign are not tracked") }
        let format = fields.identifier("format")
        if let format, format != placement.rawValue {
            let text = "the format is \(format.excerpt()), but \(placement.rawValue) was requested"
            fields.addIssue("format.other", "format", text)
        }
        var details: [AdJSON.Member] = []
        if let id { details.append(.init("id", .string(id))) }
        if let format { details.append(.init("format", .string(format))) }
        if let bid = fields.number("daily_bid") { details.append(.init("daily_bid", .double(bid))) }
        self.details = details
        self.issues = fields.issues
    }
}
