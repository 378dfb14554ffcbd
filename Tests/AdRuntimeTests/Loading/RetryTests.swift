import AdCore
import AdProviders
import SystemSupport
import TestSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Load retries")
struct RetryTests {
    private static let thrice = ListProvider(retries: RetryPolicy(attempts: 3, pause: .seconds(1)))

    /// A world whose server answers like this, one after the other, and then always with the last.
    private static func world(
        loadTimeout: Duration = .seconds(10),
        _ answers: ScriptedTransport.Outcome...
    ) -> World {
        let left = Locked(answers)
        return World(loadTimeout: loadTimeout) { _ in
            left.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .status(200) }
        }
    }

    private static let good = ScriptedTransport.Outcome.response(status: 200, headers: [:], body: Array("a".utf8))

    private static func failing(_ phase: TransportError.Phase) -> ScriptedTransport.Outcome {
        .failure(TransportError(phase, "the network failed"))
    }

    @Test(
        "server errors and timeouts are retried",
        arguments: [
            ScriptedTransport.Outcome.status(500), .status(502), .status(503), .status(599),
            Self.failing(.ambiguous(.timedOut)), Self.failing(.notSent(.connectTimedOut)),
        ]
    )
    func again(answer: ScriptedTransport.Outcome) async throws {
        let world = Self.world(answer, answer, Self.good)
        let loader = world.loader(Self.thrice)
        let loading = Task { try await loader.load("q") }
        await world.transport.waitForRequests(1)
        await world.clock.advance(by: .seconds(5))
        let ad = try await loading.value
        #expect(ad.headline == "a" && world.adRequests == ["q", "q", "q"])
        let issues = ad.offer?.issues ?? []
        #expect(issues.map(\.code) == ["load.again", "load.again", "list.read"])
        #expect(issues.first?.message.hasPrefix("attempt 1 failed (") == true)
    }

    @Test(
        "client errors, invalid responses and lost connections are not retried",
        arguments: [
            (.status(400), .serverStatus), (.status(401), .serverStatus), (.status(404), .serverStatus),
            (.status(429), .serverStatus), (.status(204), .serverStatus), (.status(600), .serverStatus),
            (Self.failing(.notSent(.refused)), .unreachable), (Self.failing(.notSent(.nameNotResolved)), .unreachable),
            (Self.failing(.notSent(.tlsFailed)), .unreachable),
            (Self.failing(.ambiguous(.connectionLost)), .connectionLost), (Self.failing(.tooLarge), .responseTooLarge),
        ] as [(ScriptedTransport.Outcome, AdError.Code)]
    )
    func once(answer: ScriptedTransport.Outcome, code: AdError.Code) async throws {
        let world = Self.world(answer, Self.good)
        let loader = world.loader(Self.thrice)
        let error = await failure { () async throws(AdError) in try await loader.load("q") }
        #expect(error?.code == code && error?.issues.isEmpty == true)
        #expect(world.adRequests == ["q"])
    }

    @Test("the pauses double, and the error has an issue for every failed attempt")
    func backoff() async throws {
        // The random bits of this world are small, so each pause is half of its maximum.
        let world = Self.world(.status(503))
        let loader = world.loader(Self.thrice)
        let loading = Task { await failure { () async throws(AdError) in try await loader.load("q") } }
        var counts: [Int] = []
        for step in [0, 499, 1, 999, 1] {
            await world.transport.waitForRequests(1)
            await world.clock.advance(by: .milliseconds(step))
            counts.append(world.adRequests.count)
        }
        #expect(counts == [1, 1, 2, 2, 3])
        let error = try #require(await loading.value)
        #expect(error.code == .serverStatus && error.message.contains("503"))
        #expect(error.issues.map(\.code) == ["load.again", "load.again"])
        #expect(world.observer.names == ["loadStarted", "issue", "issue", "loadFailed"])
        #expect(world.clock.alarms == 0)
    }

    @Test("each attempt has its own timeout, at most the time that is left for the load")
    func attemptTimeout() async throws {
        let world = Self.world(loadTimeout: .seconds(7), .after(.seconds(3), Self.failing(.ambiguous(.timedOut))))
        let loader = world.loader(
            ListProvider(retries: RetryPolicy(attempts: 5, attemptTimeout: .seconds(4), pause: .milliseconds(200)))
        )
        let loading = Task { await failure { () async throws(AdError) in try await loader.load("q") } }
        await world.transport.waitForRequests(1)
        await world.clock.advance(by: .seconds(20))
        #expect(await loading.value?.code == .timedOut)
        // Waits of 0.1 and 0.2 s lie between attempts of 3 s.
        let totals = world.transport.requests.map(\.limits.total)
        #expect(totals == [.seconds(4), .milliseconds(3_550), .milliseconds(350)])
    }

    @Test(
        "a request of AttentionMarket waits until half a second before the load timeout of ten seconds",
        arguments: [(3_400, true), (4_000, true), (9_499, true), (10_001, false)]
    )
    func slowServer(milliseconds: Int, delivers: Bool) async throws {
        let answer = try #require(CardExamples.decide.answer)
        let world = World { _ in .after(.milliseconds(milliseconds), .json(answer)) }
        let loading = Task { await self.outcome(in: world) }
        await world.transport.waitForRequests(1)
        await world.clock.advance(by: .seconds(12))
        #expect(await loading.value == (delivers ? nil : .timedOut))
        #expect(world.transport.requests.map(\.limits.total) == [.milliseconds(9_500)], "and no other request is sent")
    }

    @Test("with a longer load timeout a request that timed out is retried, with ten seconds of its own")
    func longerLoad() async throws {
        let answer = try #require(CardExamples.decide.answer)
        let count = Locked(0)
        let world = World(loadTimeout: .seconds(32)) { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number < 3
                ? .after(.seconds(10), Self.failing(.ambiguous(.timedOut))) : .after(.seconds(4), .json(answer))
        }
        let loading = Task { await self.outcome(in: world) }
        await world.transport.waitForRequests(1)
        await world.clock.advance(by: .seconds(30))
        #expect(await loading.value == nil)
        #expect(world.transport.requests.map(\.limits.total) == [.seconds(10), .seconds(10), .seconds(10)])
    }

    /// The error code of a load from AttentionMarket; nil if it succeeds.
    private func outcome(in world: World) async -> AdError.Code? {
        let keys = AttentionMarketKeys(apiKey: "k", agentID: "a", anonKey: "n")
        let provider = AttentionMarketProvider(keys: keys, base: url("http://market.example"))
        let loader = AdLoader(provider, services: world.services)
        return await failure { () async throws(AdError) in
            try await loader.load(AttentionMarketPlacement(userMessage: "which fern?"))
        }?.code
    }

    @Test("no attempt starts after the load timeout")
    func deadline() async throws {
        let world = Self.world(loadTimeout: .milliseconds(500), .status(503), Self.good)
        let loader = world.loader(Self.thrice)
        let error = await failure { () async throws(AdError) in try await loader.load("q") }
        #expect(error?.code == .serverStatus && world.adRequests == ["q"], "the pause would end when the load does")
        let longer = Self.world(loadTimeout: .milliseconds(527), .status(503), Self.good)
        let later = longer.loader(Self.thrice)
        let loading = Task { try await later.load("q") }
        await longer.transport.waitForRequests(1)
        await longer.clock.advance(by: .milliseconds(500))
        #expect(try await loading.value.isLoaded)
    }

    @Test("a load that is cancelled or destroyed between two attempts sends no other", arguments: [true, false])
    func cancelled(isDestroyed: Bool) async throws {
        let world = Self.world(.status(503), Self.good)
        let loader = world.loader(Self.thrice)
        let ad = loader.ad(for: "q")
        let loading = Task { await failure { () async throws(AdError) in try await ad.load() } }
        await world.transport.waitForRequests(1)
        await world.clock.advance(by: .milliseconds(400))
        if isDestroyed { ad.destroy() } else { loading.cancel() }
        #expect(await loading.value?.code == (isDestroyed ? .destroyed : .cancelled))
        await world.clock.advance(by: .seconds(20))
        #expect(world.adRequests == ["q"] && world.clock.alarms == 0)
    }

    @Test("a prefetch and a list load are retried too")
    func everywhere() async throws {
        let cachePolicy = CachePolicy(.seconds(60), includesShown: true)
        let world = Self.world(.status(500), Self.good)
        let loader = world.loader(ListProvider(cachePolicy: cachePolicy, retries: RetryPolicy(attempts: 2)))
        let ahead = Task { try await loader.prefetch("q") }
        await world.transport.waitForRequests(1)
        await world.clock.advance(by: .seconds(1))
        #expect(try await ahead.value)
        #expect(try await loader.loadAll("q").map(\.headline) == ["a"])
        #expect(world.adRequests == ["q", "q"])
    }
}
