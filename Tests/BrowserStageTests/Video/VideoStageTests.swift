import AdCore
import BrowserSupport
import TestSupport
import Testing

@testable import WebStage

@Suite("A video in a browser", .needsEngine, .timeLimit(.minutes(2)))
struct VideoStageTests {
    @Test(
        "a video is loaded, ready, started and completed, in this order",
        arguments: ["/media/sokketri.mp4", "/media/sokketri.webm", "/moved.mp4"]
    )
    func life(path: String) async throws {
        try await VideoHarness.show(VideoCreative(try mediaSpot(path))) { stage, reports in
            let length = try #require(await reports.started())
            #expect(abs(length.inSeconds - 6) < 0.3)
            await reports.waitFor(.completed)
            #expect(reports.videoEvents == [.loaded, .started(duration: length), .completed])
            let positions = reports.positions
            #expect(positions == positions.sorted() && positions.count >= 2 && positions.last == length)
            let first = reports.events.drop { $0 == .video(.enlarged(false)) }.prefix(3)
            #expect(first.elementsEqual([.video(.loaded), .ready, .revealed]))
        }
    }

    @Test("a video is muted and paused until it is on screen and play is called, and then has sound")
    func silence() async throws {
        let (stage, reports) = try await VideoHarness.prepare(
            VideoCreative(try mediaSpot("/media/pluvello.mp4")),
            speed: 1
        )
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
        #expect(try await stage.screenshot(.png).count > 5_000)
        await stage.close(.host)
        #expect(!reports.videoEvents.contains(.muted(true)))
    }
}

@Suite("A video that can't be played", .needsEngine, .timeLimit(.minutes(1)))
struct BrokenVideoTests {
    @Test(
        "a video that can't be played fails with its VAST code",
        arguments: [
            ("/broken.mp4", 405, "can't be played"), ("/media/none.mp4", 401, "was not found"),
            ("/late.mp4", 402, "was not fetched in time"), ("/inward.mp4", 401, "local network"),
        ]
    )
    func codes(path: String, code: Int, message: String) async throws {
        let (stage, reports) = try await VideoHarness.prepare(VideoCreative(try mediaSpot(path)))
        let failure = await reports.failure()
        #expect(failure.code == code && failure.text.contains(message), "\(failure)")
        #expect(reports.videoEvents.count == 1 && !reports.events.contains(.ready))
        await stage.close(.neverShown)
    }

    @Test("the first playable file is played, or else a fallback ad")
    func others() async throws {
        let first = try mediaSpot("/broken.mp4", "/late.mp4", "/media/none.mp4", "/media/sokketri.webm")
        try await VideoHarness.show(VideoCreative(first)) { _, reports in
            await reports.waitFor(.completed)
            #expect(reports.videoEvents.first == .loaded && reports.videoEvents.last == .completed)
        }
        let bad = try mediaSpot("/broken.mp4", "/media/none.mp4")
        let good = try mediaSpot("/media/sokketri.mp4")
        let (stage, reports) = try await VideoHarness.prepare(VideoCreative(bad, [good], fallbackCount: 1))
        #expect(await reports.failure().code == 405)
        await stage.control(.next(spot: 1))
        await reports.first { $0 == .ready }
        await stage.reveal()
        await stage.control(.play)
        await reports.waitFor(.completed, spot: 1)
        await stage.close(.host)
    }

    @Test("a missing image is reported, and the video continues")
    func picture() async throws {
        let icon = VideoPartID.icon(0)
        let card = VideoPartID.companion(0)
        let missing = try VideoServer.picture("/assets/none.png", Size(width: 20, height: 20))
        let page = VideoPart(.page(try VideoServer.url("/none.html")))
        let spot = try mediaSpot("/media/sokketri.mp4", parts: [icon: missing, card: page], endCard: card)
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

@Suite("Several videos", .needsEngine, .timeLimit(.minutes(1)))
struct ManyVideosTests {
    @Test("two videos play at once without affecting each other")
    func two() async throws {
        let first = VideoCreative(try mediaSpot("/media/pluvello.mp4"))
        let second = VideoCreative(try mediaSpot("/media/sokketri.webm"))
        try await VideoHarness.show(first) { one, ones in
            try await VideoHarness.show(second) { two, twos in
                await one.control(.pause)
                await ones.waitFor(.paused)
                await twos.waitFor(.completed)
                #expect(!twos.videoEvents.contains(.paused) && !ones.videoEvents.contains(.completed))
                await one.control(.play)
                await ones.waitFor(.completed)
            }
        }
    }

    @Test("the spots of a pod are played in order, the next one prefetched")
    func pod() async throws {
        let pod = VideoCreative(try mediaSpot("/media/sokketri.mp4"), [try mediaSpot("/media/sokketri.webm")])
        try await VideoHarness.show(pod) { stage, reports in
            await reports.waitFor(.completed)
            await stage.control(.next(spot: 1))
            await reports.waitFor(.loaded, spot: 1)
            await stage.control(.play)
            await reports.waitFor(.completed, spot: 1)
            #expect(reports.events.count { $0 == .ready } == 1)
        }
    }

    @Test("a video that is larger than one answer, with its index at the end, is read in ranges")
    func ranges() async throws {
        try await VideoHarness.show(VideoCreative(try mediaSpot("/large.mp4"))) { stage, reports in
            #expect(stage.storedBytes > 3 << 20)
            await reports.waitFor(.completed)
        }
    }

    @Test("after the close nothing plays, is stored or is reported")
    func closed() async throws {
        let (stage, reports) = try await VideoHarness.prepare(
            VideoCreative(try mediaSpot("/media/pluvello.mp4")),
            speed: 1
        )
        await reports.first { $0 == .ready }
        await stage.reveal()
        await stage.control(.play)
        _ = await reports.started()
        #expect(stage.storedBytes > 0)
        await stage.close(.host)
        let count = reports.events.count
        #expect(stage.storedBytes == 0 && stage.playback?.isPlaying == false)
        await #expect(throws: EngineError.self) { try await stage.evaluate("1") }
        await stage.control(.play)
        // Another video is played to its end in the meantime.
        try await VideoHarness.show(VideoCreative(try mediaSpot("/media/sokketri.mp4"))) {
            await $1.waitFor(.completed)
        }
        #expect(reports.events.count == count)
    }

    @Test("a crash of the host page ends the ad")
    func crash() async throws {
        try await VideoHarness.show(VideoCreative(try mediaSpot("/media/pluvello.mp4")), speed: 1) { stage, reports in
            _ = await reports.started()
            try await stage.crash(stage.machine.page)
            await reports.first { $0 == .gone }
            #expect(reports.events.contains(.crashed("the host page crashed")))
        }
    }

    @Test(
        "without a transport the browser fetches videos itself, which a closed network blocks",
        .differs(.transportSendsAll)
    )
    func direct() async throws {
        let options = TestBrowser()
        let presenter = try options.presenter()
        let file = MediaFile(try #require(HTTPURL("https://m.example/a.mp4")), type: "video/mp4")
        let video = VideoCreative(VideoSpot(.media([file]), rules: SpotRules()))
        let kind = ShowRules.Kind.video(video.rules)
        let size = CreativeLayout(.fixed(Size(width: 640, height: 360)), in: await presenter.container(for: kind))
        let reports = Reports()
        let stage = try await presenter.stage(.video(video), StageOptions(ad: AdID("test"), kind: kind, size: size)) {
            reports.append($0)
        }
        #expect(await reports.failure().code == 401)
        await stage.close(.neverShown)
        await presenter.close()
    }
}
