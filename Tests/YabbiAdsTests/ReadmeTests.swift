import AdProviders
import AdRuntime
import SandboxSSP
import Testing
import YabbiAds
import YabbiTesting

@Suite("The README")
struct ReadmeTests {
    @Test("the three lines of the README show an ad over real HTTP")
    func threeLines() async throws {
        var configuration = Sandbox.Configuration()
        configuration.catalogue = try CreativeCatalogue([CreativeEntry(name: "banner-320x50", markup: "<p>Hello</p>")])
        let sandbox = try Sandbox.start(configuration)
        defer { sandbox.stop() }
        let endpoint = try #require(sandbox.url("/yabbi/load"))
        let app = YabbiApp(publisherID: "publisher", bundle: "com.example.app", name: "Example")
        let presenter = RecordingPresenter()
        let opener = NoOpener()

        let ads = AdLoader.yabbi(endpoint, app: app, services: try .standard(opener: opener))
        let ad = try await ads.load(.banner(unit: "banner-320x50"))
        let events = ad.events
        try await ad.show(on: presenter)

        #expect(ad.isShowing)
        for await event in events {
            if case .beaconRecorded = event { break }
        }
        await ads.services.beacons.waitUntilDelivered(within: .seconds(10))
        #expect(sandbox.hits().filter { $0.path == "/t/yabbi/view" }.count == 1)
        ad.destroy()
    }

    @Test("a beacon folder that can't be used is reported as an issue, and the ad is still shown and billed")
    func folder() async throws {
        var configuration = Sandbox.Configuration()
        configuration.catalogue = try CreativeCatalogue([CreativeEntry(name: "banner", markup: "<p>Hello</p>")])
        let sandbox = try Sandbox.start(configuration)
        defer { sandbox.stop() }
        let app = YabbiApp(publisherID: "publisher", bundle: "com.example.app", name: "Example")
        // A file is in the place of the folder.
        let supportFolder = #filePath
        let opener = NoOpener()

        let services = try AdServices.standard(opener: opener, beaconFolder: BeaconFolder(supportFolder + "/ads"))

        let ads = AdLoader.yabbi(try #require(sandbox.url("/yabbi/load")), app: app, services: services)
        let ad = try await ads.load(.banner(unit: "banner"))
        let events = ad.events
        try await ad.show(on: RecordingPresenter())
        var issue: String?
        for await event in events {
            if case .issue(let reported) = event { issue = reported.message }
            if case .beaconRecorded = event { break }
        }
        #expect(issue?.contains(#filePath) ?? false, "\(issue ?? "no issue was reported")")
        await services.beacons.waitUntilDelivered(within: .seconds(10))
        #expect(sandbox.bill().views == 1)
        ad.destroy()
    }

    @Test("a card is requested through its provider's client, and its impression and click are billed")
    func cards() async throws {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        let base = sandbox.baseURL
        let services = try AdServices.standard(opener: NoOpener())
        let text = "I want to learn English"

        CeedAds.initialize(appId: "app_test_demo", apiBaseUrl: base, services: services)
        let ad = try await CeedAds.requestAd(conversationId: "c1", messageId: "m7", contextText: text)
        let place = CardPlace()
        try await ad?.show(on: place)
        place.setVisibleRatio(1)

        #expect(place.card?.disclosure.label == "Sponsored")
        let events = try #require(ad?.events)
        place.recordClick()
        for await event in events { if case .click = event { break } }
        await services.beacons.waitUntilDelivered(within: .seconds(10))
        #expect(sandbox.bill().views == 1 && sandbox.bill().clicks == 1)
        ad?.destroy()
    }
}
