import LifecycleSupport
import TestSupport
import Testing

@testable import AdCore

/// Compares the lifecycle with the tables of its documentation page.
@Suite("The lifecycle: every state × every input")
struct LifecycleTableTests {
    private func page() throws -> Page { try #require(Page("Sources/YabbiAds/YabbiAds.docc/TheLifeOfAnAd.md")) }

    private static let video = LifecycleTable(
        scenes: Scene.onlyVideo,
        rules: ShowRules(
            .video(VideoRules(SpotRules(duration: .seconds(15), skipOffset: .time(.seconds(5)), parts: aPart))),
            closeDelay: .seconds(8)
        )
    )

    private static let rewarded = LifecycleTable(
        scenes: Scene.onlyVideo,
        rules: ShowRules(
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
            rules: ShowRules(kind, closeDelay: .seconds(5), lifetime: .seconds(3600))
        )
    }

    @Test(
        "the documentation has the table of ads without a video",
        arguments: [ShowRules.Kind.banner, .interstitial, .card, .engagement]
    )
    func withoutVideo(kind: ShowRules.Kind) throws {
        #expect(try self.page().differences("without-video", from: Self.withoutVideo(kind).text) == [])
    }

    @Test("the documentation has the table of a skippable video")
    func video() throws { #expect(try self.page().differences("video", from: Self.video.text) == []) }

    @Test("the documentation has the table of a rewarded video")
    func rewarded() throws { #expect(try self.page().differences("rewarded", from: Self.rewarded.text) == []) }

    private static var auctioned: LifecycleTable {
        var rules = ShowRules(.interstitial, closeDelay: .seconds(5), lifetime: .seconds(3600))
        rules.sale = Sale(isAuctioned: true, hasSuccessor: true)
        return LifecycleTable(scenes: Scene.auctioned, rules: rules)
    }

    @Test("the documentation has the table of an offer of an auction")
    func auctioned() throws { #expect(try self.page().differences("auctioned", from: Self.auctioned.text) == []) }

    @Test("the documentation has the transitions between states")
    func moves() throws {
        let drawn = LifecycleTable.moves([Self.withoutVideo(.interstitial), Self.video, Self.rewarded, Self.auctioned])
        #expect(try self.page().differences("moves", from: drawn) == [])
    }

    @Test("the documentation has the deadlines")
    func deadlines() throws {
        #expect(try self.page().differences("deadlines", from: LifecycleTable.deadlines) == [])
    }
}
