import AdCore
import AdProviders
import SystemSupport
import TestSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Loads that a provider's rules refuse")
struct RefusalTests {
    private static func loader(_ world: World) -> AdLoader<CeedAdsPlacement> {
        let provider = CeedAdsProvider(app: CeedAdsApp(appID: "app"), base: url("http://ceed.example"))
        return AdLoader(provider, services: world.services)
    }

    private func placement(_ conversation: String, message: String = "m") -> CeedAdsPlacement {
        CeedAdsPlacement(conversationID: conversation, messageID: message, contextText: "fern")
    }

    private static func world(_ answers: String...) -> World {
        let left = Locked(answers)
        return World { _ in .json(left.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? "" }) }
    }

    private static let noAd = #"{"ok":true,"ad":null,"requestId":"r0"}"#

    @Test("a conversation that had a card is refused for a minute without a request")
    func cooldown() async throws {
        let world = Self.world(CardExamples.ceedRequest.answer ?? "")
        let loader = Self.loader(world)
        _ = try await loader.load(self.placement("c1"))
        let until = world.clock.now + .seconds(60)
        for step in [0, 30_000, 29_999] {
            await world.clock.advance(by: .milliseconds(step))
            let before = world.transport.requests.count
            let error = try #require(
                await failure { () async throws(AdError) in
                    try await loader.load(self.placement("c1", message: "m\(step)"))
                }
            )
            #expect(error.code == .coolingDown && error.place.provider == "ceedads")
            #expect(error.underlying as? Cooldown == Cooldown(until: until))
            #expect(world.transport.requests.count == before, "no request is sent")
        }
        #expect(world.observer.names.suffix(2) == ["loadStarted", "loadFailed"])
        let other = try await loader.load(self.placement("c2"))
        #expect(other.isLoaded)
        await world.clock.advance(by: .milliseconds(1))
        let again = try await loader.load(self.placement("c1"))
        #expect(again.isLoaded && world.transport.requests.count == 3)
    }

    @Test("neither no fill nor a failure starts a cooldown")
    func noCard() async throws {
        let world = Self.world(Self.noAd, #"{"ok":false}"#, "<html>", CardExamples.ceedRequest.answer ?? "")
        let loader = Self.loader(world)
        for code in [AdError.Code.noFill, .serverStatus, .unreadableResponse] {
            let error = await failure { () async throws(AdError) in try await loader.load(self.placement("c1")) }
            #expect(error?.code == code)
        }
        #expect(try await loader.load(self.placement("c1")).isLoaded)
        #expect(world.transport.requests.count == 4)
    }

    @Test("copies of a loader share cooldowns, and two loaders share none")
    func copies() async throws {
        let world = Self.world(CardExamples.ceedRequest.answer ?? "")
        let loader = Self.loader(world)
        let copy = loader
        _ = try await loader.load(self.placement("c1"))
        let error = await failure { () async throws(AdError) in try await copy.load(self.placement("c1")) }
        #expect(error?.code == .coolingDown)
        #expect(try await Self.loader(world).load(self.placement("c1")).isLoaded)
    }

    @Test("a list load and a prefetch are refused too")
    func everywhere() async throws {
        let world = Self.world(CardExamples.ceedRequest.answer ?? "")
        let loader = Self.loader(world)
        _ = try await loader.loadAll(self.placement("c1"))
        let list = await failure { () async throws(AdError) in try await loader.loadAll(self.placement("c1")) }
        let ahead = await failure { () async throws(AdError) in try await loader.prefetch(self.placement("c1")) }
        #expect(list?.code == .coolingDown && ahead?.code == .coolingDown)
        #expect(world.transport.requests.count == 1)
        #expect(try await loader.request(for: self.placement("c1")).url.text == "http://ceed.example/api/requests")
    }
}
