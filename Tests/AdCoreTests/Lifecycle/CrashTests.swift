import LifecycleSupport
import Testing

@testable import AdCore

@Suite("A creative that crashes on screen")
struct CrashTests {
    private func crashed(_ rules: ShowRules = ShowRules(.banner, closeDelay: .seconds(5))) -> AdLifecycle {
        var life = AdLifecycle(at: .seen, rules)
        _ = life.handle(.stage(.crashed("for the test")), at: Moment(.milliseconds(100)))
        return life
    }

    @Test("a crash is reported as an issue with its cause as the code", arguments: StageEvent.CrashCause.allCases)
    func code(cause: StageEvent.CrashCause) {
        var life = AdLifecycle(at: .seen, ShowRules(.banner, closeDelay: .seconds(5)))
        let actions = life.handle(.stage(.crashed("for the test", cause: cause)), at: Moment(.zero)).actions
        #expect(actions.contains(.emit(.issue(AdIssue(cause.rawValue, at: .whole, "for the test")))))
        #expect(life.closeAvailability(at: Moment(.zero)) == .open(.crashed))
    }

    @Test("a crashed ad can be closed at once")
    func closable() {
        #expect(self.crashed().closeAvailability(at: Moment(.milliseconds(100))) == .open(.crashed))
    }

    @Test("a crashed ad can't be viewed any more, whatever visibility the stage reports")
    func noView() {
        var life = self.crashed(ShowRules(.banner, viewPolicy: .mrcDisplay))
        let late = Moment(.seconds(2))
        let timer = life.handle(.timer(.view), at: late).actions
        #expect(timer.isEmpty)
        let seen = life.handle(.stage(.visible(ratio: 1)), at: late).actions
        #expect(seen.isEmpty)
        let later = life.handle(.timer(.view), at: Moment(.seconds(9))).actions
        #expect(later.isEmpty)
    }

    @Test("an ad counts as viewed if the policy was satisfied before the crash")
    func viewedBefore() {
        var life = AdLifecycle(at: .seen, ShowRules(.banner, viewPolicy: .mrcDisplay))
        let actions = life.handle(.stage(.crashed("for the test")), at: Moment(.seconds(1))).actions
        #expect(actions.contains(.record(.view)))
    }

    @Test("a crashed ad can't be clicked")
    func noClick() {
        var life = self.crashed()
        let result = life.handle(.stage(.click(aLink, byUser: true)), at: Moment(.seconds(1))).result
        #expect(result == .ignored("the ad is not in front, so no user can have pressed it"))
    }
}

@Suite("Limits of a creative")
struct LimitTests {
    private func actions(_ life: inout AdLifecycle, _ input: AdInput) -> [AdAction] {
        life.handle(input, at: .origin).actions
    }

    @Test("an ad can't be clicked while it is covered or the app is in the background")
    func covered() {
        for signal in [HostSignal.covered(true), .background(true)] {
            var life = AdLifecycle(at: .seen, ShowRules(.banner))
            _ = self.actions(&life, .signal(signal))
            #expect(self.actions(&life, .stage(.click(aLink, byUser: true))).isEmpty)
        }
    }

    @Test("blocked attempts are reported up to a limit for each kind")
    func blocked() {
        var life = AdLifecycle(at: .seen, ShowRules(.banner))
        var reported = 0
        for _ in 0..<1000 {
            reported += self.actions(&life, .stage(.click(aLink, byUser: false))).count
            reported += self.actions(&life, .stage(.blocked(BlockedAttempt(.popup, "for the test")))).count
        }
        #expect(reported == 2 * BlockedLog.limitPerKind, "a hundred of each kind")
        let other = self.actions(&life, .stage(.blocked(BlockedAttempt(.other, "for the test"))))
        #expect(other.count == 1, "many attempts of one kind do not hide another kind")
        let issues = self.actions(&life, .destroy).compactMap { action -> String? in
            if case .emit(.issue(let issue)) = action { issue.description } else { nil }
        }
        #expect(issues.count == 1)
        #expect(issues.first?.contains("900 of kind click, 900 of kind popup") == true, "\(issues)")
    }

