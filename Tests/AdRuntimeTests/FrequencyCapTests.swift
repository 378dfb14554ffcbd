import AdCore
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Frequency caps of ads", .timeLimit(.minutes(5)))
struct FrequencyCapTests {
    private static func shown(_ ad: Ad, in world: World) async throws {
        try await ad.show(on: RecordingPresenter())
        await world.clock.settle()
    }

    private static func sample(campaign: String?, advertiser: String? = nil) -> Offer {
        var offer = Offer.sample()
        offer.info.campaignID = campaign
        offer.info.advertiser = advertiser
        return offer
    }

    @Test("above the cap of a placement a load sends no request, and its error says until when")
    func placement() async throws {
        let world = World(caps: [FrequencyCap(1, of: .placement, in: .hour)]) { request in
            request.url.host == "ssp.example"
                ? .response(status: 200, headers: [:], body: Array("a".utf8)) : .status(200)
        }
        let loader = world.loader(ListProvider())
        try await Self.shown(try await loader.load("home"), in: world)
        let error = try #require(await failure { () async throws(AdError) in try await loader.load("home") })
        #expect(error.code == .frequencyCapped)
        let reached = try #require(error.underlying as? ReachedCap)
        #expect(reached.id == "home" && reached.until == world.clock.wallTime + .seconds(3600))
        #expect(world.adRequests == ["home"])
        #expect(await failure { () async throws(AdError) in try await loader.load("other") } == nil)
        await world.clock.advance(by: .seconds(3601))
        #expect(await failure { () async throws(AdError) in try await loader.load("home") } == nil)
    }

    @Test("an ad that was loaded before the cap was reached is not shown, and stays loaded")
    func show() async throws {
        let world = World(caps: [FrequencyCap(1, of: .campaign, in: .session)])
        let first = try await world.loader.load(Self.sample(campaign: "c"))
        let second = try await world.loader.load(Self.sample(campaign: "c"))
        let other = try await world.loader.load(Self.sample(campaign: "d"))
        try await Self.shown(first, in: world)
        let error = await failure { () async throws(AdError) in try await second.show(on: RecordingPresenter()) }
        #expect(error?.code == .frequencyCapped && second.isLoaded)
        #expect((error?.underlying as? ReachedCap)?.until == nil, "nobody knows when a session ends")
        try await Self.shown(other, in: world)
        #expect(world.beacons == ["/view", "/view"])
    }

    @Test("a response whose campaign or advertiser is capped is an error of the load", arguments: [true, false])
    func response(ofCampaign: Bool) async throws {
        let world = World(caps: [FrequencyCap(1, of: ofCampaign ? .campaign : .advertiser, in: .day)])
        let offer = Self.sample(campaign: "c", advertiser: "brand")
        try await Self.shown(try await world.loader.load(offer), in: world)
        let error = await failure { () async throws(AdError) in try await world.loader.load(offer) }
        #expect(error?.code == .frequencyCapped)
        #expect(
            await failure { () async throws(AdError) in try await world.loader.load(.sample()) } == nil,
            "without an id"
        )
    }

    @Test("campaigns of two seats are two, and an advertiser's domain is one however it is spelled")
    func owners() async throws {
        func offer(_ seat: String, _ domain: String) -> Offer {
            var offer = Self.sample(campaign: "17")
            offer.info.seat = seat
            offer.info.advertiserDomains = [domain]
            return offer
        }
        let campaigns = World(caps: [FrequencyCap(1, of: .campaign, in: .day)])
        try await Self.shown(try await campaigns.loader.load(offer("a", "brand.example")), in: campaigns)
        #expect(await failure { () async throws(AdError) in try await campaigns.loader.load(offer("b", "x")) } == nil)
        let advertisers = World(caps: [FrequencyCap(1, of: .advertiser, in: .day)])
        try await Self.shown(try await advertisers.loader.load(offer("a", "brand.example")), in: advertisers)
        let error = await failure { () async throws(AdError) in
            try await advertisers.loader.load(offer("b", "Brand.Example"))
        }
        #expect(error?.code == .frequencyCapped)
        for (cap, seat, domain) in [
            (FrequencyCap(1, of: .campaign, in: .day, id: "17"), "b", "other.example"),
            (FrequencyCap(1, of: .advertiser, in: .day, id: "Brand.Example"), "b", "brand.example"),
        ] {
            let named = World(caps: [cap])
            try await Self.shown(try await named.loader.load(offer("a", "brand.example")), in: named)
            let error = await failure { () async throws(AdError) in try await named.loader.load(offer(seat, domain)) }
            #expect((error?.underlying as? ReachedCap)?.id == cap.id, "a cap of one id holds whoever sends it")
        }
    }

    @Test("an ad that is not viewed does not count")
    func unseen() async throws {
        let world = World(caps: [FrequencyCap(1, of: .campaign, in: .day)])
        let offer = Self.sample(campaign: "c")
        for _ in 0..<3 {
            let ad = try await world.loader.load(offer)
            ad.destroy()
        }
        let covered = try await world.loader.load(offer)
        world.signals.post(.background(true))
        try await Self.shown(covered, in: world)
        covered.destroy()
        #expect(await failure { () async throws(AdError) in try await world.loader.load(offer) } == nil)
    }

    @Test("in an auction a capped bid is passed over, and its bidder is told that it was filtered")
    func auction() async throws {
        let world = World(caps: [FrequencyCap(1, of: .campaign, in: .day)])
        let best = Self.sample(campaign: "c")
        try await Self.shown(try await world.loader.load(best), in: world)
        let auctions = AdLoader<AdAuction>.auction(services: world.services)
        let ad = try await auctions.load(
            AdAuction([
                .priced(world.loader, best, at: AdPrice(5), name: "capped"),
                .priced(world.loader, .sample(), at: AdPrice(1), name: "free"),
            ])
        )
        await world.clock.settle()
        let bids = world.observer.records.compactMap { record in
            if case .bid(let bid) = record.event { "\(bid.participant) \(bid.outcome.rawValue)" } else { nil }
        }
        #expect(bids.contains("free won") && !bids.contains("capped won"), "\(bids)")
        ad.destroy()
    }
}
