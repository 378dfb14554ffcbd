import AdCore
import Testing

@testable import WebStage

@Suite("The player's decisions")
struct PlayerTests {
    private let files: [MediaFile]
    private let stored = PlayerOptions(storeAddress: "https://a.invalid/media/")

    init() throws {
        self.files = try ["a.mp4", "b.mp4"].map {
            MediaFile(try #require(HTTPURL("https://m.example/\($0)")), type: "video/mp4")
        }
    }

    private func at(_ milliseconds: Int64) -> Duration { .milliseconds(milliseconds) }

    private func spot(_ rules: SpotRules = SpotRules()) -> VideoSpot { VideoSpot(.media(self.files), rules: rules) }

    private func events(_ steps: [Player.Step]) -> [VideoEvent] {
        steps.compactMap { if case .report(let event) = $0 { event } else { nil } }
    }

    private func calls(_ steps: [Player.Step]) -> [PlayerCall] {
        steps.compactMap { step in
            guard case .page(let call) = step else { return nil }
            switch call {
            case .label, .buttons: return nil
            default: return call
            }
        }
    }

    private func label(_ steps: [Player.Step]) -> String? {
        steps.compactMap { if case .page(.label(let time, let note)) = $0 { "\(time)|\(note)" } else { nil } }.last
    }

    private func message(_ event: PlayerMessage.Event, at position: Int64? = nil, number: Int = 1) -> PlayerMessage {
        PlayerMessage(number, event, at: position.map(self.at), of: .seconds(6))
    }

    /// A player whose first media file can play.
    private func ready(_ video: VideoCreative, _ rules: PlayerOptions? = nil) -> Player {
        var player = Player(video, rules ?? self.stored)
        _ = player.start()
        _ = player.fetched(1, .success(FetchedMedia(size: 100, status: 200)))
        _ = player.handle(self.message(.canPlay(hasPicture: true)), at: .zero)
        return player
    }

    private func playing(_ video: VideoCreative, _ rules: PlayerOptions? = nil) -> Player {
        var player = self.ready(video, rules)
        _ = player.play(at: .zero)
        _ = player.handle(self.message(.playing), at: .zero)
        return player
    }

    @Test("a media file is fetched, loaded by the page, and then ready; it starts by command, with sound")
    func life() {
        var player = Player(VideoCreative(self.spot()), self.stored)
        #expect(player.start().first == .fetch(MediaDownload(number: 1, file: self.files[0])))
        #expect(!player.isIdle)
        let opened = player.fetched(1, .success(FetchedMedia(size: 100, status: 200)))
        #expect(opened.first == .page(.load(number: 1, address: "https://a.invalid/media/1", rate: 1)))
        let loaded = player.handle(self.message(.canPlay(hasPicture: true)), at: .zero)
        #expect(loaded.prefix(2) == [.report(.loaded), .ready] && self.calls(loaded).isEmpty)
        #expect(self.calls(player.play(at: .zero)) == [.play(isMuted: false)])
        #expect(self.events(player.handle(self.message(.playing), at: .zero)) == [.started(duration: .seconds(6))])
        let half = player.handle(self.message(.moved, at: 3_000), at: self.at(3_000))
        #expect(self.events(half) == [.progressed(.seconds(3))])
        let end = player.handle(self.message(.ended, at: 5_990), at: self.at(6_000))
        #expect(self.events(end) == [.progressed(.seconds(6)), .completed] && player.isIdle)
        #expect(player.unload().prefix(2) == [.page(.unload), .drop(1)])
    }

    @Test("the ad resumes what it has paused, but not what the user has paused")
    func pauses() {
        var player = self.playing(VideoCreative(self.spot()))
        #expect(self.calls(player.pause(at: .zero)) == [.pause])
        #expect(
            self.events(player.handle(self.message(.paused, at: 500), at: .zero)) == [
                .progressed(self.at(500)), .paused,
            ]
        )
        #expect(self.calls(player.play(at: .zero)) == [.play(isMuted: false)])
        #expect(self.events(player.handle(self.message(.playing), at: .zero)) == [.resumed])
        #expect(self.calls(player.togglePause(at: .zero)) == [.pause] && player.isPausedByUser && player.isIdle)
        #expect(self.events(player.handle(self.message(.paused, at: 500), at: .zero)) == [.paused])
        #expect(self.calls(player.pause(at: .zero) + player.play(at: .zero)) == [.pause])
        #expect(self.calls(player.togglePause(at: .zero)) == [.play(isMuted: false)])
    }

