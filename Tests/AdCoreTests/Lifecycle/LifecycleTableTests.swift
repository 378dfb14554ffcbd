import LifeSupport
import TestSupport
import Testing

@testable import AdCore

/// The whole table stands in the documentation; what is said there and what the machine does are the same.
@Suite("The life of an ad: every state × every event")
struct LifecycleTableTests {
    private func page() throws -> Page { try #require(Page("Sources/YabbiAds/YabbiAds.docc/TheLifeOfAnAd.md")) }

    private static let video = LifecycleTable(
        scenes: Scene.onlyVideo,
        terms: ShowRules(
            .video(VideoRules(SpotRules(duration: .seconds(15), skipOffset: .time(.seconds(5)), parts: aPart))),
            closeDelay: .seconds(8)
        )
    )

    private static let rewarded = LifecycleTable(
        scenes: Scene.onlyVideo,
        terms: ShowRules(
            .rewarded(
                VideoRules(
                    SpotRules(duration: .seconds(15), skipOffset: .time(.seconds(5)), hasEndCard: true, parts: aPart)
                )
            )
        )
    )

    private static func withoutVideo(_ kind: ShowRules.Kind) -> LifecycleTable {
        LifecycleTable(
            scenes: Scene.withoutVideo,
            terms: ShowRules(kind, closeDelay: .seconds(5), lifetime: .seconds(3600))
        )
    }

    @Test("what is no video", arguments: [ShowRules.Kind.banner, .interstitial, .card, .engagement])
    func withoutVideo(kind: ShowRules.Kind) throws {
        #expect(try self.page().differences("without-video", from: Self.withoutVideo(kind).text) == [])
    }

    @Test("a video that can be skipped")
    func video() throws { #expect(try self.page().differences("video", from: Self.video.text) == []) }

    @Test("a rewarded video")
    func rewarded() throws { #expect(try self.page().differences("rewarded", from: Self.rewarded.text) == []) }

    @Test("the moves from state to state")
    func moves() throws {
        let drawn = LifecycleTable.moves([Self.withoutVideo(.interstitial), Self.video, Self.rewarded])
        #expect(try self.page().differences("moves", from: drawn) == [])
    }

    @Test("the deadlines")
    func deadlines() throws {
        #expect(try self.page().differences("deadlines", from: LifecycleTable.deadlines) == [])
    }
}
