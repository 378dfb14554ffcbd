/// An event in the life of an ad; events are reported in order.
public enum AdEvent: Equatable, Sendable {
    /// The load has started.
    case loadStarted
    /// The ad can be shown.
    case loaded
    /// The load failed or was refused.
    case loadFailed(AdError)
    /// The ad is on screen.
    case shown
    /// The ad could not be shown, or the show was refused.
    case showFailed(AdError)
    /// The impression was recorded by this viewability policy, at most once.
    case view(ViewabilityPolicy)
    /// What the impression earned, once and right after `view`; not reported without a price.
    case paid(AdRevenue)
    /// The participants of an auction are being asked.
    case auctionStarted
    /// An offer of the auction, or a participant without one, and what became of it: reported when the auction has
    /// chosen, and for an offer that takes the place of another.
    case bid(AuctionBid)
    /// The auction chose its offer, or found none that can be shown.
    case auctionEnded(AuctionResult)
    /// The offer could not be shown, and the auction's next one takes its place.
    case offerFailed(AdError)
    /// The click was recorded, at most once, however often the user clicks.
    case click
    /// A click-through URL was passed to the host's opener, with the result.
    case linkOpened(ClickThroughURL, LinkOpenResult)
    /// The user pressed the ad, with the outcome.
    case tap(Tap)
    /// An action of the creative was blocked.
    case blocked(BlockedAttempt)
    /// A failed request, a script error or a blank ad; it changes no state.
    case diagnostic(CreativeDiagnostic)
    /// The user can close the ad from now on, by this rule.
    case closeAvailable(CloseRule)
    /// This percentage of a spot was played: 0, 25, 50, 75 or 100, each once.
    case quartile(Int, spot: Int)
    /// The user can skip the video from now on.
    case skipAvailable
    /// The user skipped the video.
    case skipped
    /// The user earned the reward; reported before `closed`.
    case rewarded(AdReward)
    /// The ad is off the screen; reported exactly once after `shown`.
    case closed(CloseDetails)
    /// The ad's lifetime is over before it was shown, and it can't be shown any more.
    case expired
    /// Bad input was repaired, or an error occurred that did not end the ad.
    case issue(AdIssue)
    /// A beacon was recorded in the ledger.
    case beaconRecorded(BeaconKey, BeaconAddress)
    /// A beacon was delivered.
    case beaconDelivered(BeaconKey, attempts: Int)
    /// A beacon was sent, and whether the server received it is unknown; it is not sent again.
    case beaconUnconfirmed(BeaconKey, reason: String)
    /// A beacon can't be delivered and is given up.
    case beaconDead(BeaconKey, reason: String)
}

/// How an ad ended.
public struct CloseDetails: Hashable, Sendable {
    /// Why it ended.
    public let reason: CloseReason
    /// Whether the user earned the reward.
    public let rewarded: Bool
    /// The rule that allowed it to end.
    public let rule: CloseRule

    /// Creates the details of a close.
    public init(reason: CloseReason, rewarded: Bool, rule: CloseRule) {
        self.reason = reason
        self.rewarded = rewarded
        self.rule = rule
    }
}

/// Why an ad went off the screen.
public enum CloseReason: String, Hashable, Sendable {
    /// The user closed it.
    case user
    /// The user skipped the video, and it has no end card.
    case skipped
    /// The creative closed itself, as by `mraid.close`.
    case creative
    /// The host closed it.
    case host
    /// The stage disappeared: its view was removed or its window was closed.
    case stageGone
    /// The host destroyed the ad while it was on screen.
    case destroyed
    /// The creative was never shown, and its stage is closed.
    case neverShown
}

/// The rule by which an ad can be closed.
public enum CloseRule: String, Hashable, Sendable {
    /// There is no close delay: the ad can be closed at once.
    case immediate
    /// The ad was visible for its close delay; events and traces use the wire's name for it.
    case closeDelay = "closeTimeout"
    /// The watchdog time has passed, whether the ad was visible or not.
    case watchdog
    /// The media was played to its end.
    case completed
    /// The video is over and its end card is on screen.
    case endCard
    /// The video's skip offset was reached.
    case skipOffset
    /// The creative failed.
    case failed
    /// The creative crashed or stopped responding.
    case crashed
    /// The creative closed itself, which is always allowed.
    case creative
    /// The host closed the ad, which is always allowed.
    case host
    /// The stage disappeared.
    case stage
}

/// An action of a creative that was blocked.
public struct BlockedAttempt: Hashable, Sendable {
    /// The kind of action.
    public enum Kind: String, Hashable, Sendable {
        /// An auto-redirect: a navigation without a user's gesture.
        case navigation
        /// A new window.
        case popup
        /// A click without a user's gesture.
        case click
        /// A download.
        case download
        /// A dialog or a permission prompt.
        case dialog
        /// Anything else.
        case other
    }

    /// The kind of action.
    public let kind: Kind
    /// The URL or text of the action, redacted.
    public let detail: String

    /// Creates a blocked attempt.
    public init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }
}
