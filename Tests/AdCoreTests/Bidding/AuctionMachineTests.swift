import Testing

@testable import AdCore

@Suite("The auction machine")
struct AuctionMachineTests {
    @Test("every input in every phase has the actions of the table", arguments: AuctionScene.phases)
    func table(phase: String) {
        for (name, input) in AuctionScene.all {
            var machine = AuctionScene.machine(in: phase)
            let actions = machine.handle(input, at: AuctionScene.now).map(\.name).joined(separator: ", ")
            #expect(actions == AuctionScene.table[phase]?[name] ?? "", "\(phase), \(name)")
        }
    }

    /// The order in which offers are chosen when each in turn can't be shown, by the names of their participants.
    private func order(
        _ participants: [AuctionMachine.Participant],
        _ bids: [[AuctionMachine.Bid]],
        floor: AdPrice? = nil,
        rates: CurrencyRates = CurrencyRates()
    ) throws -> [String] {
        var machine = try AuctionMachine(participants, floor: floor, rates: rates)
        var actions = machine.handle(.start(bidsUntil: AuctionScene.bidsEnd, until: AuctionScene.end), at: .origin)
        var order: [String] = []
        while let action = actions.first {
            actions.removeFirst()
            switch action {
            case .ask(let index): actions += machine.handle(.responded(index, .success(bids[index])), at: .origin)
            case .choose(let id, _):
                order.append("\(participants[id.participant].name) \(id.index)")
                actions += machine.handle(.next(.internalError, until: AuctionScene.end), at: .origin)
            default: break
            }
        }
        return order
    }

    @Test("offers are ranked by priority, price, order of the participants, and order of the response")
    func ranking() throws {
        let participants: [AuctionMachine.Participant] = [
            .init(name: "a", pricing: .bids), .init(name: "b", pricing: .bids),
            .init(name: "waterfall 1", pricing: .unknown), .init(name: "waterfall 2", pricing: .unknown),
            .init(name: "sponsor", pricing: .fixed(AdPrice(0.01)), priority: 1),
            .init(name: "filler", pricing: .fixed(AdPrice(9)), priority: -1),
        ]
        let prices: [[AdDecimal?]] = [[2, 1.5], [2, 2], [nil], [8], [nil], [nil]]
        let order = try self.order(participants, prices.map { $0.map { AuctionScene.bid($0) } })
        #expect(order == ["sponsor 0", "a 0", "b 0", "b 1", "a 1", "waterfall 1 0", "waterfall 2 0", "filler 0"])
    }

