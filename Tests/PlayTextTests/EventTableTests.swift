import AdCore
import Testing

@testable import AdRuntime
@testable import PlayText

@Suite("The list of events")
struct EventTableTests {
    /// One sample of each event of an ad.
    private func samples() throws -> [AdEvent] {
        let url = BeaconAddress("http://t.example/")
        let link = try #require(ClickThroughURL("https://shop.example/"))
        let key = BeaconKey(ad: AdID(bits: 1), event: .view)
        let error = AdError(.noFill, "there is none")
        let closing = CloseDetails(reason: .user, rewarded: false, rule: .immediate)
        let bid = AuctionBid(participant: "a", price: AdPrice(1), outcome: .won, reason: nil, time: .zero)
        return [
            .loadStarted, .loaded, .loadFailed(error), .shown, .showFailed(error), .view(.anyPixel), .click,
            .linkOpened(link, .opened(.systemBrowser)), .blocked(BlockedAttempt(.popup, "?")),
            .closeAvailable(.immediate),
            .skipAvailable, .skipped, .rewarded(AdReward()), .closed(closing), .expired,
            .issue(AdIssue("a.b", at: .whole, "?")),
            .beaconRecorded(key, url), .beaconDelivered(key, attempts: 1), .beaconUnconfirmed(key, reason: "?"),
            .beaconDead(key, reason: "?"), .quartile(25, spot: 0), .tap(Tap(.link(link))),
            .diagnostic(.requestFailed(FailedRequest(url: "https://e.example/", reason: "status 404"))),
            .diagnostic(.scriptError(ScriptError("Uncaught x"))), .diagnostic(.blank(BlankCreative())),
            .paid(AdRevenue(amount: 1, currency: .usd, precision: .exact)), .auctionStarted, .bid(bid),
            .auctionEnded(AuctionResult([bid], in: .zero)), .offerFailed(error),
        ]
    }

    /// Numbers the events, so that a new event does not compile without a number, nor pass without a sample.
    private func number(_ event: AdEvent) -> Int {
        switch event {
        case .loadStarted: 0
        case .loaded: 1
        case .loadFailed: 2
        case .shown: 3
        case .showFailed: 4
        case .view: 5
        case .click: 6
        case .linkOpened: 7
        case .blocked: 8
        case .closeAvailable: 9
        case .skipAvailable: 10
        case .skipped: 11
        case .rewarded: 12
        case .closed: 13
        case .expired: 14
        case .issue: 15
        case .beaconRecorded: 16
        case .beaconDelivered: 17
        case .beaconUnconfirmed: 18
        case .beaconDead: 19
        case .quartile: 20
        case .tap: 21
        case .diagnostic(.requestFailed): 22
        case .diagnostic(.scriptError): 23
        case .diagnostic(.blank): 24
        case .paid: 25
        case .auctionStarted: 26
        case .bid: 27
        case .auctionEnded: 28
        case .offerFailed: 29
        }
    }

    private func names(_ line: String) throws -> [String] {
        guard case .object(let members) = try AdJSON(parsing: line) else { return [] }
        return members.map(\.name)
    }

    /// The further fields of `loaded` and `shown`: those of a run's records.
    private func detail(of event: AdEvent) -> [AdJSON.Member] {
        let creative = HTMLCreative(markup: "<p>Hi</p>", document: "<p>Hi</p>")
        let offer = Offer(provider: "yabbi", creative: .html(creative), rules: ShowRules(.banner))
        let size = ContainerSize(chosen: nil, kind: .banner, requested: offer.size, declared: nil)
        let layout = CreativeLayout(offer.size, in: size.container(for: .banner))
        return event.detail(offer: offer, size: layout) + (event == .shown ? size.detail(for: .banner) : [])
    }

    @Test("the table has every event of an ad, with its printed fields")
    func events() throws {
        let samples = try self.samples()
        #expect(samples.map(self.number) == Array(0..<samples.count))
        for event in samples {
            let row = try #require(EventTable.ofAds.first { $0.name == event.name }, "\(event.name) is missing")
            let ad = AdID(bits: 1)
            let record = AdRecord(at: .origin, ad: ad, provider: "yabbi", event: event, detail: self.detail(of: event))
            #expect(try self.names(EventLine(record).json) == ["t", "ad", "provider", "event"] + row.fields)
        }
    }
}
