import AdCore
import AdProviders
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Notices of an auction", .timeLimit(.minutes(5)))
struct NoticeTests {
    private static func show(_ ad: Ad, in world: World) async throws {
        try await ad.show(on: RecordingPresenter())
        await world.clock.settle()
    }

    @Test("a bidder whose price the host sets, or nobody knows, is told its outcome once, as any other")
    func otherPricings() async throws {
        for isPriced in [true, false] {
            let world = Bidders.world([
                "a": Bidders.response(Bidders.members("a1", "2"), Bidders.members("a2", "3"))
            ])
            let (loader, unit) = (Bidders.loader("a", in: world), YabbiPlacement.interstitial(unit: "u"))
            let participant: AdAuction.Participant =
                isPriced ? .priced(loader, unit, at: AdPrice(1), name: "a") : .unpriced(loader, unit, name: "a")
            let ad = try await Bidders.load(AdAuction([participant]), in: world)
            #expect(world.beacons == [])
            try await Self.show(ad, in: world)
            #expect(world.beacons.sorted() == ["/a1/loss?r=102", "/a2/bill?p=3", "/a2/win?p=3"])
            let price = ad.offer?.info.price
            #expect(price == AdPrice(isPriced ? 1 : 3))
            #expect(Bidders.bids(in: world) == ["a won", "a lost"])
            ad.close()
            await world.clock.settle()
            #expect(world.beacons.count == 3)
        }
    }

    @Test("a bidder whose price the host sets in another currency is told no price that it has not bid")
    func otherCurrency() async throws {
        func bid(_ name: String, _ price: String) -> String {
            Bidders.members(name, price).replacing(
                "loss?r=${AUCTION_LOSS}",
                with: "loss?r=${AUCTION_LOSS}&p=${AUCTION_PRICE}&m=${AUCTION_MIN_TO_WIN}&c=${AUCTION_CURRENCY}"
            )
        }
        let world = Bidders.world(["a": Bidders.response(bid("a1", "90"), bid("a2", "80"), currency: "RUB")])
        let participant = AdAuction.Participant.priced(
            Bidders.loader("a", in: world),
            .interstitial(unit: "u"),
            at: AdPrice(1.2)
        )
        let ad = try await Bidders.load(AdAuction([participant]), in: world)
        try await Self.show(ad, in: world)
        #expect(world.beacons.filter { $0.contains("loss") } == ["/a2/loss?r=102&p=&m=&c=RUB"])
        ad.close()
        await world.clock.settle()
    }

    @Test("a participant without a price has the time of the load, not that of the bids")
    func waterfallTime() async throws {
        let world = Bidders.world(["a": .after(.seconds(4), Bidders.bid("a", "1"))])
        let participant = AdAuction.Participant.unpriced(Bidders.loader("a", in: world), .interstitial(unit: "u"))
        let loading = Task { try? await Bidders.load(AdAuction([participant]), in: world) }
        await world.transport.waitForRequests(1)
        await world.clock.advance(by: .seconds(4))
        let ad = await loading.value
        #expect(ad?.isLoaded == true)
        ad?.destroy()
        await world.clock.settle()
    }

    @Test("a banner that is served by its win notice lives as long as any other banner")
    func servedLifetime() async throws {
        let world = Bidders.world(["a": Self.serving(), "markup": Bidders.markup])
        let auction = AdAuction([.bidder(Bidders.loader("a", in: world), .banner(unit: "u"))])
        let ad = try await Bidders.load(auction, in: world)
        #expect(ad.offer?.rules.lifetime == .seconds(300))
        ad.destroy()
        await world.clock.settle()
    }

    @Test("a bidder whose markup could not be requested is told that it has lost")
    func unreachedMarkup() async throws {
        let down = ScriptedTransport.Outcome.failure(TransportError(.notSent(.refused), "refused, for the test"))
        let world = Bidders.world(["a": Self.serving(), "markup": down])
        let error = await failure { () async throws(AdError) in try await Bidders.load("a", in: world) }
        #expect(error?.code == .unreachable)
        await world.clock.settle()
        #expect(world.beacons == ["/a/loss?r=200"])
    }

