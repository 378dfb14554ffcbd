import AdCore
import AdProviders
import SystemLock
import TestSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Answers that serve again")
struct KeptAnswerTests {
    private static let shownToo = ListProvider(keeping: Keeping(.seconds(60), includesShown: true))
    private static let unshownOnly = ListProvider(keeping: Keeping(.seconds(60), includesShown: false))

    private func show(_ ad: Ad, in world: World) async throws {
        try await ad.show(on: RecordingPresenter())
        await world.clock.settle()
    }

    @Test("the same question is asked once as long as the answer may be kept, and anew then")
    func fresh() async throws {
        let world = World.serving("a", "b")
        let loader = world.loader(Self.shownToo)
        let first = try await loader.load("q")
        await world.clock.advance(by: .milliseconds(59_999))
        let second = try await loader.load("q")
        #expect(world.asked == ["q"] && first.id != second.id && second.headline == "a")
        #expect(second.offer?.issues.map(\.code) == ["list.read"], "what was repaired in the answer is told again")
        await world.clock.advance(by: .milliseconds(1))
        #expect(try await loader.load("q").headline == "b")
        #expect(world.asked == ["q", "q"])
    }

    @Test("each question has its own answer")
    func questions() async throws {
        let world = World.serving("a", "b")
        let loader = world.loader(Self.shownToo)
        #expect(try await loader.load("q").headline == "a")
        #expect(try await loader.load("r").headline == "b")
        #expect(try await loader.load("q").headline == "a")
        #expect(world.asked == ["q", "r"])
    }

    @Test("an ad that was shown is served again where the provider says so")
    func shownAgain() async throws {
        let world = World.serving("a", "b")
        let loader = world.loader(Self.shownToo)
        for _ in 0..<3 { try await self.show(try await loader.load("q"), in: world) }
        #expect(world.asked == ["q"])
        #expect(world.beacons == ["/view/a", "/view/a", "/view/a"], "each ad tells of its own view")
    }

    @Test("an ad that was shown is not served again where the provider says so, and the question is asked anew")
    func shownOnce() async throws {
        let world = World.serving("a", "b")
        let loader = world.loader(Self.unshownOnly)
        let first = try await loader.load("q")
        #expect(try await loader.load("q").headline == "a", "it was only loaded")
        #expect(world.asked == ["q"])
        try await self.show(first, in: world)
        #expect(try await loader.load("q").headline == "b")
        #expect(world.asked == ["q", "q"])
    }

    @Test("an ad whose show failed was not shown")
    func failedShow() async throws {
        let world = World.serving("a", "b")
        let loader = world.loader(Self.unshownOnly)
        let first = try await loader.load("q")
        let presenter = RecordingPresenter(.failing(StageError("there is no room")))
        await #expect(throws: AdError.self) { try await first.show(on: presenter) }
        #expect(try await loader.load("q").headline == "a")
        #expect(world.asked == ["q"])
    }

    @Test("of several those that were not shown serve on, until none is left")
    func several() async throws {
        let world = World.serving("a,b,c", "d")
        let loader = world.loader(Self.unshownOnly)
        let ads = try await loader.loadAll("q")
        try await self.show(ads[1], in: world)
        #expect(try await loader.loadAll("q").map(\.headline) == ["a", "c"])
        try await self.show(try await loader.load("q"), in: world)
        try await self.show(try await loader.load("q"), in: world)
        #expect(world.asked == ["q"])
        #expect(try await loader.loadAll("q").map(\.headline) == ["d"])
        #expect(world.beacons.sorted() == ["/view/a", "/view/b", "/view/c"])
    }

    @Test("what was shown of an older answer takes nothing from a newer one")
    func older() async throws {
        let world = World.serving("a", "a")
        let loader = world.loader(Self.unshownOnly)
        let old = try await loader.load("q")
        await world.clock.advance(by: .seconds(60))
        _ = try await loader.load("q")
        try await self.show(old, in: world)
        _ = try await loader.load("q")
        #expect(world.asked == ["q", "q"])
    }

    @Test("without a word on keeping every load asks")
    func unkept() async throws {
        let world = World.serving("a")
        let loader = world.loader(ListProvider())
        for _ in 0..<3 { _ = try await loader.load("q") }
        #expect(world.asked.count == 3)
    }

    @Test("neither no fill nor a failure is kept")
    func failures() async throws {
        let world = World.serving("", "a")
        let loader = world.loader(Self.shownToo)
        let error = await failure { () async throws(AdError) in try await loader.load("q") }
        #expect(error?.code == .noFill)
        #expect(try await loader.load("q").headline == "a")
        #expect(world.asked.count == 2)
    }

    @Test("copies of a loader remember together, and two loaders know nothing of each other")
    func copies() async throws {
        let world = World.serving("a")
        let loader = world.loader(Self.shownToo)
        let copy = loader
        _ = try await loader.load("q")
        _ = try await copy.load("q")
        #expect(world.asked.count == 1)
        _ = try await world.loader(Self.shownToo).load("q")
        #expect(world.asked.count == 2)
    }

