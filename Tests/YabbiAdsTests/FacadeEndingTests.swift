import AdCore
import AdRuntime
import Testing
import YabbiTesting

@testable import YabbiAds

/// However a load or a show ends, somebody hears of it.
extension FacadeTests {
    @Test("an ad that expires while the app sleeps ends its show, and the placement goes on")
    func expiresInSleep() async {
        let clock = WakingClock()
        self.begin(with: clock)
        let ear = Ear()
        Yabbi.setBannerDelegate(ear)
        Yabbi.loadAd(.banner, "top")
        await ear.hears("loaded top")
        clock.wake(after: .seconds(3600))
        // The ad is over, and nobody has had the time to say so.
        Yabbi.showAd(adType: .banner, placementName: "top", presenter: RecordingPresenter())
        await ear.hears("showFailed top expired")
        #expect(Yabbi.canLoadAd(.banner, "top") && !Yabbi.isAdLoaded(.banner, "top"))
        Yabbi.loadAd(.banner, "top")
        await ear.hears("loaded top", times: 2)
        #expect(ear.heard == ["loaded top", "showFailed top expired", "loaded top"])
    }

    @Test("a show whose ad is over already and says nothing ends in a callback all the same")
    func silentAd() async throws {
        let ear = Ear()
        Yabbi.setInterstitialDelegate(ear)
        Yabbi.loadAd(.interstitial, "pause")
        await ear.hears("loaded pause")
        let slot = try #require(Yabbi.session?.placement(.interstitial, "pause"))
        try #require(slot.ads.values.first).destroy()
        Yabbi.showAd(adType: .interstitial, placementName: "pause", presenter: RecordingPresenter())
        await ear.hears("showFailed pause destroyed")
        #expect(Yabbi.canLoadAd(.interstitial, "pause"))
        #expect(slot.ads.isEmpty)
    }

    @Test("a stage that can't show an ad ends its show once")
    func stageFails() async {
        let ear = Ear()
        Yabbi.setBannerDelegate(ear)
        Yabbi.loadAd(.banner, "top")
        await ear.hears("loaded top")
        let presenter = RecordingPresenter(.failing(StageError("for the test")))
        Yabbi.showAd(adType: .banner, placementName: "top", presenter: presenter)
        await ear.hears("showFailed top stageFailed")
        await self.clock.settle()
        #expect(ear.heard == ["loaded top", "showFailed top stageFailed"])
        #expect(self.clock.alarms == 0)
    }

    @Test("a host that loads another placement again while a type is being destroyed gets its ad")
    func loadsWhileDestroyed() async {
        let ear = Ear()
        Yabbi.setBannerDelegate(ear)
        for name in ["one", "two"] {
            Yabbi.loadAd(.banner, name)
            let other = name == "one" ? "two" : "one"
            // Whichever goes first ends the other one, which is to go as well, and loads it again.
            ear.then["loadFailed \(name) destroyed"] = {
                ear.then = [:]
                Yabbi.destroyAd(.banner, other)
                Yabbi.loadAd(.banner, other)
            }
        }
        Yabbi.destroyAd(.banner)
        #expect(ear.heard.count == 2)
        let again = ["one", "two"].filter { Yabbi.isAdLoading(.banner, $0) }
        #expect(again.count == 1)
        for name in again { await ear.hears("loaded \(name)") }
    }

    /// Starts anew by another clock.
    func begin(with clock: any AdClock) {
        Yabbi.reset()
        var configuration = self.configuration
        let transport = ScriptedTransport(clock: clock) { _ in .json(FacadeTests.answer) }
        configuration.services = AdServices(transport: transport, signals: self.board, clock: clock)
        Yabbi.initialize(publisherID: "pub", configuration: configuration) { error in #expect(error == nil) }
    }
}
