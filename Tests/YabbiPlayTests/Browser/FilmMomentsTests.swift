import AdCore
import Testing

@testable import YabbiPlay

@Suite("Moments of a film that are worth a picture")
struct FilmMomentsTests {
    private func spot(endCard: VideoPartID? = nil) -> VideoSpot {
        VideoSpot(.media([]), terms: SpotTerms(), endCard: endCard)
    }

    private func shots(_ moments: inout FilmMoments, _ events: [VideoEvent]) -> [FilmMoments.Shot] {
        events.compactMap { moments.hear($0) }
    }

    @Test("a film has one picture about its middle, and one of its end card, and none of what is behind it")
    func film() {
        var moments = FilmMoments(VideoCreative(self.spot(endCard: .companion(0))))
        #expect(!moments.wantsLast, "nothing has begun")
        let shots = self.shots(
            &moments,
            [
                .loaded, .started(duration: .seconds(10)), .progressed(.seconds(1)), .partShown(.icon(0)),
                .progressed(.seconds(4)), .progressed(.seconds(6)), .completed, .partShown(.companion(0)),
                .partShown(.companion(0)),
            ]
        )
        #expect(shots == [.film(0, at: .seconds(4), of: .seconds(10)), .endCard])
        #expect(!moments.wantsLast)
    }

    @Test("each film of a pod has one, as far as there is room")
    func pod() {
        var moments = FilmMoments(VideoCreative(self.spot(), Array(repeating: self.spot(), count: 6)))
        let one: [VideoEvent] = [.started(duration: .seconds(6)), .progressed(.seconds(3)), .completed]
        let shots = self.shots(&moments, Array(repeating: one, count: 7).flatMap(\.self))
        #expect(shots.count == 4)
        #expect(shots.last == .film(3, at: .seconds(3), of: .seconds(6)))
    }

    @Test("one that was skipped makes room for the next one, and one that only tells its length later is the same")
    func skipped() {
        var moments = FilmMoments(VideoCreative(self.spot(), [self.spot()]))
        let shots = self.shots(
            &moments,
            [
                .started(duration: nil), .started(duration: .seconds(20)), .progressed(.seconds(2)),
                .started(duration: nil), .progressed(.seconds(3)),
            ]
        )
        #expect(shots == [.film(1, at: .seconds(3), of: nil)])
    }

    @Test("one that is closed amid is pictured as it closes, and one that played to its end only where nothing was")
    func last() {
        var moments = FilmMoments(VideoCreative(self.spot()))
        _ = self.shots(&moments, [.started(duration: .seconds(10)), .progressed(.seconds(1))])
        #expect(moments.wantsLast)
        _ = self.shots(&moments, [.completed])
        #expect(moments.wantsLast)
        moments = FilmMoments(VideoCreative(self.spot()))
        _ = self.shots(&moments, [.started(duration: .seconds(10)), .progressed(.seconds(5)), .completed])
        #expect(!moments.wantsLast)
    }

    @Test("a caption says where in the film the picture was taken, and never beyond its end")
    func captions() {
        let shot = FilmMoments.Shot.film(0, at: .seconds(6), of: .seconds(15))
        #expect(shot.caption(after: .milliseconds(1_200)) == "Film, about 7 s of 15 s")
        #expect(shot.caption(after: .seconds(40)) == "Film, about 15 s of 15 s")
        #expect(FilmMoments.Shot.film(1, at: .seconds(3), of: nil).caption(after: .zero) == "Film 2, about 3 s in")
        #expect(FilmMoments.Shot.endCard.caption(after: .seconds(1)) == "End card")
    }
}
