import AdCore
import AdProviders
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("The size of a video")
struct VideoSizeTests {
    @Test(
        "a video fills its container, whatever width and height the response has",
        arguments: [(320, 50), (300, 250), (0, 0), (9_999, 1)],
        [
            AdContainer.fullScreen(Size(width: 390, height: 844)),
            AdContainer(width: 300, height: 200, screen: Size(width: 390, height: 844)),
        ]
    )
    func fills(sides: (width: Int, height: Int), container: AdContainer) async throws {
        let answer: AdJSON = [
            "type": 2, "adm": .string(Tag.vast(Tag.inline())), "closeTimeout": 0, "width": .int(sides.width),
            "height": .int(sides.height), "tracker": ["view": "http://t.example/v", "click": "http://t.example/c"],
        ]
        let world = World { $0.url.host == "ssp.example" ? .json(answer.text()) : .status(200) }
        let app = YabbiApp(publisherID: "p", bundle: "com.example", name: "Example")
        let provider = YabbiProvider(endpoint: url("http://ssp.example/load"), app: app)
        let ad = try await AdLoader(provider, services: world.services).load(.interstitial(unit: "u"))
        #expect(ad.offer?.size == .adaptive)
        let presenter = RecordingPresenter(container: container)
        try await ad.show(on: presenter)
        let size = try #require(presenter.options?.size)
        #expect(size.rendered == Size(width: container.width ?? 0, height: container.height ?? 0) && size.scale == 1)
        ad.destroy()
        await world.clock.settle()
    }

    @Test("an offer of a video ignores a requested size")
    func adaptive() async throws {
        let world = VideoWorld()
        let ad = try await world.loader.load([.video(Tag.vast(Tag.inline()))])
        let video = try #require(ad.offer)
        let size = RequestedSize(width: 320, height: 50)
        let offer = Offer(provider: "test", creative: video.creative, rules: video.rules, size: size)
        #expect(offer.size == .adaptive)
        let banner = Offer(
            provider: "test",
            creative: .html(HTMLCreative(markup: "x", document: "x")),
            rules: ShowRules(.interstitial),
            size: size
        )
        #expect(banner.size == size)
    }
}
