import AdCore

/// Finds out what each press of the user on a creative led to, so that each is reported once: as a click by `WaysOut`, or by
/// this as a tap without a click-through.
///
/// A press begins with `pointerdown`, or with the scripted user's own press, which is known here before the creative's
/// renderer has seen it: one that hangs can't keep a press from being reported. The outcome is decided half a second after
/// the last event of the press, because many creatives open their link in a timer.
struct TapTracker: Hashable, Sendable {
    /// One press that has no outcome yet.
    fileprivate struct Press: Hashable, Sendable {
        var place: TapPlace?
        /// Our script in the creative's frame has reported it.
        var isSeen = false
        /// The finger is down, or the press was not seen yet.
        var isDown = true
        /// The browser has made a click of it.
        ///
        /// After a touch that takes a while: up to 300 ms where a second tap could zoom the page, longer on a busy device.
        var isClicked = false
        /// The page's listeners run, or its renderer hangs.
        var isRunning = false
        /// How often the outcome was put off.
        var waits = 0
        /// What the creative did, as in `mraid.expand`.
        var did: String?
        /// Why something that the creative wanted was refused.
        var refusal: String?
        /// An error of the creative's script during the press.
        var error: String?
        /// The form field, or player, that was operated.
        var operated: String?
        var hasChanged = false
        var isCancelled = false
        /// Why the link's own address leads nowhere, where its address is code or a place in the page.
        var aside: String?
    }

    /// How long after the last event of a press its outcome is decided.
    static let patience = Duration.milliseconds(500)
    /// How long an answer may take by which a renderer shows that it runs.
    static let fence = Duration.milliseconds(300)
    /// How often the outcome of a press is put off while the finger is down.
    private static let mostWaits = 20
    /// How often it is put off until the browser has made a click of it.
    private static let mostClickWaits = 3

    private var press: Press?
    /// Which alarm is the current one.
    private var number = 0
    /// Where the last press was: a link may come of it after its outcome was reported.
    private(set) var place: TapPlace?

    /// Whether a press has no outcome yet.
    var isPending: Bool { self.press != nil }

    // MARK: The press

    /// The scripted user presses here; our script in the frame reports it again when the creative's renderer has it.
    mutating func pressed(at place: TapPlace?) -> [StageOutput] {
        let before = self.press?.isSeen == true ? self.settle() : []
        self.press = Press(place: place)
        self.place = place
        return before + self.wait()
    }

    /// Our script in a frame reports an event of a press.
    mutating func gesture(_ message: JSON) -> [StageOutput] {
        let type = message["type"]?.string
        switch type {
        case "keydown":
            // A click follows where the key activates something.
            self.place = nil
            return []
        case "pointercancel":
            // The press became a scroll.
            if self.press?.isSeen == true { self.press = nil }
            return []
        case "pointerdown": return self.begin(message)
        case "click" where message["key"] == true && self.press == nil: return self.begin(message)
        case "pointerup", "click":
            guard self.press != nil else { return [] }
            self.press?.isSeen = true
            self.press?.isRunning = true
            self.press?.isDown = false
            if type == "click" { self.press?.isClicked = true }
            return self.wait()
        default: return []
        }
    }

    private mutating func begin(_ message: JSON) -> [StageOutput] {
        var outputs: [StageOutput] = []
        let known = self.press
        if known?.isSeen == true { outputs = self.settle() }
        var press = Press(place: TapTracker.place(message, known: known?.isSeen == false ? known?.place : nil))
        press.isSeen = true
        press.isRunning = true
        press.isDown = message["type"] == "pointerdown"
        press.isClicked = message["type"] == "click"
        self.press = press
        self.place = press.place
        return outputs + self.wait()
    }

    /// Where our script saw it; a frame of another site within the creative knows its target alone.
    private static func place(_ message: JSON, known: TapPlace?) -> TapPlace? {
        let target = message["target"]?.string.map { $0.excerpt(80) }.flatMap { $0.isEmpty ? nil : $0 }
        if let x = message["x"]?.number, let y = message["y"]?.number, abs(x) < 1e6, abs(y) < 1e6 {
            return TapPlace(x: x, y: y, target: target)
        }
        return known.map { TapPlace(x: $0.x, y: $0.y, target: target) }
    }

