import AdCore
import AdProviders
import SystemSupport
import TestSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Loads from cached responses", .timeLimit(.minutes(5)))
struct CachedResponseTests {
    private static let shownToo = ListProvider(cachePolicy: CachePolicy(.seconds(60), includesShown: true))
    private static let unshownOnly = ListProvider(cachePolicy: CachePolicy(.seconds(60), includesShown: false))

    private func show(_ ad: Ad, in world: World) async throws {
        try await ad.show(on: RecordingPresenter())
        await world.clock.settle()
    }

    @Test("a response is served from the cache until it expires, and then requested again")
    func fresh() async throws {
        let world = World.serving("a", "b")
        let loader = world.loader(Self.shownToo)
        let first = try await loader.load("q")
        await world.clock.advance(by: .milliseconds(59_999))
        let second = try await loader.load("q")
        #expect(world.adRequests == ["q"] && first.id != second.id && second.headline == "a")
        #expect(second.offer?.issues.map(\.code) == ["list.read"], "the response's issues are reported again")
        await world.clock.advance(by: .milliseconds(1))
        #expect(try await loader.load("q").headline == "b")
        #expect(world.adRequests == ["q", "q"])
    }

    @Test("each request has its own cached response")
    func placements() async throws {
        let world = World.serving("a", "b")
        let loader = world.loader(Self.shownToo)
        #expect(try await loader.load("q").headline == "a")
        #expect(try await loader.load("r").headline == "b")
        #expect(try await loader.load("q").headline == "a")
        #expect(world.adRequests == ["q", "r"])
    }

    @Test("a shown ad is served again if the cache policy includes shown ads")
    func shownAgain() async throws {
        let world = World.serving("a", "b")
        let loader = world.loader(Self.shownToo)
        for _ in 0..<3 { try await self.show(try await loader.load("q"), in: world) }
        #expect(world.adRequests == ["q"])
        #expect(world.beacons == ["/view/a", "/view/a", "/view/a"], "each ad records its own view")
    }

    @Test("a shown ad is not served again if the cache policy excludes shown ads, and a new request is sent")
    func shownOnce() async throws {
        let world = World.serving("a", "b")
        let loader = world.loader(Self.unshownOnly)
        let first = try await loader.load("q")
        first.destroy()
        await world.clock.settle()
        let again = try await loader.load("q")
        #expect(again.headline == "a" && world.adRequests == ["q"], "the first ad was loaded and not shown")
        try await self.show(again, in: world)
        again.destroy()
        #expect(try await loader.load("q").headline == "b")
        #expect(world.adRequests == ["q", "q"])
    }

    @Test("a loaded ad is reserved for its holder: a load meanwhile sends a new request")
    func reserved() async throws {
        let world = World.serving("a", "b")
        let loader = world.loader(Self.unshownOnly)
        let first = try await loader.load("q")
        let second = try await loader.load("q")
        #expect(first.headline == "a" && second.headline == "b" && world.adRequests == ["q", "q"])
        try await self.show(first, in: world)
        try await self.show(second, in: world)
        #expect(world.beacons == ["/view/a", "/view/b"])
    }