    @Test("links are opened up to a limit at a time")
    func links() {
        var life = AdLifecycle(at: .clicked, ShowRules(.banner))
        for _ in 0..<20 { _ = self.actions(&life, .stage(.click(aLink, byUser: true))) }
        let opened = self.actions(&life, .recorded(.click))
        #expect(opened.filter { $0 == .open(aLink) }.count == AdLifecycle.linkLimit)
        let more = self.actions(&life, .stage(.click(aLink, byUser: true)))
        guard case .emit(.tap(let tap))? = more.first, case .nothing(let reason) = tap.outcome, more.count == 1 else {
            Issue.record("a tap over the limit must be reported and open nothing: \(more)")
            return
        }
        #expect(reason.contains("8 links are being opened already"))
        _ = self.actions(&life, .linkOpened(aLink, .opened(.systemBrowser)))
        #expect(
            self.actions(&life, .stage(.click(aLink, byUser: true))) == [.emit(.tap(Tap(.link(aLink)))), .open(aLink)]
        )
    }

    @Test("up to fifty failed requests and script errors are reported, and a blank ad always")
    func diagnostics() {
        var life = AdLifecycle(at: .seen, ShowRules(.banner))
        let error = AdInput.stage(.diagnostic(.scriptError(ScriptError("Uncaught x"))))
        let reported = (0..<1000).reduce(0) { count, _ in count + self.actions(&life, error).count }
        #expect(reported == AdLifecycle.diagnosticLimit)
        let blank = CreativeDiagnostic.blank(BlankCreative())
        #expect(self.actions(&life, .stage(.diagnostic(blank))) == [.emit(.diagnostic(blank))])
    }
}

@Suite("A press on an ad")
struct TapTests {
    private let place = TapPoint(x: 12, y: 34, target: "a#buy")

    @Test("a press without a click-through URL is reported with its reason and records no click")
    func noURL() {
        var life = AdLifecycle(at: .seen, ShowRules(.banner))
        let reason = "neither the creative nor the ad response has a click-through URL"
        let actions = life.handle(.stage(.click(nil, byUser: true, at: self.place)), at: .origin).actions
        #expect(actions == [.emit(.tap(Tap(.nothing(reason), at: self.place)))])
        // The next press, which has one, is the click.
        let next = life.handle(.stage(.click(aLink, byUser: true, at: self.place)), at: .origin).actions
        #expect(next.contains(.record(.click)) && next.contains(.emit(.tap(Tap(.click(aLink), at: self.place)))))
    }

    @Test("a press that the creative handles, or that has no effect, is reported and records no click")
    func noLink() {
        var life = AdLifecycle(at: .seen, ShowRules(.banner, clickThrough: aLink))
        let handled = life.handle(.stage(.tap(.creative("mraid.expand"), at: self.place)), at: .origin).actions
        #expect(handled == [.emit(.tap(Tap(.creative("mraid.expand"), at: self.place)))])
        let nothing = life.handle(.stage(.tap(.nothing("nothing there can be clicked"))), at: .origin).actions
        #expect(nothing == [.emit(.tap(Tap(.nothing("nothing there can be clicked"))))])
    }

    @Test("a press is ignored before the ad is on screen, while it is covered, and after a crash")
    func notInFront() {
        let tap = AdInput.stage(.tap(.creative("mraid.expand")))
        for input in [AdInput.signal(.covered(true)), .signal(.background(true)), .stage(.crashed("for the test"))] {
            var life = AdLifecycle(at: .seen, ShowRules(.banner))
            _ = life.handle(input, at: .origin)
            #expect(life.handle(tap, at: .origin).actions.isEmpty)
        }
        var early = AdLifecycle(at: .presenting, ShowRules(.banner))
        #expect(early.handle(tap, at: .origin).actions.isEmpty)
    }

    @Test("a press on a video without a ClickThrough fires no ClickTracking")
    func video() {
        func trackers(_ link: ClickThroughURL?) -> Bool {
            let rules = ShowRules(.video(VideoRules(duration: .seconds(30))), clickThrough: link)
            var life = AdLifecycle(at: .seen, rules)
            _ = life.handle(.stage(.video(.started(duration: .seconds(30)))), at: .origin)
            return life.handle(.stage(.click(nil, byUser: true)), at: .origin).actions.contains { action in
                if case .track(let tracked) = action { tracked.event == "clickTracking" } else { false }
            }
        }
        #expect(trackers(aLink))
        #expect(!trackers(nil))
    }
}

