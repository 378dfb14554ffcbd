import LifeSupport
import Testing

@testable import AdCore

@Suite("A video at the edges of its life")
struct VideoEdgeTests {
    private let film = SpotRules(duration: .seconds(10))

    private func showing(_ terms: ShowRules, before: [StageEvent] = []) -> AdLifecycle {
        var life = AdLifecycle(at: .presenting, terms)
        for event in before + [.ready, .revealed, .visible(ratio: 1)] { _ = life.handle(.stage(event), at: .origin) }
        return life
    }

    private func facts(_ actions: [AdAction]) -> [TrackingEvent] {
        actions.compactMap { if case .tell(let fact) = $0 { fact } else { nil } }
    }

    @Test("what a crashed video says afterwards earns nothing and is told to nobody")
    func crashed() {
        var life = self.showing(ShowRules(.rewarded(VideoRules(self.film))))
        _ = life.handle(.stage(.video(.started(duration: nil))), at: .origin)
        _ = life.handle(.stage(.crashed("for the test")), at: Moment(.seconds(1)))
        for event in [VideoEvent.progressed(.seconds(9)), .completed] {
            let (verdict, actions) = life.handle(.stage(.video(event)), at: Moment(.seconds(2)))
            #expect(actions.isEmpty && verdict == .ignored("the creative has crashed"))
        }
        let actions = life.handle(.stage(.closeRequested(by: .user)), at: Moment(.seconds(3))).actions
        #expect(actions.contains(.emit(.closed(CloseDetails(reason: .user, rewarded: false, rule: .crashed)))))
    }

    @Test("a crash is told to the senders, and takes nothing from whoever has watched a spot to its end")
    func crashedLater() {
        var life = self.showing(ShowRules(.rewarded(VideoRules(self.film, [self.film]))))
        for event in [VideoEvent.started(duration: nil), .completed] {
            _ = life.handle(.stage(.video(event)), at: .origin)
        }
        _ = life.handle(.stage(.video(.started(duration: nil), spot: 1)), at: .origin)
        let actions = life.handle(.stage(.crashed("for the test")), at: Moment(.seconds(1))).actions
        #expect(self.facts(actions).map(\.event) == ["error", "viewUndetermined", "breakEnd"])
        #expect(self.facts(actions).first?.code == 400 && actions.contains(.emit(.rewarded)))
        let close = life.handle(.stage(.closeRequested(by: .user)), at: Moment(.seconds(3))).actions
        #expect(close.contains(.emit(.closed(CloseDetails(reason: .user, rewarded: true, rule: .crashed)))))
        #expect(self.facts(close).isEmpty)
    }

    @Test("a sound that is off before the video is on screen is off when it starts")
    func mutedBefore() {
        var life = self.showing(ShowRules(.video(VideoRules(self.film))), before: [.video(.muted(true))])
        let started = self.facts(life.handle(.stage(.video(.started(duration: nil))), at: .origin).actions)
        #expect(started.contains { $0.event == .impression && $0.isMuted })
        #expect(!started.contains { $0.event == "mute" })
        let unmuted = self.facts(life.handle(.stage(.video(.muted(false))), at: .origin).actions)
        #expect(unmuted.map(\.event) == ["unmute"])
    }

    @Test("a part that fails while the stage gets ready is told with its code")
    func partFailsBefore() {
        var film = self.film
        film.parts = [PartRules(.companion(0), time: nil)]
        var life = AdLifecycle(at: .presenting, ShowRules(.video(VideoRules(film))))
        let event = StageEvent.video(.partFailed(.companion(0), vastCode: 603, "gone"))
        #expect(self.facts(life.handle(.stage(event), at: .origin).actions).map(\.code) == [603])
        #expect(life.phase == .presenting)
    }

    @Test("the watchdog of a rewarded video waits for what stands in, also where that is longer")
    func watchdog() {
        let long = SpotRules(duration: .seconds(60))
        let terms = VideoRules(self.film, [self.film, long], standIns: 1)
        var life = self.showing(ShowRules(.rewarded(terms)))
        #expect(life.closeAvailability(at: .origin) == .afterMedia(atMost: .seconds(30)))
        _ = life.handle(.stage(.video(.failed(vastCode: 401, "gone"))), at: .origin)
        _ = life.handle(.stage(.video(.started(duration: nil), spot: 2)), at: .origin)
        #expect(
            life.closeAvailability(at: .origin) == .afterMedia(atMost: .seconds(90)),
            "20 s, 60 s, and 10 s of grace"
        )
    }
}