    @Test("an ad that the host releases is served to the next load")
    func released() async throws {
        let world = World.serving("a", "b")
        let loader = world.loader(Self.unshownOnly)
        do { #expect(try await loader.load("q").isLoaded) }
        let second = try await loader.load("q")
        #expect(second.headline == "a" && world.adRequests == ["q"])
    }

    @Test("a shown ad is not served from another cached response that has the same identity")
    func otherPlacement() async throws {
        let world = World.serving("a", "a", "b")
        let loader = world.loader(
            ListProvider(cachePolicy: CachePolicy(.seconds(60), includesShown: false), isNamed: true)
        )
        for placement in ["q", "r"] { #expect(try await loader.prefetch(placement)) }
        try await self.show(try await loader.load("q"), in: world)
        #expect(try await loader.load("r").headline == "b")
        #expect(world.adRequests == ["q", "r", "r"])
    }

    @Test("an ad whose show failed was not shown")
    func failedShow() async throws {
        let world = World.serving("a", "b")
        let loader = world.loader(Self.unshownOnly)
        let first = try await loader.load("q")
        let presenter = RecordingPresenter(.failing(StageError("there is no room")))
        await #expect(throws: AdError.self) { try await first.show(on: presenter) }
        #expect(try await loader.load("q").headline == "a")
        #expect(world.adRequests == ["q"])
    }

    @Test("of several ads the unshown ones are served until none is left")
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
        #expect(world.adRequests == ["q"])
        #expect(try await loader.loadAll("q").map(\.headline) == ["d"])
        #expect(world.beacons.sorted() == ["/view/a", "/view/b", "/view/c"])
    }

    @Test("showing an ad of an expired response does not use up the same ad of a newer one")
    func older() async throws {
        let world = World.serving("a", "a")
        let loader = world.loader(Self.unshownOnly)
        let old = try await loader.load("q")
        await world.clock.advance(by: .seconds(60))
        #expect(try await loader.prefetch("q"))
        try await self.show(old, in: world)
        #expect(try await loader.load("q").headline == "a")
        #expect(world.adRequests == ["q", "q"])
    }

    @Test("without a cache policy every load sends a request")
    func withoutPolicy() async throws {
        let world = World.serving("a")
        let loader = world.loader(ListProvider())
        for _ in 0..<3 { _ = try await loader.load("q") }
        #expect(world.adRequests.count == 3)
    }

    @Test("neither no fill nor a failure is cached")
    func failures() async throws {
        let world = World.serving("", "a")
        let loader = world.loader(Self.shownToo)
        let error = await failure { () async throws(AdError) in try await loader.load("q") }
        #expect(error?.code == .noFill)
        #expect(try await loader.load("q").headline == "a")
        #expect(world.adRequests.count == 2)
    }

    @Test("copies of a loader share its cache, and two loaders share none")
    func copies() async throws {
        let world = World.serving("a")
        let loader = world.loader(Self.shownToo)
        let copy = loader
        _ = try await loader.load("q")
        _ = try await copy.load("q")
        #expect(world.adRequests.count == 1)
        _ = try await world.loader(Self.shownToo).load("q")
        #expect(world.adRequests.count == 2)
    }

    /// A world whose server takes a second for each response.
    private func slow(_ lists: String...) -> World {
        let left = Locked(lists)
        return World { request in
            guard request.url.host == "ssp.example" else { return .status(200) }
            let list = left.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? "" }
            return .after(.seconds(1), .response(status: 200, headers: [:], body: Array(list.utf8)))
        }
    }

