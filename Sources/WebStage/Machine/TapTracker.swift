import AdCore

/// Finds the outcome of each press on a creative, so that each press is reported once: as a click by
/// `NavigationPolicy`, or here as a tap without a click-through.
///
/// A press starts with `pointerdown`, or with the scripted user's press, which is known here before the creative's
/// renderer handles it: a hanging renderer can't suppress the report.
///
/// Half a second after its last event a press is quiet, and its effect is reported. Many creatives open their link in a
/// timer, so a press without an effect is reported later: when its user activation has expired, when the ad closes, or
/// at the next press.
package struct TapTracker: Hashable, Sendable {
    /// A press without an outcome yet.
    fileprivate struct Press: Hashable, Sendable {
        var place: TapPoint?
        /// Whether `gesture.js` has reported it.
        var isReported = false
        /// Whether the finger is still down; also true until the press is reported.
        var isDown = true
        /// Whether the engine has dispatched `click`.
        ///
        /// After a touch that can take 300 ms, if a second tap could zoom the page, and longer on a busy device.
        var isClicked = false
        /// Whether the page's listeners are still running, or its renderer hangs.
        var isRunning = false
        /// How often the decision was postponed.
        var waits = 0
        /// The creative's reaction, as in `mraid.expand`.
        var effect: String?
        /// Why a command of the creative was refused.
        var refusal: String?
        /// A script error during the press.
        var error: String?
        /// The form field or media controls that were used.
        var operated: String?
        var hasChanged = false
        var isCancelled = false
        /// Why the link opens nothing: its URL is code or a fragment.
        var inertLink: String?
        /// Why the URL that the creative tried to open is invalid.
        var invalidLink: String?
        /// Whether half a second has passed since its last event, so only a timer may still open a link.
        var isQuiet = false
    }

    /// The reason of a press that the creative has not got, because it hangs or the browser is busy.
    package static let notReached = "the tap did not reach the creative"
    package static let notAnswered = "the creative's script does not answer"

    /// The time after the last event of a press until it is quiet.
    static let quietTime = Duration.milliseconds(500)
    /// How long a running renderer may take to reply.
    static let pingLimit = Duration.milliseconds(300)
    /// How often the decision is postponed while the finger is down.
    private static let waitLimit = 20
    /// How often the decision is postponed until the engine dispatches `click`.
    private static let clickWaitLimit = 3

    private var press: Press?
    /// The number of the current alarm.
    private var number = 0
    /// The position of the last press, for a link that opens after its outcome was reported.
    private(set) var place: TapPoint?
    /// The syntax error of an event handler that the engine compiled before the scripted user's press.
    private var earlyError: String?
    private var isPressExpected = false
    /// The target in which a finger is down; nil for none.
    private var touched: EngineTarget?
    /// The attempts since the finger went down.
    private var heldAttempts: [NavigationAttempt] = []
    /// The maximum number of attempts that wait until the finger is lifted.
    private static let heldLimit = 16

    /// Whether a press may get its outcome within the next half second.
    var isPending: Bool { self.press.map { !$0.isQuiet && $0.invalidLink == nil } ?? false }

    // MARK: The press

    /// Expects a press of the scripted user: the stage searches for touch listeners first.
    ///
    /// The search makes the engine compile the event handlers there. A syntax error is reported only then, so it
    /// belongs to the press that follows.
    mutating func expectPress() { self.isPressExpected = true }

    /// Starts a press of the scripted user; `gesture.js` reports the same press when the renderer handles it.
    mutating func startScriptedPress(at place: TapPoint?) -> [StageOutput] {
        let before = self.press?.isReported == true ? self.settle() : []
        self.press = Press(place: place)
        self.place = place
        return before + self.scheduleDecision()
    }

    /// Handles an input event that `gesture.js` has reported.
    mutating func handle(gesture message: AdJSON, in target: EngineTarget? = nil) -> [StageOutput] {
        let gesture = UserGesture(message)
        switch gesture.type {
        case "pointerdown":
            let outputs = self.release() + self.handleEvent(gesture.type, message)
            if gesture.isTouch { self.touched = target }
            return outputs
        case "pointerup", "pointercancel", "click": return self.handleEvent(gesture.type, message) + self.release()
        default: return self.handleEvent(gesture.type, message)
        }
    }

    private mutating func handleEvent(_ type: String, _ message: AdJSON) -> [StageOutput] {
        switch type {
        case "keydown":
            // A click follows if the key activates an element.
            self.place = nil
            return []
        case "pointercancel":
            // The press turned into a scroll.
            if self.press?.isReported == true { self.press = nil }
            return []
        case "pointerdown": return self.startPress(message)
        case "click" where message["key"] == true && self.press == nil: return self.startPress(message)
        case "pointerup", "click":
            guard self.press != nil else { return [] }
            self.press?.isReported = true
            self.press?.isRunning = true
            self.press?.isDown = false
            self.press?.isQuiet = false
            if type == "click" { self.press?.isClicked = true }
            return self.scheduleDecision()
        default: return []
        }
    }

    private mutating func startPress(_ message: AdJSON) -> [StageOutput] {
        var outputs: [StageOutput] = []
        let known = self.press
        if known?.isReported == true { outputs = self.settle() }
        var press = Press(place: TapTracker.place(message, known: known?.isReported == false ? known?.place : nil))
        press.isReported = true
        press.isRunning = true
        press.isDown = message["type"] == "pointerdown"
        press.isClicked = message["type"] == "click"
        press.error = self.earlyError
        (self.earlyError, self.isPressExpected) = (nil, false)
        self.press = press
        self.place = press.place
        return outputs + self.scheduleDecision()
    }

    /// The reported position; in a nested cross-site frame only the element is known.
    private static func place(_ message: AdJSON, known: TapPoint?) -> TapPoint? {
        let target = message["target"]?.string.map { $0.excerpt(80) }.flatMap { $0.isEmpty ? nil : $0 }
        if let x = message["x"]?.number, let y = message["y"]?.number, abs(x) < 1e6, abs(y) < 1e6 {
            return TapPoint(x: x, y: y, target: target)
        }
        return known.map { TapPoint(x: $0.x, y: $0.y, target: target) }
    }

    /// Holds an attempt until the finger is lifted; false if no finger is down, or too many attempts wait.
    mutating func hold(_ attempt: NavigationAttempt) -> Bool {
        guard self.touched != nil, self.heldAttempts.count < TapTracker.heldLimit else { return false }
        self.heldAttempts.append(attempt)
        return true
    }

    /// Decides on the held attempts: the finger was lifted, or its end was not reported.
    private mutating func release() -> [StageOutput] {
        guard let target = self.touched else { return [] }
        defer { (self.touched, self.heldAttempts) = (nil, []) }
        return self.heldAttempts.map { NavigationPolicy.query($0, in: target) }
    }

    // MARK: Effects of the press

    /// Records that the page's listeners of another event of the press run now.
    mutating func recordListeners() -> [StageOutput] {
        guard self.press?.isReported == true else { return [] }
        self.press?.isRunning = true
        self.press?.isQuiet = false
        return self.scheduleDecision()
    }

    /// Records that the page's listeners have run, with their effect.
    mutating func recordReaction(_ message: AdJSON) {
        self.press?.isRunning = false
        if message["changed"] == true { self.press?.hasChanged = true }
        if message["prevented"] == true { self.press?.isCancelled = true }
        if let field = message["operates"]?.string, !field.isEmpty { self.press?.operated = field.excerpt(80) }
    }

    /// Records a reaction of the creative, as in `mraid.expand`; one that needs a gesture belongs also to a quiet
    /// press.
    mutating func recordEffect(_ what: String, byGesture: Bool = false) {
        guard let press, press.effect == nil, byGesture || !press.isQuiet else { return }
        self.press?.effect = what
    }

    /// Records a refused MRAID command.
    mutating func recordRefusal(_ reason: String) {
        guard let press, press.refusal == nil, !press.isQuiet else { return }
        self.press?.refusal = reason
    }

    /// Records a script error.
    mutating func recordError(_ message: String) {
        if self.isPressExpected, message.contains("SyntaxError") { self.earlyError = self.earlyError ?? message }
        // An error before the press is reported has another cause.
        guard let press, press.isReported, press.error == nil, !press.isQuiet else { return }
        self.press?.error = message
    }

    /// Records a link that is code or a fragment, or an empty window.
    mutating func recordInertLink(_ address: String) {
        guard self.press?.inertLink == nil, case .nowhere(let reason) = ClickThroughResolution(address) else { return }
        self.press?.inertLink = reason
    }

    /// Ends the press: it is reported as a click.
    mutating func recordClick() { self.press = nil }

    /// Records an invalid URL, the outcome unless a valid one follows; false if there is no press.
    mutating func recordInvalidLink(_ reason: String) -> Bool {
        guard let press else { return false }
        self.press?.invalidLink = press.invalidLink ?? reason
        return true
    }

    // MARK: The outcome

    private mutating func scheduleDecision() -> [StageOutput] {
        self.number += 1
        return [.setAlarm(.tap(self.number), after: TapTracker.quietTime)]
    }

    /// Decides the outcome when an alarm is due; `target` is pinged if the renderer has not reported the press.
    mutating func decide(_ number: Int, creative target: EngineTarget?) -> [StageOutput] {
        guard number == self.number, let press else { return [] }
        if press.isQuiet { return self.settle() }
        if !press.isReported {
            guard let target else { return self.settle() }
            return [.query(.ping(target), .tap(number), within: TapTracker.pingLimit)]
        }
        // Whether it hangs is decided by the renderer's answer, because a busy device may only be slow.
        if press.isRunning, press.waits > 0, let target {
            return [.query(.ping(target), .tap(number), within: TapTracker.pingLimit)]
        }
        let isSlow = press.isRunning && press.waits == 0
        let isHeld = press.isDown && !press.isRunning && press.waits < TapTracker.waitLimit
        // A cancelled touch gets no click.
        let isAwaited =
            !press.isDown && !press.isClicked && !press.isCancelled && press.waits < TapTracker.clickWaitLimit
        if isSlow || isHeld || isAwaited {
            self.press?.waits += 1
            return self.scheduleDecision()
        }
        // A hanging script has no further effect.
        return press.isRunning || press.hasOutcome ? self.settle() : self.waitForDelayedLink()
    }

    /// Waits for a link in a timer until the user activation expires.
    private mutating func waitForDelayedLink() -> [StageOutput] {
        self.press?.isQuiet = true
        self.number += 1
        return [.setAlarm(.tap(self.number), after: UserActivation.lifetime)]
    }

    /// Handles the creative's reply to the ping.
    mutating func handleReply(_ number: Int, _ reply: Result<EngineReply, EngineError>) -> [StageOutput] {
        guard number == self.number, let press else { return [] }
        switch reply {
        // It answers: the report of its reaction is late.
        case .success where press.isReported && press.waits < TapTracker.waitLimit:
            self.press?.waits += 1
            return self.scheduleDecision()
        case .failure(.late): self.press?.isRunning = true
        case .success, .failure: break
        }
        return self.settle()
    }

    /// Reports the outcome of the press now: the ad is about to close, or the next press starts.
    mutating func settle() -> [StageOutput] {
        let held = self.release()
        guard let press else { return held }
        self.press = nil
        return [.report(.tap(press.outcome, at: press.place))] + held
    }
}

extension TapTracker.Press {
    /// Whether it had an effect, or an attempt was refused.
    fileprivate var hasOutcome: Bool {
        self.invalidLink != nil || self.effect != nil || self.refusal != nil || self.error != nil
            || self.operated != nil
    }

    fileprivate var outcome: TapWithoutLink {
        if let invalidLink { return .nothing(invalidLink) }
        if self.isRunning { return .nothing(TapTracker.notAnswered) }
        if let effect { return .creative(effect) }
        if let refusal { return .nothing(refusal) }
        if let error { return .nothing("a script of the creative failed: \(error)") }
        if let operated { return .creative("operates \(operated)") }
        if self.hasChanged { return .creative("its own handler changed what it shows") }
        if self.isCancelled { return .creative("its own handler took the tap") }
        if let inertLink { return .nothing(inertLink) }
        guard self.isReported else { return .nothing(TapTracker.notReached) }
        return .nothing("there is no link and no handler that opened one or changed what is shown")
    }
}
