package import AdCore
import PlayConsole

/// What is printed of an auction.
package enum AuctionText {
    static func text(_ revenue: AdRevenue) -> String {
        "paid  \(revenue.amount) \(revenue.currency) for this impression  (\(self.precision(of: revenue)))"
    }

    /// How well an amount is known, in words.
    package static func precision(of revenue: AdRevenue) -> String {
        switch revenue.precision {
        case .exact: "the buyer's price"
        case .estimated: "an estimate"
        case .publisherGiven: "the price of the placement"
        }
    }

    static func text(_ bid: AuctionBid) -> String {
        let price = bid.price.map { "  \($0)" } ?? ""
        let reason = bid.reason.map { ": \(Style.printable($0, upTo: 400))" } ?? ""
        return "bid  \(Style.printable(bid.participant, upTo: 80))\(price)  \(self.text(bid.outcome))\(reason)"
    }

    static func text(_ result: AuctionResult) -> String {
        guard let winner = result.winner else { return "without an ad" }
        let price = winner.price.map { " at \($0)" } ?? " without a price"
        return "\(Style.printable(winner.participant, upTo: 80)) has the ad\(price)"
    }

    static func text(_ outcome: AuctionBid.Outcome) -> String {
        switch outcome {
        case .won: "won"
        case .lost: "lost"
        case .noBid: "no bid"
        case .failed: "failed"
        case .timedOut: "timed out"
        case .invalid: "invalid"
        case .belowFloor: "below the floor"
        }
    }
}
