import Testing

@testable import WebStage

@Suite("Whether a creative is blank, by what was visible of it")
struct BlankDetectorTests {
    /// Checks one after the other, each with a picture in which so many pixels differ; nil for no picture.
    private func detector(_ checks: [Int?]) -> BlankDetector { self.show(checks).detector }

    /// The same, and when the last look was.
    private func show(_ checks: [Int?]) -> (detector: BlankDetector, now: Duration) {
        var detector = BlankDetector()
        var now = Duration.zero
        var pause = detector.reveal(at: now)
        for pixels in checks {
            guard let wait = pause, detector.start() else { break }
            now += wait
            pause = detector.handle(pixels.map { .pixels($0) } ?? .none, at: now)
        }
        return (detector, now)
    }

    @Test("the first look that shows something decides that it is visible")
    func visible() {
        #expect(self.detector([16]).verdict == .visible)
        #expect(self.detector([0, 0, 0, 0, 5_000]).verdict == .visible)
        #expect(self.detector([15]).verdict == nil)
    }

    @Test("a creative that stays has ten seconds to show something, and is blank after that")
    func blank() {
        #expect(self.detector([0, 0, 0, 0, 0, 0, 0]).verdict == nil)
        #expect(self.detector([0, 0, 0, 0, 0, 0, 900]).verdict == .visible)
        let whole = self.show([0, 0, 3, 0, 15, 0, 0, 0])
        #expect(whole.detector.verdict == .blank && whole.now == .seconds(10))
    }

    @Test("checks without a picture decide nothing, and end")
    func noPictures() {
        let detector = self.detector(Array(repeating: nil, count: 20))
        #expect(detector.verdict == nil && !detector.isUndecided)
        #expect(self.detector([0, nil, 0, nil, 0, nil, 0, 0]).verdict == .blank)
        #expect(self.detector([0, 0, nil, nil, nil, nil, nil, nil]).verdict == nil)
    }

    @Test("an ad that is closed is decided by a last look")
    func closed() {
        for (pixels, verdict): (Int, BlankDetector.Verdict) in [(0, .blank), (40, .visible)] {
            var (detector, now) = self.show([0, 0, 0])
            now += .milliseconds(700)
            #expect(detector.prepareToClose(at: now) == .check && detector.isUndecided)
            let isDue = detector.start()
            #expect(!isDue, "the look that was due is this one")
            #expect(detector.prepareToClose(at: now) == .wait, "a second press on the button takes no second look")
            #expect(detector.handle(.pixels(pixels), at: now) == nil)
            #expect(detector.verdict == verdict && !detector.isUndecided)
        }
    }

    @Test("a look that is under way is the last one, and where it shows nothing the ones before it decide")
    func underWay() {
        var (detector, now) = self.show([0, 0])
        #expect(detector.start() && detector.prepareToClose(at: now) == .wait)
        #expect(detector.handle(.none, at: now) == nil)
        #expect(detector.verdict == .blank)
    }

    @Test("where there is no time for a last look those before it decide, and soon after the reveal nothing does")
    func noTime() {
        var early = self.show([0])
        #expect(early.detector.prepareToClose(at: early.now) == .decided)
        #expect(early.detector.verdict == nil && !early.detector.isUndecided, "a tenth of a second is too short to say")
        var late = self.show([0, 0])
        #expect(late.detector.prepareToClose(at: late.now) == .check)
        late.detector.decideNow()
        #expect(late.detector.verdict == .blank)
        var seen = self.show([0, 40])
        #expect(seen.detector.prepareToClose(at: seen.now) == .decided)
        #expect(seen.detector.verdict == .visible)
    }

    @Test("what ends early is not decided, and one reveal begins the checks once")
    func ended() {
        var detector = self.detector([0, 0])
        detector.end()
        #expect(detector.verdict == nil && !detector.isUndecided)
        #expect(detector.reveal(at: .zero) == nil && !detector.start())
    }
}
