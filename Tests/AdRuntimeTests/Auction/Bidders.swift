import AdCore
import AdProviders
import YabbiTesting

@testable import AdRuntime

/// Scripted OpenRTB bidders, each on a host of its own, and auctions among them.
enum Bidders {
    /// The members of a bid; the notices go to `t.example`, by the bidder's name.
    static func members(_ name: String, _ price: String, markup: Bool = true, more: String = "") -> String {
        let content = markup ? #", "adm": "<a href='https://shop.example/'>Buy</a>""# : ""
        return #"""
            {"id": "b", "impid": "1", "price": \#(price), "mtype": 1\#(content)\#(more.isEmpty ? "" : ", \(more)"),
            "nurl": "http://t.example/\#(name)/win?p=${AUCTION_PRICE}",
            "lurl": "http://t.example/\#(name)/loss?r=${AUCTION_LOSS}",
            "burl": "http://t.example/\#(name)/bill?p=${AUCTION_PRICE}"}
            """#
    }

    /// A response with these bids.
    static func response(_ bids: String..., currency: String = "USD") -> ScriptedTransport.Outcome {
        .json(
            #"{"id": "r", "cur": "\#(currency)", "seatbid": [{"seat": "s", "bid": [\#(bids.joined(separator: ", "))]}]}"#
        )
    }

    /// A response with one bid.
    static func bid(_ name: String, _ price: String, more: String = "") -> ScriptedTransport.Outcome {
        self.response(self.members(name, price, more: more))
    }

    /// The response to a win notice that serves the markup.
    static let markup = ScriptedTransport.Outcome.response(
        status: 200,
        headers: ["Content-Type": "text/html"],
        body: Array("<a href='https://shop.example/'>Buy</a>".utf8)
    )

    /// A world in which each bidder answers in its way; others get status 200.
    static func world(_ answers: [String: ScriptedTransport.Outcome], caps: [FrequencyCap] = []) -> World {
        World(caps: caps) { request in
            let name = request.url.host.split(separator: ".").first.map(String.init) ?? ""
            return answers[name] ?? .status(200)
        }
    }

    /// A loader for a bidder's placements.
    static func loader(_ name: String, in world: World) -> AdLoader<YabbiPlacement> {
        let app = YabbiApp(publisherID: "p", bundle: "com.example.app", name: "Example")
        let provider = YabbiRTBProvider(endpoint: url("http://\(name).example/bid"), app: app)
        return AdLoader(provider, services: world.services)
    }

    static func bidder(_ name: String, in world: World) -> AdAuction.Participant {
        .bidder(self.loader(name, in: world), .interstitial(unit: "u"), name: name)
    }

    static func load(_ auction: AdAuction, in world: World) async throws(AdError) -> Ad {
        try await AdLoader<AdAuction>.auction(services: world.services).load(auction)
    }

    static func load(_ names: String..., floor: AdPrice? = nil, in world: World) async throws(AdError) -> Ad {
        try await self.load(AdAuction(names.map { self.bidder($0, in: world) }, floor: floor), in: world)
    }

    /// The reported bids, as participant and outcome.
    static func bids(in world: World) -> [String] {
        world.observer.records.compactMap { record in
            if case .bid(let bid) = record.event { "\(bid.participant) \(bid.outcome.rawValue)" } else { nil }
        }
    }
}

extension String {
    /// The text in which each occurrence of a part is another text.
    func replacing(_ part: String, with other: String) -> String {
        self.split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}
