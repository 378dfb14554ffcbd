import AdCore
import TestSupport
import Testing

@testable import AdMarkup

@Suite("The plan of several ads")
struct VideoPodTests {
    private let flash = Text.linear(media: "<MediaFile type=\"video/x-flv\">https://m.example/v.flv</MediaFile>")

    private func bad(_ id: String, _ sequence: Int? = nil) -> String {
        Text.inline(id, sequence, creatives: self.flash)
    }

    private func plan(_ ads: String..., change: (inout PlanScene) -> Void = { _ in }) throws -> PlanScene.Outcome {
        var scene = PlanScene()
        change(&scene)
        return try scene.plan(Text.document(ads.joined()))
    }

    @Test("a pod's ads are spots in order, and stand-alone ads are fallback ads")
    func pod() throws {
        let outcome = try self.plan(Text.inline("x"), Text.inline("b", 2), Text.inline("a", 1), Text.inline("y"))
        #expect(outcome.titles == ["a", "b", "x", "y"])
        #expect(outcome.plan?.creative.fallbackCount == 2)
        for (spot, name) in outcome.titles.enumerated() {
            #expect(outcome.trackers(.impression, spot: spot) == ["0 https://\(name).example/i"])
        }
        #expect(outcome.plan?.creative.rules.duration == .seconds(20))
        #expect(outcome.errorCalls.isEmpty)
    }

    @Test("a stand-alone ad replaces an unplayable ad, whose error URLs are called")
    func replaced() throws {
        let outcome = try self.plan(
            Text.inline("a", 1),
            self.bad("b", 2),
            self.bad("c", 3),
            Text.inline("d", 4),
            Text.inline("x")
        )
        #expect(outcome.titles == ["a", "x", "d"])
        #expect(outcome.plan?.creative.fallbackCount == 0)
        #expect(outcome.errorCalls == ["b 403", "c 403"])
        #expect(outcome.trackers(.impression, spot: 1) == ["0 https://x.example/i"])
    }

    @Test("an unplayable fallback ad is left out without an error call")
    func badStandIn() throws {
        let simid = "<InteractiveCreativeFile apiFramework=\"other\">https://m.example/s.html</InteractiveCreativeFile>"
        let program = Text.inline("z", nil, creatives: Text.linear(media: Text.media + simid))
        let outcome = try self.plan(Text.inline("a"), self.bad("x"), Text.inline("y"), program)
        #expect(outcome.titles == ["a", "y", "z"])
        #expect(outcome.plan?.creative.fallbackCount == 2)
        #expect(outcome.errorCalls.isEmpty)
        #expect(outcome.issues == ["vast.media.403", "vast.ad.403", "vast.interactive.409"])
    }

    @Test("the first playable stand-alone ad is played; the error URLs of those before it are called")
    func buffet() throws {
        let outcome = try self.plan(self.bad("a"), self.bad("b"), Text.inline("c"), self.bad("d"), Text.inline("e"))
        #expect(outcome.titles == ["c", "e"])
        #expect(outcome.plan?.creative.fallbackCount == 1)
        #expect(outcome.errorCalls == ["a 403", "b 403"])
    }

    @Test("when nothing can be played the plan has the first failure, and all error URLs are called")
    func nothing() throws {
        let outcome = try self.plan(
            Text.inline("a", 1, creatives: ""),
            self.bad("b", 2),
            Text.inline("c", nil, ad: "conditionalAd=\"1\"")
        )
        #expect(outcome.plan == nil)
        #expect(outcome.code == 200)
        #expect(outcome.errorCalls == ["a 200", "c 408", "b 403"])
    }

    @Test("a pod that is too long loses its last ads, but never the first")
    func shortened() throws {
        let ads = (1...4).map { (number: Int) in Text.inline("a\(number)", number) }.joined()
        let short = try self.plan(ads) { $0.policy.maximumPodDuration = .seconds(25) }
        #expect(short.titles == ["a1", "a2"])
        #expect(short.errorCalls == ["a3 206", "a4 206"])
        #expect(try self.plan(ads) { $0.policy.maximumPodDuration = .seconds(40) }.titles.count == 4)
        #expect(try self.plan(ads) { $0.policy.maximumPodDuration = .seconds(1) }.titles == ["a1"])
        let spare = try self.plan(ads, Text.inline("x")) { $0.policy.maximumPodDuration = .seconds(10) }
        #expect(spare.titles == ["a1", "x"])
        #expect(spare.plan?.creative.fallbackCount == 1)
    }

