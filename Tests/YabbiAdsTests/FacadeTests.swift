import AdCore
import AdRuntime
import SystemSupport
import Testing
import YabbiTesting

@testable import YabbiAds

@MainActor
@Suite("The facade in the SDK's vocabulary", .serialized, .timeLimit(.minutes(1)))
struct FacadeTests {
    nonisolated static let answer = #"""
        {"type": 1, "adm": "<a href='https://shop.example/'>Buy</a>", "closeTimeout": 0, "width": 320, "height": 50,
         "tracker": {"view": "http://t.example/view", "click": "http://t.example/click"}}
        """#

    let clock = ManualClock()
    let board = HostSignalSource()
    let transport: ScriptedTransport
    let configuration: YabbiConfiguration

    init() throws {
        Yabbi.reset()
        self.transport = ScriptedTransport(clock: self.clock) { request in
            guard request.url.host == "ssp.example" else { return .status(200) }
            let body = String(decoding: request.body ?? [], as: UTF8.self)
            return body.contains("\"nofill\"") ? .status(204) : .json(FacadeTests.answer)
        }
        let context = ContextSource(
            known: AdContext(ifa: "IFA", location: AdContext.Location(latitude: 1, longitude: 2, precision: 3))
        )
        self.configuration = YabbiConfiguration(
            endpoint: try #require(HTTPURL("http://ssp.example/load")),
            bundle: "com.example",
            appName: "Example",
            services: AdServices(
                transport: self.transport,
                signals: self.board,
                context: context,
                clock: self.clock
            )
        )
        Yabbi.initialize(publisherID: "pub", configuration: self.configuration) { error in #expect(error == nil) }
    }

    @Test("nothing works before initialize, and everybody is told")
    func uninitialized() {
        Yabbi.reset()
        let ear = Ear()
        Yabbi.setInterstitialDelegate(ear)
        #expect(!Yabbi.isInitialized)
        #expect(!Yabbi.canLoadAd(.interstitial, "pause"))
        Yabbi.loadAd(.interstitial, "pause")
        Yabbi.showAd(adType: .interstitial, placementName: "pause", presenter: RecordingPresenter())
        #expect(ear.heard == ["loadFailed pause notInitialized", "showFailed pause notInitialized"])
        Yabbi.initialize(publisherID: " ", configuration: self.configuration) { error in
            #expect(error?.description == "invalidRequest")
        }
        #expect(!Yabbi.isInitialized)
    }

    @Test("a second initialize that says the same succeeds, and one that says something else fails and changes nothing")
    func again() async throws {
        let session = Yabbi.session
        func initialize(_ publisher: String, _ change: (inout YabbiConfiguration) -> Void = { _ in }) -> AdException? {
            var configuration = self.configuration
            change(&configuration)
            var told: AdException?
            Yabbi.initialize(publisherID: publisher, configuration: configuration) { told = $0 }
            return told
        }
        #expect(initialize("pub") == nil)
        let other = try #require(HTTPURL("http://other.example/load"))
        let failures = [
            (initialize("other"), "another publisher,"), (initialize(" "), "another publisher,"),
            (initialize("pub") { $0.endpoint = other }, "another endpoint,"),
            (initialize("pub") { $0.bundle = "com.other" }, "another bundle,"),
            (initialize("other") { $0.appName = "Other" }, "another publisher and app name,"),
        ]
        for (failure, words) in failures {
            #expect(failure?.description == "alreadyInitialized" && failure?.message.contains(words) == true)
        }
        #expect(Yabbi.session === session)
        let ear = Ear()
        Yabbi.setInterstitialDelegate(ear)
        Yabbi.loadAd(.interstitial, "pause")
        await ear.hears("loaded pause")
        let request = try #require(self.transport.requests.first)
        #expect(request.url.host == "ssp.example")
        #expect(try AdJSON(parsing: request.body ?? [])["pubID"]?.string == "pub", "the first one stays in use")
    }

    @Test("the size of the future show is held against the answer, also of a banner's refreshes, and never sent")
    func size() async throws {
        let ear = Ear()
        Yabbi.setBannerDelegate(ear)
        Yabbi.setBannerCustomSettings { $0.updateRefreshIntervalSeconds(15) }
        Yabbi.loadAd(.banner, "top", size: Size(width: 300, height: 50))
        await ear.hears("loaded top")
        func issues() -> [String] {
            Yabbi.session?.placement(.banner, "top").ads.values.flatMap { $0.offer?.issues.map(\.code) ?? [] } ?? []
        }
        #expect(issues() == ["size.larger"], "the answer is 320x50")
        Yabbi.showAd(adType: .banner, placementName: "top", presenter: Screen())
        await ear.hears("impression top")
        await self.clock.advance(by: .seconds(15))
        await ear.hears("impression top", times: 2)
        #expect(issues().contains("size.larger"))
        let requests = self.transport.requests.filter { $0.url.host == "ssp.example" }
        #expect(requests.count == 2 && requests[0].body == requests[1].body)
        #expect(!String(decoding: requests[0].body ?? [], as: UTF8.self).contains("300"))
        Yabbi.destroyAd(.banner)
    }

    @Test("an interstitial is loaded, shown and closed, and may be loaded again once it is shown")
    func interstitial() async {
        let ear = Ear()
        let presenter = RecordingPresenter()
        Yabbi.setInterstitialDelegate(ear)
        Yabbi.loadAd(Yabbi.INTERSTITIAL, "pause")
        #expect(Yabbi.isAdLoading(.interstitial, "pause"))
        await ear.hears("loaded pause")
        #expect(Yabbi.isAdLoaded(.interstitial, "pause") && !Yabbi.canLoadAd(.interstitial, "pause"))
        Yabbi.showAd(adType: .interstitial, placementName: "pause", presenter: presenter)
        await ear.hears("shown pause")
        #expect(!Yabbi.isAdLoaded(.interstitial, "pause") && Yabbi.canLoadAd(.interstitial, "pause"))
        presenter.report(.closeRequested(by: .user))
        await ear.hears("closed pause")
        #expect(ear.heard == ["loaded pause", "shown pause", "closed pause"])
    }

    @Test("no fill is told once, in the three texts of the SDK")
    func noFill() async {
        let ear = Ear()
        Yabbi.setInterstitialDelegate(ear)
        Yabbi.loadAd(.interstitial, "nofill")
        await ear.hears("loadFailed nofill noFill")
        #expect(ear.lastError?.message.isEmpty == false)
        #expect(Yabbi.canLoadAd(.interstitial, "nofill"))
    }

    @Test("a banner is refreshed after its view, and has no close button where the host wants none")
    func banner() async {
        let ear = Ear()
        let presenter = Screen()
        Yabbi.setBannerDelegate(ear)
        Yabbi.setBannerCustomSettings { $0.updateShowCloseButton(false).updateRefreshIntervalSeconds(1) }
        Yabbi.loadAd(.banner, "top")
        await ear.hears("loaded top")
        Yabbi.showAd(adType: .banner, placementName: "top", presenter: presenter)
        await ear.hears("impression top")
        #expect(!presenter.calls.contains(.control(.close, visible: true)))
        await self.clock.advance(by: .seconds(14))
        #expect(ear.heard.filter { $0 == "shown top" }.count == 1, "an interval of 1 s is held to 15")
        await self.clock.advance(by: .seconds(1))
        await ear.hears("impression top", times: 2)
        #expect(ear.heard == ["loaded top", "shown top", "impression top", "shown top", "impression top"])
        Yabbi.destroyAd(.banner)
        #expect(ear.heard.last == "closed top")
    }

    @Test("without consent neither identifier nor place is sent")
    func consent() async throws {
        let ear = Ear()
        Yabbi.setInterstitialDelegate(ear)
        Yabbi.setUserConsent(false)
        #expect(!Yabbi.hasUserConsent)
        Yabbi.loadAd(.interstitial, "pause")
        await ear.hears("loaded pause")
        let body = try AdJSON(parsing: try #require(self.transport.requests.first?.body))
        #expect(body["ifa"]?.string == "")
        #expect(body["geo"] == .null)
    }

    @Test("until the host says otherwise the user agrees, and what the host has given is sent")
    func consentByDefault() async throws {
        let ear = Ear()
        Yabbi.setInterstitialDelegate(ear)
        #expect(Yabbi.hasUserConsent)
        Yabbi.loadAd(.interstitial, "pause")
        await ear.hears("loaded pause")
        let body = try AdJSON(parsing: try #require(self.transport.requests.first?.body))
        #expect(body["ifa"]?.string == "IFA")
        #expect(body["geo"]?["latitude"]?.number == 1)
    }

    @Test("every event is passed to the log while debugging is on, and none else")
    func debug() async {
        let lines = Locked<[String]>([])
        Yabbi.reset()
        var configuration = self.configuration
        configuration.log = { line in lines.withLock { $0.append(line) } }
        Yabbi.initialize(publisherID: "pub", configuration: configuration) { error in #expect(error == nil) }
        let ear = Ear()
        Yabbi.setInterstitialDelegate(ear)
        Yabbi.loadAd(.interstitial, "quiet")
        await ear.hears("loaded quiet")
        #expect(lines.withLock { $0 }.isEmpty)
        Yabbi.enableDebug(true)
        Yabbi.loadAd(.interstitial, "pause")
        await ear.hears("loaded pause")
        #expect(lines.withLock { $0 } == ["pause: loadStarted", "pause: loaded"])
        Yabbi.destroyAd(.interstitial)
    }

    @Test("the numbers of the SDK are its own")
    func numbers() {
        #expect([Yabbi.INTERSTITIAL, Yabbi.BANNER, Yabbi.REWARDED].map(\.rawValue) == [1, 2, 3])
        let settings = BannerSettings().updateRefreshIntervalSeconds(500).updateBannerPosition(.top)
        #expect(settings.refreshInterval == .seconds(120))
        #expect(settings.position.rawValue == 1)
        #expect(settings.updateRefreshIntervalSeconds(0).refreshInterval == nil)
        Yabbi.setCustomParams("appStoreAppID", "1")
        #expect(Yabbi.customParam("appStoreAppID") == "1")
    }

    @Test("a delegate is held weakly, and destroy releases the ads")
    func weakness() async {
        var ear: Ear? = Ear()
        weak let ghost = ear
        Yabbi.setInterstitialDelegate(ear)
        Yabbi.loadAd(.interstitial, "pause")
        await ear?.hears("loaded pause")
        ear = nil
        #expect(ghost == nil)
        Yabbi.destroyAd(.interstitial, "pause")
        await self.clock.settle()
        #expect(self.clock.alarms == 0)
        #expect(Yabbi.canLoadAd(.interstitial, "pause"))
    }
}
