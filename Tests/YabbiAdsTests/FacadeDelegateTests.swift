import Testing
import YabbiAds

/// A delegate as an app writes it, tested as an app does it: without an ad, by what is public.
@MainActor
@Suite("A delegate of an app")
struct FacadeDelegateTests {
    /// Counts what a game needs to know, and leaves all other callbacks to their defaults.
    private final class Game: BannerDelegate, InterstitialDelegate, RewardedDelegate {
        var lives = 0
        var clicks: [String] = []
        var failures: [AdException] = []

        func onBannerClicked(_ payload: AdPayload) { self.clicks.append(payload.placementName) }
        func onInterstitialClicked(_ payload: AdPayload) { self.clicks.append(payload.placementName) }
        func onInterstitialLoadFailed(_ payload: AdPayload, _ error: AdException) { self.failures.append(error) }
        func onUserRewarded(_ payload: AdPayload) { self.lives += 1 }
    }

    @Test("callbacks can be called with payloads and exceptions of a test")
    func calls() {
        let game = Game()
        game.onBannerClicked(AdPayload(placementName: "top"))
        game.onInterstitialClicked(AdPayload(placementName: "pause"))
        game.onUserRewarded(AdPayload(placementName: "life"))
        let failure = AdException(.noFill, "there is no ad now", caused: "https://ssp.example/load")
        game.onInterstitialLoadFailed(AdPayload(placementName: "pause"), failure)
        #expect(game.clicks == ["top", "pause"] && game.lives == 1)
        #expect(game.failures == [failure] && game.failures.first?.code == .noFill)
    }

    @Test("a delegate needs no callback that it does not use")
    func defaults() {
        let game = Game()
        let payload = AdPayload(placementName: "life")
        game.onBannerLoaded(payload)
        game.onBannerImpression(payload)
        game.onBannerExpired(payload)
        game.onInterstitialImpression(payload)
        game.onInterstitialExpired(payload)
        game.onRewardedImpression(payload)
        game.onRewardedClicked(payload)
        game.onRewardedExpired(payload)
        #expect(game.clicks.isEmpty && game.failures.isEmpty && game.lives == 0)
    }

    @Test("an exception's text is its code and its message")
    func text() {
        let failure = AdException(.notLoaded, "this placement has no loaded ad; load one first")
        #expect("\(failure)" == "notLoaded: this placement has no loaded ad; load one first")
        #expect(failure.caused.isEmpty)
    }

    @Test("an app gets the code and the cause of an error through its delegate")
    func cause() {
        Yabbi.reset()
        let game = Game()
        Yabbi.setInterstitialDelegate(game)
        Yabbi.loadAd(.interstitial, "pause")
        #expect(game.failures.map(\.code) == [.notInitialized])
        #expect(game.failures.first?.message.contains("Yabbi.initialize") == true)
        Yabbi.reset()
    }
}