    @Test("the sound stays muted for the next spot")
    func sound() {
        var player = self.playing(VideoCreative(self.spot(), [self.spot()]))
        #expect(player.toggleSound().prefix(2) == [.page(.mute(true)), .report(.muted(true))])
        _ = player.fetched(2, .success(FetchedMedia(size: 1, status: 200)))
        _ = player.switchSpot(to: 1)
        _ = player.handle(self.message(.canPlay(hasPicture: true), number: 2), at: .zero)
        #expect(self.calls(player.play(at: .zero)) == [.play(isMuted: true)])
    }

    @Test("if the browser blocks sound, playback starts muted, and mute is reported first")
    func refused() {
        var player = self.ready(VideoCreative(self.spot()))
        _ = player.play(at: .zero)
        let steps = player.handle(self.message(.refused("NotAllowedError")), at: .zero)
        #expect(steps.prefix(2) == [.report(.muted(true)), .page(.play(isMuted: true))])
        let again = player.handle(self.message(.refused("NotAllowedError")), at: .zero)
        #expect(self.events(again).count == 1 && again.contains(.drop(1)))
        guard case .failed(405, _)? = self.events(again).first else {
            Issue.record("\(again)")
            return
        }
    }

    @Test("after a failed file the next one is tried; if all fail, the first error is reported")
    func nextFile() {
        var player = Player(VideoCreative(self.spot()), self.stored)
        _ = player.start()
        let second = player.fetched(1, .failure(MediaError(code: 402, message: "late")))
        #expect(second.prefix(2) == [.drop(1), .fetch(MediaDownload(number: 2, file: self.files[1]))])
        // The late result of the first file is dropped.
        #expect(player.fetched(1, .success(FetchedMedia(size: 1, status: 200))) == [.drop(1)])
        _ = player.fetched(2, .success(FetchedMedia(size: 1, status: 200)))
        let none = player.handle(self.message(.failed(code: 4, "DEMUXER"), number: 2), at: .zero)
        #expect(none == [.page(.unload), .drop(2), .report(.failed(vastCode: 402, "late"))] && player.isIdle)
    }

    @Test("timeouts have VAST codes: 402 for the download, 405 for loading, 405 for a stall")
    func waits() {
        let video = VideoCreative(VideoSpot(.media([self.files[0]]), rules: SpotRules()))
        func code(_ steps: [Player.Step]) -> Int? {
            self.events(steps).compactMap { if case .failed(let code, _) = $0 { code } else { nil } }.first
        }
        var fetching = Player(video, self.stored)
        _ = fetching.start()
        #expect(code(fetching.handle(.fetch(1), at: .zero)) == 402)
        var opening = Player(video, self.stored)
        _ = opening.start()
        _ = opening.fetched(1, .success(FetchedMedia(size: 1, status: 200)))
        #expect(opening.handle(.fetch(1), at: .zero).isEmpty)
        #expect(code(opening.handle(.opening(1), at: .zero)) == 405)
        var stalled = self.playing(video)
        #expect(code(stalled.handle(.check(1), at: self.at(7_999))) == nil)
        #expect(stalled.handle(.check(1), at: self.at(9_000)).isEmpty, "the next check has another number")
        #expect(code(stalled.handle(.check(2), at: self.at(8_000))) == 405)
        var paused = self.playing(video)
        _ = paused.togglePause(at: .zero)
        #expect(paused.handle(.check(1), at: self.at(60_000)).isEmpty, "a paused video does not stall")
    }

