import AdCore
import SystemSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("A pool of ads", .timeLimit(.minutes(5)))
struct AdPoolTests {
    /// The number of ad requests.
    private func requests(_ world: World) -> Int { world.transport.requests.count { $0.url.host == "ssp.example" } }

    /// An answer of the server after this many seconds.
    private static func late(_ seconds: Int, _ status: Int) -> ScriptedTransport.Outcome {
        .after(.seconds(seconds), .status(status))
    }

    /// Lets tasks run until so many callers wait for an ad.
    private func waitForCallers(_ count: Int, of pool: AdPool) async {
        while pool.waitingCount < count { await Task.yield() }
    }

    @Test("a pool loads up to its size, and hands out a loaded ad at once, each one once")
    func handOut() async throws {
        let world = World()
        let pool = AdPool(world.loader, for: .sample(), size: 2)
        await world.clock.settle()
        #expect(pool.readyCount == 2 && self.requests(world) == 2)
        let first = try #require(pool.next())
        let second = try #require(pool.next())
        #expect(first.id != second.id && first.isLoaded && second.isLoaded)
        await world.clock.settle()
        #expect(pool.readyCount == 2 && self.requests(world) == 4)
        let presenter = RecordingPresenter()
        try await first.show(on: presenter)
        await world.clock.settle()
        #expect(world.beacons == ["/view"])
        first.destroy()
    }

    @Test("callers of several threads get each ad once")
    func threads() async throws {
        let world = World()
        let pool = AdPool(world.loader, for: .sample(), size: 10)
        let tasks = (0..<8).map { _ in
            Task {
                var ids: [AdID] = []
                for _ in 0..<200 {
                    if let ad = pool.next() { ids.append(ad.id) }
                    await Task.yield()
                }
                return ids
            }
        }
        var ids: [AdID] = []
        for task in tasks { ids += await task.value }
        await world.clock.settle()
        #expect(Set(ids).count == ids.count)
        #expect(pool.readyCount == 10 && self.requests(world) == ids.count + 10)
    }

    @Test("an ad with less than ten seconds left is not handed out, and is replaced")
    func age() async throws {
        let world = World()
        let pool = AdPool(world.loader, for: .sample(lifetime: .seconds(200)))
        await world.clock.advance(by: .milliseconds(189_999))
        #expect(pool.readyCount == 1 && self.requests(world) == 1)
        await world.clock.advance(by: .milliseconds(1))
        #expect(pool.readyCount == 1 && self.requests(world) == 2)
        let ad = try #require(pool.next())
        #expect(ad.isLoaded)
        await world.clock.advance(by: .seconds(9))
        #expect(ad.isLoaded)
        #expect(world.observer.names.contains("expired") == false)
    }

    @Test("what a pool throws away records nothing", arguments: ["age", "clear", "memory", "stop", "release"])
    func nothingBilled(way: String) async throws {
        let world = World()
        var pool: AdPool? = AdPool(world.loader, for: .sample(), size: 3)
        await world.clock.settle()
        switch way {
        case "age": await world.clock.advance(by: .seconds(1_800))
        case "clear": pool?.clear()
        case "memory": pool?.freeMemory(keeping: 0)
        case "stop": pool?.stop()
        default: pool = nil
        }
        await world.clock.settle()
        #expect(world.beacons.isEmpty)
        #expect(try await world.services.beacons.entries().isEmpty)
        pool?.stop()
        pool = nil
        await world.clock.settle()
        #expect(world.clock.alarms == 0)
        #expect(world.signals.observerCount == 1, "the beacon dispatcher observes the network")
    }

