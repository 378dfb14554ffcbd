/// Who pays for an offer, and how much, as far as the provider tells it.
public struct OfferInfo: Hashable, Sendable {
    /// The price; nil if the provider tells none.
    public var price: AdPrice?
    /// How well the price is known.
    public var precision = AdRevenue.Precision.exact
    /// The advertiser's id or name.
    public var advertiser: String?
    /// The domains of the advertiser (`adomain`, OpenRTB 2.6 §4.2.3).
    public var advertiserDomains: [String] = []
    /// The campaign's id.
    public var campaignID: String?
    /// The creative's id.
    public var creativeID: String?
    /// The content categories of the creative (`cat`, OpenRTB 2.6 §4.2.3).
    public var categories: [String] = []
    /// The buyer's seat (`seat`, OpenRTB 2.6 §4.2.2).
    public var seat: String?
    /// The notices of the bid to its bidder; nil for an offer that is no bid.
    package var notices: BidNotices?
    /// What the system needs to attribute an install to a view of the ad; nil without it.
    package var attribution: InstallAttribution?

    /// Creates an info in which nothing is known but the price.
    public init(price: AdPrice? = nil) { self.price = price }

    /// What an impression earns; nil without a price.
    package var revenue: AdRevenue? { self.price.map { $0.revenue(self.precision) } }
}