@Suite("Video commands of the lifecycle")
struct VideoCommandTests {
    private let rules = ShowRules(.video(VideoRules(skipOffset: .seconds(5), hasEndCard: true)))

    @Test("a video plays while it is visible and pauses while it is not")
    func playing() {
        var life = AdLifecycle(at: .presenting, self.rules)
        let revealed = life.handle(.stage(.revealed), at: .origin).actions
        #expect(!revealed.contains(.stage(.video(.play))), "it is not visible yet")
        let seen = life.handle(.stage(.visible(ratio: 0.1)), at: .origin).actions
        #expect(seen.contains(.stage(.video(.play))))
        _ = life.handle(.stage(.video(.started(duration: .seconds(20)))), at: .origin)
        let covered = life.handle(.signal(.covered(true)), at: .origin).actions
        #expect(covered.contains(.stage(.video(.pause))))
        let again = life.handle(.signal(.background(true)), at: .origin).actions
        #expect(!again.contains(.stage(.video(.pause))), "it was paused already")
        _ = life.handle(.signal(.background(false)), at: .origin)
        let uncovered = life.handle(.signal(.covered(false)), at: .origin).actions
        #expect(uncovered.contains(.stage(.video(.play))))
        let scrolled = life.handle(.stage(.visible(ratio: 0)), at: .origin).actions
        #expect(scrolled.contains(.stage(.video(.pause))))
    }

    @Test("a wrong Duration in the markup is an issue, and a covered video can't be skipped")
    func oddities() {
        var life = AdLifecycle(at: .seen, ShowRules(.video(VideoRules(duration: .seconds(5), skipOffset: .zero))))
        let started = life.handle(.stage(.video(.started(duration: .seconds(20)))), at: .origin).actions
        #expect(
            started.contains {
                if case .emit(.issue(let issue)) = $0 { issue.code == "video.duration" } else { false }
            }
        )
        _ = life.handle(.signal(.covered(true)), at: .origin)
        #expect(life.handle(.stage(.skipRequested), at: .origin).actions.isEmpty)
        _ = life.handle(.signal(.covered(false)), at: .origin)
        #expect(life.handle(.stage(.skipRequested), at: .origin).actions.contains(.emit(.skipped)))
    }

    @Test("a video that the user paused is not resumed")
    func userPaused() {
        var life = AdLifecycle(at: .paused, self.rules)
        let covered = life.handle(.signal(.covered(true)), at: .origin).actions
        let uncovered = life.handle(.signal(.covered(false)), at: .origin).actions
        #expect(!(covered + uncovered).contains(.stage(.video(.play))))
    }

    @Test("the end card is shown when the video has ended or was skipped")
    func endCard() {
        var ended = AdLifecycle(at: .playing, self.rules)
        let end = ended.handle(.stage(.video(.completed)), at: .origin).actions
        #expect(end.contains(.stage(.video(.showEndCard))))
        var skipped = AdLifecycle(at: .skippable, self.rules)
        let skip = skipped.handle(.stage(.skipRequested), at: .origin).actions
        #expect(skip.contains(.stage(.video(.showEndCard))))
        #expect(skip.contains(.stage(.control(.skip, visible: false))))
    }

    @Test("a rewarded video's watchdog follows its duration, even if progress is reported first")
    func lengthAfterProgress() {
        var life = AdLifecycle(at: .seen, ShowRules(.rewarded(VideoRules())))
        _ = life.handle(.stage(.video(.progressed(.milliseconds(1)))), at: .origin)
        let started = life.handle(.stage(.video(.started(duration: .seconds(60)))), at: .origin).actions
        #expect(started.contains(.setTimer(.watchdog, at: Moment(.seconds(70)))))
    }

    @Test("an ad closed while a click is being recorded waits for it, up to a deadline")
    func settling() {
        var life = AdLifecycle(at: .clicked, ShowRules(.banner))
        let closed = life.handle(.close, at: .origin).actions
        #expect(closed.contains(.setTimer(.settling, at: Moment(.seconds(15)))))
        #expect(!closed.contains(.release))
        let late = life.handle(.timer(.settling), at: Moment(.seconds(15))).actions
        #expect(late == [.release])
    }
}
