import LifecycleSupport
import Testing

@testable import AdCore

@Suite("Close availability")
struct CloseAvailabilityTests {
    private let later = Moment(.seconds(2))

    private func closeAvailability(_ rules: ShowRules, _ scene: Scene = .seen, _ inputs: [AdInput] = [])
        -> CloseAvailability?
    {
        var life = AdLifecycle(at: scene, rules)
        for input in inputs { _ = life.handle(input, at: .origin) }
        return life.closeAvailability(at: self.later)
    }

    @Test("the close delay counts down only while the ad is visible")
    func delay() {
        let rules = ShowRules(.banner, closeDelay: .seconds(5))
        #expect(self.closeAvailability(rules) == .after(.seconds(3), isRunning: true))
        #expect(
            self.closeAvailability(rules, .seen, [.signal(.covered(true))]) == .after(.seconds(5), isRunning: false)
        )
        #expect(self.closeAvailability(rules, .unseen) == .after(.seconds(5), isRunning: false))
        #expect(self.closeAvailability(ShowRules(.interstitial)) == .open(.immediate))
    }

    @Test("a close delay up to ten minutes applies in full, and a longer one is cut with an issue")
    func full() {
        for (delay, applied) in [(45, 45), (60, 60), (599, 599), (600, 600), (601, 600), (1_000_000_000, 600)] {
            let rules = ShowRules(.interstitial, closeDelay: .seconds(delay))
            #expect(self.closeAvailability(rules) == .after(.seconds(applied - 2), isRunning: true), "\(delay) s")
            var life = AdLifecycle(at: .loading, rules)
            let actions = life.handle(.offerArrived(rules), at: .origin).actions
            let issues = actions.filter { if case .emit(.issue) = $0 { true } else { false } }
            #expect(issues.count == (delay > 600 ? 1 : 0), "\(delay) s")
        }
    }

    @Test("the watchdog makes an ad closable 30 s after its close delay, visible or not")
    func watchdog() {
        for (delay, latest) in [(5, 35), (45, 75), (600, 630), (1_000_000_000, 630)] {
            let rules = ShowRules(.interstitial, closeDelay: .seconds(delay))
            var life = AdLifecycle(at: .unseen, rules)
            let early = life.handle(.timer(.watchdog), at: Moment(.seconds(latest) - .milliseconds(1)))
            #expect(early.actions.isEmpty, "\(delay) s")
            let due = life.handle(.timer(.watchdog), at: Moment(.seconds(latest)))
            #expect(due.actions.contains(.emit(.closeAvailable(.watchdog))), "\(delay) s")
            var timed = AdLifecycle(at: .presenting, rules)
            _ = timed.handle(.stage(.ready), at: .origin)
            let revealed = timed.handle(.stage(.revealed), at: .origin).actions
            #expect(revealed.contains(.setTimer(.watchdog, at: Moment(.seconds(latest)))), "\(delay) s")
        }
    }

    @Test("the countdown runs to the watchdog if that is earlier")
    func nearer() {
        let rules = ShowRules(.interstitial, closeDelay: .seconds(60))
        var life = AdLifecycle(at: .unseen, rules)
        _ = life.handle(.stage(.visible(ratio: 1)), at: Moment(.seconds(80)))
        #expect(life.closeAvailability(at: Moment(.seconds(80))) == .after(.seconds(10), isRunning: true))
    }

    @Test("a rewarded video is closable at its end, and by the watchdog at the latest")
    func media() {
        let rewarded = ShowRules(.rewarded(VideoRules(duration: .seconds(15))))
        #expect(self.closeAvailability(rewarded, .playing) == .afterMedia(atMost: .seconds(23)))
        #expect(self.closeAvailability(rewarded, .over) == .open(.completed))
    }

    @Test("the availability is byHost without a close button, and nil for an ad that is not on screen")
    func none() {
        #expect(self.closeAvailability(ShowRules(.banner, closeDelay: .seconds(5), closeControl: .host)) == .byHost)
        let rules = ShowRules(.banner)
        for scene in [Scene.idle, .loading, .loaded, .presenting, .closed, .failed, .expired] {
            #expect(self.closeAvailability(rules, scene) == nil)
        }
    }
}
