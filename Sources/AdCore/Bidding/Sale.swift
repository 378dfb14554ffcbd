/// What the lifecycle of an ad must know of how its offer was sold.
package struct Sale: Hashable, Sendable {
    /// What the impression earns; nil if it is not known.
    package var revenue: AdRevenue?
    /// Whether the offer comes from an auction, whose bidders get their notices when the ad is shown or is over.
    package var isAuctioned: Bool
    /// Whether the auction has another offer, which takes the place of this one if it can't be shown.
    package var hasSuccessor: Bool

    package init(revenue: AdRevenue? = nil, isAuctioned: Bool = false, hasSuccessor: Bool = false) {
        self.revenue = revenue
        self.isAuctioned = isAuctioned
        self.hasSuccessor = hasSuccessor
    }
}

/// How an auction ended for the offer that it gave an ad.
package enum SaleOutcome: Hashable, Sendable {
    /// The ad is on screen: its bid has won.
    case won
    /// The ad is over without having been on screen: no bid has won.
    case lost(LossReason)
}
