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
        self.video = VideoSpot(.media([self.file]), terms: SpotRules(duration: .seconds(1)))
    }

    private func at(_ milliseconds: Int64) -> Moment { Moment(.milliseconds(milliseconds)) }

    private func events(_ outputs: [SimulatedPlayer.Output]) -> [StageEvent] {
        outputs.compactMap { if case .report(let event) = $0 { event } else { nil } }
    }

    private func ready(_ creative: VideoCreative, length: Duration? = nil) -> SimulatedPlayer {
        var player = SimulatedPlayer(creative)
        _ = player.begin()
        _ = player.answered(.success(.init(file: self.file, duration: length)), for: 0, at: self.at(0))
        return player
    }

    @Test("asks for its file first, and could be shown when that is there")
    func begin() {
        var player = SimulatedPlayer(VideoCreative(self.video))
        #expect(player.begin() == [.probe(spot: 0, [self.file])])
        let found = player.answered(.success(.init(file: self.file, duration: nil)), for: 0, at: self.at(0))
        #expect(self.events(found) == [.video(.loaded), .ready])
        #expect(player.nextTick() == nil, "nobody has told it to play")
    }

    @Test("says which files it passed over, and why")
    func passedOver() {
        var player = SimulatedPlayer(VideoCreative(self.video))
        _ = player.begin()
        let fault = MediaProbe.Fault(code: 401, message: "the first is not there")
        let found = MediaProbe.Found(file: self.file, duration: nil, passedOver: [fault])
        let outputs = player.answered(.success(found), for: 0, at: self.at(0))
        #expect(outputs.first == .say("passes over a file: the first is not there"))
    }

    @Test("plays in steps to its very end, by the length of the file where that is known")
    func play() {
        var player = self.ready(VideoCreative(self.video), length: .milliseconds(600))
        #expect(self.events(player.obey(.play, at: self.at(0))) == [.video(.started(duration: .milliseconds(600)))])
        #expect(player.nextTick() == self.at(250))
        #expect(self.events(player.tick(at: self.at(250))) == [.video(.progressed(.milliseconds(250)))])
        #expect(self.events(player.tick(at: self.at(500))) == [.video(.progressed(.milliseconds(500)))])
        #expect(player.nextTick() == self.at(600))
        #expect(
            self.events(player.tick(at: self.at(600))) == [.video(.progressed(.milliseconds(600))), .video(.completed)]
        )
        #expect(player.nextTick() == nil && player.isIdle)
    }

    @Test("stands still while it is held or paused, and goes on where it was only when neither is so")
    func pause() {
        var player = self.ready(VideoCreative(self.video))
        _ = player.obey(.play, at: self.at(0))
        #expect(
            self.events(player.act(.pause, at: self.at(100)).outputs) == [
                .video(.progressed(.milliseconds(100))), .video(.paused),
            ]
        )
        #expect(player.obey(.pause, at: self.at(200)).isEmpty)
        #expect(player.act(.resume, at: self.at(300)).outputs.isEmpty, "it is still held")
        #expect(self.events(player.obey(.play, at: self.at(400))) == [.video(.resumed)])
        #expect(player.nextTick() == self.at(650))
        #expect(self.events(player.toggle(at: self.at(500))).last == .video(.paused))
        #expect(self.events(player.toggle(at: self.at(600))) == [.video(.resumed)])
    }

    @Test("a file that can't be had is a failure of its spot, and the next spot is asked for")
    func failure() {
        let creative = VideoCreative(self.video, [self.video])
        var player = SimulatedPlayer(creative)
        _ = player.begin()
        let fault = MediaProbe.Fault(code: 401, message: "gone")
        #expect(
            self.events(player.answered(.failure(fault), for: 0, at: self.at(0))) == [
                .video(.failed(vastCode: 401, "gone"))
            ]
        )
        #expect(player.isIdle, "there may be no other")
        #expect(player.obey(.next(spot: 1), at: self.at(0)).last == .probe(spot: 1, [self.file]))
        #expect(player.answered(.failure(fault), for: 0, at: self.at(0)).isEmpty, "an answer that came too late")
        _ = player.obey(.play, at: self.at(0))
        let found = player.answered(.success(.init(file: self.file, duration: nil)), for: 1, at: self.at(5))
        #expect(
            self.events(found) == [.video(.loaded, spot: 1), .ready, .video(.started(duration: .seconds(1)), spot: 1)]
        )
        #expect(player.obey(.next(spot: 9), at: self.at(5)).isEmpty)
    }

    @Test("the end card takes the place of the video, and parts are told when they are shown")
    func parts() throws {
        let url = try #require(HTTPURL("http://m.example/card.png"))
        var video = self.video
        video.parts = [.companion(0): VideoPart(.image(url)), .icon(0): VideoPart(.image(url))]
        video.endCard = .companion(0)
        var player = self.ready(VideoCreative(video))
        #expect(
            self.events(player.obey(.part(.icon(0), visible: true), at: self.at(0))) == [.video(.partShown(.icon(0)))]
        )
        #expect(player.obey(.part(.icon(7), visible: true), at: self.at(0)).isEmpty)
        #expect(player.shownEndCard == nil)
        #expect(self.events(player.obey(.showEndCard, at: self.at(0))) == [.video(.partShown(.companion(0)))])
        #expect(player.shownEndCard?.part == .companion(0))
    }

    @Test("an overlay needs no file, is there for its time, and without one for any time")
    func overlay() throws {
        let url = try #require(HTTPURL("http://m.example/o.png"))
        let part = VideoPart(.image(url))
        var timed = SimulatedPlayer(
            VideoCreative(VideoSpot(.overlay(part), terms: SpotRules(.overlay(least: .milliseconds(300)))))
        )
        #expect(self.events(timed.begin()) == [.video(.loaded), .ready])
        _ = timed.obey(.play, at: self.at(0))
        #expect(!timed.isIdle)
        #expect(self.events(timed.tick(at: self.at(300))) == [.video(.progressed(.milliseconds(300)))])
        #expect(timed.isIdle)
        var endless = SimulatedPlayer(VideoCreative(VideoSpot(.overlay(part), terms: SpotRules(.overlay(least: nil)))))
        _ = endless.begin()
        _ = endless.obey(.play, at: self.at(0))
        #expect(endless.isIdle, "nobody has to wait for it")
    }
}

@Suite("A player whose video claims to take no time")
struct NoLengthTests {
    @Test("takes some, and does not hold it at one moment for ever", arguments: [true, false])
    func zero(isOverlay: Bool) throws {
        let file = MediaFile(try #require(HTTPURL("http://m.example/a.mp4")), type: "video/mp4")
        let video = VideoSpot(.media([file]), terms: SpotRules(duration: .zero))
        let part = VideoPart(.image(file.url))
        let overlay = VideoSpot(.overlay(part), terms: SpotRules(.overlay(least: .zero)))
        var player = SimulatedPlayer(VideoCreative(isOverlay ? overlay : video))
        _ = player.begin()
        _ = player.answered(.success(.init(file: file, duration: nil)), for: 0, at: .origin)
        _ = player.obey(.play, at: .origin)
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
