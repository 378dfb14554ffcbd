import AdCore
import Testing

@testable import ChromiumStage

@Suite("A video in a browser", .enabled(if: Installed.isThere, Installed.reason), .timeLimit(.minutes(2)))
struct VideoStageTests {
    @Test(
        "it is loaded, ready, started, played to its end, and all of that in order",
        arguments: ["/media/sokketri.mp4", "/media/sokketri.webm", "/moved.mp4"]
    )
    func life(path: String) async throws {
        try await VideoTheatre.show(VideoCreative(try film(path))) { stage, reports in
            let length = try #require(await reports.started())
            #expect(abs(length.inSeconds - 6) < 0.3)
            await reports.film(.completed)
            #expect(reports.film == [.loaded, .started(duration: length), .completed])
            let positions = reports.positions
            #expect(positions == positions.sorted() && positions.count >= 2 && positions.last == length)
            let first = reports.events.prefix(3)
            #expect(first.elementsEqual([.video(.loaded), .ready, .revealed]))
        }
    }

    @Test("nothing is heard or played before it is on screen and told to play, and it is heard then")
    func silence() async throws {
        let (stage, reports) = try await VideoTheatre.prepare(VideoCreative(try film("/media/pluvello.mp4")), speed: 1)
        await reports.first { $0 == .ready }
        let state =
            "(({ muted, paused, currentTime }) => [muted, paused, currentTime])(document.getElementById('film'))"
        #expect(try await stage.evaluate(state) == [true, true, 0])
        await stage.reveal()
        await reports.first { if case .visible = $0 { true } else { false } }
        #expect(try await stage.evaluate(state) == [true, true, 0])
        await stage.control(.play)
        _ = await reports.started()
        #expect(try await stage.evaluate("document.getElementById('film').muted") == false)
        #expect(try await stage.picture(scale: 1).count > 5_000)
        await stage.close(.host)
        #expect(!reports.film.contains(.muted(true)))
    }
}
