import AdCore
import BrowserSupport
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("A video in a browser", .needsBrowser, .timeLimit(.minutes(2)))
struct VideoStageTests {
    @Test(
        "it is loaded, ready, started, played to its end, and all of that in order",
        arguments: ["/media/sokketri.mp4", "/media/sokketri.webm", "/moved.mp4"]
    )
    func life(path: String) async throws {
        try await VideoHarness.show(VideoCreative(try film(path))) { stage, reports in
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
        let (stage, reports) = try await VideoHarness.prepare(VideoCreative(try film("/media/pluvello.mp4")), speed: 1)
        await reports.first { $0 == .ready }
        let state =
            "(({ muted, paused, currentTime }) => [muted, paused, currentTime])(document.getElementById('video'))"
        #expect(try await stage.evaluate(state) == [true, true, 0])
        await stage.reveal()
        await reports.first { if case .visible = $0 { true } else { false } }
        #expect(try await stage.evaluate(state) == [true, true, 0])
        await stage.control(.play)
        _ = await reports.started()
        #expect(try await stage.evaluate("document.getElementById('video').muted") == false)
        #expect(try await stage.picture().count > 5_000)
        await stage.close(.host)
        #expect(!reports.film.contains(.muted(true)))
    }
}

@Suite("A video that can't be played", .needsBrowser, .timeLimit(.minutes(1)))
struct BrokenVideoTests {
    @Test(
        "it fails with VAST's code",
        arguments: [
            ("/broken.mp4", 405, "can't be played"), ("/media/none.mp4", 401, "was not found"),
            ("/late.mp4", 402, "was not fetched in time"), ("/inward.mp4", 401, "local network"),
        ]
    )
    func codes(path: String, code: Int, says: String) async throws {
        let (stage, reports) = try await VideoHarness.prepare(VideoCreative(try film(path)))
        let failure = await reports.failure()
        #expect(failure.code == code && failure.text.contains(says), "\(failure)")
        #expect(reports.film.count == 1 && !reports.events.contains(.ready))
        await stage.close(.neverShown)
    }

    @Test("the first of its files that can be fetched and decoded is played, and another spot stands in")
    func others() async throws {
        let first = try film("/broken.mp4", "/late.mp4", "/media/none.mp4", "/media/sokketri.webm")
        try await VideoHarness.show(VideoCreative(first)) { _, reports in
            await reports.film(.completed)
            #expect(reports.film.first == .loaded && reports.film.last == .completed)
        }
        let bad = try film("/broken.mp4", "/media/none.mp4")
        let good = try film("/media/sokketri.mp4")
        let (stage, reports) = try await VideoHarness.prepare(VideoCreative(bad, [good], standIns: 1))
        #expect(await reports.failure().code == 405)
        await stage.control(.next(spot: 1))
        await reports.first { $0 == .ready }
        await stage.reveal()
        await stage.control(.play)
        await reports.film(.completed, spot: 1)
        await stage.close(.host)
    }

    @Test("a picture that is not there is told of, and the film plays on")
    func picture() async throws {
        let icon = VideoPartID.icon(0)
        let card = VideoPartID.companion(0)
        let missing = try FilmServer.picture("/assets/none.png", Size(width: 20, height: 20))
        let page = VideoPart(.page(try FilmServer.url("/none.html")))
        let spot = try film("/media/sokketri.mp4", parts: [icon: missing, card: page], endCard: card)
        try await VideoHarness.show(VideoCreative(spot), speed: 1) { stage, reports in
            await stage.control(.part(icon, visible: true))
            let event = await reports.first {
                if case .video(.partFailed(icon, 900, _), _) = $0 { true } else { false }
            }
            #expect(event != .ready && stage.playback?.isPlaying == true)
            await stage.control(.showEndCard)
            await reports.first { if case .video(.partFailed(card, 603, _), _) = $0 { true } else { false } }
        }
    }
}

@Suite("Videos beside and after each other", .needsBrowser, .timeLimit(.minutes(1)))
struct ManyVideosTests {
    @Test("two play at once, and what one is told the other does not hear")
    func two() async throws {
        let first = VideoCreative(try film("/media/pluvello.mp4"))
        let second = VideoCreative(try film("/media/sokketri.webm"))
        try await VideoHarness.show(first) { one, ones in
            try await VideoHarness.show(second) { two, twos in
                await one.control(.pause)
                await ones.film(.paused)
                await twos.film(.completed)
                #expect(!twos.film.contains(.paused) && !ones.film.contains(.completed))
                await one.control(.play)
                await ones.film(.completed)
            }
        }
    }

    @Test("a pod's films follow each other, and the one that follows is there already")
    func pod() async throws {
        let pod = VideoCreative(try film("/media/sokketri.mp4"), [try film("/media/sokketri.webm")])
        try await VideoHarness.show(pod) { stage, reports in
            await reports.film(.completed)
            await stage.control(.next(spot: 1))
            await reports.film(.loaded, spot: 1)
            await stage.control(.play)
            await reports.film(.completed, spot: 1)
            #expect(reports.events.count { $0 == .ready } == 1)
        }
    }

    @Test("a film that is larger than a piece, with its index at the end, is read in pieces")
    func pieces() async throws {
        try await VideoHarness.show(VideoCreative(try film("/large.mp4"))) { stage, reports in
            #expect(stage.storedBytes > 3 << 20)
            await reports.film(.completed)
        }
    }

    @Test("after the close nothing plays, nothing is held, and nothing is told")
    func closed() async throws {
        let (stage, reports) = try await VideoHarness.prepare(VideoCreative(try film("/media/pluvello.mp4")), speed: 1)
        await reports.first { $0 == .ready }
        await stage.reveal()
        await stage.control(.play)
        _ = await reports.started()
        #expect(stage.storedBytes > 0)
        await stage.close(.host)
        let count = reports.events.count
        #expect(stage.storedBytes == 0 && stage.playback?.isPlaying == false)
        await #expect(throws: EngineFault.self) { try await stage.evaluate("1") }
        await stage.control(.play)
        // Another film has been shown to its end meanwhile.
        try await VideoHarness.show(VideoCreative(try film("/media/sokketri.mp4"))) { await $1.film(.completed) }
        #expect(reports.events.count == count)
    }

    @Test("a page that crashes is reported, and is gone")
    func crash() async throws {
        try await VideoHarness.show(VideoCreative(try film("/media/pluvello.mp4")), speed: 1) { stage, reports in
            _ = await reports.started()
            try await stage.crash(stage.machine.page)
            await reports.first { $0 == .gone }
            #expect(reports.events.contains(.crashed("the host page crashed")))
        }
    }

    @Test("without a transport the browser fetches films by itself, and a closed network has none")
    func direct() async throws {
        var options = ChromiumOptions()
        options.network = .closed
        let presenter = try ChromiumPresenter(options)
        let file = MediaFile(try #require(HTTPURL("https://m.example/a.mp4")), type: "video/mp4")
        let video = VideoCreative(VideoSpot(.media([file]), terms: SpotRules()))
        let kind = ShowRules.Kind.video(video.terms)
        let size = CreativeLayout(.fixed(Size(width: 640, height: 360)), in: await presenter.container(for: kind))
        let reports = Reports()
        let stage = try await presenter.stage(.video(video), StageOptions(ad: AdID("test"), kind: kind, size: size)) {
            reports.note($0)
        }
        #expect(await reports.failure().code == 401)
        await stage.close(.neverShown)
        await presenter.close()
    }
}
