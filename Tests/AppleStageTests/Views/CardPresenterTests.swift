import AdCore
import AdRuntime
import SystemSupport
import Testing
import YabbiTesting

@testable import AppleStage

@Suite("Ads on a CardPresenter", .timeLimit(.minutes(1)))
struct CardPresenterTests {
    /// An ad with a card, whose beacons go to a transport in memory.
    private struct Scene {
        let clock = ManualClock()
        let opener = RecordingOpener()
        let observer = RecordingObserver()
        let transport: ScriptedTransport
        let presenter = CardPresenter()
        let ad: Ad

        init(_ policy: ViewabilityPolicy = .anyPixel, closeControl: ShowRules.CloseControl = .host) async throws {
            self.transport = ScriptedTransport(clock: self.clock) { _ in .status(200) }
            let services = AdServices(
                transport: self.transport,
                opener: self.opener,
                clock: self.clock,
                observer: self.observer
            )
            let endpoint = try #require(HTTPURL("http://ssp.example/load"))
            let view = try #require(TrackingURL("http://t.example/view"))
            let click = try #require(TrackingURL("http://t.example/click"))
            let link = try #require(ClickThroughURL("https://shop.example/"))
            let offer = Offer(
                provider: "test",
                creative: .card(CardCreative(headline: "Fern pots", link: link, by: "Frondolo")),
                rules: ShowRules(.card, closeControl: closeControl, clickThrough: link, viewPolicy: policy),
                size: .adaptive,
                beacons: [
                    BeaconTemplate(.view, BeaconCall(.get, view, isBilling: true)),
                    BeaconTemplate(.click, BeaconCall(.get, click)),
                ]
            )
            self.ad = try await AdLoader(OfferProvider(endpoint: endpoint), services: services).load(offer)
        }

        var beacons: [String] {
            self.transport.requests.filter { $0.url.host == "t.example" }.map { String($0.url.target) }.sorted()
        }

        /// Shows the ad, and a view that draws it at once.
        func show() async throws -> CardPresenter.ViewNumber {
            try await self.ad.show(on: self.presenter)
            let view = self.presenter.attach {}
            self.presenter.handle(.fadeEnded, from: view)
            return view
        }

        func end() async {
            self.ad.destroy()
            await self.clock.settle()
        }
    }

    @Test("views that come, go and measure again bill one impression, and presses one click")
    func once() async throws {
        let scene = try await Scene()
        var view = try await scene.show()
        for _ in 0..<3 {
            scene.presenter.handle(.measured(1), from: view)
            scene.presenter.handle(.measured(0.2), from: view)
            scene.presenter.handle(.pressed(.button, at: nil), from: view)
            await scene.clock.settle()
            scene.presenter.detach(view)
            view = scene.presenter.attach {}
        }
        await scene.clock.settle()
        #expect(scene.beacons == ["/click", "/view"])
        #expect(Set(scene.opener.opened.map(\.text)) == ["https://shop.example/"])
        await scene.end()
    }

    @Test("a card that no view draws, or that is not on screen, is no impression")
    func unseen() async throws {
        let scene = try await Scene()
        try await scene.ad.show(on: scene.presenter)
        await scene.clock.advance(by: .seconds(60))
        let view = scene.presenter.attach {}
        scene.presenter.handle(.fadeEnded, from: view)
        scene.presenter.handle(.measured(0), from: view)
        await scene.clock.advance(by: .seconds(60))
        #expect(scene.beacons.isEmpty)
        await scene.end()
    }

    @Test("in a carousel the edge of a neighbor is no impression, and the page is")
    func neighbor() async throws {
        let scene = try await Scene(.halfInView)
        let view = try await scene.show()
        scene.presenter.handle(.measured(0.2), from: view)
        await scene.clock.settle()
        #expect(scene.beacons.isEmpty)
        scene.presenter.handle(.measured(1), from: view)
        await scene.clock.settle()
        #expect(scene.beacons == ["/view"])
        await scene.end()
    }

    @Test("a view that another one has replaced has no effect any more")
    func replaced() async throws {
        let scene = try await Scene()
        let old = try await scene.show()
        let new = scene.presenter.attach {}
        scene.presenter.handle(.measured(1), from: old)
        scene.presenter.handle(.pressed(.button, at: nil), from: old)
        scene.presenter.detach(old)
        await scene.clock.settle()
        #expect(scene.beacons.isEmpty)
        scene.presenter.handle(.measured(1), from: new)
        await scene.clock.settle()
        #expect(scene.beacons == ["/view"])
        await scene.end()
    }

    @Test("a view is told what to draw: the card, its reveal, its close button, and its end")
    func drawing() async throws {
        let scene = try await Scene(closeControl: .button)
        let changes = Locked(0)
        _ = scene.presenter.attach { changes.withLock { $0 += 1 } }
        #expect(scene.presenter.card == nil)
        try await scene.ad.show(on: scene.presenter)
        await scene.clock.settle()
        let display = scene.presenter.display
        #expect(display.card?.headline == "Fern pots" && display.isRevealed && !display.hasFaded)
        #expect(display.hasCloseButton)
        #expect(changes.withLock { $0 } >= 2)
        scene.ad.close()
        await scene.clock.settle()
        #expect(scene.presenter.card == nil && !scene.presenter.display.isRevealed)
        await scene.end()
    }

    @Test("a card that the app takes away ends its ad, and the presenter takes the next one")
    func remove() async throws {
        let scene = try await Scene()
        _ = try await scene.show()
        scene.presenter.remove()
        await scene.clock.settle()
        #expect(scene.observer.names.last == "closed" && scene.presenter.card == nil)
        let options = StageOptions(
            ad: scene.ad.id,
            kind: .card,
            size: CreativeLayout(.adaptive, in: await scene.presenter.container(for: .card))
        )
        let card = Creative.card(CardCreative(headline: "Next", by: nil))
        _ = try await scene.presenter.present(card, options) { _ in }
        #expect(scene.presenter.card?.headline == "Next")
        await #expect(throws: StageError.self) { try await scene.presenter.present(card, options) { _ in } }
        let html = Creative.html(HTMLCreative(markup: "", document: ""))
        await #expect(throws: StageError.self) { try await CardPresenter().present(html, options) { _ in } }
        await scene.end()
    }

    @Test("the container is that of the view once there is one")
    func container() async {
        let presenter = CardPresenter()
        #expect(await presenter.container(for: .card).screen == Size(width: 390, height: 844))
        presenter.setContainer(AdContainer(width: 300, screen: Size(width: 320, height: 568)))
        #expect(await presenter.container(for: .card).width == 300)
    }
}
