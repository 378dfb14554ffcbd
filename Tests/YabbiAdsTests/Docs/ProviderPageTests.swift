import AdCore
import AdRuntime
import Testing
import YabbiAds
import YabbiTesting

@Suite("The provider and the stage of the articles")
struct ProviderPageTests {
    let response = """
        {"text": "Fern pots", "by": "Frondolo", "link": "https://frondolo.example/", "seen": "https://t.example/v"}
        """

    @Test("the provider conforms")
    func rules() async throws {
        let base = try HTTPURL(parsing: "https://ads.frondolo.example/")
        let provider = FrondoloProvider(base: base)
        let kit = ProviderConformance(provider, placement: "top", response: response, noFill: [#"{"ad": null}"#])
        #expect(await kit.findings() == [])
    }

    @Test("the provider's ad is shown on the stage, and its impression is sent once")
    func show() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport(clock: clock) { request in
            request.url.host == "ads.frondolo.example" ? .json(self.response) : .status(204)
        }
        let services = AdServices(transport: transport, opener: NoOpener(), clock: clock)
        let base = try HTTPURL(parsing: "https://ads.frondolo.example/")

        let ad = try await AdLoader(FrondoloProvider(base: base), services: services).load("top")
        try await ad.show(on: TextPresenter { _ in })
        await clock.settle()

        let urls = transport.requests.map(\.url.text)
        #expect(urls == ["https://ads.frondolo.example/next?place=top", "https://t.example/v"])
        ad.close()
    }
}
