import AdCore
import BrowserSupport
import SystemSupport
import TestSupport
import Testing

@testable import WebStage

@Suite("Bodies of requests that a creative sends", .needsEngine, .timeLimit(.minutes(1)))
struct RequestBodyTests {
    /// A server that keeps the requests that it gets.
    private struct Recorder: Transport {
        let requests = Received<AdHTTPRequest>()

        func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
            self.requests.append(request)
            return AdHTTPResponse(status: 200, url: request.url)
        }
    }

    @Test(
        "a server gets the bytes that the creative sends",
        arguments: [
            ("new Uint8Array([0, 255, 128, 10])", [0, 255, 128, 10]), ("'a=\u{e9}'", [97, 61, 195, 169]),
            ("new URLSearchParams({ a: '%' })", Array("a=%25".utf8)),
        ] as [(String, [UInt8])]
    )
    func bytes(body: String, bytes: [UInt8]) async throws {
        let server = Recorder()
        let address = try #require(HTTPURL("http://127.0.0.1:8097/"))
        let presenter = try TestBrowser().presenter(allowedHosts: [address], transport: server)
        let script = "fetch('http://127.0.0.1:8097/body', { method: 'POST', mode: 'no-cors', body: \(body) })"
        try await StageHarness.show("<p>x</p><script>\(script)</script>", on: presenter) { stage, reports in
            #expect(await server.requests.first()?.body == bytes)
        }
        await presenter.close()
    }
}
