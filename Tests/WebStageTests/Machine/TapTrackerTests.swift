import AdCore
import Testing

@testable import WebStage

@Suite("What a press on a creative led to")
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

    /// A press of a finger up to its click, whose listeners have run.
    private func clicked(_ reaction: AdJSON? = nil) -> TapTracker {
        var taps = TapTracker()
        for type in ["pointerdown", "pointerup", "click"] {
            _ = taps.handle(gesture: self.gesture(type))
            taps.recordReaction(type == "click" ? reaction ?? self.reacted() : self.reacted())
        }
        return taps
    }

    /// What is reported when the press has had its time.
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

    @Test("a press that nothing followed is reported with its place, once")
    func nothing() {
        var taps = self.clicked()
        let reason = "there is no link and no handler that opened one or changed what is shown"
        #expect(self.outcome(taps) == [.tap(.nothing(reason), at: self.buy)])
        #expect(taps.settle().count == 1 && taps.settle().isEmpty && !taps.isPending)
    }

    @Test("a press is pending for half a second, and its outcome is reported when the gesture can open nothing more")
    func rest() {
        var taps = self.clicked()
        #expect(taps.isPending)
        #expect(taps.decide(3, creative: self.frame) == [.setAlarm(.tap(4), after: UserActivation.lifetime)])
        #expect(!taps.isPending)
        #expect(taps.decide(3, creative: self.frame).isEmpty)
        #expect(taps.decide(4, creative: self.frame).count == 1)
        #expect(taps.decide(4, creative: self.frame).isEmpty)
    }

    @Test("what a creative does by itself while a press rests is not the press's outcome, but for what needs a gesture")
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

    @Test("an address that opens nothing is the outcome, reported once, and nothing more is waited for")
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

    @Test("the error of a handler that does not compile during the search for listeners is the next press's error")
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

    @Test("a press that led to a click-through is no tap of its own, and its place is kept for the link")
    func click() {
        var taps = self.clicked()
        taps.recordClick()
        #expect(self.outcome(taps).isEmpty)
        #expect(taps.place == self.buy)
    }

    @Test(
        "what the creative did comes first, then what was refused, an error, a change, and last the link's own address"
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

    @Test("a creative whose handler never returns costs its press no line, and it is put off only once")
    func hangs() {
        var taps = TapTracker()
        _ = taps.handle(gesture: self.gesture("pointerdown"))
        taps.recordReaction(self.reacted())
        _ = taps.handle(gesture: self.gesture("pointerup"))
        let last = taps.handle(gesture: self.gesture("click"))
        #expect(last == [.setAlarm(.tap(3), after: TapTracker.quietTime)])
        #expect(taps.decide(3, creative: self.frame) == [.setAlarm(.tap(4), after: TapTracker.quietTime)])
        let told = StageOutput.report(.tap(.nothing("the creative's script does not answer"), at: self.buy))
        #expect(taps.decide(4, creative: self.frame) == [told])
    }

    @Test("for a press that the creative's renderer has not reported the renderer is queried, and not waited for")
    func unseen() {
        let place = TapPoint(x: 1, y: 2)
        for (answer, reason): (Result<EngineReply, EngineFault>, String) in [
            (.failure(.late("x")), "the creative's script does not answer"),
            (.success(.done), "the tap reached nothing of the creative"),
        ] {
            var taps = TapTracker()
            #expect(taps.startScriptedPress(at: place) == [.setAlarm(.tap(1), after: TapTracker.quietTime)])
            let question = taps.decide(1, creative: self.frame)
            guard case .query(_, .tap(1), within: TapTracker.pingLimit)? = question.first else {
                Issue.record("\(question)")
                return
            }
            #expect(taps.handleReply(1, answer) == [.report(.tap(.nothing(reason), at: place))])
        }
    }

    @Test("the scripted user's press and our script's report of it are one press; pressed again unseen, still one")
    func same() {
        var taps = TapTracker()
        _ = taps.startScriptedPress(at: TapPoint(x: 1, y: 2))
        #expect(taps.startScriptedPress(at: TapPoint(x: 1, y: 2)).count == 1)
        let begin = taps.handle(gesture: self.gesture("pointerdown"))
        #expect(begin == [.setAlarm(.tap(3), after: TapTracker.quietTime)])
        #expect(taps.place == self.buy)
        // A nested cross-site frame reports only the element; the position is the scripted user's.
        var nested = TapTracker()
        _ = nested.startScriptedPress(at: TapPoint(x: 1, y: 2))
        _ = nested.handle(gesture: ["type": "pointerdown", "target": "button.cta"])
        #expect(nested.place == TapPoint(x: 1, y: 2, target: "button.cta"))
    }

    @Test("a press that becomes a scroll is no tap; a click by a key is one")
    func scrollsAndKeys() {
        var taps = TapTracker()
        _ = taps.handle(gesture: self.gesture("pointerdown"))
        #expect(taps.handle(gesture: self.gesture("pointercancel")).isEmpty && !taps.isPending)
        #expect(taps.handle(gesture: self.gesture("keydown")).isEmpty && !taps.isPending)
        #expect(taps.handle(gesture: self.gesture("click", key: true)).count == 1 && taps.isPending)
    }

    @Test("a finger that stays down waits, and not for ever")
    func held() {
        var taps = TapTracker()
        _ = taps.handle(gesture: self.gesture("pointerdown"))
        taps.recordReaction(self.reacted())
        #expect(taps.decide(1, creative: self.frame) == [.setAlarm(.tap(2), after: TapTracker.quietTime)])
        #expect(self.outcome(taps).count == 1)
    }

    @Test("the next press ends the wait for the one before")
    func next() {
        var taps = self.clicked()
        let outputs = taps.handle(gesture: self.gesture("pointerdown"))
        #expect(outputs.count == 2 && taps.isPending)
        let reason = "there is no link and no handler that opened one or changed what is shown"
        #expect(outputs.first == .report(.tap(.nothing(reason), at: self.buy)))
    }

    @Test("words of any size from a frame are excerpts, and numbers without sense are no place")
    func hostile() {
        var taps = TapTracker()
        let long = String(repeating: "x", count: 1 << 20)
        _ = taps.handle(gesture: ["type": "pointerdown", "target": .string(long), "x": .double(1e300), "y": 0])
        #expect(taps.place == nil)
        _ = taps.handle(gesture: ["type": "pointerdown", "target": .string(long), "x": 1, "y": 0])
        #expect(taps.place?.target?.utf8.count == 80)
    }
}
