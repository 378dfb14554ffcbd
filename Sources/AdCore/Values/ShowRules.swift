/// The rules of one ad's life: what the lifecycle must know of an offer, and no more.
public struct ShowRules: Hashable, Sendable {
    /// What kind of ad it is; only a video has a video's terms.
    public enum Kind: Hashable, Sendable {
        /// Beside the app's own content.
        case banner
        /// HTML over the whole screen.
        case interstitial
        /// A video over the whole screen.
        case video(VideoRules)
        /// A video that rewards watching to the end.
        case rewarded(VideoRules)
        /// A card among the app's own content.
        case card
        /// A popup, a mini-game or a widget.
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

    /// Who offers a way to close the ad.
    public enum CloseControl: Hashable, Sendable {
        /// The stage draws our close button when it is due.
        case button
        /// The host removes the ad by itself: an inline banner without a button.
        case host
    }

    /// What kind of ad it is.
    public var kind: Kind
    /// How long it must be seen before it can be closed; nil where the provider says nothing.
    public var closeDelay: Duration?
    /// Who offers a way to close it.
    public var closeControl: CloseControl
    /// How long after loading it may be shown; nil for the default of its kind.
    public var lifetime: Duration?
    /// Where a click without a link of its own leads.
    public var clickThrough: ClickThroughURL?
    /// When it counts as viewed.
    public var viewPolicy: ViewabilityPolicy

    /// Terms.
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

    /// How long after loading the ad may be shown: the provider's word, else 5 minutes for a banner, 30 for others.
    public var effectiveLifetime: Duration {
        if let lifetime { return lifetime }
        return self.kind == .banner ? .seconds(5 * 60) : .seconds(30 * 60)
    }

    /// The terms of the video, if there is one.
    public var video: VideoRules? {
        switch self.kind {
        case .video(let terms), .rewarded(let terms): terms
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
    /// The share of its area that must be on screen; 0 means any pixel.
    public let share: Double
    /// For how long without a break.
    public let duration: Duration

    /// Any pixel on screen, for any time.
    public static let anyPixel = ViewabilityPolicy(name: "any pixel", share: 0, duration: .zero)
    /// Half of the area on screen, for any time.
    public static let halfInView = ViewabilityPolicy(name: "50 %", share: 0.5, duration: .zero)
    /// MRC display: half of the area for one second without a break.
    public static let mrcDisplay = ViewabilityPolicy(name: "50 % for 1 s", share: 0.5, duration: .seconds(1))
    /// MRC large display (more than 242,500 square points): 30 % for one second without a break.
    public static let mrcLargeDisplay = ViewabilityPolicy(name: "30 % for 1 s", share: 0.3, duration: .seconds(1))
    /// MRC video: half of the area for two seconds of playing without a break.
    public static let mrcVideo = ViewabilityPolicy(name: "50 % for 2 s", share: 0.5, duration: .seconds(2))

    package init(name: String, share: Double, duration: Duration) {
        self.name = name
        self.share = share
        self.duration = duration
    }

    /// Whether a visible share is enough.
    package func accepts(_ visible: Double) -> Bool { visible > 0 && visible >= self.share }

    /// The policy's name.
    public var description: String { self.name }
}
