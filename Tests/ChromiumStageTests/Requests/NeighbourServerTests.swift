import AdCore
import Testing

@testable import ChromiumStage

@Suite("Servers on this machine, asked for a creative")
struct NeighbourServerTests {
    private struct Answering: Transport {
        let headers: HTTPHeaders

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            HTTPResponse(status: 200, headers: self.headers, body: Array("hi".utf8), url: request.url)
        }
    }

    @Test("whom the answer allows is said once, also where the server says it")
    func once() async throws {
        let event = DevToolsEvent(
            session: DevToolsSession(name: "S"),
            method: "Fetch.requestPaused",
            params: ["requestId": "1", "request": ["url": "http://127.0.0.1:80/a", "method": "GET"]]
        )
        let request = try #require(PausedRequest(event))
        let server = NeighbourServer(
            Answering(headers: ["Access-Control-Allow-Origin": "https://a.example", "X": "y"])
        )
        let command = await withCheckedContinuation { continuation in
            server.serve(request) { continuation.resume(returning: $0) }
        }
        let headers = command.params["responseHeaders"]?.array ?? []
        let allowed = headers.filter { $0["name"]?.string?.asciiLowercased == "access-control-allow-origin" }
        #expect(allowed.map { $0["value"]?.string } == ["*"])
        #expect(headers.contains { $0["name"] == "X" })
    }
}
