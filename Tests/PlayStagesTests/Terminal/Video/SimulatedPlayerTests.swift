import AdCore
import PlaySupport
import Testing

@testable import PlayConsole
@testable import PlayStages

@Suite("A player without a picture")
struct SimulatedPlayerTests {
    private let file: MediaFile
    private let video: VideoSpot

    init() throws {
        let url = try #require(HTTPURL("http://m.example/a.mp4"))
        self.file = MediaFile(url, type: "video/mp4")
        self.video = VideoSpot(.media([self.file]), rules: SpotRules(duration: .seconds(1)))
    }

    private func at(_ milliseconds: Int64) -> Moment { Moment(.milliseconds(milliseconds)) }

    private func events(_ actions: [SimulatedPlayer.Action]) -> [StageEvent] {
        actions.compactMap { if case .report(let event) = $0 { event } else { nil } }
    }

    private func ready(_ creative: VideoCreative, length: Duration? = nil) -> SimulatedPlayer {
        var player = SimulatedPlayer(creative)
        _ = player.start()
        _ = player.probed(.success(.init(file: self.file, duration: length)), for: 0, at: self.at(0))
        return player
    }

    @Test("probes its file first, and is ready after that")
    func start() {
        var player = SimulatedPlayer(VideoCreative(self.video))
        #expect(player.start() == [.probe(spot: 0, [self.file])])
        let found = player.probed(.success(.init(file: self.file, duration: nil)), for: 0, at: self.at(0))
        #expect(self.events(found) == [.video(.loaded), .ready])
        #expect(player.nextTick() == nil, "there is no play command yet")
    }

    @Test("prints which media files it skipped, and why")
    func skippedFile() {
        var player = SimulatedPlayer(VideoCreative(self.video))
        _ = player.start()
        let failure = MediaProbe.Failure(code: 401, message: "the first is missing")
        let found = MediaProbe.Found(file: self.file, duration: nil, skipped: [failure])
        let actions = player.probed(.success(found), for: 0, at: self.at(0))
        #expect(actions.first == .print("skips a media file: the first is missing"))
    }