    @Test("equal loads at the same time share one request if the response can serve them all")
    func together() async throws {
        let world = self.slow("a", "b")
        let loader = world.loader(Self.shownToo)
        let loads = (0..<10).map { _ in Task { try await loader.load("q").headline } }
        await self.loadsStarted(10, in: world)
        await world.clock.advance(by: .seconds(1))
        for load in loads { #expect(try await load.value == "a") }
        #expect(world.adRequests == ["q"])
    }

    @Test("a load waits for a prefetch of the same placement")
    func ahead() async throws {
        let world = self.slow("a", "b")
        let loader = world.loader(Self.unshownOnly)
        let ahead = Task { try await loader.prefetch("q") }
        await world.transport.waitForRequests(1)
        let load = Task { try await loader.load("q") }
        await self.loadsStarted(1, in: world)
        await world.clock.advance(by: .seconds(1))
        #expect(try await ahead.value)
        #expect(try await load.value.headline == "a" && world.adRequests == ["q"])
    }

    @Test("when the response serves one load only, the others send requests at once")
    func oneForAll() async throws {
        let world = self.slow("a", "b", "c", "d")
        let loader = world.loader(Self.unshownOnly)
        let loads = (0..<4).map { _ in Task { try await loader.load("q") } }
        await self.loadsStarted(4, in: world)
        await world.clock.advance(by: .seconds(1))
        await world.transport.waitForRequests(4)
        await world.clock.advance(by: .seconds(1))
        var ads: [Ad] = []
        for load in loads { ads.append(try await load.value) }
        #expect(ads.compactMap(\.headline).sorted() == ["a", "b", "c", "d"])
        #expect(world.adRequests.count == 4 && world.clock.alarms == 4, "the lifetimes of four ads")
    }

    @Test("a load that waits for another one's response sends its own request when that one is destroyed")
    func leaderGone() async throws {
        let world = self.slow("", "a")
        let loader = world.loader(Self.shownToo)
        let first = loader.ad(for: "q")
        let leader = Task { try? await first.load() }
        await world.transport.waitForRequests(1)
        let follower = Task { try await loader.load("q") }
        await self.loadsStarted(2, in: world)
        await world.clock.advance(by: .milliseconds(500))
        first.destroy()
        await world.transport.waitForRequests(2)
        await world.clock.advance(by: .seconds(1))
        #expect(try await follower.value.headline == "a")
        await leader.value
    }

    @Test("a load that waits for another one's response can be cancelled")
    func followerGone() async throws {
        let world = self.slow("a")
        let loader = world.loader(Self.shownToo)
        let leader = Task { try await loader.load("q") }
        await world.transport.waitForRequests(1)
        let second = loader.ad(for: "q")
        let follower = Task { await failure { () async throws(AdError) in try await second.load() } }
        await self.loadsStarted(2, in: world)
        await world.clock.advance(by: .milliseconds(500))
        follower.cancel()
        #expect(await follower.value?.code == .cancelled)
        await world.clock.advance(by: .milliseconds(500))
        #expect(try await leader.value.headline == "a" && world.adRequests == ["q"])
    }

    @Test("concurrent loads of a cached response send no request, and each is a new ad")
    func fromOneResponse() async throws {
        let world = World.serving("a")
        let loader = world.loader(Self.shownToo)
        _ = try await loader.load("q")
        let ids = try await withThrowingTaskGroup(of: AdID.self) { group in
            for _ in 0..<100 { group.addTask { try await loader.load("q").id } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 100 && world.adRequests == ["q"])
    }

    @Test("concurrent loads from a cached list each get a different ad")
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

    private static let named = ListProvider(cachePolicy: CachePolicy(.seconds(60), includesShown: false), isNamed: true)

    @Test("an ad that is in two cached responses is reserved once, and the other load sends a new request")
    func twoPlacements() async throws {
        let world = World.serving("a", "a", "b")
        let loader = world.loader(Self.named)
        for placement in ["q", "r"] { #expect(try await loader.prefetch(placement)) }
        let ads = try await [loader.load("q"), loader.load("r")]
        for ad in ads { try await self.show(ad, in: world) }
        #expect(world.beacons == ["/view/a", "/view/b"] && world.adRequests == ["q", "r", "r"])
    }

    @Test("an ad that is in a response twice is loaded once")
    func twiceInOne() async throws {
        let world = World.serving("a,b,a")
        let ads = try await world.loader(Self.named).loadAll("q")
        #expect(ads.map(\.headline) == ["a", "b"])
    }

    @Test("a cached offer that failed to load is not tried again, and a request is sent when none is left")
    func unloadable() async throws {
        for cachePolicy in [
            CachePolicy(.seconds(60), includesShown: true), CachePolicy(.seconds(60), includesShown: false),
        ] {
            let world = World.serving("!x", "!x,a", "b")
            let loader = world.loader(ListProvider(cachePolicy: cachePolicy))
            let error = await failure { () async throws(AdError) in try await loader.load("q") }
            #expect(error?.code == .unreadableResponse)
            let second = try await loader.load("q")
            #expect(second.headline == "a" && world.adRequests.count == 2)
            #expect(second.offer?.issues.map(\.code) == ["list.read", "video.passedOver"])
            second.destroy()
            await world.clock.settle()
            let third = try await loader.load("q")
            #expect(third.headline == "a" && world.adRequests.count == 2)
            #expect(third.offer?.issues.map(\.code) == ["list.read"], "the failed video is left out without an issue")
        }
    }

    /// Waits until so many loads have started and wait.
    private func loadsStarted(_ count: Int, in world: World) async {
        while world.observer.names.count(where: { $0 == "loadStarted" }) < count { await Task.yield() }
        await world.clock.settle()
    }

    @Test("no fill and a failure are shared by equal loads at the same time", arguments: [200, 500])
    func sharedFailure(status: Int) async throws {
        let world = World { _ in .after(.seconds(1), .status(status)) }
        let loader = world.loader(Self.unshownOnly)
        let loads = (0..<10).map { _ in
            Task { await failure { () async throws(AdError) in try await loader.load("q") }?.code }
        }
        await self.loadsStarted(10, in: world)
        await world.clock.advance(by: .seconds(1))
        for load in loads { #expect(await load.value == (status == 200 ? .noFill : .serverStatus)) }
        #expect(world.adRequests == ["q"])
    }

    @Test("a load waits for another one's response half of its load timeout, and then sends its own request")
    func timeLimit() async throws {
        let count = Locked(0)
        let world = World { request in
            let good = ScriptedTransport.Outcome.response(status: 200, headers: [:], body: Array("a".utf8))
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst ? .silence : .after(.milliseconds(300), good)
        }
        let loader = world.loader(Self.shownToo)
        let ahead = Task { try? await loader.prefetch("q") }
        await world.transport.waitForRequests(1)
        let load = Task { try await loader.load("q") }
        await self.loadsStarted(1, in: world)
        await world.clock.advance(by: .seconds(5))
        await world.transport.waitForRequests(2)
        await world.clock.advance(by: .milliseconds(300))
        #expect(try await load.value.headline == "a")
        #expect(world.transport.requests.map(\.limits.total) == [.milliseconds(9_500), .milliseconds(4_750)])
        ahead.cancel()
        _ = await ahead.value
    }

    @Test("a prefetched ad is served to the next load until it expires")
    func prefetch() async throws {
        let world = World.serving("a", "b")
        let loader = world.loader(Self.unshownOnly)
        #expect(try await loader.prefetch("q"))
        #expect(world.observer.names.isEmpty, "a prefetch reports no ad events")
        #expect(try await loader.prefetch("q"))
        #expect(try await loader.load("q").headline == "a")
        #expect(world.adRequests == ["q"])
        await world.clock.advance(by: .seconds(60))
        #expect(try await loader.load("q").headline == "b")
        #expect(world.adRequests == ["q", "q"])
    }

    @Test("a prefetch returns false without an ad, and when the response may not be cached")
    func nothingWaits() async throws {
        let empty = World.serving("")
        #expect(try await empty.loader(Self.unshownOnly).prefetch("q") == false)
        let unkept = World.serving("a")
        #expect(try await unkept.loader(ListProvider()).prefetch("q") == false)
        #expect(unkept.adRequests.isEmpty, "no request is sent when the response can't be cached")
        let failing = World { _ in .status(500) }
        let loader = failing.loader(Self.unshownOnly)
        let error = await failure { () async throws(AdError) in try await loader.prefetch("q") }
        #expect(error?.code == .serverStatus)
        await failing.clock.settle()
    }

    @Test("a prefetch returns false when its ad is reserved, and the next load sends a request")
    func prefetchOfReserved() async throws {
        let world = World.serving("a")
        let loader = world.loader(ListProvider(cachePolicy: Self.unshownOnly.cachePolicy, isNamed: true))
        let held = try await loader.load("q")
        #expect(try await loader.prefetch("r") == false, "the response has the ad that is reserved")
        #expect(world.adRequests == ["q", "r"])
        let second = try await loader.load("r")
        #expect(world.adRequests == ["q", "r", "r"], "nothing was cached")
        held.destroy()
        second.destroy()
        await world.clock.settle()
        #expect(try await loader.prefetch("r"))
        #expect(try await loader.load("r").headline == "a")
        #expect(world.adRequests == ["q", "r", "r"])
    }

    @Test("AttentionMarket's response is cached for one minute, and for five on a cellular network")
    func cellular() async throws {
        let answer = try #require(CardExamples.decide.answer)
        for (network, seconds) in [(nil, 60), (.cellular, 300)] as [(NetworkKind?, Int64)] {
            let world = World { _ in .json(answer) }
            if let network { world.signals.post(.network(network)) }
            let keys = AttentionMarketKeys(apiKey: "k", agentID: "a", anonKey: "n")
            let loader = AdLoader(
                AttentionMarketProvider(keys: keys, base: url("http://market.example")),
                services: world.services
            )
            let placement = AttentionMarketPlacement(userMessage: "which fern?")
            #expect(try await loader.prefetch(placement))
            await world.clock.advance(by: .seconds(seconds) - .milliseconds(1))
            #expect(try await loader.prefetch(placement))
            #expect(world.transport.requests.count == 1)
            await world.clock.advance(by: .milliseconds(1))
            #expect(try await loader.prefetch(placement))
            #expect(world.transport.requests.count == 2)
        }
    }

    @Test("ActiveAds' campaigns are cached for five minutes, and each load chooses among all of them")
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
        #expect(feeds.count > 10, "the choice varies, and shown ads are not left out")
        #expect(world.transport.requests.count == 1)
        await world.clock.advance(by: .seconds(300))
        _ = try await loader.loadAll(.feed)
        #expect(try await loader.loadAll(.banner).count == 12)
        #expect(world.transport.requests.count == 3, "each format has its own response")
    }
}
