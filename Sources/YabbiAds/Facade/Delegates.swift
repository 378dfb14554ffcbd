public import AdCore

/// The placement that a callback is about.
public struct AdPayload: Hashable, Sendable {
    /// The placement's name.
    public let placementName: String
    /// What the user has earned, with the transaction that a server verifies; nil in other callbacks than
    /// `onUserRewarded`.
    public let reward: AdReward?

    /// Creates a payload, as for the tests of a delegate.
    public init(placementName: String, reward: AdReward? = nil) {
        self.placementName = placementName
        self.reward = reward
    }
}

/// Receives the events of banners, on the main actor.
///
/// A load ends in `onBannerLoaded` or `onBannerLoadFailed`, a show in `onBannerShown` or `onBannerShowFailed`: each in
/// one of them, once. A refresh calls `onBannerShown` and `onBannerImpression` again, and nothing if it fails.
@MainActor
public protocol BannerDelegate: AnyObject {
    /// A banner can be shown.
    func onBannerLoaded(_ payload: AdPayload)
    /// No banner could be loaded.
    func onBannerLoadFailed(_ payload: AdPayload, _ error: AdException)
    /// A banner is on screen.
    func onBannerShown(_ payload: AdPayload)
    /// A banner could not be shown.
    func onBannerShowFailed(_ payload: AdPayload, _ error: AdException)
    /// A banner is off the screen.
    func onBannerClosed(_ payload: AdPayload)
    /// A banner's impression was recorded.
    func onBannerImpression(_ payload: AdPayload)
    /// A banner's click was recorded, at most once however often the user clicks.
    func onBannerClicked(_ payload: AdPayload)
    /// A loaded banner was not shown in time, and can't be shown any more: load another.
    ///
    /// A refresh that expires is not reported, because the next one follows by itself.
    func onBannerExpired(_ payload: AdPayload)
}

/// Receives the events of interstitials, on the main actor.
///
/// A load ends in `onInterstitialLoaded` or `onInterstitialLoadFailed`, a show in `onInterstitialShown` or
/// `onInterstitialShowFailed`: each in one of them, once.
@MainActor
public protocol InterstitialDelegate: AnyObject {
    /// An interstitial can be shown.
    func onInterstitialLoaded(_ payload: AdPayload)
    /// No interstitial could be loaded.
    func onInterstitialLoadFailed(_ payload: AdPayload, _ error: AdException)
    /// An interstitial is on screen.
    func onInterstitialShown(_ payload: AdPayload)
    /// An interstitial could not be shown.
    func onInterstitialShowFailed(_ payload: AdPayload, _ error: AdException)
    /// An interstitial is off the screen.
    func onInterstitialClosed(_ payload: AdPayload)
    /// An interstitial's impression was recorded.
    func onInterstitialImpression(_ payload: AdPayload)
    /// An interstitial's click was recorded, at most once however often the user clicks.
    func onInterstitialClicked(_ payload: AdPayload)
    /// A loaded interstitial was not shown in time, and can't be shown any more: load another.
    func onInterstitialExpired(_ payload: AdPayload)
}

/// Receives the events of rewarded ads, on the main actor.
///
/// A load ends in `onRewardedLoaded` or `onRewardedLoadFailed`, a show in `onRewardedShown` or `onRewardedShowFailed`:
/// each in one of them, once.
@MainActor
public protocol RewardedDelegate: AnyObject {
    /// A rewarded ad can be shown.
    func onRewardedLoaded(_ payload: AdPayload)
    /// No rewarded ad could be loaded.
    func onRewardedLoadFailed(_ payload: AdPayload, _ error: AdException)
    /// A rewarded ad is on screen.
    func onRewardedShown(_ payload: AdPayload)
    /// A rewarded ad could not be shown.
    func onRewardedShowFailed(_ payload: AdPayload, _ error: AdException)
    /// A rewarded ad is off the screen; `onUserRewarded` came before if the reward was earned.
    func onRewardedClosed(_ payload: AdPayload)
    /// The video started to play.
    func onRewardedVideoStarted(_ payload: AdPayload)
    /// The video played to its end.
    func onRewardedVideoCompleted(_ payload: AdPayload)
    /// The user earned the reward.
    func onUserRewarded(_ payload: AdPayload)
    /// A rewarded ad's impression was recorded.
    func onRewardedImpression(_ payload: AdPayload)
    /// A rewarded ad's click was recorded, at most once however often the user clicks.
    func onRewardedClicked(_ payload: AdPayload)
    /// A loaded rewarded ad was not shown in time, and can't be shown any more: load another.
    func onRewardedExpired(_ payload: AdPayload)
}
