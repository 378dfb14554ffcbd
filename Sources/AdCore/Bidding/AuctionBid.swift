/// A participant's response to an auction.
public struct AuctionBid: Hashable, Sendable {
    /// The participant's name.
    public let participant: String
    /// The price of the highest bid; nil without a bid, and for an offer without a price.
    public let price: AdPrice?
    /// How many offers the response has.
    public let offers: Int
    /// Why there is none; nil if there is one.
    public let reason: String?
    /// How long the participant took to respond.
    public let time: Duration

    package init(participant: String, price: AdPrice?, offers: Int, reason: String?, time: Duration) {
        self.participant = participant
        self.price = price
        self.offers = offers
        self.reason = reason
        self.time = time
    }

    var members: [AdJSON.Member] {
        [
            .init("participant", .string(self.participant)), .init("price", .text(self.price?.amount.description)),
            .init("currency", .text(self.price?.currency.code)), .init("offers", .int(self.offers)),
            .init("reason", .text(self.reason)), .init("ms", .int(self.time.wholeMilliseconds)),
        ]
    }
}

/// The result of an auction: every offer and participant with its outcome, the chosen one first.
public struct AuctionResult: Hashable, Sendable {
    /// An offer, or a participant without one, and its outcome.
    public struct Standing: Hashable, Sendable {
        /// What became of an offer.
        public enum Outcome: Hashable, Sendable {
            /// It is the one that the ad shows.
            case chosen
            /// It is the next one if the chosen one can't be shown.
            case next
            /// It can't win any more, for this reason.
            case lost(String)
        }

        /// The participant's name.
        public let participant: String
        /// The price; nil for an offer without one, and for a participant without an offer.
        public let price: AdPrice?
        /// What became of it.
        public let outcome: Outcome

        package init(participant: String, price: AdPrice?, outcome: Outcome) {
            self.participant = participant
            self.price = price
            self.outcome = outcome
        }
    }

    /// Every offer, and every participant without one.
    public let standings: [Standing]

    package init(_ standings: [Standing]) { self.standings = standings }

    var members: [AdJSON.Member] {
        [
            .init("standings", .array(self.standings.map(\.json))),
        ]
    }
}

extension AuctionResult.Standing {
    fileprivate var json: AdJSON {
        let (name, reason): (String, String?) =
            switch self.outcome {
            case .chosen: ("chosen", nil)
            case .next: ("next", nil)
            case .lost(let reason): ("lost", reason)
            }
        return .object([
            .init("participant", .string(self.participant)), .init("price", .text(self.price?.amount.description)),
            .init("currency", .text(self.price?.currency.code)), .init("outcome", .string(name)),
            .init("reason", .text(reason)),
        ])
    }
}

extension AdRevenue {
    var members: [AdJSON.Member] {
        [
            .init("amount", .string(self.amount.description)), .init("currency", .string(self.currency.code)),
            .init("precision", .string(self.precision.rawValue)),
        ]
    }
}
