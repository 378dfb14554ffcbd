import LifeSupport
import Testing

@testable import AdCore

@Suite("How far an ad is from being closable")
struct WayOutTests {
    private let later = Moment(.seconds(2))

    private func wayOut(_ terms: ShowTerms, _ scene: Scene = .seen, _ inputs: [AdInput] = []) -> WayOut? {
        var life = AdLifecycle(at: scene, terms)
        for input in inputs { _ = life.handle(input, at: .origin) }
        return life.wayOut(at: self.later)
    }

    @Test("the close time-out counts down while the ad is seen, and stands still while it is not")
    func timeout() {
        let terms = ShowTerms(.banner, closeTimeout: .seconds(5))
        #expect(self.wayOut(terms) == .after(.seconds(3), isRunning: true))
        #expect(self.wayOut(terms, .seen, [.signal(.covered(true))]) == .after(.seconds(5), isRunning: false))
        #expect(self.wayOut(terms, .unseen) == .after(.seconds(5), isRunning: false))
        #expect(self.wayOut(ShowTerms(.interstitial)) == .open(.immediate))
    }

    @Test("the watchdog is nearer than a longer time-out, and runs also out of sight")
    func watchdog() {
        let terms = ShowTerms(.interstitial, closeTimeout: .seconds(60))
        #expect(self.wayOut(terms) == .after(.seconds(28), isRunning: true))
        #expect(self.wayOut(terms, .unseen) == .after(.seconds(28), isRunning: true))
    }

    @Test("what plays to its end is closable then, and after the watchdog at the latest")
    func media() {
        let rewarded = ShowTerms(.rewarded(VideoTerms(duration: .seconds(15))))
        #expect(self.wayOut(rewarded, .playing) == .afterMedia(atMost: .seconds(23)))
        #expect(self.wayOut(rewarded, .over) == .open(.completed))
    }

    @Test("there is none where the host closes, and none off the screen")
    func none() {
        #expect(self.wayOut(ShowTerms(.banner, closeTimeout: .seconds(5), closeControl: .host)) == .byHost)
        let terms = ShowTerms(.banner)
        for scene in [Scene.idle, .loading, .loaded, .presenting, .closed, .failed, .expired] {
            #expect(self.wayOut(terms, scene) == nil)
        }
    }
}
