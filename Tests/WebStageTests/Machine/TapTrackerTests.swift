import AdCore
import Testing

@testable import WebStage

@Suite("Outcomes of a press on a creative")
struct TapTrackerTests {
    private let frame = EngineTarget(name: "FRAME")
    private let buy = TapPoint(x: 12, y: 34, target: "a#buy")

    private func gesture(_ type: String, key: Bool = false) -> AdJSON {
        ["k": "gesture", "type": .string(type), "target": "a#buy", "x": 12, "y": 34, "key": .bool(key)]
    }

    private func reacted(_ name: String? = nil, operates: String = "") -> AdJSON {
        [
            "k": "reacted", "changed": .bool(name == "changed"), "prevented": .bool(name == "prevented"),
            "operates": .string(operates),
        ]
    }

    /// A complete press with its click, after the page's listeners have run.
    private func clicked(_ reaction: AdJSON? = nil) -> TapTracker {
        var taps = TapTracker()
        for type in ["pointerdown", "pointerup", "click"] {
            _ = taps.handle(gesture: self.gesture(type))
            taps.recordReaction(type == "click" ? reaction ?? self.reacted() : self.reacted())
        }
        return taps
    }

    /// The report after all alarms.
    private func outcome(_ tracker: TapTracker) -> [StageEvent] {
        var taps = tracker
        var alarms = 0
        for number in 1...60 {
            let outputs = taps.decide(number, creative: self.frame)
            let reports = outputs.compactMap { if case .report(let event) = $0 { event } else { nil } }
            if !reports.isEmpty { return reports }
            if !outputs.isEmpty { alarms += 1 }
        }
        return []
    }

    @Test("a press without an effect is reported once, with its position")
    func nothing() {
        var taps = self.clicked()
        let reason = "there is no link and no handler that opened one or changed what is shown"
        #expect(self.outcome(taps) == [.tap(.nothing(reason), at: self.buy)])
        #expect(taps.settle().count == 1 && taps.settle().isEmpty && !taps.isPending)
    }

    @Test("a press is pending for half a second, and is reported when its user activation has expired")
    func quiet() {
        var taps = self.clicked()
        #expect(taps.isPending)
        #expect(taps.decide(3, creative: self.frame) == [.setAlarm(.tap(4), after: UserActivation.lifetime)])
        #expect(!taps.isPending)
        #expect(taps.decide(3, creative: self.frame).isEmpty)
        #expect(taps.decide(4, creative: self.frame).count == 1)
        #expect(taps.decide(4, creative: self.frame).isEmpty)
    }

    @Test("what a creative does after a press is quiet is not its outcome, unless it needs a gesture")
    func late() {
        var taps = self.clicked()
        _ = taps.decide(3, creative: self.frame)
        taps.recordError("Uncaught Error: animation")
        taps.recordRefusal("mraid.resize: no")
        taps.recordEffect("play of video")
        let reason = "there is no link and no handler that opened one or changed what is shown"
        #expect(self.outcome(taps) == [.tap(.nothing(reason), at: self.buy)])
        taps.recordEffect("mraid.expand", byGesture: true)
        #expect(self.outcome(taps) == [.tap(.creative("mraid.expand"), at: self.buy)])
    }

