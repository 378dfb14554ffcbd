import AdCore
import Testing

@testable import PlayStages

@Suite("Moments of a video for pictures")
struct VideoMomentsTests {
    private func spot(endCard: VideoPartID? = nil) -> VideoSpot {
        VideoSpot(.media([]), rules: SpotRules(), endCard: endCard)
    }

    private func shots(_ moments: inout VideoMoments, _ events: [VideoEvent]) -> [VideoMoments.Shot] {
        events.compactMap { moments.handle($0) }
    }

    @Test("a video has one picture near its middle and one of its end card")
    func video() {
        var moments = VideoMoments(VideoCreative(self.spot(endCard: .companion(0))))
        #expect(!moments.wantsLast, "no video has started")
        let shots = self.shots(
            &moments,
            [
                .loaded, .started(duration: .seconds(10)), .progressed(.seconds(1)), .partShown(.icon(0)),
                .progressed(.seconds(4)), .progressed(.seconds(6)), .completed, .partShown(.companion(0)),
                .partShown(.companion(0)),
            ]
        )
        #expect(shots == [.video(0, at: .seconds(4), of: .seconds(10)), .endCard])
        #expect(!moments.wantsLast)
    }

    @Test("each video of a pod has one picture, up to a limit")
    func pod() {
        var moments = VideoMoments(VideoCreative(self.spot(), Array(repeating: self.spot(), count: 6)))
        let one: [VideoEvent] = [.started(duration: .seconds(6)), .progressed(.seconds(3)), .completed]
        let shots = self.shots(&moments, Array(repeating: one, count: 7).flatMap(\.self))
        #expect(shots.count == 4)
        #expect(shots.last == .video(3, at: .seconds(3), of: .seconds(6)))
    }

    @Test("a skipped video has no picture, and a late duration does not start another video")
    func skipped() {
        var moments = VideoMoments(VideoCreative(self.spot(), [self.spot()]))
        let shots = self.shots(
            &moments,
            [
                .started(duration: nil), .started(duration: .seconds(20)), .progressed(.seconds(2)),
                .started(duration: nil), .progressed(.seconds(3)),
            ]
        )
        #expect(shots == [.video(1, at: .seconds(3), of: nil)])
    }

    @Test("a video closed while playing has a picture at the close, a completed one only if it has no other")
    func last() {
        var moments = VideoMoments(VideoCreative(self.spot()))
        _ = self.shots(&moments, [.started(duration: .seconds(10)), .progressed(.seconds(1))])
        #expect(moments.wantsLast)
        _ = self.shots(&moments, [.completed])
        #expect(moments.wantsLast)
        moments = VideoMoments(VideoCreative(self.spot()))
        _ = self.shots(&moments, [.started(duration: .seconds(10)), .progressed(.seconds(5)), .completed])
        #expect(!moments.wantsLast)
    }

    @Test("a caption gives the position in the video, at most its duration")
    func captions() {
        let shot = VideoMoments.Shot.video(0, at: .seconds(6), of: .seconds(15))
        #expect(shot.caption(after: .milliseconds(1_200)) == "Video, about 7 s of 15 s")
        #expect(shot.caption(after: .seconds(40)) == "Video, about 15 s of 15 s")
        #expect(VideoMoments.Shot.video(1, at: .seconds(3), of: nil).caption(after: .zero) == "Video 2, about 3 s in")
        #expect(VideoMoments.Shot.endCard.caption(after: .seconds(1)) == "End card")
    }
}
