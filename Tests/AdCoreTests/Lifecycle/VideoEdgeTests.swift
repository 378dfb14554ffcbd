import LifecycleSupport
import Testing

@testable import AdCore

@Suite("Edge cases of a video")
struct VideoEdgeTests {
    private let video = SpotRules(duration: .seconds(10))

    private func showing(_ rules: ShowRules, before: [StageEvent] = []) -> AdLifecycle {
        var life = AdLifecycle(at: .presenting, rules)
        for event in before + [.ready, .revealed, .visible(ratio: 1)] { _ = life.handle(.stage(event), at: .origin) }
        return life
    }

    private func tracked(_ actions: [AdAction]) -> [TrackingEvent] {
        actions.compactMap { if case .track(let event) = $0 { event } else { nil } }
    }

    @Test("events of a crashed video are ignored and earn no reward")
    func crashed() {
        var life = self.showing(ShowRules(.rewarded(VideoRules(self.video))))
        _ = life.handle(.stage(.video(.started(duration: nil))), at: .origin)
        _ = life.handle(.stage(.crashed("for the test")), at: Moment(.seconds(1)))
        for event in [VideoEvent.progressed(.seconds(9)), .completed] {
            let (result, actions) = life.handle(.stage(.video(event)), at: Moment(.seconds(2)))
            #expect(actions.isEmpty && result == .ignored("the creative has crashed"))
        }
        let actions = life.handle(.stage(.closeRequested(by: .user)), at: Moment(.seconds(3))).actions
        #expect(actions.contains(.emit(.closed(CloseDetails(reason: .user, rewarded: false, rule: .crashed)))))
    }

    @Test("a crash is tracked as an error, and a spot watched to its end keeps the reward")
    func crashedLater() {
        var life = self.showing(ShowRules(.rewarded(VideoRules(self.video, [self.video]))))
        for event in [VideoEvent.started(duration: nil), .completed] {
            _ = life.handle(.stage(.video(event)), at: .origin)
        }
        _ = life.handle(.stage(.video(.started(duration: nil), spot: 1)), at: .origin)
        let actions = life.handle(.stage(.crashed("for the test")), at: Moment(.seconds(1))).actions
        #expect(self.tracked(actions).map(\.event) == ["error", "viewUndetermined", "breakEnd"])
        #expect(self.tracked(actions).first?.code == 400 && actions.contains(.emit(.rewarded(AdReward()))))
        let close = life.handle(.stage(.closeRequested(by: .user)), at: Moment(.seconds(3))).actions
        #expect(close.contains(.emit(.closed(CloseDetails(reason: .user, rewarded: true, rule: .crashed)))))
        #expect(self.tracked(close).isEmpty)
    }

    @Test("a video muted before it is on screen starts muted")
    func mutedBefore() {
        var life = self.showing(ShowRules(.video(VideoRules(self.video))), before: [.video(.muted(true))])
        let started = self.tracked(life.handle(.stage(.video(.started(duration: nil))), at: .origin).actions)
        #expect(started.contains { $0.event == .impression && $0.isMuted })
        #expect(!started.contains { $0.event == "mute" })
        let unmuted = self.tracked(life.handle(.stage(.video(.muted(false))), at: .origin).actions)
        #expect(unmuted.map(\.event) == ["unmute"])
    }

    @Test("a part that fails while presenting is tracked with its error code")
    func partFailsBefore() {
        var video = self.video
        video.parts = [PartRules(.companion(0), time: nil)]
        var life = AdLifecycle(at: .presenting, ShowRules(.video(VideoRules(video))))
        let event = StageEvent.video(.partFailed(.companion(0), vastCode: 603, "gone"))
        #expect(self.tracked(life.handle(.stage(event), at: .origin).actions).map(\.code) == [603])
        #expect(life.phase == .presenting)
    }

    @Test("a rewarded video's watchdog includes the duration of a fallback ad")
    func watchdog() {
        let long = SpotRules(duration: .seconds(60))
        let rules = VideoRules(self.video, [self.video, long], fallbackCount: 1)
        var life = self.showing(ShowRules(.rewarded(rules)))
        #expect(life.closeAvailability(at: .origin) == .afterMedia(atMost: .seconds(30)))
        _ = life.handle(.stage(.video(.failed(vastCode: 401, "gone"))), at: .origin)
        _ = life.handle(.stage(.video(.started(duration: nil), spot: 2)), at: .origin)
        #expect(
            life.closeAvailability(at: .origin) == .afterMedia(atMost: .seconds(90)),
            "20 s, 60 s, and 10 s of grace"
        )
    }
}