    @Test("plays in steps to its end, with the duration of the file if it is known")
    func play() {
        var player = self.ready(VideoCreative(self.video), length: .milliseconds(600))
        #expect(self.events(player.handle(.play, at: self.at(0))) == [.video(.started(duration: .milliseconds(600)))])
        #expect(player.nextTick() == self.at(250))
        #expect(self.events(player.tick(at: self.at(250))) == [.video(.progressed(.milliseconds(250)))])
        #expect(self.events(player.tick(at: self.at(500))) == [.video(.progressed(.milliseconds(500)))])
        #expect(player.nextTick() == self.at(600))
        #expect(
            self.events(player.tick(at: self.at(600))) == [.video(.progressed(.milliseconds(600))), .video(.completed)]
        )
        #expect(player.nextTick() == nil && player.isIdle)
    }

    @Test("is paused by the ad or by the user, and resumes only when neither pauses it")
    func pause() {
        var player = self.ready(VideoCreative(self.video))
        _ = player.handle(.play, at: self.at(0))
        #expect(
            self.events(player.handle(UserScript.Action.pause, at: self.at(100)).actions) == [
                .video(.progressed(.milliseconds(100))), .video(.paused),
            ]
        )
        #expect(player.handle(.pause, at: self.at(200)).isEmpty)
        #expect(player.handle(UserScript.Action.resume, at: self.at(300)).actions.isEmpty, "the ad still pauses it")
        #expect(self.events(player.handle(.play, at: self.at(400))) == [.video(.resumed)])
        #expect(player.nextTick() == self.at(650))
        #expect(self.events(player.toggle(at: self.at(500))).last == .video(.paused))
        #expect(self.events(player.toggle(at: self.at(600))) == [.video(.resumed)])
    }

    @Test("a file that can't be fetched fails its spot, and the next spot is probed")
    func failure() {
        let creative = VideoCreative(self.video, [self.video])
        var player = SimulatedPlayer(creative)
        _ = player.start()
        let failure = MediaProbe.Failure(code: 401, message: "gone")
        #expect(
            self.events(player.probed(.failure(failure), for: 0, at: self.at(0))) == [
                .video(.failed(vastCode: 401, "gone"))
            ]
        )
        #expect(player.isIdle, "there may be no other spot")
        #expect(player.handle(.next(spot: 1), at: self.at(0)).last == .probe(spot: 1, [self.file]))
        #expect(player.probed(.failure(failure), for: 0, at: self.at(0)).isEmpty, "a late result of the first spot")
        _ = player.handle(.play, at: self.at(0))
        let found = player.probed(.success(.init(file: self.file, duration: nil)), for: 1, at: self.at(5))
        #expect(
            self.events(found) == [.video(.loaded, spot: 1), .ready, .video(.started(duration: .seconds(1)), spot: 1)]
        )
        #expect(player.handle(.next(spot: 9), at: self.at(5)).isEmpty)
    }

    @Test("the end card replaces the video, and shown parts are reported")
    func parts() throws {
        let url = try #require(HTTPURL("http://m.example/card.png"))
        var video = self.video
        video.parts = [.companion(0): VideoPart(.image(url)), .icon(0): VideoPart(.image(url))]
        video.endCard = .companion(0)
        var player = self.ready(VideoCreative(video))
        #expect(
            self.events(player.handle(.part(.icon(0), visible: true), at: self.at(0))) == [.video(.partShown(.icon(0)))]
        )
        #expect(player.handle(.part(.icon(7), visible: true), at: self.at(0)).isEmpty)
        #expect(player.shownEndCard == nil)
        #expect(self.events(player.handle(.showEndCard, at: self.at(0))) == [.video(.partShown(.companion(0)))])
        #expect(player.shownEndCard?.part == .companion(0))
    }

    @Test("an overlay needs no file and lasts for its duration, or without limit")
    func overlay() throws {
        let url = try #require(HTTPURL("http://m.example/o.png"))
        let part = VideoPart(.image(url))
        var timed = SimulatedPlayer(
            VideoCreative(VideoSpot(.overlay(part), rules: SpotRules(.overlay(minimum: .milliseconds(300)))))
        )
        #expect(self.events(timed.start()) == [.video(.loaded), .ready])
        _ = timed.handle(.play, at: self.at(0))
        #expect(!timed.isIdle)
        #expect(self.events(timed.tick(at: self.at(300))) == [.video(.progressed(.milliseconds(300)))])
        #expect(timed.isIdle)
        var endless = SimulatedPlayer(
            VideoCreative(VideoSpot(.overlay(part), rules: SpotRules(.overlay(minimum: nil))))
        )
        _ = endless.start()
        _ = endless.handle(.play, at: self.at(0))
        #expect(endless.isIdle, "an overlay without a limit is idle")
    }
}

@Suite("A player of a video with a duration of zero")
struct NoLengthTests {
    @Test("uses a positive duration, and time goes on", arguments: [true, false])
    func zero(isOverlay: Bool) throws {
        let file = MediaFile(try #require(HTTPURL("http://m.example/a.mp4")), type: "video/mp4")
        let video = VideoSpot(.media([file]), rules: SpotRules(duration: .zero))
        let part = VideoPart(.image(file.url))
        let overlay = VideoSpot(.overlay(part), rules: SpotRules(.overlay(minimum: .zero)))
        var player = SimulatedPlayer(VideoCreative(isOverlay ? overlay : video))
        _ = player.start()
        _ = player.probed(.success(.init(file: file, duration: nil)), for: 0, at: .origin)
        _ = player.handle(.play, at: .origin)
        var now = Moment.origin
        for _ in 0..<100 {
            guard let next = player.nextTick() else { break }
            #expect(next > now)
            now = next
            _ = player.tick(at: now)
        }
        #expect(player.isIdle)
    }
}
