import AdCore
import Testing

@testable import PlayStages

@Suite("Moments of a video that are worth a picture")
struct FilmMomentsTests {
    private func spot(endCard: VideoPartID? = nil) -> VideoSpot {
        VideoSpot(.media([]), terms: SpotRules(), endCard: endCard)
    }

    private func shots(_ moments: inout VideoMoments, _ events: [VideoEvent]) -> [VideoMoments.Shot] {
        events.compactMap { moments.handle($0) }
    }

    @Test("a video has one picture about its middle, and one of its end card, and none of what is behind it")
    func video() {
        var moments = VideoMoments(VideoCreative(self.spot(endCard: .companion(0))))
        #expect(!moments.wantsLast, "nothing has begun")
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

    @Test("each video of a pod has one, as far as there is room")
    func pod() {
        var moments = VideoMoments(VideoCreative(self.spot(), Array(repeating: self.spot(), count: 6)))
        let one: [VideoEvent] = [.started(duration: .seconds(6)), .progressed(.seconds(3)), .completed]
        let shots = self.shots(&moments, Array(repeating: one, count: 7).flatMap(\.self))
        #expect(shots.count == 4)
        #expect(shots.last == .video(3, at: .seconds(3), of: .seconds(6)))
    }

    @Test("one that was skipped makes room for the next one, and one that only tells its length later is the same")
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

    @Test("one that is closed amid is pictured as it closes, and one that played to its end only where nothing was")
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

    @Test("a caption says where in the video the picture was taken, and never beyond its end")
    func captions() {
        let shot = VideoMoments.Shot.video(0, at: .seconds(6), of: .seconds(15))
        #expect(shot.caption(after: .milliseconds(1_200)) == "Video, about 7 s of 15 s")
        #expect(shot.caption(after: .seconds(40)) == "Video, about 15 s of 15 s")
        #expect(VideoMoments.Shot.video(1, at: .seconds(3), of: nil).caption(after: .zero) == "Video 2, about 3 s in")
        #expect(VideoMoments.Shot.endCard.caption(after: .seconds(1)) == "End card")
    }
}
