import AdCore
import Testing

@testable import PlayStages
@testable import WebStage

@Suite("Requests of creatives")
struct CreativeRequestsTests {
    private func request(_ url: String, _ outcome: StageRequest.Outcome) -> StageNotification {
        .request(
            StageRequest(
                url: url,
                method: "GET",
                kind: "Image",
                start: .zero,
                length: .milliseconds(1),
                outcome: outcome
            )
        )
    }

    private let answer = StageRequest.Outcome.answered(status: 200, type: nil, bytes: 1)

    @Test("requests that a server may have received are counted by server and path")
    func counts() throws {
        let calls = CreativeRequests()
        calls.record(.started)
        calls.record(self.request("http://127.0.0.1:80/t/pixel?a=1", self.answer))
        calls.record(self.request("http://127.0.0.1:80/t/pixel?a=2", .failed(.cancelled)))
        calls.record(self.request("http://127.0.0.1:80/t/pixel?a=3", .failed(.other("net::ERR_EMPTY_RESPONSE"))))
        calls.record(self.request("http://127.0.0.1:80/t/pixel?a=4", .failed(.refused(.other("corp-not-same-site")))))
        calls.record(self.request("http://127.0.0.1:80/t/other", .failed(.blockedByStage)))
        calls.record(self.request("http://127.0.0.1:80/t/other", .failed(.refused(.mixedContent))))
        calls.record(self.request("http://127.0.0.1:8080/t/pixel", self.answer))
        let server = try #require(HTTPURL("http://127.0.0.1/"))
        #expect(
            calls.paths(at: server) == ["/t/pixel": 4]
                || calls.paths(at: HTTPURL("http://127.0.0.1:80/")) == ["/t/pixel": 4]
        )
        #expect(calls.paths(at: nil).isEmpty)
    }

    @Test(
        "a request whose response had not come when the ad closed is counted, because the server may have received it"
    )
    func unfinished() {
        var log = RequestLog()
        let url = "http://127.0.0.1:80/t/omid/try"
        _ = log.handle(.sent("1", url: url, method: "GET", kind: .image, redirect: nil), at: .zero)
        let calls = CreativeRequests()
        for request in log.end(at: .milliseconds(1)) { calls.record(.request(request)) }
        #expect(calls.paths(at: HTTPURL("http://127.0.0.1:80/")) == ["/t/omid/try": 1])
    }
}
