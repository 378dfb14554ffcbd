import AdCore
import AdRuntime
import Testing
import YabbiTesting

@testable import YabbiAds

/// `Yabbi.reset` leaves nothing behind.
extension FacadeTests {
    @Test("reset ends every ad with its callback, and drops the session, the delegates and the settings")
    func reset() async {
        let delegate = DelegateRecorder()
        Yabbi.setBannerDelegate(delegate)
        Yabbi.setInterstitialDelegate(delegate)
        Yabbi.setBannerCustomSettings { $0.updateRefreshIntervalSeconds(15).updateShowCloseButton(false) }
        Yabbi.setBannerVisible(false, "bottom")
        Yabbi.setUserConsent(false)
        Yabbi.setCustomParams("userId", "user-7")
        Yabbi.enableDebug(true)
        Yabbi.loadAd(.banner, "top")
        await self.clock.settle()
        Yabbi.showAd(adType: .banner, placementName: "top", presenter: MultiStagePresenter())
        await self.clock.settle()
        Yabbi.loadAd(.interstitial, "pause")
        Yabbi.reset()
        #expect(Set(delegate.calls.suffix(2)) == ["closed top", "loadFailed pause destroyed"])
        #expect(!Yabbi.isInitialized && !Yabbi.canLoadAd(.banner, "top"))
        #expect(Yabbi.hasUserConsent && Yabbi.customParam("userId") == nil && !Yabbi.isDebugging)
        #expect(Yabbi.bannerSettings == BannerSettings() && Yabbi.rules.hiddenBanners.isEmpty)
        let calls = delegate.calls
        Yabbi.loadAd(.interstitial, "pause")
        await self.clock.settle()
        await self.clock.advance(by: .seconds(400))
        #expect(delegate.calls == calls, "the delegate is dropped")
        #expect(self.clock.alarms == 0)
    }

    @Test("an app that loads again from each failure does not keep a reset from ending")
    func resetWithRetry() async {
        let delegate = DelegateRecorder()
        Yabbi.setInterstitialDelegate(delegate)
        delegate.reactions["loadFailed pause destroyed"] = { Yabbi.loadAd(.interstitial, "pause") }
        Yabbi.loadAd(.interstitial, "pause")
        Yabbi.reset()
        await self.clock.settle()
        #expect(delegate.calls == ["loadFailed pause destroyed"])
        #expect(!Yabbi.isInitialized && self.clock.alarms == 0)
    }

    @Test("after a reset another publisher can be used")
    func anotherPublisher() async throws {
        Yabbi.reset()
        Yabbi.initialize(publisherID: "other", configuration: self.configuration) { error in #expect(error == nil) }
        let delegate = DelegateRecorder()
        Yabbi.setInterstitialDelegate(delegate)
        Yabbi.loadAd(.interstitial, "pause")
        await self.clock.settle()
        #expect(delegate.calls == ["loaded pause"])
        let body = try AdJSON(parsing: try #require(self.transport.requests.last?.body))
        #expect(body["pubID"]?.string == "other")
    }
}