    @Test("a plan's lifetime is the shortest of its ads")
    func lifetime() throws {
        func ad(_ id: String, _ sequence: Int?, _ seconds: Int?) -> String {
            Text.inline(id, sequence, seconds.map { "<Expires>\($0)</Expires>" } ?? "")
        }
        #expect(try self.plan(ad("a", 1, 300), ad("b", 2, nil), ad("c", 3, 60)).plan?.lifetime == .seconds(60))
        #expect(try self.plan(ad("a", 1, nil), ad("b", 2, nil)).plan?.lifetime == nil)
        #expect(try self.plan(ad("a", 1, 300), ad("b", 2, 200), ad("c", nil, 60)).plan?.lifetime == .seconds(200))
        let never = try self.plan(ad("a", nil, 0))
        #expect(never.plan?.lifetime == nil && never.issues.contains("vast.expires.zero"))
        let long = try self.plan(ad("a", nil, 999_999_999_999_999))
        #expect(long.plan?.lifetime == .seconds(604_800) && long.issues.contains("vast.expires.huge"))
    }

    @Test("a chain's failure does not prevent playing other ads, and is the plan's failure without any")
    func chainErrors() throws {
        let dead = Text.wrapper("w", to: "https://dead.example/", 1)
        let good = try self.plan(dead, Text.inline("a", 2))
        #expect(good.titles == ["a"])
        #expect(good.errorCalls == ["w 301"])
        #expect(good.issues == ["vast.chain.301"])
        let none = try self.plan(dead, self.bad("a", 2))
        #expect(none.code == 301)
        #expect(none.errorCalls == ["w 301", "a 403"])
    }

    @Test("the number of trackers of a plan is limited")
    func amplified() throws {
        let trackers = (0..<6000).map { "<Impression>https://t.example/\($0)</Impression>" }.joined()
        let errors = (0..<6000).map { "<Error>https://t.example/\($0)</Error>" }.joined()
        let pod = (0..<300).map { (number: Int) in Text.inline("a\(number)", number) }.joined()
        let scene = PlanScene(answers: ["https://s.example/1": Text.document(pod)])
        let start = ProcessorTime.now
        let outcome = try scene.plan(
            Text.document(Text.wrapper("w", to: "https://s.example/1", nil, "", trackers + errors))
        )
        #expect(outcome.titles == ["a0", "a1"])
        #expect(outcome.planning.errorCalls.count == VASTErrorCall.limit)
        #expect(outcome.planning.errorCalls.allSatisfy { $0.code == 206 })
        #expect(ProcessorTime.now - start < .timeout(20))
    }
}

@Suite("The plan of a break")
struct BreakPlanTests {
    private func adBreak(_ vast: String, _ more: String = "") throws -> (VMAPBreak, String) {
        let text = """
            <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0"><vmap:AdBreak timeOffset="start" breakType="linear">
            <vmap:AdSource><vmap:VASTAdData>\(vast)</vmap:VASTAdData></vmap:AdSource><vmap:TrackingEvents>
            <vmap:Tracking event="breakStart">https://b.example/start?[APPBUNDLE]</vmap:Tracking>
            <vmap:Tracking event="breakEnd">https://b.example/end</vmap:Tracking>
            <vmap:Tracking event="error">https://b.example/error?[ERROR_CODE]</vmap:Tracking>\(more)
            </vmap:TrackingEvents></vmap:AdBreak></vmap:VMAP>
            """
        return (try #require(VMAPDocument(parsing: text).breaks.first), vast)
    }

    @Test("breakStart and breakEnd are called once for all ads")
    func tracking() throws {
        let (adBreak, vast) = try self.adBreak(Text.document(Text.inline("a", 1), Text.inline("b", 2)))
        var scene = PlanScene()
        scene.values[.appBundle] = .text("com.example")
        let outcome = try scene.plan(vast, for: adBreak)
        #expect(outcome.trackers("breakStart", spot: nil) == ["0 https://b.example/start?com.example"])
        #expect(outcome.trackers("breakEnd", spot: nil) == ["0 https://b.example/end"])
        #expect(outcome.trackers(.error, spot: nil).isEmpty)
        #expect(outcome.titles == ["a", "b"])
        #expect(outcome.errorCalls.isEmpty)
    }

    @Test("without a playable ad the break's error URLs are called after those of the ads")
    func errors() throws {
        let nowhere = "<vmap:Tracking event=\"error\">about:blank</vmap:Tracking>"
        let (adBreak, vast) = try self.adBreak(Text.document(Text.inline("a", creatives: "")), nowhere)
        let outcome = try PlanScene().plan(vast, for: adBreak)
        #expect(outcome.errorCalls == ["a 200", "b 200"])
        let (second, empty) = try self.adBreak(Text.document())
        #expect(try PlanScene().plan(empty, for: second).errorCalls == ["b 303"])
    }

    @Test("about:blank is not called")
    func nowhere() throws {
        let more = "<vmap:Tracking event=\"breakStart\">About:Blank</vmap:Tracking>"
        let (adBreak, vast) = try self.adBreak(Text.document(Text.inline("a")), more)
        #expect(try PlanScene().plan(vast, for: adBreak).trackers("breakStart", spot: nil).count == 1)
    }
}
