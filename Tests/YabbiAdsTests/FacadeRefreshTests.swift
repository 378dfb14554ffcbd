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
        let first = RecordingPresenter()
        let second = RecordingPresenter()
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
        let first = RecordingPresenter()
        let second = RecordingPresenter()
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

    /// Brings a banner with a refresh each 15 s on screen, until it is viewed.
    private func showBanner(_ ear: Ear, on presenter: RecordingPresenter) async {
        Yabbi.setBannerDelegate(ear)
        Yabbi.setBannerCustomSettings { $0.updateRefreshIntervalSeconds(15) }
        await self.loadAndShow(ear, on: presenter)
        await ear.hears("impression top")
    }

    private func loadAndShow(_ ear: Ear, on presenter: RecordingPresenter) async {
        let before = ear.heard.filter { $0 == "loaded top" }.count
        Yabbi.loadAd(.banner, "top")
        await ear.hears("loaded top", times: before + 1)
        Yabbi.showAd(adType: .banner, placementName: "top", presenter: presenter)
    }
}

extension RecordingPresenter {
    /// How many creatives it was given.
    fileprivate var presented: Int {
        self.calls.filter { call in
            if case .present = call { true } else { false }
        }.count
    }
}
