/// What happened in the life of an ad, in the order in which it happened.
public enum AdEvent: Equatable, Sendable {
    /// The provider is being asked.
    case loadStarted
    /// The ad can be shown.
    case loaded
    /// There will be no ad, or a load was refused.
    case loadFailed(AdError)
    /// The ad is on screen.
    case shown
    /// The ad could not be shown, or a show was refused.
    case showFailed(AdError)
    /// The view was counted, by this policy. At most once.
    case view(ViewabilityPolicy)
    /// The click was counted. At most once, however often the user clicks.
    case click
    /// A link was given to the host's opener, and where it was opened.
    case linkOpened(ClickThroughURL, LinkOpenResult)
    /// The user pressed the ad; what came of it.
    case tap(Tap)
    /// Something the creative tried was stopped.
    case blocked(BlockedAttempt)
    /// Something about the creative that changes no state: a failed request, a script error, a blank ad.
    case diagnostic(CreativeDiagnostic)
    /// The user can close the ad from now on, by this rule.
    case closeAvailable(CloseRule)
    /// This many hundredths of a spot have been played: 0, 25, 50, 75, 100; each once.
    case quartile(Int, spot: Int)
    /// The user can skip the video from now on.
    case skipAvailable
    /// The user skipped the video.
    case skipped
    /// The user earned the reward. Comes before `closed`.
    case rewarded
    /// The ad is off the screen. Exactly once after `shown`.
    case closed(CloseDetails)
    /// The ad was loaded too long ago and can't be shown any more.
    case expired
    /// Bad input was repaired, or something went wrong that did not end the ad.
    case issue(AdIssue)
    /// A beacon was written down: it will be sent, once.
    case beaconRecorded(BeaconKey, BeaconAddress)
    /// A beacon arrived.
    case beaconDelivered(BeaconKey, attempts: Int)
    /// A beacon may or may not have arrived; it is not sent again.
    case beaconUnconfirmed(BeaconKey, reason: String)
    /// A beacon will never arrive.
    case beaconDead(BeaconKey, reason: String)

    /// The event's name in traces and in `--json`.
    public var name: String {
        switch self {
        case .loadStarted: "loadStarted"
        case .loaded: "loaded"
        case .loadFailed: "loadFailed"
        case .shown: "shown"
        case .showFailed: "showFailed"
        case .view: "view"
        case .click: "click"
        case .linkOpened: "linkOpened"
        case .tap: "tap"
        case .blocked: "blocked"
        case .diagnostic(let diagnostic): diagnostic.name
        case .closeAvailable: "closeAvailable"
        case .quartile: "quartile"
        case .skipAvailable: "skipAvailable"
        case .skipped: "skipped"
        case .rewarded: "rewarded"
        case .closed: "closed"
        case .expired: "expired"
        case .issue: "issue"
        case .beaconRecorded: "beaconRecorded"
        case .beaconDelivered: "beaconDelivered"
        case .beaconUnconfirmed: "beaconUnconfirmed"
        case .beaconDead: "beaconDead"
        }
    }
}

/// How an ad ended.
public struct CloseDetails: Hashable, Sendable {
    /// Why it ended.
    public let reason: CloseReason
    /// Whether the user earned a reward.
    public let rewarded: Bool
    /// The rule that allowed it to end.
    public let rule: CloseRule

    /// An ending.
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
    /// The user skipped the video, and there was nothing behind it.
    case skipped
    /// The creative asked to be closed.
    case creative
    /// The host closed it.
    case host
    /// The stage went away by itself: a view was removed, a window was closed.
    case stageGone
    /// The host destroyed the ad while it was on screen.
    case destroyed
    /// The stage did not show the creative, and is put away.
    case neverShown
}

/// The rule by which an ad could be closed when it could.
public enum CloseRule: String, Hashable, Sendable {
    /// No close time-out was asked for: at once.
    case immediate
    /// The close delay of visible time had passed; events and traces keep the wire's name for it.
    case closeDelay = "closeTimeout"
    /// The ad had been on screen for its close time-out and half a minute more, seen or not.
    case watchdog
    /// The media had played to its end.
    case completed
    /// The video was over and its end card on screen.
    case endCard
    /// The video's skip offset was reached.
    case skipOffset
    /// The creative failed.
    case failed
    /// The creative crashed or stopped answering.
    case crashed
    /// The creative may always end itself.
    case creative
    /// The host may always end an ad.
    case host
    /// The stage was gone already.
    case stage
}

/// Something a creative tried and was not allowed.
public struct BlockedAttempt: Hashable, Sendable {
    /// What was tried.
    public enum Kind: String, Hashable, Sendable {
        /// To go elsewhere without a user's gesture.
        case navigation
        /// To open a window.
        case popup
        /// To count a click without a user's gesture.
        case click
        /// To save a file.
        case download
        /// To show a dialog or ask for a permission.
        case dialog
        /// Anything else.
        case other
    }

    /// What was tried.
    public let kind: Kind
    /// With what: an address, a text; without secrets.
    public let detail: String

    /// An attempt.
    public init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }
}
