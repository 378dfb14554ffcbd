public import AdCore

/// An auction among several loaders: the highest bid that can be shown is the ad.
///
/// An auction is the placement of a loader of its own, so that a slot or a pool uses it as any other:
///
/// ```swift
/// let auctions = AdLoader<AdAuction>.auction(services: services)
/// let ad = try await auctions.load(
///     AdAuction([
///         .bidder(exchange, .banner(unit: "top")),
///         .priced(loader, .banner(unit: "2c5e7a9e"), at: AdPrice(1.2)),
///         .unpriced(cardAds, .feed),
///     ])
/// )
/// ```
///
/// Participants with prices are asked at the same time. The offers are ranked by priority, then by price; equal prices
/// by the order of the participants, then of their responses. Participants without prices come last within their
/// priority, and are asked one after the other, each only when everything before it has no ad (a waterfall).
///
/// A bid has won when its ad is on screen. If an offer can't be shown, the next one takes its place in the same `show`.
public struct AdAuction: Sendable {
    let participants: [Participant]
    let floor: AdPrice?
    let rates: CurrencyRates
    let bidTimeout: Duration

    /// Creates an auction.
    ///
    /// - Parameters:
    ///   - participants: Who takes part; of equal bids, that of the first participant wins.
    ///   - floor: The lowest price that can win; participants without prices are not measured by it.
    ///   - rates: What other currencies are worth. A bid in a currency without a rate can't win.
    ///   - bidTimeout: How long participants with prices may take. The loader's time limit holds for the whole auction.
    public init(
        _ participants: [Participant],
        floor: AdPrice? = nil,
        rates: CurrencyRates = CurrencyRates(),
        bidTimeout: Duration = .seconds(2)
    ) {
        self.participants = participants
        self.floor = floor
        self.rates = rates
        self.bidTimeout = max(.zero, bidTimeout)
    }

    /// A loader with a placement, and how the prices of its ads are known.
    public struct Participant: Sendable {
        let rules: AuctionMachine.Participant
        let source: BidSource

        /// A loader whose offers bring their prices, such as an OpenRTB exchange.
        ///
        /// - Parameters:
        ///   - loader: The loader.
        ///   - placement: Its placement.
        ///   - name: The participant's name in events; the provider's without one.
        ///   - priority: A higher priority comes first, whatever the prices.
        ///   - floor: The lowest price of its offers that can win, besides the auction's floor. Bidders are told the
        ///     higher one of the two (`bidfloor`).
        ///   - timeout: How long it may take, besides the auction's time for bids. Bidders are told it (`tmax`).
        /// - Returns: The participant.
        public static func bidder<Placement>(
            _ loader: AdLoader<Placement>,
            _ placement: Placement,
            name: String? = nil,
            priority: Int = 0,
            floor: AdPrice? = nil,
            timeout: Duration? = nil
        ) -> Participant {
            Participant(loader, placement, .bids, name, priority, floor, timeout)
        }

        /// A loader whose ads are worth what the host says, such as a direct placement.
        public static func priced<Placement>(
            _ loader: AdLoader<Placement>,
            _ placement: Placement,
            at price: AdPrice,
            name: String? = nil,
            priority: Int = 0,
            timeout: Duration? = nil
        ) -> Participant {
            Participant(loader, placement, .fixed(price), name, priority, nil, timeout)
        }

        /// A loader whose ads have no known price: it is asked when everything before it has no ad.
        public static func unpriced<Placement>(
            _ loader: AdLoader<Placement>,
            _ placement: Placement,
            name: String? = nil,
            priority: Int = 0,
            timeout: Duration? = nil
        ) -> Participant {
            Participant(loader, placement, .unknown, name, priority, nil, timeout)
        }

        private init<Placement>(
            _ loader: AdLoader<Placement>,
            _ placement: Placement,
            _ pricing: AuctionMachine.Participant.Pricing,
            _ name: String?,
            _ priority: Int,
            _ floor: AdPrice?,
            _ timeout: Duration?
        ) {
            self.rules = AuctionMachine.Participant(
                name: name ?? loader.provider.rawValue,
                pricing: pricing,
                priority: priority,
                floor: floor,
                timeout: timeout
            )
            self.source = loader.bidSource(for: placement)
        }
    }
}

extension AdLoader where Placement == AdAuction {
    /// A loader whose ads come from auctions.
    public static func auction(services: AdServices) -> AdLoader {
        AdLoader(AuctionLoading(services: services))
    }
}
