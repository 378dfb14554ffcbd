import AdCore
import PlaySupport
import Testing

@testable import PlayReport
@testable import PlayText

@Suite("The auction in a report")
struct AuctionSectionTests {
    private static func bid(_ name: String, _ price: AdDecimal?, _ outcome: AuctionBid.Outcome, _ reason: String?)
        -> AuctionBid
    {
        AuctionBid(
            participant: name,
            price: price.map { AdPrice($0) },
            outcome: outcome,
            reason: reason,
            time: .milliseconds(6)
        )
    }

    private static let bids = [
        bid("high", 2.4, .won, nil), bid("<b>fair</b>", 1.5, .lost, "another bid was higher"),
        bid("euro", 2, .invalid, "there is no rate for EUR"),
    ]

    private static func ad(_ more: AdEvent...) -> ReportedAd {
        let events = Self.bids.map(AdEvent.bid) + [.auctionEnded(AuctionResult(Self.bids, in: .seconds(1)))] + more
        return ReportScenes.reportedAd(events.map { ReportScenes.record($0, at: 0) })
    }

    @Test("the page has each bidder with its price, its outcome and the reason")
    func table() throws {
        let page = ReportScenes.page([Self.ad()])
        let start = try #require(page.firstRange(of: "id=\"ad-1-auction\""))
        let section = page[start.upperBound...]
        for text in ["high", "2.4 USD", "won", "&lt;b&gt;fair&lt;/b&gt;", "another bid was higher", "no rate for EUR"] {
            #expect(section.contains(text), "\(text)")
        }
        let check = try #require(AuctionSection(Self.ad())?.check)
        #expect(check.result == "won by high" && check.reason == "at 2.4 USD, against 2 others, in 1 s")
        #expect(AuctionSection(ReportScenes.reportedAd())?.check == nil)
    }

    @Test("the page has what the impression earned")
    func paid() {
        let revenue = AdRevenue(amount: 0.0024, currency: .usd, precision: .exact)
        let page = ReportScenes.page([ReportScenes.reportedAd([ReportScenes.record(.paid(revenue), at: 0)])])
        #expect(page.contains("<dt>paid</dt><dd>0.0024 USD, the buyer&#39;s price</dd>"))
    }

    @Test("an offer that could not be shown has lost, and its successor has won")
    func successor() throws {
        let error = AdError(.unsupportedCreative, "the creative is broken")
        let next = Self.bid("<b>fair</b>", 1.5, .won, nil)
        let events = Self.ad(.offerFailed(error), .bid(next)).records.map(\.event)
        let table = try #require(AuctionTable(events))
        #expect(table.bids.map(\.outcome) == [.lost, .won, .invalid])
        #expect(table.bids[0].reason == "the creative is broken" && table.winner == next)
    }

    @Test("an auction without an ad needs attention")
    func nobody() throws {
        let result = AuctionResult([Self.bid("a", nil, .noBid, "no ad")], in: .seconds(2))
        let ad = ReportScenes.reportedAd([ReportScenes.record(.auctionEnded(result), at: 0)])
        let check = try #require(AuctionSection(ad)?.check)
        #expect(check.rating == .bad && check.result == "no winner" && check.reason == "1 participant in 2 s")
    }
}
