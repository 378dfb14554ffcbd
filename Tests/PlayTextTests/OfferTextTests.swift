import AdCore
import Testing

@testable import PlayText

@Suite("An offer as text")
struct OfferTextTests {
    private func offer(closeDelay: Duration?) throws -> Offer {
        let markup = "<title>Hi</title><a href='https://shop.example/?token=secret'>Buy</a>"
        let url = try #require(TrackingURL("http://t.example/view?ad=1"))
        return Offer(
            provider: "yabbi",
            creative: .html(HTMLCreative(markup: markup, document: markup)),
            rules: ShowRules(.banner, closeDelay: closeDelay, lifetime: .seconds(60)),
            size: RequestedSize(width: 320, height: 50),
            beacons: [BeaconTemplate(.view, BeaconCall(.get, url, isBilling: true))]
        )
    }

    @Test("the text has the rules, the size, the creative and the beacons, without secrets")
    func lines() throws {
        let offer = try self.offer(closeDelay: .milliseconds(1500))
        let lines = OfferText.lines(offer, CreativeReading(offer.creative))
        #expect(lines.contains("  kind          banner"))
        #expect(lines.contains("  size          320x50"))
        #expect(lines.contains("  close after   1.5 s"))
        #expect(lines.contains("  expires after 60 s"))
        #expect(lines.contains("  on view (billing) GET http://t.example/view?ad=1"))
        #expect(lines.contains { $0.hasPrefix("  creative      HTML, ") && $0.hasSuffix(", \u{201C}Hi\u{201D}") })
        #expect(lines.contains { $0.hasPrefix("  click-through https://shop.example/") })
        #expect(!lines.joined().contains("secret"))
        let silent = try self.offer(closeDelay: nil)
        let first = OfferText.lines(silent, CreativeReading(silent.creative)).first { $0.contains("close after") }
        #expect(first == "  close after   0 s (no closeTimeout in the ad response)")
    }
}
