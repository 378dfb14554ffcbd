import AdCore
import AdProviders
import AdRuntime
import Testing
import YabbiAds
import YabbiTesting

@Suite("Ads of an app")
struct IntegrationPageTests {
    private let clock = ManualClock()
    private let observer = RecordingObserver()
    private let presenter = RecordingPresenter()
    private let signals = HostSignalSource()

    /// A loader whose server sends this response, and accepts every beacon.
    private func loader(
        answering answer: ScriptedTransport.Outcome
    ) throws -> (ads: AdLoader<YabbiPlacement>, transport: ScriptedTransport) {
        let transport = ScriptedTransport(clock: self.clock) { request in
            request.method == .post ? answer : .status(204)
        }
        let services = AdServices(
            transport: transport,
            opener: NoOpener(),
            signals: self.signals,
            clock: self.clock,
            observer: self.observer
        )
        let app = YabbiApp(publisherID: "publisher", bundle: "com.example.app", name: "Example")
        let endpoint = try HTTPURL(parsing: "https://ssp.example/load")
        return (AdLoader.yabbi(endpoint, app: app, services: services), transport)
    }

    private let banner = ScriptedTransport.Outcome.json(
        """
        {"type": 1, "adm": "<p>Fern pots</p>", "closeTimeout": 5000, "width": 320, "height": 50,
        "tracker": {"view": "https://t.example/view", "click": "https://t.example/click"}}
        """
    )

    @Test("a banner has one impression, however long it is on screen")
    func view() async throws {
        let (ads, transport) = try self.loader(answering: self.banner)
        let ad = try await ads.load(.banner(unit: "main"))
        try await ad.show(on: self.presenter)
        await self.clock.advance(by: .seconds(60))
        #expect(transport.requests.map(\.url.text) == ["https://ssp.example/load", "https://t.example/view"])
        ad.close()
        await self.clock.settle()
        #expect(self.clock.alarms == 0)
    }

    @Test("the close delay pauses while the app is in the background")
    func background() async throws {
        let (ads, _) = try self.loader(answering: self.banner)
        let ad = try await ads.load(.banner(unit: "main"))
        try await ad.show(on: self.presenter)
        self.signals.post(.background(true))
        await self.clock.advance(by: .seconds(10))
        #expect(!self.observer.names.contains("closeAvailable"))
        self.signals.post(.background(false))
        await self.clock.advance(by: .seconds(5))
        #expect(self.presenter.calls.contains(.control(.close, visible: true)))
        ad.destroy()
    }

    @Test("an expired ad is not shown and not billed")
    func expiry() async throws {
        let (ads, transport) = try self.loader(answering: self.banner)
        let ad = try await ads.load(.banner(unit: "main"))
        await self.clock.advance(by: .seconds(301))
        await #expect(throws: AdError.self) { try await ad.show(on: self.presenter) }
        #expect(transport.requests.count == 1)
    }

    @Test("a response without an ad is the error noFill")
    func noFill() async throws {
        let (ads, _) = try self.loader(answering: .status(204))
        let error = await #expect(throws: AdError.self) { try await ads.load(.banner(unit: "main")) }
        #expect(error?.code == .noFill)
    }
}