    @Test("an invalid URL is the outcome, reported once and without further waiting")
    func nowhere() {
        var taps = self.clicked()
        #expect(
            taps.recordInvalidLink("it is relative") && taps.recordInvalidLink("it is relative again")
                && !taps.isPending
        )
        taps.recordEffect("mraid.expand")
        #expect(taps.settle() == [.report(.tap(.nothing("it is relative"), at: self.buy))])
        #expect(!taps.recordInvalidLink("too late") && taps.settle().isEmpty)
    }

    @Test("a syntax error during the search for touch listeners belongs to the next press")
    func syntax() {
        let error = "Uncaught SyntaxError: Unexpected end of input"
        var taps = TapTracker()
        taps.recordError(error)
        taps.expectPress()
        taps.recordError("Uncaught Error: of an animation")
        taps.recordError(error)
        _ = taps.startScriptedPress(at: TapPoint(x: 1, y: 2))
        for type in ["pointerdown", "pointerup", "click"] { _ = taps.handle(gesture: self.gesture(type)) }
        taps.recordReaction(self.reacted())
        let reason = "a script of the creative failed: \(error)"
        #expect(self.outcome(taps) == [.tap(.nothing(reason), at: self.buy)])
        // An error without an expected press is not the press's error.
        var other = TapTracker()
        other.recordError(error)
        for type in ["pointerdown", "click"] { _ = other.handle(gesture: self.gesture(type)) }
        other.recordReaction(self.reacted())
        #expect(self.outcome(other) != [.tap(.nothing(reason), at: self.buy)])
    }

    @Test("a listener of a simulated event that never returns is the outcome, also after the others have returned")
    func simulated() {
        var taps = TapTracker()
        #expect(taps.recordListeners().isEmpty, "there is no press")
        for type in ["pointerdown", "pointerup"] {
            _ = taps.handle(gesture: self.gesture(type))
            taps.recordReaction(self.reacted())
        }
        var answering = taps
        #expect(taps.recordListeners().count == 1 && answering.recordListeners().count == 1)
        #expect(taps.settle() == [.report(.tap(.nothing(TapTracker.notAnswered), at: self.buy))])
        answering.recordReaction(self.reacted())
        #expect(answering.settle() != [.report(.tap(.nothing(TapTracker.notAnswered), at: self.buy))])
    }

    @Test("a press that is reported as a click is no tap, and its position is kept for the link")
    func click() {
        var taps = self.clicked()
        taps.recordClick()
        #expect(self.outcome(taps).isEmpty)
        #expect(taps.place == self.buy)
    }

    @Test(
        "the outcome is an action of the creative before a refusal, an error, a change, or the link itself"
    )
    func order() {
        func tap(_ reaction: AdJSON? = nil, _ change: (inout TapTracker) -> Void = { _ in }) -> [StageEvent] {
            var taps = self.clicked(reaction)
            change(&taps)
            return self.outcome(taps)
        }
        func creative(_ text: String) -> [StageEvent] { [.tap(.creative(text), at: self.buy)] }
        func nothing(_ text: String) -> [StageEvent] { [.tap(.nothing(text), at: self.buy)] }
        let everything: (inout TapTracker) -> Void = {
            $0.recordInertLink("#")
            $0.recordError("Uncaught Error: boom")
            $0.recordRefusal("mraid.resize: no")
            $0.recordEffect("mraid.expand")
        }
        #expect(tap(self.reacted("changed"), everything) == creative("mraid.expand"))
        let refused = tap(self.reacted("changed")) {
            $0.recordRefusal("mraid.resize: no")
            $0.recordError("Uncaught Error: boom")
        }
        #expect(refused == nothing("mraid.resize: no"))
        let failed = tap(self.reacted("changed")) { $0.recordError("Uncaught Error: boom") }
        #expect(failed == nothing("a script of the creative failed: Uncaught Error: boom"))
        #expect(tap(self.reacted(operates: "summary")) == creative("operates summary"))
        #expect(
            tap(self.reacted("changed")) { $0.recordInertLink("#") }
                == creative("its own handler changed what it shows")
        )
        #expect(tap(self.reacted("prevented")) == creative("its own handler took the tap"))
        let aside = tap { $0.recordInertLink("javascript:void(0)") }
        #expect(aside == nothing("the link's javascript: code opened nothing"))
    }

    @Test("a press whose handler never returns is reported after one postponement, if the renderer does not answer")
    func hangs() {
        var taps = TapTracker()
        _ = taps.handle(gesture: self.gesture("pointerdown"))
        taps.recordReaction(self.reacted())
        _ = taps.handle(gesture: self.gesture("pointerup"))
        let last = taps.handle(gesture: self.gesture("click"))
        #expect(last == [.setAlarm(.tap(3), after: TapTracker.quietTime)])
        #expect(taps.decide(3, creative: self.frame) == [.setAlarm(.tap(4), after: TapTracker.quietTime)])
        let ping = StageOutput.query(.ping(self.frame), .tap(4), within: TapTracker.pingLimit)
        #expect(taps.decide(4, creative: self.frame) == [ping])
        let report = StageOutput.report(.tap(.nothing("the creative's script does not answer"), at: self.buy))
        #expect(taps.handleReply(4, .failure(.late("x"))) == [report])
    }

    @Test("a renderer that is only slow gets time to report its reaction, but not forever")
    func slow() {
        var taps = TapTracker()
        _ = taps.handle(gesture: self.gesture("pointerdown"))
        _ = taps.handle(gesture: self.gesture("click"))
        _ = taps.decide(2, creative: self.frame)
        _ = taps.decide(3, creative: self.frame)
        #expect(taps.handleReply(3, .success(.done)) == [.setAlarm(.tap(4), after: TapTracker.quietTime)])
        var reported = taps
        reported.recordReaction(self.reacted("changed"))
        let change = StageOutput.report(.tap(.creative("its own handler changed what it shows"), at: self.buy))
        // A link in a timer may still follow.
        #expect(reported.decide(4, creative: self.frame) == [.setAlarm(.tap(5), after: UserActivation.lifetime)])
        #expect(reported.decide(5, creative: self.frame) == [change])
        var rounds = 0
        while taps.isPending, rounds < 100 {
            rounds += 1
            _ = taps.decide(rounds + 3, creative: self.frame)
            _ = taps.handleReply(rounds + 3, .success(.done))
        }
        #expect((2..<30).contains(rounds))
    }

    @Test("a renderer that has not reported a press is pinged with a short time limit")
    func unseen() {
        let place = TapPoint(x: 1, y: 2)
        for (answer, reason): (Result<EngineReply, EngineError>, String) in [
            (.failure(.late("x")), "the creative's script does not answer"),
            (.success(.done), "the tap did not reach the creative"),
        ] {
            var taps = TapTracker()
            #expect(taps.startScriptedPress(at: place) == [.setAlarm(.tap(1), after: TapTracker.quietTime)])
            let query = taps.decide(1, creative: self.frame)
            guard case .query(_, .tap(1), within: TapTracker.pingLimit)? = query.first else {
                Issue.record("\(query)")
                return
            }
            #expect(taps.handleReply(1, answer) == [.report(.tap(.nothing(reason), at: place))])
        }
    }

    @Test("a scripted press and the renderer's report of it count as one press, also if the press is repeated first")
    func same() {
        var taps = TapTracker()
        _ = taps.startScriptedPress(at: TapPoint(x: 1, y: 2))
        #expect(taps.startScriptedPress(at: TapPoint(x: 1, y: 2)).count == 1)
        let outputs = taps.handle(gesture: self.gesture("pointerdown"))
        #expect(outputs == [.setAlarm(.tap(3), after: TapTracker.quietTime)])
        #expect(taps.place == self.buy)
        // A nested cross-site frame reports only the element; the position is the scripted user's.
        var nested = TapTracker()
        _ = nested.startScriptedPress(at: TapPoint(x: 1, y: 2))
        _ = nested.handle(gesture: ["type": "pointerdown", "target": "button.cta"])
        #expect(nested.place == TapPoint(x: 1, y: 2, target: "button.cta"))
    }

    @Test("a scroll is no tap, and a click by a key is one")
    func scrollsAndKeys() {
        var taps = TapTracker()
        _ = taps.handle(gesture: self.gesture("pointerdown"))
        #expect(taps.handle(gesture: self.gesture("pointercancel")).isEmpty && !taps.isPending)
        #expect(taps.handle(gesture: self.gesture("keydown")).isEmpty && !taps.isPending)
        #expect(taps.handle(gesture: self.gesture("click", key: true)).count == 1 && taps.isPending)
    }

    @Test("the outcome of a press waits while the finger is down, but not forever")
    func held() {
        var taps = TapTracker()
        _ = taps.handle(gesture: self.gesture("pointerdown"))
        taps.recordReaction(self.reacted())
        #expect(taps.decide(1, creative: self.frame) == [.setAlarm(.tap(2), after: TapTracker.quietTime)])
        #expect(self.outcome(taps).count == 1)
    }

    @Test("the next press reports the outcome of the previous one")
    func next() {
        var taps = self.clicked()
        let outputs = taps.handle(gesture: self.gesture("pointerdown"))
        #expect(outputs.count == 2 && taps.isPending)
        let reason = "there is no link and no handler that opened one or changed what is shown"
        #expect(outputs.first == .report(.tap(.nothing(reason), at: self.buy)))
    }

    @Test("long texts of a frame are truncated, and implausible coordinates are ignored")
    func hostile() {
        var taps = TapTracker()
        let long = String(repeating: "x", count: 1 << 20)
        _ = taps.handle(gesture: ["type": "pointerdown", "target": .string(long), "x": .double(1e300), "y": 0])
        #expect(taps.place == nil)
        _ = taps.handle(gesture: ["type": "pointerdown", "target": .string(long), "x": 1, "y": 0])
        #expect(taps.place?.target?.utf8.count == 80)
    }
}
