import AdCore
import AdRuntime
import Testing
import YabbiTesting

@testable import YabbiAds

/// Where and when a banner is refreshed.
extension FacadeTests {
    @Test("a show that is refused does not move the banner's refresh")
    func refusedPresenter() async {
        let ear = Ear()
        let first = Screen()
        let second = Screen()
        await self.showBanner(ear, on: first)
        Yabbi.showAd(adType: .banner, placementName: "top", presenter: second)
        await ear.hears("showFailed top notLoaded")
        await self.clock.advance(by: .seconds(15))
        await ear.hears("impression top", times: 2)
        #expect(second.calls.isEmpty)
        #expect(first.presented == 2)
    }

    @Test("a show that fails does not move it either; one that succeeds does")
    func movedPresenter() async {
        let ear = Ear()
        let first = Screen()
        let second = Screen()
        await self.showBanner(ear, on: first)
        await self.loadAndShow(ear, on: RecordingPresenter(.failing(StageError("for the test"))))
        await ear.hears("showFailed top stageFailed")
        await self.clock.advance(by: .seconds(15))
        await ear.hears("impression top", times: 2)
        #expect(first.presented == 2)
        await self.loadAndShow(ear, on: second)
        await ear.hears("impression top", times: 3)
        await self.clock.advance(by: .seconds(15))
        await ear.hears("impression top", times: 4)
        #expect(second.presented == 2)
        #expect(first.presented == 2)
    }

    @Test(
        "no refresh begins while the app is in the background or covered",
        arguments: [[HostSignal.background(true), .background(false)], [.covered(true), .covered(false)]]
    )
    func unseen(signals: [HostSignal]) async {
        let ear = Ear()
        await self.showBanner(ear, on: Screen())
        self.board.post(signals[0])
        await self.clock.advance(by: .seconds(100))
        #expect(self.loads == 1)
        self.board.post(.network(.wifi))
        await self.clock.settle()
        #expect(self.loads == 1)
        self.board.post(signals[1])
        await ear.hears("impression top", times: 2)
        #expect(self.loads == 2)
    }

    @Test("covered in the background is out of sight until both are over")
    func unseenTwice() async {
        let ear = Ear()
        await self.showBanner(ear, on: Screen())
        self.board.post(.covered(true))
        self.board.post(.background(true))
        await self.clock.advance(by: .seconds(15))
        self.board.post(.background(false))
        await self.clock.settle()
        #expect(self.loads == 1)
        self.board.post(.covered(false))
        await ear.hears("impression top", times: 2)
    }

    @Test("what the signals said before initialize holds for every placement")
    func coveredFromTheStart() async {
        Yabbi.reset()
        self.board.post(.covered(true))
        Yabbi.initialize(publisherID: "pub", configuration: self.configuration) { error in #expect(error == nil) }
        let ear = Ear()
        let presenter = Screen()
        Yabbi.setBannerDelegate(ear)
        Yabbi.setBannerCustomSettings { $0.updateRefreshIntervalSeconds(15) }
        await self.loadAndShow(ear, on: presenter)
        await ear.hears("shown top")
        #expect(Yabbi.session?.placement(.banner, "top").machine.canBeSeen == false)
        self.board.post(.covered(false))
        await self.clock.settle()
        #expect(Yabbi.session?.placement(.banner, "top").machine.canBeSeen == true)
    }

    @Test("a signal that is still on its way holds back the refresh that falls due before it")
    func lateSignal() async {
        let clock = WakingClock()
        self.begin(with: clock)
        let ear = Ear()
        let presenter = Screen()
        await self.showBanner(ear, on: presenter)
        clock.wake(after: .seconds(15))
        self.board.post(.background(true))
        await clock.settle()
        #expect(presenter.presented == 1)
        #expect(!ear.heard.contains { $0.hasPrefix("showFailed") })
        #expect(Yabbi.session?.placement(.banner, "top").ads.count == 1, "nothing is being loaded")
    }

    @Test("that a banner can't be seen may be said before initialize, and outlives destroyAd")
    func hiddenForGood() async {
        Yabbi.reset()
        Yabbi.setBannerVisible(false, "top")
        Yabbi.initialize(publisherID: "pub", configuration: self.configuration) { error in #expect(error == nil) }
        let ear = Ear()
        await self.showBanner(ear, on: Screen())
        await self.clock.advance(by: .seconds(15))
        #expect(self.loads == 1)
        Yabbi.destroyAd(.banner, "top")
        let another = Ear()
        await self.showBanner(another, on: Screen())
        await self.clock.advance(by: .seconds(15))
        #expect(self.loads == 2)
        Yabbi.setBannerVisible(true, "top")
        await another.hears("impression top", times: 2)
        Yabbi.destroyAd(.banner, "top")
        let last = Ear()
        await self.showBanner(last, on: Screen())
        await self.clock.advance(by: .seconds(15))
        await last.hears("impression top", times: 2)
    }

    @Test("a banner that is hidden hides neither another banner nor another type of the same name")
    func hiddenAlone() async {
        Yabbi.setBannerVisible(false, "bottom")
        #expect(Yabbi.session?.slot(.banner, "bottom") == nil, "saying so makes no placement")
        #expect(Yabbi.session?.placement(.banner, "bottom").machine.canBeSeen == false)
        #expect(Yabbi.session?.placement(.banner, "top").machine.canBeSeen == true)
        #expect(Yabbi.session?.placement(.interstitial, "bottom").machine.canBeSeen == true)
    }

    /// How many ads were asked for.
    private var loads: Int { self.transport.requests.filter { $0.url.host == "ssp.example" }.count }

    /// Brings a banner with a refresh each 15 s on screen, until it is viewed.
    private func showBanner(_ ear: Ear, on presenter: any Presenter) async {
        Yabbi.setBannerDelegate(ear)
        Yabbi.setBannerCustomSettings { $0.updateRefreshIntervalSeconds(15) }
        await self.loadAndShow(ear, on: presenter)
        await ear.hears("impression top")
    }

    private func loadAndShow(_ ear: Ear, on presenter: any Presenter) async {
        let before = ear.heard.filter { $0 == "loaded top" }.count
        Yabbi.loadAd(.banner, "top")
        await ear.hears("loaded top", times: before + 1)
        Yabbi.showAd(adType: .banner, placementName: "top", presenter: presenter)
    }
}
