import AdCore

/// Passes the callbacks of slots to the delegates of their type.
@MainActor
final class YabbiDelegates {
    weak var banner: (any BannerDelegate)?
    weak var interstitial: (any InterstitialDelegate)?
    weak var rewarded: (any RewardedDelegate)?

    nonisolated init() {}

    /// Drops all delegates.
    func reset() { (self.banner, self.interstitial, self.rewarded) = (nil, nil, nil) }

    func call(_ type: YabbiAdType, _ placementName: String, _ callback: SlotMachine.Callback) {
        let payload = AdPayload(placementName: placementName)
        switch type {
        case .banner: self.callBanner(payload, callback)
        case .interstitial: self.callInterstitial(payload, callback)
        case .rewarded: self.callRewarded(payload, callback)
        }
    }

    /// The video of a rewarded ad has started.
    func callStart(_ placementName: String) {
        self.rewarded?.onRewardedVideoStarted(AdPayload(placementName: placementName))
    }

    func callReward(_ reward: AdReward, _ placementName: String) {
        self.rewarded?.onRewardedVideoCompleted(AdPayload(placementName: placementName))
        self.rewarded?.onUserRewarded(AdPayload(placementName: placementName, reward: reward))
    }

    private func callBanner(_ payload: AdPayload, _ callback: SlotMachine.Callback) {
        switch callback {
        case .loaded: self.banner?.onBannerLoaded(payload)
        case .loadFailed(let error): self.banner?.onBannerLoadFailed(payload, AdException(error))
        case .shown: self.banner?.onBannerShown(payload)
        case .showFailed(let error): self.banner?.onBannerShowFailed(payload, AdException(error))
        case .impression: self.banner?.onBannerImpression(payload)
        case .clicked: self.banner?.onBannerClicked(payload)
        case .closed: self.banner?.onBannerClosed(payload)
        case .expired: self.banner?.onBannerExpired(payload)
        }
    }

    private func callInterstitial(_ payload: AdPayload, _ callback: SlotMachine.Callback) {
        switch callback {
        case .loaded: self.interstitial?.onInterstitialLoaded(payload)
        case .loadFailed(let error): self.interstitial?.onInterstitialLoadFailed(payload, AdException(error))
        case .shown: self.interstitial?.onInterstitialShown(payload)
        case .showFailed(let error): self.interstitial?.onInterstitialShowFailed(payload, AdException(error))
        case .impression: self.interstitial?.onInterstitialImpression(payload)
        case .clicked: self.interstitial?.onInterstitialClicked(payload)
        case .closed: self.interstitial?.onInterstitialClosed(payload)
        case .expired: self.interstitial?.onInterstitialExpired(payload)
        }
    }

    private func callRewarded(_ payload: AdPayload, _ callback: SlotMachine.Callback) {
        switch callback {
        case .loaded: self.rewarded?.onRewardedLoaded(payload)
        case .loadFailed(let error): self.rewarded?.onRewardedLoadFailed(payload, AdException(error))
        case .shown: self.rewarded?.onRewardedShown(payload)
        case .showFailed(let error): self.rewarded?.onRewardedShowFailed(payload, AdException(error))
        case .impression: self.rewarded?.onRewardedImpression(payload)
        case .clicked: self.rewarded?.onRewardedClicked(payload)
        case .closed: self.rewarded?.onRewardedClosed(payload)
        case .expired: self.rewarded?.onRewardedExpired(payload)
        }
    }
}
