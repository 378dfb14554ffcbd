import AdCore
import BrowserSupport
import TestSupport
import Testing

@testable import WebStage

@Suite("A user's actions on a video", .needsEngine, .timeLimit(.minutes(2)))
struct VideoUserTests {
    @Test("the buttons pause, resume, mute and unmute a video")
    func buttons() async throws {
        try await VideoHarness.show(VideoCreative(try mediaSpot("/media/pluvello.mp4")), speed: 1) { stage, reports in
            _ = await reports.started()
            try await stage.press(try #require(await stage.position(of: PlayerButton.pause)))
            await reports.waitFor(.paused)
            #expect(try await stage.evaluate("document.getElementById('video').paused") == true)
            #expect(stage.playback?.isPausedByUser == true && stage.playback?.isPlaying == false)
            // The ad's `play` does not resume what the user has paused.
            await stage.control(.play)
            try await stage.press(try #require(await stage.position(of: PlayerButton.sound)))
            await reports.waitFor(.muted(true))
            #expect(try await stage.evaluate("document.getElementById('video').muted") == true)
            try await stage.press(try #require(await stage.position(of: PlayerButton.pause)))
            await reports.waitFor(.resumed)
            try await stage.press(try #require(await stage.position(of: PlayerButton.sound)))
            await reports.waitFor(.muted(false))
            let taps = reports.taps.map { event -> TapWithoutLink? in
                if case .tap(let tap, .some) = event { tap } else { nil }
            }
            let buttons = ["pause", "sound", "pause", "sound"]
            #expect(taps == buttons.map { .creative("the player's \($0) button") })
            #expect(
                reports.videoEvents.filter { $0 != .loaded }.dropFirst() == [
                    .paused, .muted(true), .resumed, .muted(false),
                ]
            )
        }
    }

    @Test("a press on the video is a click, and one on the skip button is not")
    func click() async throws {
        let rules = SpotRules(skipOffset: .time(.seconds(60)))
        try await VideoHarness.show(VideoCreative(try mediaSpot("/media/pluvello.mp4", rules: rules)), speed: 1) {
            stage,
            reports in
            _ = await reports.started()
            let note = try await stage.evaluate("document.getElementById('note').textContent")
            #expect(note == "Skip in 60")
            let time = try await stage.evaluate("document.getElementById('time').textContent")
            #expect(time.string?.hasPrefix("Ad \u{B7} 0:1") == true)
            try await stage.press(try #require(await stage.clickPosition()))
            let click = await reports.first { if case .click(nil, byUser: true, _) = $0 { true } else { false } }
            guard case .click(_, _, let place?) = click else {
                Issue.record("\(click)")
                return
            }
            #expect(place.target == "the video" && place.x == 195)
            #expect(await stage.position(of: StageControl.skip) == nil)
            await stage.setControl(.skip, visible: true)
            try await stage.press(try #require(await stage.position(of: StageControl.skip)))
            await reports.first { $0 == .skipRequested }
            try await StageHarness.close(stage, reports)
            #expect(reports.clicks == [nil])
        }
    }

    @Test("an end card replaces the video, and a press on it is a click on the companion")
    func endCard() async throws {
        let card = VideoPartID.companion(0)
        let picture = try VideoServer.picture("/assets/pluvello-card.png", Size(width: 640, height: 360))
        let rules = SpotRules(hasEndCard: true, parts: [PartRules(card, time: nil)])
        let spot = try mediaSpot("/media/pluvello.mp4", rules: rules, parts: [card: picture], endCard: card)
        try await VideoHarness.show(VideoCreative(spot)) { stage, reports in
            _ = await reports.started()
            await stage.control(.showEndCard)
            await reports.waitFor(.partShown(card))
            #expect(try await stage.evaluate("document.getElementById('video').hidden") == true)
            try await stage.press(try #require(await stage.clickPosition()))
            await reports.first { $0 == .partClicked(card, nil, byUser: true) }
            #expect(reports.clicks.isEmpty && stage.playback?.isPlaying == false)
            #expect(try await stage.screenshot(.png).count > 5_000)
        }
    }

    @Test("an icon is shown over the video's corner, can be pressed, and is removed on command")
    func icon() async throws {
        let icon = VideoPartID.icon(0)
        var picture = try VideoServer.picture("/assets/adinfo.png", Size(width: 20, height: 20))
        picture.x = .end
        picture.y = .start
        let rules = SpotRules(parts: [PartRules(icon, time: .init())])
        let spot = try mediaSpot("/media/pluvello.mp4", rules: rules, parts: [icon: picture])
        try await VideoHarness.show(VideoCreative(spot), speed: 1) { stage, reports in
            _ = await reports.started()
            await stage.control(.part(icon, visible: true))
            await reports.waitFor(.partShown(icon))
            let top = (844 - 390 * 360 / 640) / 2.0
            try await stage.press(x: 390 - 10, y: top + 10)
            await reports.first { $0 == .partClicked(icon, nil, byUser: true) }
            await stage.control(.part(icon, visible: false))
            // When this returns, all earlier commands were sent to the browser.
            await stage.prepareToClose()
            #expect(try await stage.evaluate("document.querySelectorAll('iframe').length") == 0)
            #expect(reports.clicks.isEmpty)
        }
    }

    @Test("links in a part open with a user's press, and are blocked without one")
    func page() async throws {
        let card = VideoPartID.companion(0)
        let page = VideoPart(.page(try VideoServer.url("/page.html")), size: Size(width: 300, height: 250))
        let evil =
            "<a href='https://a.example/html' style='position:fixed;inset:0'>x</a><script>open('https://e.example/')</script>"
        let html = VideoPart(.html(HTMLCreative(markup: evil, document: "<!doctype html><body>" + evil)))
        for (part, link) in [(page, "https://a.example/part"), (html, "https://a.example/html")] {
            let rules = SpotRules(hasEndCard: true, parts: [PartRules(card, time: nil)])
            let spot = try mediaSpot("/media/pluvello.mp4", rules: rules, parts: [card: part], endCard: card)
            try await VideoHarness.show(VideoCreative(spot)) { stage, reports in
                await stage.control(.showEndCard)
                await reports.waitFor(.partShown(card))
                if part == html { #expect(await reports.attempt(.popup).contains("e.example")) }
                try await stage.press(try #require(await stage.clickPosition()))
                await reports.first { $0 == .partClicked(card, ClickThroughURL(link), byUser: true) }
                #expect(reports.clicks.isEmpty)
            }
        }
    }

    @Test("an overlay is shown for its minimum duration, and a press on it is a click on the ad")
    func overlay() async throws {
        let strip = try VideoServer.picture("/assets/sokketri-strip.png", Size(width: 480, height: 70))
        let spot = VideoSpot(.overlay(strip), rules: SpotRules(.overlay(minimum: .seconds(2))))
        try await VideoHarness.show(VideoCreative(spot), speed: 1) { stage, reports in
            #expect(await reports.started() == .seconds(2))
            try await stage.press(try #require(await stage.clickPosition()))
            #expect(await reports.click() == nil)
            await reports.first { $0 == .video(.progressed(.seconds(2))) }
            #expect(reports.videoEvents == [.loaded, .started(duration: .seconds(2))])
        }
    }
}
