import AdCore
import AdProviders
import SystemSupport
import TestSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Answers that serve again", .timeLimit(.minutes(5)))
struct KeptAnswerTests {
    private static let shownToo = ListProvider(keeping: CachePolicy(.seconds(60), includesShown: true))
    private static let unshownOnly = ListProvider(keeping: CachePolicy(.seconds(60), includesShown: false))

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
        first.destroy()
        await world.clock.settle()
        let again = try await loader.load("q")
        #expect(again.headline == "a" && world.asked == ["q"], "it was only loaded")
        try await self.show(again, in: world)
        again.destroy()
        #expect(try await loader.load("q").headline == "b")
        #expect(world.asked == ["q", "q"])
    }

    @Test("an ad that is in one's hands is in nobody else's: whoever asks meanwhile asks the server")
    func inHands() async throws {
        let world = World.serving("a", "b")
        let loader = world.loader(Self.unshownOnly)
        let first = try await loader.load("q")
        let second = try await loader.load("q")
        #expect(first.headline == "a" && second.headline == "b" && world.asked == ["q", "q"])
        try await self.show(first, in: world)
        try await self.show(second, in: world)
        #expect(world.beacons == ["/view/a", "/view/b"])
    }

    @Test("an ad that a host lets go of waits for the next one, whether it says so or not")
    func letGo() async throws {
        let world = World.serving("a", "b")
        let loader = world.loader(Self.unshownOnly)
        do { #expect(try await loader.load("q").isLoaded) }
        let second = try await loader.load("q")
        #expect(second.headline == "a" && world.asked == ["q"])
    }

    @Test("an ad that was shown is served to no other question, where it is known again by its name")
    func otherQuestion() async throws {
        let world = World.serving("a", "a", "b")
        let loader = world.loader(
            ListProvider(keeping: CachePolicy(.seconds(60), includesShown: false), isNamed: true)
        )
        for question in ["q", "r"] { #expect(try await loader.prefetch(question)) }
        try await self.show(try await loader.load("q"), in: world)
        #expect(try await loader.load("r").headline == "b")
        #expect(world.asked == ["q", "r", "r"])
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
        var ads = try await loader.loadAll("q")
        try await self.show(ads[1], in: world)
        ads = []
        ads = try await loader.loadAll("q")
        #expect(ads.map(\.headline) == ["a", "c"])
        for ad in ads { ad.destroy() }
        await world.clock.settle()
        for _ in 0..<2 { try await self.show(try await loader.load("q"), in: world) }
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
        #expect(try await loader.prefetch("q"))
        try await self.show(old, in: world)
        #expect(try await loader.load("q").headline == "a")
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

    /// A world whose server takes a second for each answer.
    private func slow(_ lists: String...) -> World {
        let left = Locked(lists)
        return World { request in
            guard request.url.host == "ssp.example" else { return .status(200) }
            let list = left.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? "" }
            return .after(.seconds(1), .response(status: 200, headers: [:], body: Array(list.utf8)))
        }
    }

    @Test("the same question at the same time goes out once, where the answer serves both")
    func together() async throws {
        let world = self.slow("a", "b")
        let loader = world.loader(Self.shownToo)
        let loads = (0..<10).map { _ in Task { try await loader.load("q").headline } }
        await self.begun(10, in: world)
        await world.clock.advance(by: .seconds(1))
        for load in loads { #expect(try await load.value == "a") }
        #expect(world.asked == ["q"])
    }

    @Test("whoever loads what is just being asked ahead waits for it")
    func ahead() async throws {
        let world = self.slow("a", "b")
        let loader = world.loader(Self.unshownOnly)
        let ahead = Task { try await loader.prefetch("q") }
        await world.transport.received(1)
        let load = Task { try await loader.load("q") }
        await self.begun(1, in: world)
        await world.clock.advance(by: .seconds(1))
        #expect(try await ahead.value)
        #expect(try await load.value.headline == "a" && world.asked == ["q"])
    }

    @Test("of an answer that serves one, the others ask for themselves, all at once")
    func oneForAll() async throws {
        let world = self.slow("a", "b", "c", "d")
        let loader = world.loader(Self.unshownOnly)
        let loads = (0..<4).map { _ in Task { try await loader.load("q") } }
        await self.begun(4, in: world)
        await world.clock.advance(by: .seconds(1))
        await world.transport.received(4)
        await world.clock.advance(by: .seconds(1))
        var ads: [Ad] = []
        for load in loads { ads.append(try await load.value) }
        #expect(ads.compactMap(\.headline).sorted() == ["a", "b", "c", "d"])
        #expect(world.asked.count == 4 && world.clock.alarms == 4, "each has its lifetime left")
    }

    @Test("whoever waits for another's answer is not held up by one who gives up, nor by one that fails")
    func leaderGone() async throws {
        let world = self.slow("", "a")
        let loader = world.loader(Self.shownToo)
        let first = loader.ad(for: "q")
        let leader = Task { try? await first.load() }
        await world.transport.received(1)
        let follower = Task { try await loader.load("q") }
        await self.begun(2, in: world)
        await world.clock.advance(by: .milliseconds(500))
        first.destroy()
        await world.transport.received(2)
        await world.clock.advance(by: .seconds(1))
        #expect(try await follower.value.headline == "a")
        await leader.value
    }

    @Test("whoever waits for another's answer may give up as well")
    func followerGone() async throws {
        let world = self.slow("a")
        let loader = world.loader(Self.shownToo)
        let leader = Task { try await loader.load("q") }
        await world.transport.received(1)
        let second = loader.ad(for: "q")
        let follower = Task { await failure { () async throws(AdError) in try await second.load() } }
        await self.begun(2, in: world)
        await world.clock.advance(by: .milliseconds(500))
        follower.cancel()
        #expect(await follower.value?.code == .cancelled)
        await world.clock.advance(by: .milliseconds(500))
        #expect(try await leader.value.headline == "a" && world.asked == ["q"])
    }

    @Test("many loads at the same time of an answer that is kept ask nobody, and each is an ad of its own")
    func fromOneAnswer() async throws {
        let world = World.serving("a")
        let loader = world.loader(Self.shownToo)
        _ = try await loader.load("q")
        let ids = try await withThrowingTaskGroup(of: AdID.self) { group in
            for _ in 0..<100 { group.addTask { try await loader.load("q").id } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 100 && world.asked == ["q"])
    }

    @Test("of a list that many take from at the same time, each ad is one's alone, and the list serves them all")
    func oneEach() async throws {
        let names = (0..<20).map(String.init)
        let world = World.serving(names.joined(separator: ","))
        let loader = world.loader(Self.named)
        #expect(try await loader.prefetch("q"))
        let ads = try await withThrowingTaskGroup(of: Ad.self) { group in
            for _ in 0..<20 { group.addTask { try await loader.load("q") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(ads.compactMap(\.headline)).count == 20)
        for ad in ads { try await self.show(ad, in: world) }
        #expect(Set(world.beacons).count == 20)
    }

    private static let named = ListProvider(keeping: CachePolicy(.seconds(60), includesShown: false), isNamed: true)

    @Test("an ad that two questions brought is in one's hands alone, and the other question is asked anew")
    func twoQuestions() async throws {
        let world = World.serving("a", "a", "b")
        let loader = world.loader(Self.named)
        for question in ["q", "r"] { #expect(try await loader.prefetch(question)) }
        let ads = try await [loader.load("q"), loader.load("r")]
        for ad in ads { try await self.show(ad, in: world) }
        #expect(world.beacons == ["/view/a", "/view/b"] && world.asked == ["q", "r", "r"])
    }

    @Test("an ad that stands twice in an answer is loaded once")
    func twiceInOne() async throws {
        let world = World.serving("a,b,a")
        let ads = try await world.loader(Self.named).loadAll("q")
        #expect(ads.map(\.headline) == ["a", "b"])
    }

    @Test("what could not be loaded is not tried again, and the server is asked when nothing else is left")
    func unloadable() async throws {
        for keeping in [
            CachePolicy(.seconds(60), includesShown: true), CachePolicy(.seconds(60), includesShown: false),
        ] {
            let world = World.serving("!x", "!x,a", "b")
            let loader = world.loader(ListProvider(keeping: keeping))
            let error = await failure { () async throws(AdError) in try await loader.load("q") }
            #expect(error?.code == .unreadableAnswer)
            let second = try await loader.load("q")
            #expect(second.headline == "a" && world.asked.count == 2)
            #expect(second.offer?.issues.map(\.code) == ["list.read", "video.passedOver"])
            second.destroy()
            await world.clock.settle()
            let third = try await loader.load("q")
            #expect(third.headline == "a" && world.asked.count == 2)
            #expect(third.offer?.issues.map(\.code) == ["list.read"], "the video is passed over in silence now")
        }
    }

    /// Waits until so many loads have begun, and are at rest.
    private func begun(_ count: Int, in world: World) async {
        while world.observer.names.count(where: { $0 == "loadStarted" }) < count { await Task.yield() }
        await world.clock.settle()
    }

    @Test("no fill and a failure are told to all who asked the same at the same time", arguments: [200, 500])
    func sharedFailure(status: Int) async throws {
        let world = World { _ in .after(.seconds(1), .status(status)) }
        let loader = world.loader(Self.unshownOnly)
        let loads = (0..<10).map { _ in
            Task { await failure { () async throws(AdError) in try await loader.load("q") }?.code }
        }
        await self.begun(10, in: world)
        await world.clock.advance(by: .seconds(1))
        for load in loads { #expect(await load.value == (status == 200 ? .noFill : .serverStatus)) }
        #expect(world.asked == ["q"])
    }

    @Test("whoever waits for another's answer waits half of its own time, and asks then for itself")
    func patience() async throws {
        let count = Locked(0)
        let world = World { request in
            let good = ScriptedTransport.Answer.response(status: 200, headers: [:], body: Array("a".utf8))
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst ? .silence : .after(.milliseconds(300), good)
        }
        let loader = world.loader(Self.shownToo)
        let ahead = Task { try? await loader.prefetch("q") }
        await world.transport.received(1)
        let load = Task { try await loader.load("q") }
        await self.begun(1, in: world)
        await world.clock.advance(by: .seconds(5))
        await world.transport.received(2)
        await world.clock.advance(by: .milliseconds(300))
        #expect(try await load.value.headline == "a")
        #expect(world.transport.requests.map(\.limits.total) == [.seconds(10), .seconds(5)])
        ahead.cancel()
        _ = await ahead.value
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
        #expect(unkept.asked.isEmpty, "it would be asked for nobody")
        let failing = World { _ in .status(500) }
        let loader = failing.loader(Self.unshownOnly)
        let error = await failure { () async throws(AdError) in try await loader.prefetch("q") }
        #expect(error?.code == .serverStatus)
        await failing.clock.settle()
    }

    @Test("asking ahead says that nothing waits where what came is in another's hands, and the next load asks again")
    func inOtherHands() async throws {
        let world = World.serving("a")
        let loader = world.loader(ListProvider(keeping: Self.unshownOnly.keeping, isNamed: true))
        let held = try await loader.load("q")
        #expect(try await loader.prefetch("r") == false, "the same ad came, and somebody has it")
        #expect(world.asked == ["q", "r"])
        let second = try await loader.load("r")
        #expect(world.asked == ["q", "r", "r"], "as was said, nothing waited")
        held.destroy()
        second.destroy()
        await world.clock.settle()
        #expect(try await loader.prefetch("r"))
        #expect(try await loader.load("r").headline == "a")
        #expect(world.asked == ["q", "r", "r"])
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
            #expect(try await loader.prefetch(question))
            await world.clock.advance(by: .seconds(seconds) - .milliseconds(1))
            #expect(try await loader.prefetch(question))
            #expect(world.transport.requests.count == 1)
            await world.clock.advance(by: .milliseconds(1))
            #expect(try await loader.prefetch(question))
            #expect(world.transport.requests.count == 2)
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
