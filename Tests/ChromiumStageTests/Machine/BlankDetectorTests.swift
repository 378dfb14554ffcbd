import Testing

@testable import ChromiumStage

@Suite("Whether a creative is blank, by what was visible of it")
struct BlankDetectorTests {
    /// Looks one after the other, each with a picture in which so many pixels differ; nil for no picture.
    private func detector(_ looks: [Int?], isLoading: Bool = false) -> BlankDetector {
        var detector = BlankDetector()
        var now = Duration.zero
        var pause = detector.reveal(at: now)
        for pixels in looks {
            guard let wait = pause, detector.begin() else { break }
            now += wait
            pause = detector.take(pixels.map { .pixels($0) } ?? .none, isLoading: isLoading, at: now)
        }
        return detector
    }

    @Test("the first look that shows something decides that it is visible")
    func visible() {
        #expect(self.detector([16]).verdict == .visible)
        #expect(self.detector([0, 0, 0, 0, 5_000]).verdict == .visible)
        #expect(self.detector([15]).verdict == nil)
    }

    @Test("five blank looks decide that it is blank, where no request is under way")
    func blank() {
        #expect(self.detector([0, 0, 0, 0]).verdict == nil)
        #expect(self.detector([0, 0, 3, 0, 15]).verdict == .blank)
        #expect(BlankDetector.pauses.prefix(5).reduce(.zero, +) == .milliseconds(4500))
    }

    @Test("while a request is under way it has ten seconds")
    func loading() {
        #expect(self.detector([0, 0, 0, 0, 0, 0, 0], isLoading: true).verdict == nil)
        #expect(self.detector([0, 0, 0, 0, 0, 0, 900], isLoading: true).verdict == .visible)
        #expect(self.detector([0, 0, 0, 0, 0, 0, 0, 0], isLoading: true).verdict == .blank)
        #expect(BlankDetector.pauses.reduce(.zero, +) == .seconds(10))
    }

    @Test("looks without a picture decide nothing, and end")
    func noPictures() {
        let detector = self.detector(Array(repeating: nil, count: 20))
        #expect(detector.verdict == nil && !detector.isUndecided)
        #expect(self.detector([0, nil, 0, nil, 0, 0, 0]).verdict == .blank)
    }

    @Test("an ad that is closed is blank where the last look was, a second after the reveal")
    func closed() {
        var early = self.detector([0])
        early.close()
        #expect(early.verdict == nil && !early.isUndecided, "a tenth of a second is too short to say")
        var late = self.detector([0, 0])
        late.close()
        #expect(late.verdict == .blank)
        var seen = self.detector([0, 40])
        seen.close()
        #expect(seen.verdict == .visible)
    }

    @Test("what ends early is not decided, and one reveal begins the looks once")
    func ended() {
        var detector = self.detector([0, 0])
        detector.end()
        #expect(detector.verdict == nil && !detector.isUndecided)
        #expect(detector.reveal(at: .zero) == nil && !detector.begin())
    }
}
