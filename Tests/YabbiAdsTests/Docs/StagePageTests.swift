import AdCore
import AdRuntime
import Testing
import YabbiAds
import YabbiTesting

@Suite("TextPresenter")
struct StagePageTests {
    @Test("an ad on the stage has one impression, one click and one close")
    func life() async throws {
        let clock = ManualClock()
        let observer = RecordingObserver()
        let opener = RecordingOpener()
        let services = AdServices(
            transport: ScriptedTransport(clock: clock) { _ in .status(200) },
            opener: opener,
            signals: HostSignalSource(),
            context: ContextSource(known: AdContext(userAgent: "Test/1.0")),
            clock: clock,
            observer: observer
        )
        let offer = Offer(
            provider: "test",
            creative: .html(HTMLCreative(markup: "<p>Hello</p>", document: "<p>Hello</p>")),
            rules: ShowRules(
                .interstitial,
                closeDelay: .seconds(5),
                clickThrough: ClickThroughURL("https://shop.example/")
            ),
            size: .adaptive
        )
        let endpoint = try HTTPURL(parsing: "https://ssp.example/")
        let ad = try await AdLoader(OfferProvider(endpoint: endpoint), services: services).load(offer)
        let presenter = TextPresenter { _ in }

        try await ad.show(on: presenter)
        let stage = await presenter.stage
        await stage?.pressedClose()
        await clock.advance(by: .seconds(5))
        await stage?.tapped()
        await stage?.tapped()
        await clock.settle()
        await stage?.pressedClose()
        await clock.settle()

        #expect(opener.opened.map(\.text) == ["https://shop.example/", "https://shop.example/"])
        let names = observer.names.filter { $0 != "linkOpened" }
        #expect(names == ["loadStarted", "loaded", "shown", "view", "closeAvailable", "tap", "click", "tap", "closed"])
    }
}
