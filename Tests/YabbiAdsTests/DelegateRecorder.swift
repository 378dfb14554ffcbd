import AdRuntime
import SystemSupport
import YabbiAds

/// Records the calls to delegates, and waits for them.
@MainActor
final class DelegateRecorder: BannerDelegate, InterstitialDelegate, RewardedDelegate {
    private(set) var calls: [String] = []
    /// What `onUserRewarded` was called with.
    private(set) var rewards: [AdReward] = []
    private(set) var lastError: AdException?
    /// Closures that run within the call of that name.
    var reactions: [String: @MainActor () -> Void] = [:]
    private var waiting: [Waiter] = []

    private struct Waiter {
        let text: String
        let times: Int
        let arrival = OneShot<Void>()
    }

    /// Waits until a call was made so many times.
    func waitFor(_ text: String, times: Int = 1) async {
        guard self.calls.filter({ $0 == text }).count < times else { return }
        let waiter = Waiter(text: text, times: times)
        self.waiting.append(waiter)
        await waiter.arrival.value
    }

    private func record(_ text: String, _ error: AdException? = nil) {
        let call = text + (error.map { " \($0.code)" } ?? "")
        self.calls.append(call)
        self.lastError = error ?? self.lastError
        self.reactions[call]?()
        let isReached = { (waiter: Waiter) in self.calls.count { $0 == waiter.text } >= waiter.times }
        for waiter in self.waiting where isReached(waiter) { waiter.arrival.set(()) }
        self.waiting.removeAll(where: isReached)
    }

    func onBannerLoaded(_ payload: AdPayload) { self.record("loaded \(payload.placementName)") }
    func onBannerLoadFailed(_ payload: AdPayload, _ error: AdException) {
        self.record("loadFailed \(payload.placementName)", error)
    }
    func onBannerShown(_ payload: AdPayload) { self.record("shown \(payload.placementName)") }
    func onBannerShowFailed(_ payload: AdPayload, _ error: AdException) {
        self.record("showFailed \(payload.placementName)", error)
    }
    func onBannerClosed(_ payload: AdPayload) { self.record("closed \(payload.placementName)") }
    func onBannerImpression(_ payload: AdPayload) { self.record("impression \(payload.placementName)") }
    func onBannerClicked(_ payload: AdPayload) { self.record("clicked \(payload.placementName)") }
    func onBannerExpired(_ payload: AdPayload) { self.record("expired \(payload.placementName)") }

    func onInterstitialLoaded(_ payload: AdPayload) { self.record("loaded \(payload.placementName)") }
    func onInterstitialLoadFailed(_ payload: AdPayload, _ error: AdException) {
        self.record("loadFailed \(payload.placementName)", error)
    }
    func onInterstitialShown(_ payload: AdPayload) { self.record("shown \(payload.placementName)") }
    func onInterstitialShowFailed(_ payload: AdPayload, _ error: AdException) {
        self.record("showFailed \(payload.placementName)", error)
    }
    func onInterstitialClosed(_ payload: AdPayload) { self.record("closed \(payload.placementName)") }
    func onInterstitialImpression(_ payload: AdPayload) { self.record("impression \(payload.placementName)") }
    func onInterstitialClicked(_ payload: AdPayload) { self.record("clicked \(payload.placementName)") }
    func onInterstitialExpired(_ payload: AdPayload) { self.record("expired \(payload.placementName)") }

    func onRewardedLoaded(_ payload: AdPayload) { self.record("loaded \(payload.placementName)") }
    func onRewardedLoadFailed(_ payload: AdPayload, _ error: AdException) {
        self.record("loadFailed \(payload.placementName)", error)
    }
    func onRewardedShown(_ payload: AdPayload) { self.record("shown \(payload.placementName)") }
    func onRewardedShowFailed(_ payload: AdPayload, _ error: AdException) {
        self.record("showFailed \(payload.placementName)", error)
    }
    func onRewardedClosed(_ payload: AdPayload) { self.record("closed \(payload.placementName)") }
    func onRewardedVideoStarted(_ payload: AdPayload) { self.record("started \(payload.placementName)") }
    func onRewardedVideoCompleted(_ payload: AdPayload) { self.record("completed \(payload.placementName)") }
    func onUserRewarded(_ payload: AdPayload) {
        if let reward = payload.reward { self.rewards.append(reward) }
        self.record("rewarded \(payload.placementName)")
    }
    func onRewardedImpression(_ payload: AdPayload) { self.record("impression \(payload.placementName)") }
    func onRewardedClicked(_ payload: AdPayload) { self.record("clicked \(payload.placementName)") }
    func onRewardedExpired(_ payload: AdPayload) { self.record("expired \(payload.placementName)") }
}
