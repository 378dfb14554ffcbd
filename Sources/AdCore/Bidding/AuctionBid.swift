/// An offer of an auction, or a participant without one, and what became of it.
public struct AuctionBid: Hashable, Sendable {
    /// What became of an offer.
    public enum Outcome: String, Hashable, Sendable {
        /// It is the one that the ad shows.
        case won
        /// Another offer comes before it, or it could not be shown.
        case lost
        /// The participant has no ad.
        case noBid
        /// The participant could not be asked, or its response could not be read.
        case failed
        /// The participant did not respond in time.
        case timedOut = "timeout"
        /// The bid can't take part, as one without a price in a known currency.
        case invalid
        /// The price is below the floor.
        case belowFloor
    }

    /// The participant's name.
    public let participant: String
    /// The price; nil for an offer without one, and for a participant without an offer.
    public let price: AdPrice?
    /// What became of it.
    public let outcome: Outcome
    /// Why it has not won; nil if it has.
    public let reason: String?
    /// How long the participant took to respond; nil if it was not asked.
    public let time: Duration?

    package init(participant: String, price: AdPrice?, outcome: Outcome, reason: String?, time: Duration?) {
        self.participant = participant
        self.price = price
        self.outcome = outcome
        self.reason = reason
        self.time = time
    }

    var members: [AdJSON.Member] {
        [.init("bidder", .string(self.participant))] + AuctionBid.members(self.price) + [
            .init("outcome", .string(self.outcome.rawValue)), .init("reason", .text(self.reason)),
            .init("ms", self.time.map { .int($0.wholeMilliseconds) } ?? .null),
        ]
    }

    fileprivate static func members(_ price: AdPrice?) -> [AdJSON.Member] {
        [.init("price", price.map { .decimal($0.amount) } ?? .null), .init("currency", .text(price?.currency.code))]
    }
}

/// The result of an auction.
public struct AuctionResult: Hashable, Sendable {
    /// Every offer, and every participant without one: the winner first, and then the others in their order.
    public let bids: [AuctionBid]
    /// How long the auction took.
    public let time: Duration

    package init(_ bids: [AuctionBid], in time: Duration) {
        self.bids = bids
        self.time = time
    }

    /// The offer that the ad shows; nil if there is none.
    public var winner: AuctionBid? { self.bids.first.flatMap { $0.outcome == .won ? $0 : nil } }

    var members: [AdJSON.Member] {
        [.init("winner", .text(self.winner?.participant))] + AuctionBid.members(self.winner?.price) + [
            .init("ms", .int(self.time.wholeMilliseconds))
        ]
    }
}

extension AdRevenue {
    var members: [AdJSON.Member] {
        [
            .init("price", .decimal(self.amount)), .init("currency", .string(self.currency.code)),
            .init("precision", .string(self.precision.rawValue)),
        ]
    }
}
