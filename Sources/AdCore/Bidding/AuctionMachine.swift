/// The state machine of one first-price auction among the participants of an app.
///
/// Participants with prices are asked at the same time. When all have responded, or the time for bids is over, their
/// offers are ranked by priority, price, order of the participants and order of the response, in this order. Within a
/// priority, participants without prices come after those with prices, and are asked one after the other, each only
/// when everything before it can't be shown (a waterfall).
///
/// The first offer that can be shown is chosen, and has won when it is on screen. If it can't be shown then, the next
/// one takes its place. Each loser is told once: at once if it can't win any more, else when the ad is shown or over.
package struct AuctionMachine: Sendable {
    /// One who takes part.
    package struct Participant: Hashable, Sendable {
        /// How the prices of a participant's offers are known.
        package enum Pricing: Hashable, Sendable {
            /// Each offer brings its own.
            case bids
            /// Each offer brings its own, and there is no other participant to compare with: currencies don't matter.
            case onlyBids
            /// The host sets one for all of them.
            case fixed(AdPrice)
            /// They are not known.
            case unknown
        }

        package let name: String
        package let pricing: Pricing
        /// A higher priority comes first, whatever the prices.
        package let priority: Int
        /// The lowest price of its offers that can win, besides the auction's floor; nil without one.
        package let floor: AdPrice?
        /// How long it may take, besides the time for bids; nil without a limit of its own.
        package let timeout: Duration?

        package init(
            name: String,
            pricing: Pricing,
            priority: Int = 0,
            floor: AdPrice? = nil,
            timeout: Duration? = nil
        ) {
            self.name = name
            self.pricing = pricing
            self.priority = priority
            self.floor = floor
            self.timeout = timeout.map { max(.zero, $0) }
        }
    }

    /// An offer of a participant, by its position in the response.
    package struct BidID: Hashable, Sendable {
        package let participant: Int
        package let index: Int

        package init(participant: Int, index: Int) {
            self.participant = participant
            self.index = index
        }
    }

    /// An offer as the auction sees it.
    package struct Bid: Hashable, Sendable {
        /// Its price; nil if the participant sent none.
        ///
        /// Other pricings than `bids` don't use it.
        package let price: AdPrice?
        /// Whether its video must be resolved before it can be shown.
        package let needsResolving: Bool
        /// When it can't be shown any more.
        package let expires: Moment
        /// Why it takes no part; nil if it does.
        package let refusal: Refusal?

        package init(
            price: AdPrice?,
            needsResolving: Bool = false,
            expires: Moment = .origin,
            refusal: Refusal? = nil
        ) {
            self.price = price
            self.needsResolving = needsResolving
            self.expires = expires
            self.refusal = refusal
        }
    }

    /// Why a bid takes no part in an auction, whatever the others bid.
    package struct Refusal: Hashable, Sendable {
        /// What its bidder is told.
        package let reason: LossReason
        /// Why, in words.
        package let text: String
        /// The error of a load that has no other bid.
        package let code: AdError.Code

        package init(_ reason: LossReason, _ error: AdError) {
            self.reason = reason
            self.text = error.message
            self.code = error.code
        }
    }

    package enum Input: Sendable {
        /// Ask the participants; all times are limits.
        case start(bidsUntil: Moment, until: Moment)
        /// A participant responded with these offers, or with none.
        case responded(Int, Result<[Bid], AdError>)
        /// The video of an offer was resolved, or could not be.
        case resolved(BidID, AdError?)
        case timer(Timer)
        /// The chosen offer could not be shown for this reason; choose the next one until this moment.
        case next(LossReason, until: Moment)
        /// The ad of the chosen offer is on screen, or over without having been.
        case settle(SaleOutcome)
        /// Nobody waits for the auction any more.
        case cancel
    }

    package enum Timer: Hashable, Sendable {
        /// The end of the time for bids.
        case bids
        /// The end of the whole auction.
        case end
        /// The end of the time of one participant.
        case participant(Int)
    }

    package enum Action: Equatable, Sendable {
        /// Ask a participant: `responded`.
        case ask(Int)
        /// Stop waiting for a participant; what it still sends is too late.
        case stopAsking(Int)
        case setTimer(Timer, Moment)
        case cancelTimer(Timer)
        /// Resolve the video of an offer: `resolved`.
        case resolve(BidID)
        /// Stop resolving it.
        case stopResolving(BidID)
        /// Give this offer to the ad, or the reason why there is none.
        case choose(BidID, hasSuccessor: Bool)
        case fail(AdError)
        /// Tell a bidder that its bid has won.
        case tellWin(BidID)
        /// Tell a bidder that its bid has lost; `minimum` is what would have won, in the currency of the bid.
        case tellLoss(BidID, LossReason, minimum: AdDecimal?)
        /// The auction has chosen an offer, or found none.
        case report(AuctionResult)
        /// The offer that takes the place of the chosen one.
        case reportSuccessor(AuctionBid)
    }

    enum Phase: Equatable, Sendable {
        case idle
        /// The participants with prices are asked.
        case collecting
        /// The best offer's video is being resolved.
        case resolving(BidID)
        /// A participant without prices is asked.
        case asking(Int)
        /// The ad has this offer.
        case chosen(BidID)
        /// The ad is over, or there is no offer.
        case over
    }

    let participants: [Participant]
    let rates: CurrencyRates
    /// The lowest price that can win; nil without a floor.
    let floor: AdPrice?

    var phase = Phase.idle
    var started = Moment.origin
    var end = Moment.origin
    /// How long participants with prices may take; nil before the start.
    var bidTime: Duration?
    /// The participants that were asked and have not responded.
    var waiting: Set<Int> = []
    /// The offers that can still be chosen, and participants of the waterfall whose turn has not come.
    var ranked: [Candidate] = []
    /// Offers and participants that can't win any more, with the reason, in the order in which that was found.
    var lost: [AuctionBid] = []
    /// How long each participant took to respond.
    var times: [Int: Duration] = [:]
    /// The prices of the offers that can still win or lose.
    var bids: [BidID: Bid] = [:]
    var errors: [AdError] = []
    var isReported = false

    /// A place in the ranking.
    struct Candidate: Equatable, Sendable {
        enum Kind: Equatable, Sendable {
            case offer(BidID)
            /// A participant without prices that is not asked yet.
            case participant(Int)
        }

        let kind: Kind
        let priority: Int
        /// The price in the base currency; nil without one.
        let amount: AdDecimal?
        /// Participant and position, for equal prices.
        let order: (Int, Int)

        static func == (left: Candidate, right: Candidate) -> Bool { left.kind == right.kind }

        func precedes(_ other: Candidate) -> Bool {
            if self.priority != other.priority { return self.priority > other.priority }
            switch (self.amount, other.amount) {
            case (let mine?, let theirs?) where mine != theirs: return mine > theirs
            case (_?, nil): return true
            case (nil, _?): return false
            default: return self.order < other.order
            }
        }
    }

    /// Creates an auction; throws an error for a floor in a currency without a rate.
    package init(
        _ participants: [Participant],
        floor: AdPrice? = nil,
        rates: CurrencyRates = CurrencyRates()
    ) throws(AdError) {
        for floor in [floor] + participants.map(\.floor) {
            guard let floor, rates.amount(of: floor) == nil else { continue }
            let text = "a floor is in \(floor.currency), for which the auction has no rate; add the rate"
            throw AdError(.invalidRequest, text)
        }
        self.participants = participants
        self.rates = rates
        self.floor = floor
    }

    /// The floor of a participant's offers: the higher one of its own and the auction's.
    package func floor(of index: Int) -> AdPrice? {
        let floors = [self.floor, self.participants[index].floor].compactMap { $0 }
        return floors.max { (self.rates.amount(of: $0) ?? .zero) < (self.rates.amount(of: $1) ?? .zero) }
    }

    /// The price that the host set for an offer; nil if it has another price or none.
    package func fixedPrice(of id: BidID) -> AdPrice? {
        if case .fixed(let price) = self.participants[id.participant].pricing { price } else { nil }
    }

    /// What the auction demands of a participant's bids, for its request.
    ///
    /// A floor is told to those only whose bids have prices of their own. The time for bids is that of participants with
    /// prices.
    package func terms(of index: Int, at now: Moment) -> AdContext.LoadTerms.Bids {
        let participant = self.participants[index]
        let floor = participant.pricing == .bids ? self.floor(of: index) : nil
        let bidTime = participant.pricing == .unknown ? nil : self.bidTime
        let limits = [participant.timeout, bidTime, max(.zero, self.end - now)].compactMap { $0 }
        return .init(floor: floor, timeout: limits.min(), hasRivals: self.participants.count > 1)
    }

    /// The number of offers of one participant that take part at most, and that of its refused bids.
    package static let offerLimit = 100

    package mutating func handle(_ input: Input, at now: Moment) -> [Action] {
        switch input {
        case .start(let bidsUntil, let until): self.start(bidsUntil, until, at: now)
        case .responded(let participant, let result): self.responded(participant, result, at: now)
        case .resolved(let id, let error): self.resolved(id, error, at: now)
        case .timer(.bids): self.phase == .collecting && now < self.end ? self.endBids(at: now) : []
        case .timer(.end): self.endAll(at: now)
        case .timer(.participant(let index)): self.stopWaiting(for: index, at: now)
        case .next(let reason, let until): self.next(reason, until, at: now)
        case .settle(let outcome): self.settle(outcome)
        case .cancel: self.cancel()
        }
    }
}

extension AuctionMachine.BidID: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        (left.participant, left.index) < (right.participant, right.index)
    }
}
