import AdCore
import AdRuntime
import Testing
import YabbiTesting

@testable import YabbiAds

/// On which presenter, and when, a banner is refreshed.
extension FacadeTests {
    @Test("a show that is refused does not move the refresh to its presenter")
    func refusedPresenter() async {
        let delegate = DelegateRecorder()
        let first = MultiStagePresenter()
        let second = MultiStagePresenter()
        await self.showBanner(delegate, on: first)
        Yabbi.showAd(adType: .banner, placementName: "top", presenter: second)
        await delegate.waitFor("showFailed top notLoaded")
        await self.clock.advance(by: .seconds(15))
        await delegate.waitFor("impression top", times: 2)
        #expect(second.calls.isEmpty)
        #expect(first.presentCount == 2)
    }

    @Test("a show that fails does not move the refresh to its presenter; one that succeeds does")
    func movedPresenter() async {
        let delegate = DelegateRecorder()
        let first = MultiStagePresenter()
        let second = MultiStagePresenter()
        await self.showBanner(delegate, on: first)
        await self.loadAndShow(delegate, on: RecordingPresenter(.failing(StageError("for the test"))))
        await delegate.waitFor("showFailed top stageFailed")
        await self.clock.advance(by: .seconds(15))
        await delegate.waitFor("impression top", times: 2)
        #expect(first.presentCount == 2)
        await self.loadAndShow(delegate, on: second)
        await delegate.waitFor("impression top", times: 3)
        await self.clock.advance(by: .seconds(15))
        await delegate.waitFor("impression top", times: 4)
        #expect(second.presentCount == 2)
        #expect(first.presentCount == 2)
    }

    @Test(
        "no refresh starts, and no time counts, while the app is in the background or covers the banner",
        arguments: [[HostSignal.background(true), .background(false)], [.covered(true), .covered(false)]]
    )
    func unseen(signals: [HostSignal]) async {
        let delegate = DelegateRecorder()
        await self.showBanner(delegate, on: MultiStagePresenter())
        self.hostSignals.post(signals[0])
        await self.clock.advance(by: .seconds(100))
        #expect(self.loads == 1)
        self.hostSignals.post(.network(.wifi))
        await self.clock.settle()
        #expect(self.loads == 1)
        self.hostSignals.post(signals[1])
        await self.clock.advance(by: .seconds(14))
        #expect(self.loads == 1)
        await self.clock.advance(by: .seconds(1))
        await delegate.waitFor("impression top", times: 2)
        #expect(self.loads == 2)
    }

    @Test("a banner that is covered in the background is invisible until both end")
    func unseenTwice() async {
        let delegate = DelegateRecorder()
        await self.showBanner(delegate, on: MultiStagePresenter())
        self.hostSignals.post(.covered(true))
        self.hostSignals.post(.background(true))
        await self.clock.advance(by: .seconds(15))
        self.hostSignals.post(.background(false))
        await self.clock.advance(by: .seconds(15))
        #expect(self.loads == 1)
        self.hostSignals.post(.covered(false))
        await self.clock.advance(by: .seconds(15))
        await delegate.waitFor("impression top", times: 2)
    }

    @Test("host signals from before initialize apply to every placement")
    func coveredFromTheStart() async {
        Yabbi.reset()
        self.hostSignals.post(.covered(true))
        Yabbi.initialize(publisherID: "pub", configuration: self.configuration) { error in #expect(error == nil) }
        let delegate = DelegateRecorder()
        let presenter = MultiStagePresenter()
        Yabbi.setBannerDelegate(delegate)
        Yabbi.setBannerCustomSettings { $0.updateRefreshIntervalSeconds(15) }
        await self.loadAndShow(delegate, on: presenter)
        await delegate.waitFor("shown top")
        #expect(Yabbi.session?.placement(.banner, "top").machine.canBeSeen == false)
        self.hostSignals.post(.covered(false))
        await self.clock.settle()
        #expect(Yabbi.session?.placement(.banner, "top").machine.canBeSeen == true)
    }

    @Test("a pending host signal holds back a refresh that is due before it")
    func lateSignal() async {
        let clock = WakingClock()
        self.restart(with: clock)
        let delegate = DelegateRecorder()
        let presenter = MultiStagePresenter()
        await self.showBanner(delegate, on: presenter)
        clock.wake(after: .seconds(15))
        self.hostSignals.post(.background(true))
        await clock.settle()
        #expect(presenter.presentCount == 1)
        #expect(!delegate.calls.contains { $0.hasPrefix("showFailed") })
        #expect(Yabbi.session?.placement(.banner, "top").ads.count == 1, "no refresh is loading")
    }

    @Test("setBannerVisible works before initialize, and is kept by destroyAd")
    func hiddenForGood() async {
        Yabbi.reset()
        Yabbi.setBannerVisible(false, "top")
        Yabbi.initialize(publisherID: "pub", configuration: self.configuration) { error in #expect(error == nil) }
        let delegate = DelegateRecorder()
        await self.showBanner(delegate, on: MultiStagePresenter())
        await self.clock.advance(by: .seconds(15))
        #expect(self.loads == 1)
        Yabbi.destroyAd(.banner, "top")
        let second = DelegateRecorder()
        await self.showBanner(second, on: MultiStagePresenter())
        await self.clock.advance(by: .seconds(15))
        #expect(self.loads == 2)
        Yabbi.setBannerVisible(true, "top")
        await self.clock.advance(by: .seconds(15))
        await second.waitFor("impression top", times: 2)
        Yabbi.destroyAd(.banner, "top")
        let third = DelegateRecorder()
        await self.showBanner(third, on: MultiStagePresenter())
        await self.clock.advance(by: .seconds(15))
        await third.waitFor("impression top", times: 2)
    }

    @Test("a hidden banner hides neither another banner nor another type of the same name")
    func hiddenAlone() async {
        Yabbi.setBannerVisible(false, "bottom")
        #expect(Yabbi.session?.slot(.banner, "bottom") == nil, "setBannerVisible creates no placement")
        #expect(Yabbi.session?.placement(.banner, "bottom").machine.canBeSeen == false)
        #expect(Yabbi.session?.placement(.banner, "top").machine.canBeSeen == true)
        #expect(Yabbi.session?.placement(.interstitial, "bottom").machine.canBeSeen == true)
    }

    /// The number of ad requests.
    private var loads: Int { self.transport.requests.filter { $0.url.host == "ssp.example" }.count }

    /// Shows a banner with a refresh interval of 15 s, and waits for its impression.
    private func showBanner(_ delegate: DelegateRecorder, on presenter: any Presenter) async {
        Yabbi.setBannerDelegate(delegate)
        Yabbi.setBannerCustomSettings { $0.updateRefreshIntervalSeconds(15) }
        await self.loadAndShow(delegate, on: presenter)
        await delegate.waitFor("impression top")
    }

    private func loadAndShow(_ delegate: DelegateRecorder, on presenter: any Presenter) async {
        let before = delegate.calls.filter { $0 == "loaded top" }.count
        Yabbi.loadAd(.banner, "top")
        await delegate.waitFor("loaded top", times: before + 1)
        Yabbi.showAd(adType: .banner, placementName: "top", presenter: presenter)
    }
}
