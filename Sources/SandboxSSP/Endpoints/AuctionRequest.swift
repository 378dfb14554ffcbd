import AdCore

/// An OpenRTB 2.6 bid request (chapter 3), as far as the sandbox reads it.
struct AuctionRequest {
    struct Impression {
        let id: String
        let tag: String
        let tagPath: String
        let floor: Double
        /// Whether it accepts HTML; else it accepts only videos.
        let acceptsBanners: Bool
        let isRewarded: Bool
        /// What it says to a Prebid Server (`ext.prebid`).
        let prebid: AdJSON?
    }

    let id: String
    let impressions: [Impression]
    /// The currency of the first floor.
    let floorCurrency: String
    /// What it says to a Prebid Server (`ext.prebid`).
    let prebid: AdJSON?

    private static let maxImpressions = 100

    init(parsing body: [UInt8]) throws(FieldError) {
        let fields = try Fields(parsing: body)
        self.id = try fields.text("id")
        if fields["site"] != nil { throw fields.error("site", "is not allowed: the request is an app's") }
        let app = try fields.object("app")
        for name in ["name", "bundle"] { _ = try app.text(name) }

        let elements = try fields.array("imp", atMost: Self.maxImpressions)
        guard let first = elements.first else { throw fields.error("imp", "must not be empty") }
        var impressions: [Impression] = []
        for (index, element) in elements.enumerated() {
            let imp = try Fields(element, at: "imp[\(index)]")
            impressions.append(
                Impression(
                    id: try imp.text("id"),
                    tag: try imp.text("tagid"),
                    tagPath: imp.path(of: "tagid"),
                    floor: imp["bidfloor"] == nil ? 0 : try imp.number("bidfloor", in: 0...1_000_000),
                    acceptsBanners: imp["banner"] != nil || imp["video"] == nil,
                    isRewarded: imp["rwdd"]?.number == 1,
                    prebid: element["ext"]?["prebid"]
                )
            )
        }
        self.impressions = impressions
        self.floorCurrency = first["bidfloorcur"]?.string ?? "USD"
        self.prebid = fields["ext"]?["prebid"]
    }
}
