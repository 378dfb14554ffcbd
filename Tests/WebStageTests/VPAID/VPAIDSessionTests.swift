import AdCore
import TestSupport
import Testing

@testable import WebStage

/// The player's side of a VPAID program, driven by a test.
private struct Program {
    var session: VPAIDSession
    private(set) var actions: [VPAIDSession.Action] = []

    init(duration: Duration? = .seconds(20)) {
        self.session = VPAIDSession(size: Size(width: 390, height: 219), parameters: "p", duration: duration)
        self.actions = self.session.start()
    }

    static func running() -> Program {
        var program = Program()
        program.say(.version("2.0"))
        program.fire("AdLoaded")
        program.add(program.session.play())
        program.fire("AdStarted")
        program.clear()
        return program
    }

    mutating func say(_ message: VPAIDMessage) { self.add(self.session.handle(message)) }
    mutating func fire(_ event: String, _ values: AdJSON..., state: AdJSON = ["duration": 20, "volume": 1]) {
        self.say(.event(event, values, VPAIDState(state)))
    }
    mutating func add(_ actions: [VPAIDSession.Action]) { self.actions += actions }
    mutating func clear() { self.actions = [] }

    var calls: [String] { self.actions.compactMap { if case .call(let name, _) = $0 { name } else { nil } } }
    var reports: [VideoEvent] {
        self.actions.compactMap { if case .report(let event) = $0 { event } else { nil } }
    }
    var ends: [VideoEvent] { self.actions.compactMap { if case .end(let event) = $0 { event } else { nil } } }
}

