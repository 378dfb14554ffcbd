import AdRuntime
import SystemSupport
import YabbiAds

/// Hears everything, and lets a test wait for it.
@MainActor
final class Ear: BannerDelegate, InterstitialDelegate, RewardedDelegate {
    private(set) var heard: [String] = []
    private(set) var lastError: AdException?
    /// What a test wants to have done as soon as something is heard, in the callback itself.
    var then: [String: @MainActor () -> Void] = [:]
    private var waiting: [(text: String, times: Int, OneShot<Void>)] = []

    func hears(_ text: String, times: Int = 1) async {
        guard self.heard.filter({ $0 == text }).count < times else { return }
        let arrival = OneShot<Void>()
        self.waiting.append((text, times, arrival))
        await arrival.value
    }

    private func note(_ text: String, _ error: AdException? = nil) {
        let news = text + (error.map { " \($0.description)" } ?? "")
        self.heard.append(news)
        self.lastError = error ?? self.lastError
        self.then[news]?()
        for one in self.waiting where self.heard.filter({ $0 == one.text }).count >= one.times { one.2.resolve(()) }
        self.waiting.removeAll { one in self.heard.filter { $0 == one.text }.count >= one.times }
    }

    func onBannerLoaded(_ payload: AdPayload) { self.note("loaded \(payload.placementName)") }
    func onBannerLoadFailed(_ payload: AdPayload, _ error: AdException) {
        self.note("loadFailed \(payload.placementName)", error)
    }
    func onBannerShown(_ payload: AdPayload) { self.note("shown \(payload.placementName)") }
    func onBannerShowFailed(_ payload: AdPayload, _ error: AdException) {
        self.note("showFailed \(payload.placementName)", error)
    }
    func onBannerClosed(_ payload: AdPayload) { self.note("closed \(payload.placementName)") }
    func onBannerImpression(_ payload: AdPayload) { self.note("impression \(payload.placementName)") }

    func onInterstitialLoaded(_ payload: AdPayload) { self.note("loaded \(payload.placementName)") }
    func onInterstitialLoadFailed(_ payload: AdPayload, _ error: AdException) {
        self.note("loadFailed \(payload.placementName)", error)
    }
    func onInterstitialShown(_ payload: AdPayload) { self.note("shown \(payload.placementName)") }
    func onInterstitialShowFailed(_ payload: AdPayload, _ error: AdException) {
        self.note("showFailed \(payload.placementName)", error)
    }
    func onInterstitialClosed(_ payload: AdPayload) { self.note("closed \(payload.placementName)") }

    func onRewardedLoaded(_ payload: AdPayload) { self.note("loaded \(payload.placementName)") }
    func onRewardedLoadFailed(_ payload: AdPayload, _ error: AdException) {
        self.note("loadFailed \(payload.placementName)", error)
    }
    func onRewardedShown(_ payload: AdPayload) { self.note("shown \(payload.placementName)") }
    func onRewardedShowFailed(_ payload: AdPayload, _ error: AdException) {
        self.note("showFailed \(payload.placementName)", error)
    }
    func onRewardedClosed(_ payload: AdPayload) { self.note("closed \(payload.placementName)") }
    func onRewardedVideoStarted(_ payload: AdPayload) { self.note("started \(payload.placementName)") }
    func onRewardedVideoCompleted(_ payload: AdPayload) { self.note("completed \(payload.placementName)") }
    func onUserRewarded(_ payload: AdPayload) { self.note("rewarded \(payload.placementName)") }
}
