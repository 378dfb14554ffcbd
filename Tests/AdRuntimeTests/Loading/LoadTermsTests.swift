import AdCore
import AdMarkup
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("The terms of a load")
struct LoadTermsTests {
    @Test("a provider knows how long a load may take and what its video policy allows")
    func terms() async throws {
        var policy = VideoPolicy()
        policy.allowsInsecure = false
        policy.container = Size(width: 640, height: 360)
        policy.maximumDuration = .seconds(30)
        policy.maximumBitrate = 1200
        policy.playsNonLinear = false
        let clock = ManualClock()
        let transport = ScriptedTransport(clock: clock) { _ in .status(204) }
        let services = AdServices(
            transport: transport,
            opener: NoOpener(),
            clock: clock,
            video: policy,
            loadTimeout: .seconds(8)
        )
        let request = try await AdLoader(TermsProvider(), services: services).request(for: ())
        let terms = AdContext.LoadTerms(
            // A twentieth of the load is left for what follows its requests.
            timeout: .milliseconds(7_600),
            allowsInsecure: false,
            container: Size(width: 640, height: 360),
            maximumDuration: .seconds(30),
            maximumBitrate: 1200,
            videoTypes: ["video/mp4", "video/webm"],
            playsNonLinear: false
        )
        #expect(request.headers["Terms"] == "\(terms)")
    }
}

/// A provider whose requests contain the terms of their load.
private struct TermsProvider: AdProvider {
    let name: ProviderName = "terms"

    func request(for placement: Void, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        AdHTTPRequest(
            .get,
            url("http://ssp.example/load"),
            headers: ["Terms": context.terms.map { "\($0)" } ?? "none"]
        )
    }

    func offers(from response: AdHTTPResponse, for placement: Void, in context: AdContext) throws(AdError) -> OfferBatch
    { .noFill }
}
