import Testing

@testable import WebStage

@Suite("Blank creatives")
struct BlankDetectorTests {
    /// Runs checks with these numbers of differing pixels; nil for no screenshot.
    private func detector(_ checks: [Int?]) -> BlankDetector { self.show(checks).detector }

    /// The same, with the time of the last check.
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

    @Test("the first check with content decides that a creative is visible")
    func visible() {
        #expect(self.detector([16]).outcome == .visible)
        #expect(self.detector([0, 0, 0, 0, 5_000]).outcome == .visible)
        #expect(self.detector([15]).outcome == nil)
    }

    @Test("a creative without content for ten seconds is blank")
    func blank() {
        #expect(self.detector([0, 0, 0, 0, 0, 0, 0]).outcome == nil)
        #expect(self.detector([0, 0, 0, 0, 0, 0, 900]).outcome == .visible)
        let whole = self.show([0, 0, 3, 0, 15, 0, 0, 0])
        #expect(whole.detector.outcome == .blank && whole.now == .seconds(10))
    }

    @Test("checks without a screenshot decide nothing")
    func noPictures() {
        let detector = self.detector(Array(repeating: nil, count: 20))
        #expect(detector.outcome == nil && !detector.isUndecided)
        #expect(self.detector([0, nil, 0, nil, 0, nil, 0, 0]).outcome == .blank)
        #expect(self.detector([0, 0, nil, nil, nil, nil, nil, nil]).outcome == nil)
    }

    @Test("a final check decides when an ad is closed")
    func closed() {
        for (pixels, outcome): (Int, BlankDetector.Outcome) in [(0, .blank), (40, .visible)] {
            var (detector, now) = self.show([0, 0, 0])
            now += .milliseconds(700)
            #expect(detector.prepareToClose(at: now) == .check && detector.isUndecided)
            let isDue = detector.start()
            #expect(!isDue, "the pending check is the final one")
            #expect(detector.prepareToClose(at: now) == .wait, "a second close starts no second check")
            #expect(detector.handle(.pixels(pixels), at: now) == nil)
            #expect(detector.outcome == outcome && !detector.isUndecided)
        }
    }

    @Test("a running check becomes the final one; without a result the earlier checks decide")
    func underWay() {
        var (detector, now) = self.show([0, 0])
        #expect(detector.start() && detector.prepareToClose(at: now) == .wait)
        #expect(detector.handle(.none, at: now) == nil)
        #expect(detector.outcome == .blank)
    }

    @Test("without time for a final check the earlier ones decide, but not right after the reveal")
    func noTime() {
        var early = self.show([0])
        #expect(early.detector.prepareToClose(at: early.now) == .decided)
        #expect(early.detector.outcome == nil && !early.detector.isUndecided, "0.1 seconds are too short")
        var late = self.show([0, 0])
        #expect(late.detector.prepareToClose(at: late.now) == .check)
        late.detector.decideNow()
        #expect(late.detector.outcome == .blank)
        var seen = self.show([0, 40])
        #expect(seen.detector.prepareToClose(at: seen.now) == .decided)
        #expect(seen.detector.outcome == .visible)
    }

    @Test("ended checks have no outcome, and the checks start only once")
    func ended() {
        var detector = self.detector([0, 0])
        detector.end()
        #expect(detector.outcome == nil && !detector.isUndecided)
        #expect(detector.reveal(at: .zero) == nil && !detector.start())
    }
}