    @Test("loads at the same time ask each for itself; the newest answer serves whoever comes then")
    func together() async throws {
        let lists = Locked(["a", "b"])
        let world = World { request in
            guard request.url.host == "ssp.example" else { return .status(200) }
            let list = lists.withLock { $0.removeFirst() }
            return .after(.seconds(1), .response(status: 200, headers: [:], body: Array(list.utf8)))
        }
        let loader = world.loader(Self.unshownOnly)
        async let one = loader.load("q")
        async let two = loader.load("q")
        await world.transport.received(2)
        await world.clock.advance(by: .seconds(1))
        let ads = try await [one, two]
        #expect(Set(ads.map(\.headline)) == ["a", "b"] && world.asked.count == 2)
        let kept = try await loader.load("q")
        #expect(world.asked.count == 2)
        // The other answer was replaced, and whoever shows its ad takes nothing from this one.
        for ad in ads where ad.headline != kept.headline { try await self.show(ad, in: world) }
        #expect(try await loader.load("q").headline == kept.headline)
        #expect(world.asked.count == 2)
    }

    @Test("many loads at the same time of an answer that is kept ask nobody, and each is an ad of its own")
    func fromOneAnswer() async throws {
        let world = World.serving("a")
        let loader = world.loader(Self.unshownOnly)
        _ = try await loader.load("q")
        let ids = try await withThrowingTaskGroup(of: AdID.self) { group in
            for _ in 0..<100 { group.addTask { try await loader.load("q").id } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 100 && world.asked == ["q"])
    }

    @Test("what is asked ahead waits for whoever loads it, and only as long as it may be kept")
    func prefetch() async throws {
        let world = World.serving("a", "b")
        let loader = world.loader(Self.unshownOnly)
        #expect(try await loader.prefetch("q"))
        #expect(world.observer.names.isEmpty, "no ad was asked for yet")
        #expect(try await loader.prefetch("q"))
        #expect(try await loader.load("q").headline == "a")
        #expect(world.asked == ["q"])
        await world.clock.advance(by: .seconds(60))
        #expect(try await loader.load("q").headline == "b")
        #expect(world.asked == ["q", "q"])
    }

    @Test("asking ahead says where nothing waits: for want of an ad, or because the answer may not be kept")
    func nothingWaits() async throws {
        let empty = World.serving("")
        #expect(try await empty.loader(Self.unshownOnly).prefetch("q") == false)
        let unkept = World.serving("a")
        #expect(try await unkept.loader(ListProvider()).prefetch("q") == false)
        let failing = World { _ in .status(500) }
        let loader = failing.loader(Self.unshownOnly)
        let error = await failure { () async throws(AdError) in try await loader.prefetch("q") }
        #expect(error?.code == .serverStatus)
        await failing.clock.settle()
    }

    @Test("AttentionMarket's answer serves a minute, and five where each request costs the user money")
    func cellular() async throws {
        let answer = try #require(CardExamples.decide.answer)
        for (network, seconds) in [(nil, 60), (.cellular, 300)] as [(NetworkKind?, Int64)] {
            let world = World { _ in .json(answer) }
            if let network { world.board.post(.network(network)) }
            let keys = AttentionMarketKeys(apiKey: "k", agentID: "a", anonKey: "n")
            let loader = AdLoader(
                AttentionMarketProvider(keys: keys, base: url("http://market.example")),
                services: world.services
            )
            let question = AttentionMarketPlacement(userMessage: "which fern?")
            let first = try await loader.load(question)
            await world.clock.advance(by: .seconds(seconds) - .milliseconds(1))
            _ = try await loader.load(question)
            #expect(world.transport.requests.count == 1)
            await world.clock.advance(by: .milliseconds(1))
            _ = try await loader.load(question)
            #expect(world.transport.requests.count == 2)
            #expect(first.offer != nil)
        }
    }

    @Test("ActiveAds' campaigns serve for five minutes, and each load draws anew among all of them")
    func rotation() async throws {
        let ads = (0..<12).map { #"{"id":"\#($0)","title":"\#($0)","cta_url":"https://a.example/"}"# }
        let world = World { _ in .json("{\"ads\":[\(ads.joined(separator: ","))]}") }
        let loader = AdLoader(ActiveAdsProvider(base: url("http://active.example")), services: world.services)
        var feeds: Set<[String]> = []
        for _ in 0..<20 {
            let cards = try await loader.loadAll(.feed)
            let numbers = cards.compactMap { $0.headline.flatMap { Int($0) } }
            #expect(numbers.count == 3 && numbers == numbers.sorted())
            for card in cards { try await self.show(card, in: world) }
            feeds.insert(cards.compactMap(\.headline))
        }
        #expect(feeds.count > 10, "the user has no say in it, and neither has what was shown")
        #expect(world.transport.requests.count == 1)
        await world.clock.advance(by: .seconds(300))
        _ = try await loader.loadAll(.feed)
        #expect(try await loader.loadAll(.banner).count == 12)
        #expect(world.transport.requests.count == 3, "each format has its own answer")
    }
}
