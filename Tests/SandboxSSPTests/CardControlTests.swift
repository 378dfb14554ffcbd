import AdCore
import Testing

@testable import SandboxSSP

@Suite("Cards, through the control endpoints")
struct CardControlTests {
    @Test("requests for cards are listed as ad requests, events are not")
    func requests() {
        var state = Samples.state()
        _ = state.decide("fern")
        _ = state.click("x")
        _ = state.ceed("fern")
        _ = state.event("click", "x")
        _ = state.active("feed")
        _ = state.activeClick("x")
        let requests = state.request("GET", "/sandbox/requests").json?["requests"]?.array ?? []
        #expect(
            requests.map { $0["path"] } == ["/functions/v1/decide", "/api/requests", "/functions/v1/get-active-ads"]
        )
    }

    @Test("the index page has credentials, scenarios and endpoints")
    func index() {
        var state = Samples.state()
        let text = state.request("GET", "/").text
        for word in CardScenario.allCases { #expect(text.contains("\n\(word.rawValue)  \(word.about)")) }
        for name in [
            "/functions/v1/decide", "/functions/v1/track/click", "/api/requests", "/api/events",
            "/functions/v1/get-active-ads", "/functions/v1/track-ad-click", "/pictures/", "am_test_abc123xyz",
            "agt_test_demo", "anon_test_sandbox", "app_test_demo", "fern", "60 seconds", "lead_gen", "hologram",
        ] {
            #expect(text.contains(name), "\(name)")
        }
    }

    @Test("all three providers are served over the network, with header names in any case")
    func overWire() throws {
        let sandbox = try Samples.sandbox()
        let headers = ["AUTHORIZATION": "Bearer am_test_abc123xyz", "ApiKey": "anon_test_sandbox"]
        let card = try fetch(
            sandbox.port,
            "POST",
            "/functions/v1/decide",
            headers: headers,
            body: Samples.decide("fern").text()
        )
        #expect(card.status == 200)
        let token = try #require(card.json?["ad"]?["tracking_token"])
        let clicked = try fetch(
            sandbox.port,
            "POST",
            "/functions/v1/track/click",
            headers: ["X-API-Key": "am_test_abc123xyz", "X-Agent-ID": "agt_test_demo"],
            body: AdJSON.object([.init("tracking_token", token)]).text()
        )
        #expect(clicked.status == 200)
        let ad = try fetch(sandbox.port, "POST", "/api/requests", body: Samples.ceed("植物がほしい").text())
        #expect(ad.json?["ad"]?["advertiserName"] == "フロンドロ")
        let event = Samples.event("click", ad.json?["requestId"]).text()
        #expect(try fetch(sandbox.port, "POST", "/api/events", body: event).status == 200)
        let again = try fetch(sandbox.port, "POST", "/api/requests", body: Samples.ceed("植物がほしい").text())
        #expect(again.status == 200 && again.json?["ad"] == .null)
        sandbox.reset()
        let popup = try fetch(sandbox.port, "POST", "/functions/v1/get-active-ads", body: #"{"format":"popup"}"#)
        #expect(popup.json?["ads"]?.array?.count == 2)
        let cookie = try fetch(
            sandbox.port,
            "POST",
            "/functions/v1/get-active-ads",
            headers: ["Cookie": "a=b"],
            body: #"{"format":"popup"}"#
        )
        #expect(cookie.status == 400)
    }
}