    @Test("a server without ads gets about one request a minute")
    func noFill() async {
        let world = World { _ in .status(204) }
        let pool = AdPool(world.loader, for: .sample(), size: 5)
        await world.clock.advance(by: .seconds(3_600))
        // With the shortest jitter: after 0, 2, 6, 14, 30, 62 and 126 seconds, and then every 64 seconds.
        #expect(self.requests(world) == 61)
        for _ in 0..<1_000 { #expect(pool.next() == nil) }
        pool.clear()
        await world.clock.settle()
        #expect(self.requests(world) == 61)
    }

    @Test("a caller gets the ad that is being loaded, callers in the order of their calls")
    func waiting() async throws {
        let world = World { request in request.url.host == "ssp.example" ? Self.late(1, 200) : .status(200) }
        let pool = AdPool(world.loader, for: .sample())
        let first = Task { try await pool.ad() }
        await self.waitForCallers(1, of: pool)
        let second = Task { try await pool.ad() }
        await self.waitForCallers(2, of: pool)
        await world.clock.advance(by: .seconds(1))
        #expect(try await first.value.isLoaded)
        #expect(pool.waitingCount == 1)
        await world.clock.advance(by: .seconds(1))
        #expect(try await second.value.isLoaded)
    }

    @Test("a caller that waits in a pause gets the outcome of the next load")
    func waitingInPause() async {
        let world = World { _ in .status(204) }
        let pool = AdPool(world.loader, for: .sample())
        await world.clock.settle()
        let waiting = Task { await failure { () async throws(AdError) in try await pool.ad() } }
        await self.waitForCallers(1, of: pool)
        await world.clock.advance(by: .milliseconds(1_999))
        #expect(pool.waitingCount == 1)
        await world.clock.advance(by: .milliseconds(1))
        #expect(await waiting.value?.code == .noFill)
    }

    @Test("a cancelled caller waits no longer, and the ad stays in the pool")
    func cancelledWait() async {
        let world = World { _ in Self.late(1, 200) }
        let pool = AdPool(world.loader, for: .sample())
        let waiting = Task { await failure { () async throws(AdError) in try await pool.ad() } }
        await self.waitForCallers(1, of: pool)
        waiting.cancel()
        #expect(await waiting.value?.code == .cancelled)
        await world.clock.advance(by: .seconds(1))
        #expect(pool.readyCount == 1)
    }

    @Test("nothing is loaded in the background or without a network")
    func signals() async throws {
        let world = World()
        world.signals.post(.background(true))
        let pool = AdPool(world.loader, for: .sample())
        await world.clock.advance(by: .seconds(60))
        #expect(self.requests(world) == 0)
        world.signals.post(.background(false))
        await world.clock.settle()
        #expect(pool.readyCount == 1)
        world.signals.post(.network(.offline))
        #expect(pool.next() != nil)
        await world.clock.advance(by: .seconds(60))
        #expect(pool.readyCount == 0 && self.requests(world) == 1)
        world.signals.post(.network(.cellular))
        await world.clock.settle()
        #expect(pool.readyCount == 1 && self.requests(world) == 2)
    }

    @Test("clearing ends the load under way, and another follows when it has ended")
    func clearing() async {
        let world = World { _ in .silence }
        let pool = AdPool(world.loader, for: .sample())
        await world.transport.waitForRequests(1)
        pool.clear()
        await world.transport.waitForRequests(2)
        #expect(world.transport.cancellations == 1)
        pool.stop()
        await world.clock.settle()
        #expect(world.transport.cancellations == 2 && self.requests(world) == 2)
    }

    @Test("when memory is short a pool drops ads, and loads them again a minute later")
    func memory() async {
        let world = World()
        let pool = AdPool(world.loader, for: .sample(), size: 3)
        await world.clock.settle()
        pool.freeMemory()
        #expect(pool.readyCount == 1)
        await world.clock.advance(by: .milliseconds(59_999))
        #expect(pool.readyCount == 1 && self.requests(world) == 3)
        await world.clock.advance(by: .milliseconds(1))
        #expect(pool.readyCount == 3 && self.requests(world) == 5)
    }

    @Test("a stopped pool has no ad, and loads none")
    func stopped() async {
        let world = World()
        let pool = AdPool(world.loader, for: .sample(), size: 2)
        await world.clock.settle()
        pool.stop()
        world.signals.post(.background(false))
        #expect(pool.next() == nil && pool.readyCount == 0)
        #expect(await failure { () async throws(AdError) in try await pool.ad() }?.code == .destroyed)
        await world.clock.advance(by: .seconds(3_600))
        #expect(self.requests(world) == 2 && world.clock.alarms == 0)
    }

    @Test("an ad that lives for less than ten seconds is an error and not handed out")
    func tooShort() async {
        let world = World { _ in Self.late(1, 200) }
        let pool = AdPool(world.loader, for: .sample(lifetime: .seconds(9)))
        let waiting = Task { await failure { () async throws(AdError) in try await pool.ad() } }
        await self.waitForCallers(1, of: pool)
        await world.clock.advance(by: .seconds(1))
        #expect(await waiting.value?.code == .expired)
        await world.clock.advance(by: .seconds(60))
        #expect(pool.readyCount == 0 && self.requests(world) <= 6)
    }

    @Test("a pool that is released while it loads ends the load")
    func released() async {
        let world = World { _ in .silence }
        weak var released: AdPool?
        do {
            let pool = AdPool(world.loader, for: .sample())
            released = pool
            await world.transport.waitForRequests(1)
        }
        await world.clock.settle()
        #expect(released == nil)
        #expect(world.transport.cancellations == 1 && world.clock.alarms == 0)
    }
}
