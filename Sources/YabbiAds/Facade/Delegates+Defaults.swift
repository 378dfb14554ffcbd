// Delegates implement what they need.

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
    /// Does nothing.
    public func onBannerClicked(_ payload: AdPayload) {}
    /// Does nothing.
    public func onBannerExpired(_ payload: AdPayload) {}
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
    /// Does nothing.
    public func onInterstitialImpression(_ payload: AdPayload) {}
    /// Does nothing.
    public func onInterstitialClicked(_ payload: AdPayload) {}
    /// Does nothing.
    public func onInterstitialExpired(_ payload: AdPayload) {}
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
    /// Does nothing.
    public func onRewardedImpression(_ payload: AdPayload) {}
    /// Does nothing.
    public func onRewardedClicked(_ payload: AdPayload) {}
    /// Does nothing.
    public func onRewardedExpired(_ payload: AdPayload) {}
}
