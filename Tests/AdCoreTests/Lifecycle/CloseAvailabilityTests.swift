import LifeSupport
import Testing

@testable import AdCore

@Suite("How far an ad is from being closable")
struct WayOutTests {
    private let later = Moment(.seconds(2))

    private func closeAvailability(_ terms: ShowRules, _ scene: Scene = .seen, _ inputs: [AdInput] = [])
        -> CloseAvailability?
    {
        var life = AdLifecycle(at: scene, terms)
        for input in inputs { _ = life.handle(input, at: .origin) }
        return life.closeAvailability(at: self.later)
    }

    @Test("the close time-out counts down while the ad is seen, and stands still while it is not")
    func timeout() {
        let terms = ShowRules(.banner, closeDelay: .seconds(5))
        #expect(self.closeAvailability(terms) == .after(.seconds(3), isRunning: true))
        #expect(
            self.closeAvailability(terms, .seen, [.signal(.covered(true))]) == .after(.seconds(5), isRunning: false)
        )
        #expect(self.closeAvailability(terms, .unseen) == .after(.seconds(5), isRunning: false))
        #expect(self.closeAvailability(ShowRules(.interstitial)) == .open(.immediate))
    }

    @Test("a close time-out is counted to its full length, up to ten minutes, and is issued beyond them")
    func full() {
        for (timeout, honoured) in [(45, 45), (60, 60), (599, 599), (600, 600), (601, 600), (1_000_000_000, 600)] {
            let terms = ShowRules(.interstitial, closeDelay: .seconds(timeout))
            #expect(self.closeAvailability(terms) == .after(.seconds(honoured - 2), isRunning: true), "\(timeout) s")
            var life = AdLifecycle(at: .loading, terms)
            let actions = life.handle(.offerArrived(terms), at: .origin).actions
            let issues = actions.filter { if case .emit(.issue) = $0 { true } else { false } }
            #expect(issues.count == (timeout > 600 ? 1 : 0), "\(timeout) s")
        }
    }

    @Test("the watchdog opens the button half a minute behind the close time-out, also of an ad that nobody sees")
    func watchdog() {
        for (timeout, latest) in [(5, 35), (45, 75), (600, 630), (1_000_000_000, 630)] {
            let terms = ShowRules(.interstitial, closeDelay: .seconds(timeout))
            var life = AdLifecycle(at: .unseen, terms)
            let early = life.handle(.timer(.watchdog), at: Moment(.seconds(latest) - .milliseconds(1)))
            #expect(early.actions.isEmpty, "\(timeout) s")
            let due = life.handle(.timer(.watchdog), at: Moment(.seconds(latest)))
            #expect(due.actions.contains(.emit(.closeAvailable(.watchdog))), "\(timeout) s")
            var timed = AdLifecycle(at: .presenting, terms)
            _ = timed.handle(.stage(.ready), at: .origin)
            let revealed = timed.handle(.stage(.revealed), at: .origin).actions
            #expect(revealed.contains(.setTimer(.watchdog, at: Moment(.seconds(latest)))), "\(timeout) s")
        }
    }

    @Test("what is nearly over by the watchdog counts down to the watchdog")
    func nearer() {
        let terms = ShowRules(.interstitial, closeDelay: .seconds(60))
        var life = AdLifecycle(at: .unseen, terms)
        _ = life.handle(.stage(.visible(ratio: 1)), at: Moment(.seconds(80)))
        #expect(life.closeAvailability(at: Moment(.seconds(80))) == .after(.seconds(10), isRunning: true))
    }

    @Test("what plays to its end is closable then, and after the watchdog at the latest")
    func media() {
        let rewarded = ShowRules(.rewarded(VideoRules(duration: .seconds(15))))
        #expect(self.closeAvailability(rewarded, .playing) == .afterMedia(atMost: .seconds(23)))
        #expect(self.closeAvailability(rewarded, .over) == .open(.completed))
    }

    @Test("there is none where the host closes, and none off the screen")
    func none() {
        #expect(self.closeAvailability(ShowRules(.banner, closeDelay: .seconds(5), closeControl: .host)) == .byHost)
        let terms = ShowRules(.banner)
        for scene in [Scene.idle, .loading, .loaded, .presenting, .closed, .failed, .expired] {
            #expect(self.closeAvailability(terms, scene) == nil)
        }
    }
}
