import AdCore
import AdRuntime
import Testing
import YabbiAds
import YabbiTesting

@Suite("The pages on writing a provider and a stage")
struct ProviderPageTests {
    let answer = """
        {"text": "Fern pots", "by": "Frondolo", "link": "https://frondolo.example/", "seen": "https://t.example/v"}
        """

    @Test("their provider keeps every rule")
    func rules() async throws {
        let base = try HTTPURL(parsing: "https://ads.frondolo.example/")
        let provider = FrondoloProvider(base: base)
        let kit = ProviderConformance(provider, placement: "top", answer: answer, noFill: [#"{"ad": null}"#])
        #expect(await kit.findings() == [])
    }

    @Test("their provider brings an ad onto their stage, and the view is told once")
    func show() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport(clock: clock) { request in
            request.url.host == "ads.frondolo.example" ? .json(self.answer) : .status(204)
        }
        let services = AdServices(transport: transport, clock: clock)
        let base = try HTTPURL(parsing: "https://ads.frondolo.example/")

        let ad = try await AdLoader(FrondoloProvider(base: base), services: services).load("top")
        try await ad.show(on: TextPresenter { _ in })
        await clock.settle()

        let asked = transport.requests.map(\.url.text)
        #expect(asked == ["https://ads.frondolo.example/next?place=top", "https://t.example/v"])
        ad.close()
    }
}