    // MARK: What followed

    /// The page's listeners for an event of the press have run.
    mutating func reacted(_ message: JSON) {
        self.press?.isRunning = false
        if message["changed"] == true { self.press?.hasChanged = true }
        if message["prevented"] == true { self.press?.isCancelled = true }
        if let field = message["operates"]?.string, !field.isEmpty { self.press?.operated = field.excerpt(80) }
    }

    /// The creative did something of its own, as in `mraid.expand`.
    mutating func did(_ what: String) { if self.press?.did == nil { self.press?.did = what } }

    /// Something that the creative wanted was refused.
    mutating func refused(_ reason: String) { if self.press?.refusal == nil { self.press?.refusal = reason } }

    /// A script failed.
    mutating func failed(_ message: String) {
        // Before our script has reported the press no error can come of it.
        guard self.press?.isSeen == true else { return }
        if self.press?.error == nil { self.press?.error = message }
    }

    /// The clicked link's address is code, or a place in the page, or a window was opened without an address.
    mutating func aside(_ address: String) {
        guard self.press?.aside == nil, case .nowhere(let reason) = ClickThroughVerdict(address) else { return }
        self.press?.aside = reason
    }

    /// It led to a click-through URL, which is reported elsewhere.
    mutating func clicked() { self.press = nil }

    /// It led to an address that opens nothing: reported once for each press.
    mutating func nowhere(_ reason: String) -> [StageOutput] {
        guard let press else { return [] }
        self.press = nil
        return [.report(.tap(.nothing(reason), at: press.place))]
    }

    // MARK: The outcome

    private mutating func wait() -> [StageOutput] {
        self.number += 1
        return [.setAlarm(.tap(self.number), after: TapTracker.patience)]
    }

    /// Half a second has passed since the last event of a press; `session` is the creative's, for the question whether it runs.
    mutating func wake(_ number: Int, creative session: DevToolsSession?) -> [StageOutput] {
        guard number == self.number, let press else { return [] }
        if !press.isSeen {
            guard let session else { return self.settle() }
            let question = DevToolsCommand("Runtime.evaluate", ["expression": "0"], in: session)
            return [.ask(question, .tap(number), within: TapTracker.fence)]
        }
        let isSlow = press.isRunning && press.waits == 0
        let isHeld = press.isDown && !press.isRunning && press.waits < TapTracker.mostWaits
        // A listener that cancels a touch keeps the browser from making a click of it.
        let isAwaited =
            !press.isDown && !press.isClicked && !press.isCancelled && press.waits < TapTracker.mostClickWaits
        guard isSlow || isHeld || isAwaited else { return self.settle() }
        self.press?.waits += 1
        return self.wait()
    }

    /// The creative has answered whether it runs, or has not in time.
    mutating func answered(_ number: Int, _ answer: Result<JSON, DevToolsFault>) -> [StageOutput] {
        guard number == self.number, let press, !press.isSeen else { return [] }
        if case .failure(.late) = answer { self.press?.isRunning = true }
        return self.settle()
    }

    /// Reports the outcome of a press now: the ad is about to close, or the next press begins.
    mutating func settle() -> [StageOutput] {
        guard let press else { return [] }
        self.press = nil
        return [.report(.tap(press.outcome, at: press.place))]
    }
}

extension TapTracker.Press {
    fileprivate var outcome: TapWithoutLink {
        if self.isRunning { return .nothing("the creative's script does not answer") }
        if let did { return .creative(did) }
        if let refusal { return .nothing(refusal) }
        if let error { return .nothing("a script of the creative failed: \(error)") }
        if let operated { return .creative("operates \(operated)") }
        if self.hasChanged { return .creative("its own handler changed what it shows") }
        if self.isCancelled { return .creative("its own handler took the tap") }
        if let aside { return .nothing(aside) }
        guard self.isSeen else { return .nothing("the tap reached nothing of the creative") }
        return .nothing("there is no link and no handler that opened one or changed what is shown")
    }
}
