import AdCore
import Testing

@testable import WebStage

@Suite("Tracking requests of a creative")
struct TrackingRequestsTests {
    private func isTracking(_ url: String, _ kind: EngineRequest.Kind = .image) -> Bool {
        let id = EngineRequestID(number: "1", target: EngineTarget(name: "s"))
        return TrackingRequests.contains(EngineRequest(id, url: url, kind: kind))
    }

    @Test(
        "pixels, measuring services and beacons are",
        arguments: [
            "https://a.example/pixel.gif?x=1", "https://a.example/v1/imp?id=2", "https://a.example/track/1.gif",
            "https://a.example/view", "https://a.example/view.gif?x", "https://a.example/pixel.png",
            "https://b.moatads.com/anything.png", "https://a.example/Impression?u=1",
        ]
    )
    func tracking(url: String) { #expect(self.isTracking(url)) }

    @Test(
        "pictures, documents and scripts are not, whatever words are in their names",
        arguments: [
            "https://a.example/hero-view.jpg", "https://a.example/event-banner.png", "https://a.example/count_down.png",
            "https://a.example/view.jpg", "https://a.example/events/shoe.webp", "https://a.example/?imp=1",
            "https://a.example/", "https://moatads.com.example/x.png",
        ]
    )
    func shown(url: String) { #expect(!self.isTracking(url)) }

    @Test("a beacon of the page is, whatever its length; a script of such a name is not")
    func kinds() {
        let long = "https://a.example/x?" + String(repeating: "a", count: 40_000)
        #expect(self.isTracking(long, .ping))
        #expect(self.isTracking("https://a.example/collect?" + long, .fetch))
        #expect(!self.isTracking(long, .fetch))
        #expect(!self.isTracking("https://a.example/tracker.js", .script))
        #expect(!self.isTracking("https://a.example/view", .document))
    }
}