    @Test("a media file that the browser fetches is played from its URL, and the network error is reported")
    func direct() {
        let video = VideoCreative(VideoSpot(.media([self.files[0]]), rules: SpotRules()))
        var player = Player(video, PlayerOptions(rate: 2))
        #expect(player.start().first == .page(.load(number: 1, address: "https://m.example/a.mp4", rate: 2)))
        player.add(MediaError(code: 401, message: "gone"))
        let steps = player.handle(self.message(.failed(code: 4, "no")), at: .zero)
        #expect(self.events(steps) == [.failed(vastCode: 401, "gone")])
        var slow = Player(video, PlayerOptions())
        _ = slow.start()
        _ = slow.handle(self.message(.canPlay(hasPicture: true)), at: .zero)
        _ = slow.play(at: .zero)
        guard case .failed(402, _)? = self.events(slow.handle(.check(1), at: self.at(8_000))).first else {
            Issue.record("a stall of a media file that the browser fetches is a timeout")
            return
        }
    }

    @Test("implausible messages are ignored: about another file, back in time, beyond the end, without a video track")
    func strange() {
        var player = self.playing(VideoCreative(self.spot()))
        #expect(player.handle(self.message(.moved, at: 3_000, number: 7), at: .zero).isEmpty)
        _ = player.handle(self.message(.moved, at: 3_000), at: .zero)
        #expect(self.events(player.handle(self.message(.moved, at: 1_000), at: .zero)).isEmpty)
        let beyond = PlayerMessage(1, .moved, at: .seconds(600), of: nil)
        #expect(self.events(player.handle(beyond, at: .zero)) == [.progressed(.seconds(6))])
        #expect(player.handle(self.message(.canPlay(hasPicture: true)), at: .zero).isEmpty)
        #expect(player.switchSpot(to: 9).isEmpty)
        var silent = Player(VideoCreative(self.spot()), self.stored)
        _ = silent.start()
        _ = silent.fetched(1, .success(FetchedMedia(size: 1, status: 200)))
        let steps = silent.handle(self.message(.canPlay(hasPicture: false)), at: .zero)
        #expect(steps.contains(.fetch(MediaDownload(number: 2, file: self.files[1]))))
    }

    @Test("a media file that fails during playback is reported and dropped")
    func breaks() {
        var player = self.playing(VideoCreative(self.spot()))
        let steps = player.handle(self.message(.failed(code: 3, "PIPELINE_ERROR_DECODE")), at: .zero)
        #expect(steps.prefix(2) == [.page(.unload), .drop(1)])
        guard case .failed(405, let text)? = self.events(steps).first else {
            Issue.record("\(steps)")
            return
        }
        #expect(text.contains("PIPELINE_ERROR_DECODE") && player.isIdle)
    }

    @Test("the next spot's file is fetched during playback, a fallback ad's only when it is needed")
    func prefetch() {
        var player = self.playing(VideoCreative(self.spot(), [self.spot(), self.spot()], fallbackCount: 1))
        // The second spot's file is being fetched since the first spot started.
        #expect(player.fetched(2, .success(FetchedMedia(size: 5, status: 200))).isEmpty)
        let steps = player.switchSpot(to: 1)
        #expect(steps.prefix(2) == [.page(.unload), .drop(1)] && player.size == 5)
        #expect(steps.contains(.page(.load(number: 2, address: "https://a.invalid/media/2", rate: 1))))
        #expect(!steps.contains { if case .fetch = $0 { true } else { false } })
        _ = player.handle(self.message(.canPlay(hasPicture: true), number: 2), at: .zero)
        _ = player.play(at: .zero)
        let started = player.handle(self.message(.playing, number: 2), at: .zero)
        #expect(!started.contains { if case .fetch = $0 { true } else { false } })

        var failing = self.playing(VideoCreative(self.spot(), [self.spot()]))
        #expect(failing.fetched(2, .failure(MediaError(code: 401, message: "x"))).isEmpty)
        #expect(failing.switchSpot(to: 1).contains(.fetch(MediaDownload(number: 3, file: self.files[0]))))
        var unloaded = self.playing(VideoCreative(self.spot(), [self.spot()]))
        #expect(unloaded.unload().contains(.drop(2)))
    }

