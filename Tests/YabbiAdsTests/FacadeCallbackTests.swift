import AdCore
import AdRuntime
import Testing
import YabbiTesting

@testable import YabbiAds

/// Clicks, impressions and expiries reach the delegates.
extension FacadeTests {
    @Test("a click is reported once, to the delegate of its type", arguments: [YabbiAdType.banner, .interstitial])
    func click(type: YabbiAdType) async throws {
        let delegate = DelegateRecorder()
        if type == .banner { Yabbi.setBannerDelegate(delegate) } else { Yabbi.setInterstitialDelegate(delegate) }
        let presenter = RecordingPresenter()
        Yabbi.loadAd(type, "place")
        await self.clock.settle()
        Yabbi.showAd(adType: type, placementName: "place", presenter: presenter)
        await self.clock.settle()
        let link = try #require(ClickThroughURL("https://shop.example/"))
        for _ in 0..<3 {
            presenter.report(.click(link, byUser: true))
            await self.clock.settle()
        }
        #expect(delegate.calls == ["loaded place", "shown place", "impression place", "clicked place"])
        let clicks: Int = self.transport.requests.count { $0.url.text == "http://t.example/click" }
        #expect(clicks == 1)
    }

    @Test(
        "a loaded ad that is not shown in time is reported as expired, once",
        arguments: [YabbiAdType.banner, .interstitial]
    )
    func expiry(type: YabbiAdType) async {
        let delegate = DelegateRecorder()
        Yabbi.setBannerDelegate(delegate)
        Yabbi.setInterstitialDelegate(delegate)
        Yabbi.loadAd(type, "place")
        await self.clock.settle()
        // A banner may be held for 5 minutes, an interstitial for 30.
        await self.clock.advance(by: .seconds(1800))
        #expect(delegate.calls == ["loaded place", "expired place"])
        #expect(Yabbi.canLoadAd(type, "place") && !Yabbi.isAdLoaded(type, "place"))
        Yabbi.showAd(adType: type, placementName: "place", presenter: RecordingPresenter())
        #expect(delegate.calls.last == "showFailed place notLoaded")
        #expect(self.clock.alarms == 0)
    }

    @Test("an app can load the next ad from the callback of an expiry")
    func loadsAfterExpiry() async {
        let delegate = DelegateRecorder()
        Yabbi.setInterstitialDelegate(delegate)
        delegate.reactions["expired pause"] = { Yabbi.loadAd(.interstitial, "pause") }
        Yabbi.loadAd(.interstitial, "pause")
        await self.clock.settle()
        await self.clock.advance(by: .seconds(1800))
        #expect(delegate.calls == ["loaded pause", "expired pause", "loaded pause"])
        #expect(Yabbi.isAdLoaded(.interstitial, "pause"))
    }

    @Test("in 20 runs of 20 all callbacks are there as soon as the clock is at rest")
    func everyRun() async {
        for run in 1...20 {
            let clock = ManualClock()
            self.restart(with: clock)
            let delegate = DelegateRecorder()
            Yabbi.setBannerDelegate(delegate)
            Yabbi.setInterstitialDelegate(delegate)
            Yabbi.setRewardedDelegate(delegate)
            Yabbi.setBannerCustomSettings { $0.updateRefreshIntervalSeconds(100) }
            Yabbi.loadAd(.banner, "top")
            Yabbi.loadAd(.interstitial, "shown")
            Yabbi.loadAd(.banner, "kept")
            Yabbi.loadAd(.rewarded, "life")
            await clock.settle()
            Yabbi.showAd(adType: .banner, placementName: "top", presenter: MultiStagePresenter())
            Yabbi.showAd(adType: .interstitial, placementName: "shown", presenter: RecordingPresenter())
            await clock.settle()
            await clock.advance(by: .seconds(400))
            let refreshes = Array(repeating: ["shown top", "impression top"], count: 5).flatMap(\.self)
            let expected = [
                "top": ["loaded top"] + refreshes, "shown": ["loaded shown", "shown shown", "impression shown"],
                "kept": ["loaded kept", "expired kept"], "life": ["loadFailed life formatMismatch"],
            ]
            for (name, wanted) in expected {
                let calls = delegate.calls.filter { $0.split(separator: " ")[1] == name }
                #expect(calls == wanted, "run \(run)")
            }
        }
    }
}