@Suite("Playing a VPAID program")
struct VPAIDSessionTests {
    @Test("its methods are called in their order, each after the event before")
    func life() {
        var program = Program()
        #expect(program.calls.isEmpty)
        program.say(.version("2.0"))
        #expect(program.calls == ["initAd"])
        program.add(program.session.play())
        #expect(program.calls == ["initAd"], "it is not loaded yet")
        program.fire("AdLoaded")
        #expect(program.actions.contains(.ready))
        program.add(program.session.play())
        program.fire("AdStarted")
        program.fire("AdImpression")
        program.fire("AdVideoStart")
        for event in ["AdVideoFirstQuartile", "AdVideoMidpoint", "AdVideoThirdQuartile", "AdVideoComplete"] {
            program.fire(event)
        }
        program.fire("AdStopped")
        #expect(program.calls == ["initAd", "startAd"])
        #expect(
            program.reports == [
                .started(duration: .seconds(20)), .interacted(.interactiveStart), .progressed(.seconds(5)),
                .progressed(.seconds(10)), .progressed(.seconds(15)), .progressed(.seconds(20)), .extended,
            ]
        )
        #expect(program.ends == [.completed] && program.session.isOver)
    }

    @Test("an ad that stops before its video is over was stopped, not completed")
    func stopped() {
        var program = Program.running()
        program.fire("AdImpression")
        program.fire("AdStopped")
        #expect(program.ends == [.stopped])
    }

    @Test("between its quartiles the position follows the clock, and reaches none that it has not reported")
    func time() {
        var program = Program.running()
        program.fire("AdVideoStart")
        for _ in 0..<30 { program.add(program.session.handle(.tick)) }
        let first = program.reports.compactMap { if case .progressed(let time) = $0 { time } else { nil } }
        #expect(first.first == .milliseconds(250) && first.last == .milliseconds(4_999))
        program.clear()
        program.fire("AdVideoMidpoint")
        program.add(program.session.handle(.tick))
        program.fire("AdVideoFirstQuartile")
        program.fire("AdPaused")
        program.add(program.session.handle(.tick))
        #expect(program.reports == [.progressed(.seconds(10)), .progressed(.milliseconds(10_250)), .paused])
        program.fire("AdVideoComplete")
        program.clear()
        program.add(program.session.handle(.tick))
        #expect(program.actions.isEmpty)
    }

    @Test("pauses, the volume and interactions are reported when they change")
    func changes() {
        var program = Program.running()
        program.fire("AdPaused")
        program.fire("AdPaused")
        program.fire("AdPlaying")
        program.fire("AdVolumeChange", state: ["volume": 0])
        program.fire("AdVolumeChange", state: ["volume": 0])
        program.fire("AdVolumeChange", state: ["volume": "loud"])
        program.fire("AdExpandedChange", state: ["volume": 0, "expanded": true])
        program.fire("AdUserAcceptInvitation")
        #expect(
            program.reports == [
                .paused, .resumed, .muted(true), .interacted(.expand), .interacted(.acceptInvitation),
            ]
        )
    }

    @Test("a click-through that the player handles opens the given URL or the ad's; others are the program's own")
    func clicks() {
        var program = Program.running()
        program.fire("AdClickThru", "https://shop.example/", "1", true)
        program.fire("AdClickThru", "", "1", true)
        program.fire("AdClickThru", "https://shop.example/", "1", false)
        let clicks = program.actions.filter { if case .click = $0 { true } else { false } }
        #expect(clicks == [.click("https://shop.example/"), .click(nil)])
    }

    @Test(
        "a program that can't be used, is too old, fails or is late ends the ad with 901",
        arguments: [
            ([.unusable("it has no getVPAIDAd")], []), ([.version("3.0")], []), ([.version("")], []),
            ([.threw(method: "handshakeVersion", "x")], []),
            ([.version("2.0"), .threw(method: "initAd", "x")], []), ([], [.step(1)]),
            ([.version("2.0")], [.step(2)]),
            ([.version("1.1"), .event("AdError", ["no ad"], VPAIDState(nil))], []),
            ([.version("2.0"), .event("AdStopped", [], VPAIDState(nil))], []),
        ] as [([VPAIDMessage], [VPAIDSession.Wait])]
    )
    func failures(messages: [VPAIDMessage], waits: [VPAIDSession.Wait]) {
        var program = Program()
        for message in messages { program.say(message) }
        for wait in waits { program.add(program.session.handle(wait)) }
        guard case .failed(901, _)? = program.ends.first, program.ends.count == 1 else {
            Issue.record("\(program.ends)")
            return
        }
        program.fire("AdLoaded")
        #expect(program.ends.count == 1 && program.session.isOver)
    }

    @Test("a program that never stops is stopped a minute after its duration, also if it ignores stopAd")
    func endless() {
        var program = Program()
        program.say(.version("2.0"))
        program.fire("AdLoaded")
        program.add(program.session.play())
        program.fire("AdStarted")
        program.fire("AdImpression")
        #expect(program.actions.contains(.setAlarm(.end, after: .seconds(80))))
        program.clear()
        program.add(program.session.handle(.end))
        #expect(program.calls == ["stopAd"])
        program.add(program.session.handle(.stop))
        #expect(program.ends == [.stopped] && program.session.isOver)
        program.fire("AdStopped")
        #expect(program.ends.count == 1)
    }

    @Test("a pause while the program starts, and one that it does not confirm, are not lost")
    func pauses() {
        var program = Program()
        program.say(.version("2.0"))
        program.fire("AdLoaded")
        program.add(program.session.play())
        program.add(program.session.pause())
        program.clear()
        program.fire("AdStarted")
        #expect(program.calls == ["pauseAd"])
        program.clear()
        program.add(program.session.play())
        program.add(program.session.pause())
        program.add(program.session.pause())
        program.add(program.session.play())
        #expect(program.calls == ["resumeAd", "pauseAd", "resumeAd"])
        program.add(program.session.pause())
        program.clear()
        program.add(program.session.handle(.end))
        #expect(program.calls.isEmpty, "a paused program is not stopped for its length")
    }

    @Test("an ad that was played to its end is complete, whatever the program does then")
    func completed() {
        for last in ["AdStopped", "AdError", "AdSkipped"] {
            var program = Program.running()
            program.fire("AdImpression")
            program.fire("AdVideoComplete")
            program.fire(last)
            if program.ends.isEmpty { program.add(program.session.handle(.stop)) }
            #expect(program.ends == [.completed], "\(last)")
        }
        var blank = Program.running()
        blank.fire("AdStopped")
        guard case .failed(901, _)? = blank.ends.first else {
            Issue.record("an ad that showed nothing: \(blank.ends)")
            return
        }
    }

    @Test("the quartiles are those of the duration that the start reports")
    func laterDuration() {
        var program = Program.running()
        program.fire("AdVideoStart", state: ["duration": 40])
        program.fire("AdVideoFirstQuartile", state: ["duration": 40])
        #expect(program.reports.first == .started(duration: .seconds(40)))
        #expect(program.reports.last == .progressed(.seconds(10)))
    }

    @Test("a flood of events ends the ad")
    func flood() {
        var program = Program.running()
        for _ in 0..<5_000 { program.fire("AdInteraction") }
        #expect(program.ends.count == 1 && program.reports.count <= VPAIDSession.maxEvents)
    }

    @Test("an ad of unknown duration lasts as long as its markup says, or half a minute")
    func unknownDuration() {
        for (stated, length) in [(Duration.seconds(8), Duration.seconds(8)), (nil, VPAIDSession.usualDuration)] {
            var program = Program(duration: stated)
            program.say(.version("2.0"))
            program.fire("AdLoaded")
            program.add(program.session.play())
            program.fire("AdStarted", state: ["duration": -2])
            program.fire("AdImpression", state: ["duration": -2])
            program.fire("AdVideoMidpoint", state: ["duration": -2])
            #expect(program.reports.first == .started(duration: length))
            #expect(program.reports.last == .progressed(length * 0.5))
        }
    }
}
