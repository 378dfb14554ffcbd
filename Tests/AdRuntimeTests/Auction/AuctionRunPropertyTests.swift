import AdCore
import AdProviders
import SystemSupport
import TestSupport
import Testing
import YabbiTesting

@testable import AdRuntime

/// Random auctions of loaders with scripted bidders, whose notices are counted by the name in their URLs.
///
/// To repeat one: `YABBI_SEED=<seed> swift test --filter AuctionRunPropertyTests`.
@Suite("Random auctions with their notices", .timeLimit(.minutes(5)))
struct AuctionRunPropertyTests {
    /// How an ad of an auction ends.
    private enum End: CaseIterable {
        case shown, failedOnce, failedAlways, destroyed, freed, expired, cancelled
    }

    /// What a bidder does.
    private enum Behavior: CaseIterable {
        case bids, twoBids, late, silent, empty, broken, servesMarkup, servesNothing, badMarkup, expiresSoon
    }

    private struct Scene {
        let behaviors: [Behavior]
        let end: End
        let floor: AdPrice?
        let isOther: Bool
        let answers: [String: ScriptedTransport.Outcome]
        /// The names of the bids that are expected to be told something.
        private(set) var told: Set<String> = []

        init(seed: UInt64) {
            var random = TestRandom(seed: seed)
            let count = Int.random(in: 1...4, using: &random)
            self.behaviors = (0..<count).map { _ in Behavior.allCases.randomElement(using: &random) ?? .bids }
            self.end = End.allCases.randomElement(using: &random) ?? .shown
            self.floor = Int.random(in: 0..<3, using: &random) == 0 ? AdPrice(1) : nil
            self.isOther = Bool.random(using: &random)
            var answers: [String: ScriptedTransport.Outcome] = ["markup": Bidders.markup, "nothing": .status(404)]
            for (index, behavior) in self.behaviors.enumerated() {
                let price = "\(Int.random(in: 50...300, using: &random))e-2"
                let (host, first, second) = ("h\(index)", "b\(index)x", "b\(index)y")
                let bid = Bidders.members(first, price)
                func served(_ host: String) -> String {
                    Bidders.members(first, price, markup: false)
                        .replacing("http://t.example/\(first)/win", with: "http://\(host).example/\(first)/win")
                }
                switch behavior {
                case .bids: answers[host] = Bidders.response(bid)
                case .twoBids: answers[host] = Bidders.response(bid, Bidders.members(second, "0.7"))
                case .late: answers[host] = .after(.seconds(1), Bidders.response(bid))
                case .silent: answers[host] = .silence
                case .empty: answers[host] = .status(204)
                case .broken: answers[host] = .json("{")
                case .servesMarkup: answers[host] = Bidders.response(served("markup"))
                case .servesNothing: answers[host] = Bidders.response(served("nothing"))
                case .badMarkup: answers[host] = Bidders.response(bid.replacing("\"mtype\": 1", with: "\"mtype\": 4"))
                case .expiresSoon: answers[host] = Bidders.response(Bidders.members(first, price, more: #""exp": 1"#))
                }
                switch behavior {
                case .silent, .empty, .broken: break
                case .twoBids: self.told.formUnion([first, second])
                default: self.told.insert(first)
                }
            }
            self.answers = answers
        }
    }

    @Test("each bidder is told once, the impression is billed to the one winner, and nothing is left")
    func notices() async throws {
        var wins = 0
        for seed in TestSeed.all(from: 1, count: LongForm.either(5_000, short: 400)) {
            let scene = Scene(seed: seed)
            let world = Bidders.world(scene.answers)
            await Self.run(scene, in: world)
            let calls = world.transport.requests.compactMap { request -> (name: String, notice: String)? in
                let parts = request.url.target.split { $0 == "/" || $0 == "?" }.map(String.init)
                return parts.count > 1 && parts[0].hasPrefix("b") ? (parts[0], parts[1]) : nil
            }
            func names(_ notice: String) -> [String] { calls.filter { $0.notice == notice }.map(\.name).sorted() }
            let context = "YABBI_SEED=\(seed): \(scene.behaviors), \(scene.end), \(calls)"
            let outcomes = (names("win") + names("loss")).sorted()
            let asked = Set(world.transport.requests.map { $0.url.host.prefix { $0 != "." } })
            let told = scene.told.filter { asked.contains("h\($0.dropFirst().dropLast())") }
            // A cancelled load may have had no answer yet.
            let isComplete = scene.end == .cancelled ? Set(outcomes).isSubset(of: told) : Set(outcomes) == told
            #expect(Set(outcomes).count == outcomes.count && isComplete, "\(context)")
            let winners = names("win").filter { name in !Self.fetched(name, scene) } + names("bill")
            #expect(names("bill").count <= 1 && Set(winners).count <= 1, "\(context)")
            #expect(world.clock.alarms == 0, "\(context)")
            wins += names("bill").count
        }
        if TestSeed.chosen == nil { #expect(wins > 30, "impressions are billed") }
    }

    /// Whether a bid's win notice is called for its markup.
    private static func fetched(_ name: String, _ scene: Scene) -> Bool {
        scene.behaviors.enumerated().contains { index, behavior in
            name == "b\(index)x" && (behavior == .servesMarkup || behavior == .servesNothing)
        }
    }

    private static func run(_ scene: Scene, in world: World) async {
        let participants = scene.behaviors.indices.map { index -> AdAuction.Participant in
            let loader = Bidders.loader("h\(index)", in: world)
            let unit = YabbiPlacement.banner(unit: "u")
            // Whatever sets the price, the bidders are told.
            guard scene.isOther, index > 0 else { return .bidder(loader, unit, name: "h\(index)") }
            return index % 2 == 0
                ? .unpriced(loader, unit, name: "h\(index)")
                : .priced(loader, unit, at: AdPrice(1.5), name: "h\(index)")
        }
        let auction = AdAuction(participants, floor: scene.floor)
        let loading = Task { try? await Bidders.load(auction, in: world) }
        await world.transport.waitForRequests(1)
        if scene.end == .cancelled { loading.cancel() }
        await world.clock.advance(by: .seconds(12))
        if let ad = await loading.value { await Self.finish(ad, scene.end, in: world) }
        await world.clock.advance(by: .seconds(2_000))
    }

    private static func finish(_ ad: Ad, _ end: End, in world: World) async {
        switch end {
        case .shown, .failedOnce, .failedAlways:
            let failing = RecordingPresenter(.failing(StageError("for the test")))
            let presenter: any Presenter =
                switch end {
                case .failedOnce: FirstFailingPresenter()
                case .failedAlways: failing
                default: RecordingPresenter()
                }
            // The show of a next offer that must be asked for takes time.
            let showing = world.clock.work { _ = try? await ad.showSuspendingWork(on: presenter) }
            await world.clock.advance(by: .seconds(12))
            await showing.value
            ad.close()
        case .destroyed: ad.destroy()
        case .expired: await world.clock.advance(by: .seconds(2_000))
        case .freed, .cancelled: break
        }
        await world.clock.settle()
    }
}