    @Test("an overlay's time follows the clock, and stops while it is paused")
    func overlay() throws {
        let url = try #require(HTTPURL("https://m.example/a.png"))
        let part = VideoPart(.image(url))
        let spot = VideoSpot(.overlay(part), rules: SpotRules(.overlay(minimum: .seconds(1))))
        var player = Player(VideoCreative(spot), self.stored)
        #expect(player.start() == [.openOverlay(part)])
        #expect(player.overlayIsComplete(at: .zero).prefix(2) == [.report(.loaded), .ready])
        let steps = player.play(at: .zero)
        #expect(steps.prefix(2) == [.showOverlay, .report(.started(duration: .seconds(1)))])
        #expect(self.events(player.handle(.check(1), at: self.at(250))) == [.progressed(self.at(250))])
        #expect(self.events(player.pause(at: self.at(300))) == [.progressed(self.at(300)), .paused])
        #expect(player.handle(.check(2), at: self.at(900)).isEmpty)
        #expect(self.events(player.play(at: self.at(900))) == [.resumed])
        #expect(self.events(player.handle(.check(3), at: self.at(1_700))) == [.progressed(.seconds(1))])
        #expect(player.isIdle)
        #expect(player.togglePause(at: .zero).isEmpty && player.toggleSound().isEmpty)
        #expect(self.events(player.overlayFailed(502, "gone")) == [.failed(vastCode: 502, "gone")])
    }

    @Test("the label shows the remaining time, the number in a pod, and the countdown to the skip button")
    func label() {
        let rules = SpotRules(skipOffset: .percent(50))
        var player = self.ready(VideoCreative(self.spot(rules), [self.spot(rules)]))
        _ = player.play(at: .zero)
        _ = player.handle(self.message(.playing), at: .zero)
        #expect(
            self.label(player.handle(self.message(.moved, at: 1_100), at: .zero)) == "Ad 1 of 2 \u{B7} 0:05|Skip in 2"
        )
        #expect(self.label(player.handle(self.message(.moved, at: 3_000), at: .zero)) == "Ad 1 of 2 \u{B7} 0:03|")
        #expect(self.label(player.handle(self.message(.ended), at: .zero)) == "|")
        var rewarded = self.stored
        rewarded.isSkippable = false
        var other = self.playing(VideoCreative(self.spot(rules)), rewarded)
        #expect(self.label(other.handle(self.message(.moved, at: 1_100), at: .zero)) == "Ad \u{B7} 0:05|")
        let long = PlayerLabel(at: .zero, of: .seconds(605), skipAt: nil, place: nil)
        #expect(long.time == "Ad \u{B7} 10:05" && PlayerLabel(at: .zero, of: nil, skipAt: nil, place: nil).time == "Ad")
    }

    @Test(
        "implausible times are nil",
        arguments: [
            ("-1", nil), ("1e400", nil), ("null", nil), ("\"5\"", nil), ("86400000", nil), ("1200.4", 1200),
            ("9000", 6000),
        ] as [(String, Int64?)]
    )
    func numbers(text: String, position: Int64?) throws {
        let message = try AdJSON(parsing: "{\"k\":\"video\",\"n\":1,\"e\":\"time\",\"t\":\(text),\"d\":6000}")
        #expect(PlayerMessage(message)?.position == position.map(self.at))
        let length = try AdJSON(parsing: "{\"k\":\"video\",\"n\":1,\"e\":\"time\",\"t\":0,\"d\":\(text)}")
        let expected: Duration? = text == "9000" ? .seconds(9) : position.map(self.at)
        #expect(PlayerMessage(length)?.length == expected)
    }

    @Test(
        "an invalid player message is nil",
        arguments: [
            "{}", "[]", "{\"k\":\"video\"}", "{\"k\":\"video\",\"n\":1.5,\"e\":\"time\"}",
            "{\"k\":\"video\",\"n\":1,\"e\":\"x\"}",
        ]
    )
    func invalidMessage(text: String) throws { #expect(PlayerMessage(try AdJSON(parsing: text)) == nil) }
}
