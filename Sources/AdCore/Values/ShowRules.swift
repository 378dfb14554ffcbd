/// The rules of an offer that the lifecycle applies: closing, expiry, click-through and viewability.
public struct ShowRules: Hashable, Sendable {
    /// The kind of an ad.
    public enum Kind: Hashable, Sendable {
        /// HTML beside the app's own content.
        case banner
        /// HTML over the whole screen.
        case interstitial
        /// A video over the whole screen.
        case video(VideoRules)
        /// A video that rewards watching to the end.
        case rewarded(VideoRules)
        /// A native card among the app's own content.
        case card
        /// A popup, mini-game or widget that a server pushes in a live session.
        case engagement

        /// The kind's name in traces.
        public var name: String {
            switch self {
            case .banner: "banner"
            case .interstitial: "interstitial"
            case .video: "video"
            case .rewarded: "rewarded"
            case .card: "card"
            case .engagement: "engagement"
            }
        }
    }

    /// How the ad can be closed.
    public enum CloseControl: Hashable, Sendable {
        /// By the close button that the stage draws once the ad can be closed.
        case button
        /// By the host, which removes the ad itself: an inline banner without a button.
        case host
    }

    /// The kind of ad.
    public var kind: Kind
    /// How long it must be visible before it can be closed; nil if the provider sends none.
    public var closeDelay: Duration?
    /// How it can be closed.
    public var closeControl: CloseControl
    /// How long after loading it may be shown; nil for the default of its kind.
    public var lifetime: Duration?
    /// The click-through URL of a click that has none of its own.
    public var clickThrough: ClickThroughURL?
    /// When it counts as viewed.
    public var viewPolicy: ViewabilityPolicy
    /// What a rewarded ad earns; nil for other ads, and if it is not known.
    public var reward: AdReward? {
        get { self.boxedReward?.value }
        set { self.boxedReward = newValue.map { Boxed($0) } }
    }
    private var boxedReward: Boxed<AdReward>?
    /// How the offer was sold.
    package var sale = Sale()

    /// Creates rules; those that are not given have their defaults.
    public init(
        _ kind: Kind,
        closeDelay: Duration? = nil,
        closeControl: CloseControl = .button,
        lifetime: Duration? = nil,
        clickThrough: ClickThroughURL? = nil,
        viewPolicy: ViewabilityPolicy = .anyPixel
    ) {
        self.kind = kind
        self.closeDelay = closeDelay
        self.closeControl = closeControl
        self.lifetime = lifetime
        self.clickThrough = clickThrough
        self.viewPolicy = viewPolicy
    }

    /// How long after loading the ad may be shown: the provider's value, else 5 minutes for a banner and 30 for others.
    ///
    /// The defaults follow the hints of OpenRTB 2.6 §7.2.
    public var effectiveLifetime: Duration {
        if let lifetime { return lifetime }
        return self.kind == .banner ? .seconds(5 * 60) : .seconds(30 * 60)
    }

    /// The rules of the video, if it is one.
    public var video: VideoRules? {
        switch self.kind {
        case .video(let rules), .rewarded(let rules): rules
        case .banner, .interstitial, .card, .engagement: nil
        }
    }

    /// Whether watching to the end earns a reward.
    public var isRewarded: Bool {
        guard case .rewarded = self.kind else { return false }
        return true
    }
}

/// When an ad that is on screen counts as viewed.
public struct ViewabilityPolicy: Hashable, Sendable, CustomStringConvertible {
    /// The policy's name in traces.
    public let name: String
    /// The share of its area that must be visible; 0 means any pixel.
    public let share: Double
    /// How long it must be visible without interruption.
    public let duration: Duration

    /// Any pixel, for any time.
    public static let anyPixel = ViewabilityPolicy(name: "any pixel", share: 0, duration: .zero)
    /// Half of the area, for any time.
    public static let halfInView = ViewabilityPolicy(name: "50 %", share: 0.5, duration: .zero)
    /// MRC display: half of the area for one second without interruption.
    public static let mrcDisplay = ViewabilityPolicy(name: "50 % for 1 s", share: 0.5, duration: .seconds(1))
    /// MRC large display (more than 242,500 square points): 30 % for one second without interruption.
    public static let mrcLargeDisplay = ViewabilityPolicy(name: "30 % for 1 s", share: 0.3, duration: .seconds(1))
    /// MRC video: half of the area for two seconds of playback without interruption.
    public static let mrcVideo = ViewabilityPolicy(name: "50 % for 2 s", share: 0.5, duration: .seconds(2))

    package init(name: String, share: Double, duration: Duration) {
        self.name = name
        self.share = share
        self.duration = duration
    }

    /// Whether this visible share satisfies the policy.
    package func accepts(_ visible: Double) -> Bool { visible > 0 && visible >= self.share }

    /// The policy's name.
    public var description: String { self.name }
}
