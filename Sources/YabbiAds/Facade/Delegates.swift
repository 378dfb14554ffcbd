import AdCore

/// The placement that a callback is about.
public struct AdPayload: Hashable, Sendable {
    /// The placement's name.
    public let placementName: String
}

/// Receives the events of banners, on the main actor.
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
}

/// Receives the events of interstitials, on the main actor.
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
}

/// Receives the events of rewarded ads, on the main actor.
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
    /// The video's impression was recorded.
    func onRewardedVideoStarted(_ payload: AdPayload)
    /// The video played to its end.
    func onRewardedVideoCompleted(_ payload: AdPayload)
    /// The user earned the reward.
    func onUserRewarded(_ payload: AdPayload)
}

extension BannerDelegate {
    /// Does nothing.
    public func onBannerLoaded(_ payload: AdPayload) {}
    /// Does nothing.
    public func onBannerLoadFailed(_ payload: AdPayload, _ error: AdException) {}
    /// Does nothing.
    public func onBannerShown(_ payload: AdPayload) {}
    /// Does nothing.
    public func onBannerShowFailed(_ payload: AdPayload, _ error: AdException) {}
    /// Does nothing.
    public func onBannerClosed(_ payload: AdPayload) {}
    /// Does nothing.
    public func onBannerImpression(_ payload: AdPayload) {}
}

extension InterstitialDelegate {
    /// Does nothing.
    public func onInterstitialLoaded(_ payload: AdPayload) {}
    /// Does nothing.
    public func onInterstitialLoadFailed(_ payload: AdPayload, _ error: AdException) {}
    /// Does nothing.
    public func onInterstitialShown(_ payload: AdPayload) {}
    /// Does nothing.
    public func onInterstitialShowFailed(_ payload: AdPayload, _ error: AdException) {}
    /// Does nothing.
    public func onInterstitialClosed(_ payload: AdPayload) {}
}

extension RewardedDelegate {
    /// Does nothing.
    public func onRewardedLoaded(_ payload: AdPayload) {}
    /// Does nothing.
    public func onRewardedLoadFailed(_ payload: AdPayload, _ error: AdException) {}
    /// Does nothing.
    public func onRewardedShown(_ payload: AdPayload) {}
    /// Does nothing.
    public func onRewardedShowFailed(_ payload: AdPayload, _ error: AdException) {}
    /// Does nothing.
    public func onRewardedClosed(_ payload: AdPayload) {}
    /// Does nothing.
    public func onRewardedVideoStarted(_ payload: AdPayload) {}
    /// Does nothing.
    public func onRewardedVideoCompleted(_ payload: AdPayload) {}
    /// Does nothing.
    public func onUserRewarded(_ payload: AdPayload) {}
}

/// Passes the callbacks of slots to the delegates of their type.
@MainActor
final class YabbiDelegates {
    weak var banner: (any BannerDelegate)?
    weak var interstitial: (any InterstitialDelegate)?
    weak var rewarded: (any RewardedDelegate)?

    nonisolated init() {}

    func call(_ type: YabbiAdType, _ placementName: String, _ callback: SlotMachine.Callback) {
        let payload = AdPayload(placementName: placementName)
        switch type {
        case .banner: self.callBanner(payload, callback)
        case .interstitial: self.callInterstitial(payload, callback)
        case .rewarded: self.callRewarded(payload, callback)
        }
    }

    func callReward(_ placementName: String) {
        let payload = AdPayload(placementName: placementName)
        self.rewarded?.onRewardedVideoCompleted(payload)
        self.rewarded?.onUserRewarded(payload)
    }

    private func callBanner(_ payload: AdPayload, _ callback: SlotMachine.Callback) {
        switch callback {
        case .loaded: self.banner?.onBannerLoaded(payload)
        case .loadFailed(let error): self.banner?.onBannerLoadFailed(payload, AdException(error))
        case .shown: self.banner?.onBannerShown(payload)
        case .showFailed(let error): self.banner?.onBannerShowFailed(payload, AdException(error))
        case .impression: self.banner?.onBannerImpression(payload)
        case .closed: self.banner?.onBannerClosed(payload)
        }
    }

    private func callInterstitial(_ payload: AdPayload, _ callback: SlotMachine.Callback) {
        switch callback {
        case .loaded: self.interstitial?.onInterstitialLoaded(payload)
        case .loadFailed(let error): self.interstitial?.onInterstitialLoadFailed(payload, AdException(error))
        case .shown: self.interstitial?.onInterstitialShown(payload)
        case .showFailed(let error): self.interstitial?.onInterstitialShowFailed(payload, AdException(error))
        case .impression: break
        case .closed: self.interstitial?.onInterstitialClosed(payload)
        }
    }

    private func callRewarded(_ payload: AdPayload, _ callback: SlotMachine.Callback) {
        switch callback {
        case .loaded: self.rewarded?.onRewardedLoaded(payload)
        case .loadFailed(let error): self.rewarded?.onRewardedLoadFailed(payload, AdException(error))
        case .shown: self.rewarded?.onRewardedShown(payload)
        case .showFailed(let error): self.rewarded?.onRewardedShowFailed(payload, AdException(error))
        case .impression: self.rewarded?.onRewardedVideoStarted(payload)
        case .closed: self.rewarded?.onRewardedClosed(payload)
        }
    }
}
