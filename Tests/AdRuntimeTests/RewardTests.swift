import AdCore
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Rewards", .timeLimit(.minutes(5)))
struct RewardTests {
    private static let verification =
        "http://t.example/reward?id=${TRANSACTION_ID}&user=${USER_ID}&data=${CUSTOM_DATA}&n=${REWARD_AMOUNT}&of=${REWARD_TYPE}"

    private static var reward: AdReward {
        var reward = AdReward(2.5, of: "gold coins")
        reward.verificationURL = self.verification
        return reward
    }

    private static func shown(_ world: VideoWorld, _ reward: AdReward? = Self.reward) async throws -> Ad {
        let batch = OfferBatch([.video(Tag.vast(Tag.inline()), isRewarded: true)]).rewarding(reward)
        let ad = try await world.loader.load(batch.proposals)
        try await ad.show(on: world.presenter)
        world.presenter.report(.video(.started(duration: .seconds(8))))
        await world.clock.settle()
        return ad
    }

    /// Watches the video to its end, and closes it.
    private static func watch(_ world: VideoWorld) async {
        for _ in 0..<2 { world.presenter.report(.video(.completed)) }
        world.presenter.report(.closeRequested(by: .user))
        await world.clock.settle()
    }

    private static func rewards(_ world: VideoWorld) -> [AdReward] {
        world.observer.records.compactMap { if case .rewarded(let reward) = $0.event { reward } else { nil } }
    }

    private static func verifications(_ world: VideoWorld) -> [String] {
        world.trackerCalls.filter { $0.hasPrefix("/reward") }
    }

    @Test("a video that was watched to its end has one verified reward, whose transaction id no tracker is told")
    func verified() async throws {
        let world = VideoWorld()
        let ad = try await Self.shown(world)
        ad.setRewardVerification(userID: "u 1&2", customData: "level=7/${USER_ID}")
        await Self.watch(world)
        let id = try #require(Self.rewards(world).first?.transactionID)
        #expect(id != ad.id.rawValue)
        let keys = world.transport.requests.filter { !$0.url.target.hasPrefix("/reward") }
            .map { $0.headers["Idempotency-Key"] ?? "" }
        #expect(!keys.contains { $0.contains(id) })
        #expect(
            Self.verifications(world) == [
                "/reward?id=\(id)&user=u%201%262&data=level%3D7%2F%24%7BUSER_ID%7D&n=2.5&of=gold%20coins"
            ]
        )
        let earned = Self.rewards(world)
        #expect(
            earned.map(\.transactionID) == [id] && earned.map(\.amount) == [2.5] && earned.map(\.type) == ["gold coins"]
        )
        let entry = try #require(try await world.services.beacons.entries().first { $0.beacon.key.event == .reward })
        #expect(entry.beacon.call.isBilling, "it is kept as long as an impression")
    }

    @Test("the guarantee of the loader holds for the call that verifies a reward")
    func guarantee() async throws {
        for guarantee: DeliveryGuarantee in [.atMostOnce, .atLeastOnce] {
            let world = VideoWorld()
            let video = VideoProposal(
                provider: "test",
                markup: Tag.vast(Tag.inline()),
                isRewarded: true,
                context: AdContext(),
                guarantee: guarantee
            )
            let ad = try await world.loader.load(OfferBatch([.video(video)]).rewarding(Self.reward).proposals)
            try await ad.show(on: world.presenter)
            // The stage reports what is visible after the reveal, by which the ad is shown.
            await world.clock.settle()
            world.presenter.report(.video(.started(duration: .seconds(8))))
            await Self.watch(world)
            let entry = try #require(
                try await world.services.beacons.entries().first { $0.beacon.key.event == .reward }
            )
            #expect(entry.beacon.call.guarantee == guarantee)
        }
    }

    @Test("a URL that can't be called is an issue of the load")
    func unusable() async throws {
        let world = VideoWorld()
        var reward = AdReward(1)
        reward.verificationURL = "game.example/rewards?id=${TRANSACTION_ID}"
        let ad = try await Self.shown(world, reward)
        #expect(ad.offer?.issues.map(\.code).contains("reward.noURL") == true)
        ad.destroy()
    }

    @Test("a video that was not watched to its end has no reward")
    func unwatched() async throws {
        let world = VideoWorld()
        let ad = try await Self.shown(world)
        ad.destroy()
        await world.clock.settle()
        #expect(Self.verifications(world) == [] && Self.rewards(world) == [])
    }

    @Test("the user that is set when the reward is earned counts")
    func lateUser() async throws {
        let world = VideoWorld()
        let ad = try await Self.shown(world)
        ad.setRewardVerification(userID: "first")
        ad.setRewardVerification(userID: "second")
        await Self.watch(world)
        #expect(Self.verifications(world).map { $0.contains("user=second&data=&") } == [true])
    }

    @Test("without the user's consent the verification has neither the user nor the app's data")
    func withheldUser() async throws {
        let consent = ConsentSource()
        consent.post(AdContext.Consent(usPrivacy: "1NNN"))
        let world = VideoWorld(context: ContextSource(known: AdContext(userAgent: "Test/1.0"), consent: consent))
        let ad = try await Self.shown(world)
        ad.setRewardVerification(userID: "someone", customData: "something")
        consent.post(AdContext.Consent(usPrivacy: "1YYN"))
        await Self.watch(world)
        let calls = Self.verifications(world)
        #expect(calls.map { $0.contains("&user=&data=&n=2.5") } == [true], "\(calls)")
    }

    @Test("without a verification URL the reward is an event only")
    func unverified() async throws {
        let world = VideoWorld()
        _ = try await Self.shown(world, AdReward(1, of: "life"))
        await Self.watch(world)
        #expect(Self.verifications(world) == [] && Self.rewards(world).map(\.type) == ["life"])
    }

    @Test("what the response says comes before the placement's values")
    func response() {
        var response = AdReward(3)
        response.verificationURL = "https://r.example/"
        let reward = response.completed(by: Self.reward)
        #expect(reward.amount == 3 && reward.type == "gold coins" && reward.verificationURL == "https://r.example/")
    }
}