    @Test("currencies are compared with the host's rates, and a bid without a rate can't win")
    func currencies() throws {
        let (euro, yen) = (try #require(AdCurrency("EUR")), try #require(AdCurrency("JPY")))
        func bid(_ price: AdPrice?) -> AuctionMachine.Bid { .init(price: price, expires: .init(.seconds(300))) }
        let participants = ["a", "b", "c", "d"].map { AuctionMachine.Participant(name: $0, pricing: .bids) }
        let bids = [[bid(AdPrice(2.1))], [bid(AdPrice(2, euro))], [bid(AdPrice(1000, yen))], [bid(nil)]]
        #expect(try self.order(participants, bids, rates: CurrencyRates([euro: 1.1])) == ["b 0", "a 0"])
        #expect(try self.order(participants, bids) == ["a 0"])
        #expect(
            try self.order(participants, bids, floor: AdPrice(2, euro), rates: CurrencyRates([euro: 1.1])) == ["b 0"]
        )
        #expect(throws: AdError.self, "a floor without a rate is no floor") {
            try AuctionMachine(participants, floor: AdPrice(1, yen))
        }
    }

    @Test("a bid below the floor is told the floor at once, and an equal one may win")
    func floor() throws {
        var machine = try AuctionMachine([.init(name: "a", pricing: .bids)], floor: AdPrice(1.5))
        _ = machine.handle(.start(bidsUntil: AuctionScene.bidsEnd, until: AuctionScene.end), at: .origin)
        let bids = [AuctionScene.bid(1.49), AuctionScene.bid(1.5)]
        let actions = machine.handle(.responded(0, .success(bids)), at: .origin)
        #expect(actions.first?.name == "loss 0.0 100 of 1.5")
        #expect(actions.last == .choose(.init(participant: 0, index: 1), hasSuccessor: false))
        let result = actions.lazy.compactMap { if case .report(let result) = $0 { result } else { nil } }.first
        #expect(result?.bids.map(\.outcome) == [.won, .belowFloor] && result?.winner?.price == AdPrice(1.5))
    }

    @Test("an offer whose time is over when its turn comes is passed over, and told so")
    func expiry() throws {
        var machine = AuctionScene.machine(in: "collecting")
        let short = AuctionScene.bid(9, needsResolving: false, expires: AuctionScene.now)
        _ = machine.handle(.responded(0, .success([short])), at: .origin)
        _ = machine.handle(.responded(1, .success([AuctionScene.bid(1)])), at: .origin)
        let actions = machine.handle(.timer(.bids), at: AuctionScene.now).map(\.name)
        #expect(
            actions == ["cancelTimer bids", "stopAsking 2", "loss 0.0 2", "cancelTimer end", "result", "choose 1.0"]
        )
    }

    @Test("after the end, an offer that needs no resolving is chosen rather than none")
    func late() {
        var machine = AuctionScene.machine(in: "collecting")
        _ = machine.handle(.responded(0, .success([AuctionScene.bid(9, needsResolving: true)])), at: .origin)
        _ = machine.handle(.responded(1, .success([AuctionScene.bid(1)])), at: .origin)
        let actions = machine.handle(.timer(.end), at: AuctionScene.end).map(\.name)
        #expect(actions.suffix(4) == ["loss 0.0 2", "cancelTimer end", "result", "choose 1.0"])
    }

    @Test("a loser of another priority is told that it was outranked, one of another currency no minimum")
    func reasons() throws {
        let euro = try #require(AdCurrency("EUR"))
        let participants: [AuctionMachine.Participant] = [
            .init(name: "first", pricing: .bids, priority: 1), .init(name: "a", pricing: .bids),
            .init(name: "b", pricing: .bids, priority: 1),
        ]
        var machine = try AuctionMachine(participants, rates: CurrencyRates([euro: 1]))
        _ = machine.handle(.start(bidsUntil: AuctionScene.bidsEnd, until: AuctionScene.end), at: .origin)
        _ = machine.handle(.responded(0, .success([AuctionScene.bid(3)])), at: .origin)
        _ = machine.handle(.responded(1, .success([AuctionScene.bid(9)])), at: .origin)
        let other = AuctionMachine.Bid(price: AdPrice(2, euro), expires: AuctionScene.end)
        _ = machine.handle(.responded(2, .success([other])), at: .origin)
        #expect(machine.handle(.settle(.won), at: .origin).map(\.name) == ["win 0.0", "loss 1.0 103", "loss 2.0 102"])
    }

    @Test("the error of an auction without an ad says what each participant did")
    func errorText() throws {
        let participants = ["a", "b"].map { AuctionMachine.Participant(name: $0, pricing: .bids) }
        var machine = try AuctionMachine(participants, floor: AdPrice(2))
        _ = machine.handle(.start(bidsUntil: AuctionScene.bidsEnd, until: AuctionScene.end), at: .origin)
        _ = machine.handle(.responded(0, .success([AuctionScene.bid(1)])), at: .origin)
        guard case .fail(let error)? = machine.handle(.timer(.bids), at: AuctionScene.bidsEnd).last else {
            Testing.Issue.record("the auction has not failed")
            return
        }
        #expect(error.code == .noFill)
        let expected = "(a: its price is below the floor of 2 USD; b: it did not respond in time)"
        #expect(error.message.hasSuffix(expected), "\(error.message)")
    }
}
