package import AdCore

/// What a Prebid Server is told about a whole request, in `ext.prebid`.
///
/// Of Prebid Server's extensions these are written: `storedrequest.id`, `targeting` and `cache` for a request
/// (``PrebidRequest``), `storedrequest.id` and `bidder` for an impression (``PrebidImpression``). Others can be added
/// with `BidRequest.ext` and `BidRequest.Impression.ext`: a `prebid` object there is merged with this one. Prebid Server
/// documents them at its endpoint `/openrtb2/auction`, section "OpenRTB Extensions".
package struct PrebidRequest: Hashable, Sendable {
    /// The id of the stored request that the server merges with this one (`storedrequest.id`).
    package var storedRequestID: String?
    /// What the server says for the app's ad server (`targeting`, `cache`); nil for nothing.
    package var targeting: PrebidTargeting?

    /// Creates the extension.
    package init(storedRequestID: String? = nil, targeting: PrebidTargeting? = nil) {
        self.storedRequestID = storedRequestID
        self.targeting = targeting
    }
}

/// What a Prebid Server is told about an impression, in `imp.ext.prebid`.
package struct PrebidImpression: Hashable, Sendable {
    /// A bidder with its parameters, which only the bidder defines.
    package struct Bidder: Hashable, Sendable {
        /// The bidder's name.
        package var name: String
        /// Its parameters.
        package var parameters: [AdJSON.Member]

        /// Creates a bidder.
        package init(_ name: String, _ parameters: [AdJSON.Member]) {
            self.name = name
            self.parameters = parameters
        }
    }

    /// The id of the stored request that the server merges with this impression (`storedrequest.id`).
    package var storedRequestID: String?
    /// The bidders that may bid (`bidder`); of one name the last one counts.
    package var bidders: [Bidder]

    /// Creates the extension.
    package init(storedRequestID: String? = nil, bidders: [Bidder] = []) {
        self.storedRequestID = storedRequestID
        self.bidders = bidders
    }
}

/// The key-value pairs that a Prebid Server adds to its bids, for the app's ad server (`ext.prebid.targeting`).
package struct PrebidTargeting: Hashable, Sendable {
    /// The bids that get key-value pairs: at least one kind, as the server demands.
    package enum Bids: Hashable, Sendable {
        /// The winner and the best bid of each bidder, the server's default.
        case winnersAndBidders
        /// The winner (`includebidderkeys` false).
        case winners
        /// The best bid of each bidder (`includewinners` false).
        case bidders
    }

    /// Prices up to a maximum, rounded down to an increment.
    package struct PriceRange: Hashable, Sendable {
        /// The top end (`max`); the bottom end is that of the range before.
        package var maximum: AdDecimal
        /// The increment (`increment`).
        package var increment: AdDecimal

        /// Creates a range.
        package init(upTo maximum: AdDecimal, by increment: AdDecimal) {
            self.maximum = maximum
            self.increment = increment
        }
    }

    /// The bids that get key-value pairs.
    package var bids = Bids.winnersAndBidders
    /// How prices are rounded (`pricegranularity.ranges`); empty for the server's default.
    ///
    /// They are sent in ascending order, as the server demands.
    package var priceRanges: [PriceRange] = []
    /// Whether the format of a bid is a pair, too (`includeformat`).
    package var includesFormat = false
    /// Whether a bid of a deal goes before a higher one without (`preferdeals`).
    package var prefersDeals = false
    /// What the server keeps for the app to fetch (`ext.prebid.cache`); nil for nothing.
    ///
    /// It is a part of the targeting because it has no effect without.
    package var cache: PrebidCache?

    /// Creates a targeting with the server's defaults.
    package init() {}
}

/// What a Prebid Server keeps for the app to fetch (`ext.prebid.cache`).
package enum PrebidCache: Hashable, Sendable {
    /// How something is kept.
    package struct Rule: Hashable, Sendable {
        /// For how long (`ttlseconds`); nil for the server's default.
        package var lifetime: Duration?
        /// Whether the response contains the creative as well (`returnCreative`).
        package var returnsCreative: Bool

        /// Creates a rule.
        package init(lifetime: Duration? = nil, returnsCreative: Bool = true) {
            self.lifetime = lifetime
            self.returnsCreative = returnsCreative
        }
    }

    /// Whole bids (`bids`).
    case bids(Rule)
    /// The VAST of videos (`vastxml`).
    case vast(Rule)
    /// Both.
    case bidsAndVAST(Rule, Rule)
}
