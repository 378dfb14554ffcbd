import AdCore
import AdRuntime
import Testing
import YabbiTesting

@testable import YabbiAds

/// Every load and every show ends in a callback.
extension FacadeTests {
    @Test("an ad that expires while the device sleeps fails to show, and its placement can load again")
    func expiresInSleep() async {
        let clock = WakingClock()
        self.restart(with: clock)
        let delegate = DelegateRecorder()
        Yabbi.setBannerDelegate(delegate)
        Yabbi.loadAd(.banner, "top")
        await delegate.waitFor("loaded top")
        clock.wake(after: .seconds(3600))
        // The ad has expired, and its event has not been delivered yet.
        Yabbi.showAd(adType: .banner, placementName: "top", presenter: RecordingPresenter())
        await delegate.waitFor("showFailed top expired")
        #expect(Yabbi.canLoadAd(.banner, "top") && !Yabbi.isAdLoaded(.banner, "top"))
        Yabbi.loadAd(.banner, "top")
        await delegate.waitFor("loaded top", times: 2)
        #expect(delegate.calls == ["loaded top", "showFailed top expired", "loaded top"])
    }

    @Test("the show of an ad that has ended without an event calls showFailed")
    func silentAd() async throws {
        let delegate = DelegateRecorder()
        Yabbi.setInterstitialDelegate(delegate)
        Yabbi.loadAd(.interstitial, "pause")
        await delegate.waitFor("loaded pause")
        let slot = try #require(Yabbi.session?.placement(.interstitial, "pause"))
        try #require(slot.ads.first).destroy()
        Yabbi.showAd(adType: .interstitial, placementName: "pause", presenter: RecordingPresenter())
        await delegate.waitFor("showFailed pause destroyed")
        #expect(Yabbi.canLoadAd(.interstitial, "pause"))
        #expect(slot.ads.isEmpty)
    }

    @Test("a stage that can't show an ad causes one showFailed")
    func stageFails() async {
        let delegate = DelegateRecorder()
        Yabbi.setBannerDelegate(delegate)
        Yabbi.loadAd(.banner, "top")
        await delegate.waitFor("loaded top")
        let presenter = RecordingPresenter(.failing(StageError("for the test")))
        Yabbi.showAd(adType: .banner, placementName: "top", presenter: presenter)
        await delegate.waitFor("showFailed top stageFailed")
        await self.clock.settle()
        #expect(delegate.calls == ["loaded top", "showFailed top stageFailed"])
        #expect(self.clock.alarms == 0)
    }

    @Test("everything of a placement is over when the clock is at rest")
    func virtualTime() async {
        let delegate = DelegateRecorder()
        Yabbi.setBannerDelegate(delegate)
        Yabbi.setBannerCustomSettings { $0.updateRefreshIntervalSeconds(15) }
        Yabbi.loadAd(.banner, "top")
        await self.clock.settle()
        #expect(delegate.calls == ["loaded top"])
        Yabbi.showAd(adType: .banner, placementName: "top", presenter: MultiStagePresenter())
        await self.clock.settle()
        #expect(delegate.calls == ["loaded top", "shown top", "impression top"])
        await self.clock.advance(by: .seconds(300))
        #expect(delegate.calls.count { $0 == "impression top" } == 21, "a refresh every 15 s")
        Yabbi.destroyAd(.banner)
        await self.clock.settle()
        #expect(self.clock.alarms == 0)
    }

    @Test("a placement that the app loads while its type is being destroyed gets its ad")
    func loadsWhileDestroyed() async {
        let delegate = DelegateRecorder()
        Yabbi.setBannerDelegate(delegate)
        for name in ["one", "two"] {
            Yabbi.loadAd(.banner, name)
            let other = name == "one" ? "two" : "one"
            // The first callback destroys the other placement, which is about to be destroyed too, and loads it again.
            delegate.reactions["loadFailed \(name) destroyed"] = {
                delegate.reactions = [:]
                Yabbi.destroyAd(.banner, other)
                Yabbi.loadAd(.banner, other)
            }
        }
        Yabbi.destroyAd(.banner)
        #expect(delegate.calls.count == 2)
        let again = ["one", "two"].filter { Yabbi.isAdLoading(.banner, $0) }
        #expect(again.count == 1)
        for name in again { await delegate.waitFor("loaded \(name)") }
    }

    /// Initializes again, with another clock.
    func restart(with clock: any AdClock) {
        Yabbi.reset()
        var configuration = self.configuration
        let transport = ScriptedTransport(clock: clock) { _ in .json(FacadeTests.answer) }
        configuration.services = AdServices(
            transport: transport,
            opener: NoOpener(),
            signals: self.hostSignals,
            clock: clock
        )
        Yabbi.initialize(publisherID: "pub", configuration: configuration) { error in #expect(error == nil) }
    }
}
