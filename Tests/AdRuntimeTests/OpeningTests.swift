import AdCore
import SystemSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Where a link is opened")
struct OpeningTests {
    private func clicked(_ link: String, _ ways: Set<LinkOpenMode>) async throws -> (World, [AdEvent]) {
        let world = World(opener: RecordingOpener(ways: ways))
        let presenter = RecordingPresenter()
        let ad = try await world.loader.load(.sample(closeDelay: .zero))
        try await ad.show(on: presenter)
        let link = try #require(ClickThroughURL(link))
        presenter.report(.click(link, byUser: true))
        await world.clock.settle()
        ad.destroy()
        await world.clock.settle()
        return (world, world.observer.records.map(\.event))
    }

    @Test(
        "a web page opens in the browser, or in the app if there is no browser",
        arguments: [
            (
                [LinkOpenMode.systemBrowser, .inApp], [LinkOpenMode.systemBrowser],
                LinkOpenResult.opened(.systemBrowser)
            ),
            ([.inApp], [.systemBrowser, .inApp], .opened(.inApp)), ([], [.systemBrowser, .inApp], .notOpened),
        ] as [(Set<LinkOpenMode>, [LinkOpenMode], LinkOpenResult)]
    )
    func web(ways: Set<LinkOpenMode>, tried: [LinkOpenMode], outcome: LinkOpenResult) async throws {
        let (world, events) = try await self.clicked("https://shop.example/", ways)
        #expect(world.opener.modes == tried)
        #expect(events.contains(.linkOpened(landing, outcome)))
        // Beacons are sent concurrently and may arrive in any order.
        #expect(world.beacons.sorted() == ["/click", "/view"], "the click is recorded once in every mode")
    }

    @Test(
        "a link that is no web page is not opened in the app",
        arguments: ["tel:+4612345", "itms-apps://apps.example/id1", "frondolo://shop"]
    )
    func others(link: String) async throws {
        let (world, events) = try await self.clicked(link, [.inApp])
        #expect(world.opener.modes == [.systemBrowser])
        #expect(events.contains(.linkOpened(try #require(ClickThroughURL(link)), .notOpened)))
    }

    @Test("a link to the App Store opens its page over the app, if the bid is signed for that app", arguments: [7, 8])
    func store(signed: Int) async throws {
        let opener = StorePages()
        let world = World(store: opener)
        let presenter = RecordingPresenter()
        var offer = Offer.sample(closeDelay: .zero)
        let impression = SKAdNetworkImpression(
            version: "4.0",
            network: "a.skadnetwork",
            campaign: .source(4),
            advertisedApp: signed,
            sourceApp: 2,
            nonce: "n",
            timestamp: 3,
            signature: "s"
        )
        offer.info.attribution = InstallAttribution(nil, nil, storePage: impression)
        let ad = try await world.loader.load(offer)
        try await ad.show(on: presenter)
        let link = try #require(ClickThroughURL("https://apps.apple.com/app/id7"))
        presenter.report(.click(link, byUser: true))
        await world.clock.settle()
        #expect(opener.apps.withLock(\.self) == (signed == 7 ? [7] : []))
        let mode: LinkOpenMode = signed == 7 ? .inApp : .systemBrowser
        #expect(world.observer.records.map(\.event).contains(.linkOpened(link, .opened(mode))))
        #expect(world.beacons.sorted() == ["/click", "/view"])
        ad.destroy()
        await world.clock.settle()
    }

    @Test("the in-app mode never opens the browser")
    func inApp() throws {
        let link = try #require(ClickThroughURL("https://shop.example/"))
        #expect(LinkOpenMode.inApp.ways(for: link) == [.inApp])
        #expect(LinkOpenMode.systemBrowser.ways(for: link) == [.systemBrowser, .inApp])
    }

    @Test("after a browser that never returns no page opens in the app")
    func silent() async throws {
        let world = World(opens: nil)
        let presenter = RecordingPresenter()
        let ad = try await world.loader.load(.sample(closeDelay: .zero))
        try await ad.show(on: presenter)
        presenter.report(.click(landing, byUser: true))
        await world.clock.advance(by: .seconds(11))
        let links = world.observer.records.map(\.event).filter { $0.name == "linkOpened" }
        #expect(links == [.linkOpened(landing, .notOpened)])
        ad.destroy()
        await world.clock.settle()
    }
}

/// An opener that shows the App Store's page, and opens all other links.
private final class StorePages: URLOpener, StoreOpener {
    let apps = Locked<[Int]>([])

    func open(_ url: ClickThroughURL, _ mode: LinkOpenMode) async -> Bool { true }

    func open(_ product: StoreProduct) async -> Bool {
        self.apps.withLock { $0.append(product.app) }
        return true
    }
}
