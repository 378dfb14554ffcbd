import AdCore
import SystemSupport
import Testing
import YabbiTesting

@testable import AdRuntime
@testable import YabbiAds

@MainActor
@Suite("Yabbi: the calls of YABBI's SDK", .serialized, .timeLimit(.minutes(1)))
struct FacadeTests {
    nonisolated static let answer = #"""
        {"type": 1, "adm": "<a href='https://shop.example/'>Buy</a>", "closeTimeout": 0, "width": 320, "height": 50,
         "tracker": {"view": "http://t.example/view", "click": "http://t.example/click"}}
        """#

    let clock = ManualClock()
    let hostSignals = HostSignalSource()
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
            known: AdContext(
                ifa: "IFA",
                userAgent: "Test/1.0",
                location: AdContext.Location(latitude: 1, longitude: 2, precision: 3)
            )
        )
        self.configuration = YabbiConfiguration(
            endpoint: try #require(HTTPURL("http://ssp.example/load")),
            bundle: "com.example",
            appName: "Example",
            services: AdServices(
                transport: self.transport,
                opener: NoOpener(),
                signals: self.hostSignals,
                context: context,
                clock: self.clock
            )
        )
        Yabbi.initialize(publisherID: "pub", configuration: self.configuration) { error in #expect(error == nil) }
    }

    @Test("loads and shows before initialize call the delegate with notInitialized")
    func uninitialized() {
        Yabbi.reset()
        let delegate = DelegateRecorder()
        Yabbi.setInterstitialDelegate(delegate)
        #expect(!Yabbi.isInitialized)
        #expect(!Yabbi.canLoadAd(.interstitial, "pause"))
        Yabbi.loadAd(.interstitial, "pause")
        Yabbi.showAd(adType: .interstitial, placementName: "pause", presenter: RecordingPresenter())
        #expect(delegate.calls == ["loadFailed pause notInitialized", "showFailed pause notInitialized"])
        Yabbi.initialize(publisherID: " ", configuration: self.configuration) { error in
            #expect(error?.code == .invalidRequest)
        }
        #expect(!Yabbi.isInitialized)
    }

    @Test("a frequency cap of placements holds for the SDK's calls")
    func caps() async {
        Yabbi.reset()
        var configuration = self.configuration
        configuration.services = AdServices(
            transport: self.transport,
            opener: NoOpener(),
            signals: self.hostSignals,
            caps: [FrequencyCap(1, of: .placement, in: .session)],
            clock: self.clock
        )
        Yabbi.initialize(publisherID: "pub", configuration: configuration) { error in #expect(error == nil) }
        let delegate = DelegateRecorder()
        Yabbi.setInterstitialDelegate(delegate)
        Yabbi.loadAd(.interstitial, "pause")
        await self.clock.settle()
        let presenter = RecordingPresenter()
        Yabbi.showAd(adType: .interstitial, placementName: "pause", presenter: presenter)
        await self.clock.settle()
        presenter.report(.closeRequested(by: .user))
        await self.clock.settle()
        Yabbi.loadAd(.interstitial, "pause")
        await self.clock.settle()
        #expect(
            delegate.calls == [
                "loaded pause", "shown pause", "impression pause", "closed pause", "loadFailed pause frequencyCapped",
            ]
        )
        Yabbi.loadAd(.interstitial, "other")
        await self.clock.settle()
        #expect(delegate.calls.last == "loaded other")
    }

    @Test("an ad that was loaded with the user's consent is dropped when the user takes it back")
    func withdrawal() async {
        let delegate = DelegateRecorder()
        Yabbi.setInterstitialDelegate(delegate)
        Yabbi.loadAd(.interstitial, "pause")
        await self.clock.settle()
        Yabbi.setUserConsent(true)
        #expect(delegate.calls == ["loaded pause"])
        Yabbi.setUserConsent(false)
        await self.clock.settle()
        #expect(delegate.calls == ["loaded pause", "expired pause"])
        Yabbi.loadAd(.interstitial, "pause")
        await self.clock.settle()
        let bodies = self.transport.requests.compactMap(\.body).map { String(decoding: $0, as: UTF8.self) }
        #expect(bodies.map { $0.contains("\"IFA\"") } == [true, false])
        Yabbi.reset()
        let context = self.configuration.services.context
        #expect(!context.permits(.advertisingID), "beacons may still wait")
        Yabbi.initialize(publisherID: "pub", configuration: self.configuration) { error in #expect(error == nil) }
        #expect(context.permits(.advertisingID))
    }

    @Test("a second initialize with the same values succeeds; one with other values fails and changes nothing")
    func again() async throws {
        let session = Yabbi.session
        func initialize(_ publisher: String, _ change: (inout YabbiConfiguration) -> Void = { _ in }) -> AdException? {
            var configuration = self.configuration
            change(&configuration)
            var error: AdException?
            Yabbi.initialize(publisherID: publisher, configuration: configuration) { error = $0 }
            return error
        }
        #expect(initialize("pub") == nil)
        let other = try #require(HTTPURL("http://other.example/load"))
        let failures = [
            (initialize("other"), "another publisher,"), (initialize(" "), "another publisher,"),
            (initialize("pub") { $0.endpoint = other }, "another endpoint,"),
            (initialize("pub") { $0.bundle = "com.other" }, "another bundle,"),
            (initialize("other") { $0.appName = "Other" }, "another publisher and app name,"),
        ]
        for (failure, text) in failures {
            #expect(failure?.code == .alreadyInitialized && failure?.message.contains(text) == true)
        }
        #expect(Yabbi.session === session)
        let delegate = DelegateRecorder()
        Yabbi.setInterstitialDelegate(delegate)
        Yabbi.loadAd(.interstitial, "pause")
        await delegate.waitFor("loaded pause")
        let request = try #require(self.transport.requests.first)
        #expect(request.url.host == "ssp.example")
        #expect(
            try AdJSON(parsing: request.body ?? [])["pubID"]?.string == "pub",
            "the first configuration stays in use"
        )
    }

    @Test("the requested size is compared with each response, also of a banner's refreshes, and never sent")
    func size() async throws {
        let delegate = DelegateRecorder()
        Yabbi.setBannerDelegate(delegate)
        Yabbi.setBannerCustomSettings { $0.updateRefreshIntervalSeconds(15) }
        Yabbi.loadAd(.banner, "top", size: Size(width: 300, height: 50))
        await delegate.waitFor("loaded top")
        func issues() -> [String] {
            Yabbi.session?.placement(.banner, "top").ads.flatMap { $0.offer?.issues.map(\.code) ?? [] } ?? []
        }
        #expect(issues() == ["size.larger"], "the response is 320x50")
        Yabbi.showAd(adType: .banner, placementName: "top", presenter: MultiStagePresenter())
        await delegate.waitFor("impression top")
        await self.clock.advance(by: .seconds(15))
        await delegate.waitFor("impression top", times: 2)
        #expect(issues().contains("size.larger"))
        let requests = self.transport.requests.filter { $0.url.host == "ssp.example" }
        #expect(requests.count == 2 && requests[0].body == requests[1].body)
        #expect(!String(decoding: requests[0].body ?? [], as: UTF8.self).contains("300"))
        Yabbi.destroyAd(.banner)
    }

    @Test("an interstitial is loaded, shown and closed, and can be loaded again while it is on screen")
    func interstitial() async {
        let delegate = DelegateRecorder()
        let presenter = RecordingPresenter()
        Yabbi.setInterstitialDelegate(delegate)
        Yabbi.loadAd(Yabbi.INTERSTITIAL, "pause")
        #expect(Yabbi.isAdLoading(.interstitial, "pause"))
        await delegate.waitFor("loaded pause")
        #expect(Yabbi.isAdLoaded(.interstitial, "pause") && !Yabbi.canLoadAd(.interstitial, "pause"))
        Yabbi.showAd(adType: .interstitial, placementName: "pause", presenter: presenter)
        await delegate.waitFor("shown pause")
        #expect(!Yabbi.isAdLoaded(.interstitial, "pause") && Yabbi.canLoadAd(.interstitial, "pause"))
        await delegate.waitFor("impression pause")
        presenter.report(.closeRequested(by: .user))
        await delegate.waitFor("closed pause")
        #expect(delegate.calls == ["loaded pause", "shown pause", "impression pause", "closed pause"])
    }

    @Test("no fill calls the delegate once, with a message")
    func noFill() async {
        let delegate = DelegateRecorder()
        Yabbi.setInterstitialDelegate(delegate)
        Yabbi.loadAd(.interstitial, "nofill")
        await delegate.waitFor("loadFailed nofill noFill")
        #expect(delegate.lastError?.message.isEmpty == false)
        #expect(Yabbi.canLoadAd(.interstitial, "nofill"))
    }

    @Test("a banner is refreshed after its impression, and has no close button if the app wants none")
    func banner() async {
        let delegate = DelegateRecorder()
        let presenter = MultiStagePresenter()
        Yabbi.setBannerDelegate(delegate)
        Yabbi.setBannerCustomSettings { $0.updateShowCloseButton(false).updateRefreshIntervalSeconds(1) }
        Yabbi.loadAd(.banner, "top")
        await delegate.waitFor("loaded top")
        Yabbi.showAd(adType: .banner, placementName: "top", presenter: presenter)
        await delegate.waitFor("impression top")
        #expect(!presenter.calls.contains(.control(.close, visible: true)))
        await self.clock.advance(by: .seconds(14))
        #expect(delegate.calls.filter { $0 == "shown top" }.count == 1, "an interval of 1 s is raised to 15 s")
        await self.clock.advance(by: .seconds(1))
        await delegate.waitFor("impression top", times: 2)
        #expect(delegate.calls == ["loaded top", "shown top", "impression top", "shown top", "impression top"])
        Yabbi.destroyAd(.banner)
        #expect(delegate.calls.last == "closed top")
    }

    @Test("without consent neither the identifier nor the location is sent")
    func consent() async throws {
        let delegate = DelegateRecorder()
        Yabbi.setInterstitialDelegate(delegate)
        Yabbi.setUserConsent(false)
        #expect(!Yabbi.hasUserConsent)
        Yabbi.loadAd(.interstitial, "pause")
        await delegate.waitFor("loaded pause")
        let body = try AdJSON(parsing: try #require(self.transport.requests.first?.body))
        #expect(body["ifa"]?.string == "")
        #expect(body["geo"] == .null)
    }

    @Test("consent is assumed by default, and the identifier and the location are sent")
    func consentByDefault() async throws {
        let delegate = DelegateRecorder()
        Yabbi.setInterstitialDelegate(delegate)
        #expect(Yabbi.hasUserConsent)
        Yabbi.loadAd(.interstitial, "pause")
        await delegate.waitFor("loaded pause")
        let body = try AdJSON(parsing: try #require(self.transport.requests.first?.body))
        #expect(body["ifa"]?.string == "IFA")
        #expect(body["geo"]?["latitude"]?.number == 1)
    }

    @Test("events are logged while debugging is on, and only then")
    func debug() async {
        let lines = Locked<[String]>([])
        Yabbi.reset()
        var configuration = self.configuration
        configuration.log = { line in lines.withLock { $0.append(line) } }
        Yabbi.initialize(publisherID: "pub", configuration: configuration) { error in #expect(error == nil) }
        let delegate = DelegateRecorder()
        Yabbi.setInterstitialDelegate(delegate)
        Yabbi.loadAd(.interstitial, "quiet")
        await delegate.waitFor("loaded quiet")
        #expect(lines.withLock { $0 }.isEmpty)
        Yabbi.enableDebug(true)
        Yabbi.loadAd(.interstitial, "pause")
        await delegate.waitFor("loaded pause")
        #expect(lines.withLock { $0 } == ["pause: loadStarted", "pause: loaded"])
        Yabbi.destroyAd(.interstitial)
    }

    @Test("ad types and intervals have the numbers of the SDK")
    func numbers() {
        #expect([Yabbi.INTERSTITIAL, Yabbi.BANNER, Yabbi.REWARDED].map(\.rawValue) == [1, 2, 3])
        let settings = BannerSettings().updateRefreshIntervalSeconds(500)
        #expect(settings.refreshInterval == .seconds(120))
        #expect(settings.updateRefreshIntervalSeconds(0).refreshInterval == nil)
    }

    @Test("the parameters of a reward's verification are kept, and an empty value removes one")
    func params() {
        Yabbi.setCustomParams("userId", "user-7")
        Yabbi.setCustomParams("customData", "level=3")
        Yabbi.setCustomParams("appStoreAppID", "1")
        #expect(Yabbi.rules.rewardUser == RewardUser(id: "user-7", customData: "level=3"))
        #expect(Yabbi.customParam("userId") == "user-7" && Yabbi.customParam("appStoreAppID") == "1")
        Yabbi.setCustomParams("userId", "")
        #expect(Yabbi.rules.rewardUser.id == nil && Yabbi.customParam("userId") == nil)
    }

    @Test("a delegate is held weakly, and destroyAd releases the ads")
    func weakness() async {
        var delegate: DelegateRecorder? = DelegateRecorder()
        weak let weakDelegate = delegate
        Yabbi.setInterstitialDelegate(delegate)
        Yabbi.loadAd(.interstitial, "pause")
        await delegate?.waitFor("loaded pause")
        delegate = nil
        #expect(weakDelegate == nil)
        Yabbi.destroyAd(.interstitial, "pause")
        await self.clock.settle()
        #expect(self.clock.alarms == 0)
        #expect(Yabbi.canLoadAd(.interstitial, "pause"))
    }
}