    @Test("a show that is given up while a next offer is looked for ends, and leaves nothing behind")
    func destroyedBetweenOffers() async throws {
        for seed in 0..<50 {
            func bid(_ name: String, _ price: String) -> ScriptedTransport.Outcome {
                Bidders.bid(name, price, more: #""cid": "c""#)
            }
            let world = Bidders.world(
                ["a": bid("a", "3"), "b": bid("b", "2"), "d": bid("d", "1")],
                caps: [FrequencyCap(1, of: .campaign, in: .session)]
            )
            let waiting = try await Bidders.load("a", "b", "d", in: world)
            let first = try await Bidders.load("b", in: world)
            try await Self.show(first, in: world)
            let showing = Task { _ = try? await waiting.show(on: RecordingPresenter()) }
            for _ in 0..<seed { await Task.yield() }
            waiting.destroy()
            await showing.value
            await world.clock.settle()
            first.close()
            await world.clock.settle()
            let told = world.beacons.filter { $0.contains("/loss") }
            #expect(told.count == 3 && Set(told.map { $0.prefix(2) }).count == 3, "\(told)")
            #expect(world.clock.alarms == 0)
        }
    }

    @Test("a bidder with a price by hand is not asked for the auction's floor")
    func floorOfPriced() async throws {
        let world = Bidders.world(["a": Bidders.bid("a", "1"), "b": Bidders.bid("b", "1")])
        let unit = YabbiPlacement.interstitial(unit: "u")
        let participants: [AdAuction.Participant] = [
            .priced(Bidders.loader("a", in: world), unit, at: AdPrice(3), name: "a"), Bidders.bidder("b", in: world),
        ]
        try await Bidders.load(AdAuction(participants, floor: AdPrice(2)), in: world).destroy()
        let floors = world.transport.requests.filter { $0.url.target == "/bid" }.map { request in
            (try? AdJSON(parsing: request.body ?? []))?["imp"]?.array?.first?["bidfloor"]?.number
        }
        #expect(floors == [nil, 2])
    }

    @Test("an auction in an auction is an error that says what to pass instead")
    func nested() async throws {
        let world = Bidders.world(["a": Bidders.bid("a", "1")])
        let auctions = AdLoader<AdAuction>.auction(services: world.services)
        let inner = AdAuction([Bidders.bidder("a", in: world)])
        for participant: AdAuction.Participant in [
            .bidder(auctions, inner), .priced(auctions, inner, at: AdPrice(1)), .unpriced(auctions, inner),
        ] {
            let error = await failure { () async throws(AdError) in
                try await Bidders.load(AdAuction([participant]), in: world)
            }
            #expect(error?.code == .invalidRequest && error?.message.contains("pass its participants") == true)
        }
        #expect(world.transport.requests.isEmpty)
    }

    @Test("an ad that is freed without having been shown tells every bidder that its time is over")
    func freed() async throws {
        let world = Bidders.world(["a": Bidders.bid("a", "1.5"), "b": Bidders.bid("b", "2.5")])
        do { _ = try await Bidders.load("a", "b", in: world) }
        await world.clock.settle()
        #expect(world.beacons.sorted() == ["/a/loss?r=2", "/b/loss?r=2"])
        #expect(world.clock.alarms == 0)
    }

    /// A bidder whose win notice serves the markup, with an event of a Prebid Server for the win.
    private static func serving() -> ScriptedTransport.Outcome {
        let event = #""ext": {"prebid": {"events": {"win": "http://t.example/a/event"}}}"#
        return Bidders.response(
            Bidders.members("a", "2", markup: false, more: event)
                .replacing("http://t.example/a/win", with: "http://markup.example/a/win")
        )
    }

    @Test("a win notice that serves the markup is called once, and only that one is not repeated at the win")
    func servedMarkup() async throws {
        let world = Bidders.world(["a": Self.serving(), "markup": Bidders.markup])
        let ad = try await Bidders.load("a", in: world)
        try await Self.show(ad, in: world)
        #expect(world.transport.requests.filter { $0.url.host == "markup.example" }.count == 1)
        #expect(world.beacons.sorted() == ["/a/bill?p=2", "/a/event"])
        ad.close()
        await world.clock.settle()
    }

    @Test("after the win notice that serves the markup, no loss is told", arguments: [true, false])
    func servedMarkupLoss(isServed: Bool) async throws {
        let world = Bidders.world(["a": Self.serving(), "markup": isServed ? Bidders.markup : .status(500)])
        let ad = try? await Bidders.load("a", in: world)
        #expect((ad != nil) == isServed)
        ad?.destroy()
        await world.clock.settle()
        #expect(world.beacons == [])
    }

    @Test("a bid that can't be understood, or is for another impression, is told so, and has its row")
    func invalid() async throws {
        let world = Bidders.world([
            "a": Bidders.response(
                Bidders.members("good", "1"),
                Bidders.members("free", "null"),
                Bidders.members("other", "9").replacing(#""impid": "1""#, with: #""impid": "2""#),
                Bidders.members("none", "9").replacing(#""impid": "1""#, with: #""x": "2""#),
                Bidders.members("empty", "9", markup: false).replacing("\"nurl\"", with: "\"x\"")
            )
        ])
        let ad = try await Bidders.load("a", floor: AdPrice(0.5), in: world)
        await world.clock.settle()
        #expect(
            world.beacons.sorted() == ["/empty/loss?r=7", "/free/loss?r=3", "/none/loss?r=3", "/other/loss?r=3"]
        )
        #expect(Bidders.bids(in: world) == ["a won", "a invalid", "a invalid", "a invalid", "a invalid"])
        ad.destroy()
        await world.clock.settle()
    }

    @Test("a loser is told the winner's price, and never its own; a bid that nobody outbid is told none")
    func prices() async throws {
        func bid(_ name: String, _ price: String) -> ScriptedTransport.Outcome {
            Bidders.response(
                Bidders.members(name, price).replacing(
                    "loss?r=${AUCTION_LOSS}",
                    with: "loss?r=${AUCTION_LOSS}&p=${AUCTION_PRICE}&m=${AUCTION_MIN_TO_WIN}&q=${AUCTION_MBR}"
                )
            )
        }
        let world = Bidders.world(["a": bid("a", "1.5"), "b": bid("b", "2.5"), "c": bid("c", "0.1")])
        let ad = try await Bidders.load("a", "b", "c", floor: AdPrice(1), in: world)
        try await Self.show(ad, in: world)
        #expect(
            world.beacons.filter { $0.contains("loss") } == [
                "/c/loss?r=100&p=&m=1&q=", "/a/loss?r=102&p=2.5&m=2.5&q=",
            ]
        )
        ad.close()
        await world.clock.settle()
    }

    @Test("the notices of a win and of the billing say when the impression was, and that a first price was paid")
    func macros() async throws {
        let query = "q=${AUCTION_MBR}&n=${AUCTION_MULTIPLIER}&t=${AUCTION_IMP_TS}"
        let world = Bidders.world([
            "a": Bidders.response(Bidders.members("a", "2").replacing("p=${AUCTION_PRICE}", with: query))
        ])
        let ad = try await Bidders.load("a", in: world)
        await world.clock.advance(by: .seconds(7))
        let time = world.clock.wallTime.milliseconds
        try await Self.show(ad, in: world)
        #expect(world.beacons.sorted() == ["/a/bill?q=1&n=1&t=\(time)", "/a/win?q=1&n=1&t=\(time)"])
        ad.close()
        await world.clock.settle()
    }

    @Test("whoever waits for the beacons after a failed load misses no notice")
    func announced() async throws {
        let world = Bidders.world(["a": Bidders.bid("a", "0.5")])
        let error = await failure { () async throws(AdError) in
            try await Bidders.load("a", floor: AdPrice(1), in: world)
        }
        #expect(error?.code == .noFill)
        await world.services.beacons.waitUntilDelivered(within: .seconds(5))
        #expect(world.beacons == ["/a/loss?r=100"])
    }

    @Test("a bid can't be shown after its own time, however long the auction took")
    func expiry() async throws {
        let world = Bidders.world(["a": Bidders.bid("a", "1", more: #""exp": 5"#), "b": .silence])
        let loading = Task { () async throws(AdError) in try await Bidders.load("a", "b", in: world) }
        await world.transport.waitForRequests(2)
        await world.clock.advance(by: .seconds(2))
        let ad = try await loading.value
        #expect(ad.isLoaded)
        await world.clock.advance(by: .seconds(3))
        #expect(!ad.isLoaded && world.beacons == ["/a/loss?r=2"])
    }

    @Test("an offer that a cap does not allow at its show gives way to the next one that may be shown")
    func cappedAtShow() async throws {
        func bid(_ name: String, _ price: String, _ campaign: String) -> ScriptedTransport.Outcome {
            Bidders.bid(name, price, more: #""cid": "\#(campaign)""#)
        }
        let answers = ["a": bid("a", "3", "c"), "b": bid("b", "2", "c"), "d": bid("d", "1", "d")]
        let world = Bidders.world(answers, caps: [FrequencyCap(1, of: .campaign, in: .session)])
        let waiting = try await Bidders.load("a", "b", "d", in: world)
        let first = try await Bidders.load("b", in: world)
        try await Self.show(first, in: world)
        first.close()
        await world.clock.settle()
        let before = world.beacons.count
        try await Self.show(waiting, in: world)
        #expect(
            world.beacons.dropFirst(before).sorted() == ["/a/loss?r=200", "/b/loss?r=200", "/d/bill?p=1", "/d/win?p=1"]
        )
        #expect(waiting.offer?.info.campaignID == "d")
        #expect(world.observer.names.filter { $0 == "offerFailed" }.count == 2)
        waiting.close()
        await world.clock.settle()
    }

    @Test("an ad of a slot that a cap does not allow is destroyed, and its bidder is told")
    func cappedInSlot() async throws {
        func bid(_ name: String) -> ScriptedTransport.Outcome { Bidders.bid(name, "1", more: #""cid": "c""#) }
        let world = Bidders.world(
            ["a": .after(.seconds(1), bid("a")), "b": bid("b")],
            caps: [FrequencyCap(1, of: .campaign, in: .session)]
        )
        let presenter = SlotPresenter()
        let slot = BannerSlot(Bidders.loader("a", in: world), .banner(unit: "u"), on: presenter)
        slot.start()
        await world.transport.waitForRequests(1)
        slot.setVisible(0)
        await world.clock.advance(by: .seconds(1))
        let other = try await Bidders.load("b", in: world)
        try await Self.show(other, in: world)
        slot.setVisible(1)
        await world.clock.settle()
        #expect(world.beacons.filter { $0.contains("loss") } == ["/a/loss?r=2"])
        slot.close()
        other.close()
        await world.clock.settle()
    }

    @Test("a participant that can't be asked has failed; only if one has no ad, the auction is a no fill")
    func failures() async throws {
        let down = ScriptedTransport.Outcome.failure(TransportError(.notSent(.refused), "no route to the host"))
        let broken = Bidders.world(["a": .status(500), "b": down, "c": .json("{")])
        let error = await failure { () async throws(AdError) in try await Bidders.load("a", "b", "c", in: broken) }
        #expect(error?.code == .serverStatus, "\(String(describing: error))")
        #expect(Bidders.bids(in: broken) == ["a failed", "b failed", "c failed"])
        let empty = Bidders.world(["a": .status(500), "b": .status(204)])
        let none = await failure { () async throws(AdError) in try await Bidders.load("a", "b", in: empty) }
        #expect(none?.code == .noFill)
        #expect(Bidders.bids(in: empty) == ["a failed", "b noBid"])
    }
}
