package import AdCore

/// An OpenRTB 2.6 BidRequest (§3.2.1) for one impression in an app: everything that an app can say.
///
/// Unknown values are nil or empty, and are left out. So are values beyond their limits, each with an issue: see
/// `written()`. What only an exchange or a web site knows has no place here: `site`, `dooh`, `user.buyeruid`, seats,
/// `content`.
package struct BidRequest: Hashable, Sendable {
    /// The auction's id (`id`).
    package var id: String
    /// The impression that is for sale (`imp`).
    package var impression: Impression
    /// The app that shows the ad (`app`).
    package var app: App
    /// The device that shows the ad (`device`).
    package var device: Device
    /// Whether the user limits tracking, and what may be sent if not (`device.lmt`, `device.ifa`, `device.geo`,
    /// `user.id`).
    package var tracking: Tracking
    /// The consent signals, passed on unchanged (`regs`, `user.consent`).
    ///
    /// With `coppa` the request contains no identity, whatever `tracking` says.
    package var consent: AdContext.Consent
    /// The versions of OpenRTB that the server may read.
    package var readers: Readers = .openRTB25And26
    /// How long the exchange may take to receive bids, network latency included (`tmax`).
    package var timeout: Duration?
    /// The auction type (`at`).
    package var auction: Auction?
    /// The currencies that are allowed for bids (`cur`); empty leaves the choice to the exchange.
    package var currencies: [AdCurrency] = []
    /// The categories of advertisers that are blocked (`bcat`, `cattax`).
    package var blockedCategories: Categories?
    /// The domains of advertisers that are blocked (`badv`).
    package var blockedAdvertisers: [String] = []
    /// The apps that must not be advertised, by their ids in the app store (`bapp`).
    package var blockedApps: [String] = []
    /// Whether this is a test, which nobody pays for (`test`).
    package var isTest = false
    /// Whether the impression is the only one that the app offers now (`allimps`).
    package var isOnlyImpression = false
    /// Where the request comes from (`source`).
    package var source = Source()
    /// What a Prebid Server is told about the whole request (`ext.prebid`).
    package var prebid: PrebidRequest?
    /// Further members of `ext`; those that have a place of their own in this request replace them.
    package var ext: [AdJSON.Member] = []

    /// The auction types that OpenRTB defines for `at`.
    package enum Auction: Int, Hashable, Sendable {
        /// The winner pays what it bid.
        case firstPrice = 1
        /// Second price plus: the winner pays slightly more than the second highest bid.
        case secondPrice = 2
    }

    /// The versions of OpenRTB that a server may read.
    package enum Readers: Hashable, Sendable {
        /// OpenRTB 2.6 alone: each signal is in its own field.
        case openRTB26
        /// OpenRTB 2.5 as well: what became a field in 2.6 is also written to `ext`, where 2.5 has it.
        ///
        /// These are `user.ext.consent`, `regs.ext.gdpr`, `regs.ext.us_privacy`, `regs.ext.gpp`, `regs.ext.gpp_sid` and
        /// `source.ext.schain` (OpenRTB 2.6, appendix B: "previously ext"). A server that knows only the old places
        /// would otherwise take the user's choice for absent.
        case openRTB25And26
    }

    /// Creates a request for one impression.
    package init(
        id: String,
        impression: Impression,
        app: App,
        device: Device = Device(),
        tracking: Tracking = .unstated(Identity()),
        consent: AdContext.Consent = .init()
    ) {
        self.id = id
        self.impression = impression
        self.app = app
        self.device = device
        self.tracking = tracking
        self.consent = consent
    }
}
