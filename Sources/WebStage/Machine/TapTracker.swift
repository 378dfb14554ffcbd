import AdCore

/// Finds the outcome of each press of the user on a creative, so that each is reported once: as a click by
/// `NavigationPolicy`, or by this as a tap without a click-through.
///
/// A press begins with `pointerdown`, or with the scripted user's own press, which arrives here before the creative's
/// renderer handles it: one that hangs can't keep a press from being reported.
///
/// Half a second after its last event a press is quiet, and what it did is reported. Many creatives open their link in a
/// timer: a press that did nothing yet is reported when the gesture can open nothing more, or before that when the ad
/// closes or is pressed again.
struct TapTracker: Hashable, Sendable {
    /// One press that has no outcome yet.
    fileprivate struct Press: Hashable, Sendable {
        var place: TapPoint?
        /// Our script in the creative's frame has reported it.
        var isSeen = false
        /// The finger is down, or the press was not seen yet.
        var isDown = true
        /// The engine has made a click of it.
        ///
        /// After a touch that takes a while: up to 300 ms where a second tap could zoom the page, longer on a busy device.
        var isClicked = false
        /// The page's listeners run, or its renderer hangs.
        var isRunning = false
        /// How often the outcome was put off.
        var waits = 0
        /// What the creative did, as in `mraid.expand`.
        var did: String?
        /// Why a command of the creative was refused.
        var refusal: String?
        /// An error of the creative's script during the press.
        var error: String?
        /// The form field, or player, that was operated.
        var operated: String?
        var hasChanged = false
        var isCancelled = false
        /// Why the link opens nothing, where its address is code or a place in the page.
        var inertLink: String?
        /// Why the address that it tried to open is invalid.
        var invalidLink: String?
        /// Half a second has passed since its last event: only a link in a timer may still follow.
        var isQuiet = false
    }

    /// How long after the last event of a press it is quiet.
    static let quietTime = Duration.milliseconds(500)
    /// How long a renderer that runs may take for a reply.
    static let pingLimit = Duration.milliseconds(300)
    /// How often the outcome of a press is put off while the finger is down.
    private static let waitLimit = 20
    /// How often it is put off until the engine has made a click of it.
    private static let clickWaitLimit = 3

    private var press: Press?
    /// Which alarm is the current one.
    private var number = 0
    /// Where the last press was: a link may come of it after its outcome was reported.
    private(set) var place: TapPoint?
    /// The error of a handler that the engine could not compile before the scripted user's press.
    private var early: String?
    private var isReached = false
    /// The frame in which a finger is on the screen; nil where none is.
    private var touched: EngineTarget?
    /// What was tried meanwhile.
    private var held: [Attempt] = []
    /// The most attempts that wait for a finger to be lifted.
    private static let heldLimit = 16

    /// Whether a press may have an outcome in the next moment.
    var isPending: Bool { self.press.map { !$0.isQuiet && $0.invalidLink == nil } ?? false }

    // MARK: The press

    /// The scripted user is about to press: the stage looks for listeners to touches.
    ///
    /// For that the engine compiles the handlers of the elements there, and reports one that it can't compile then and never
    /// again: that error belongs to the press that follows.
    mutating func reach() { self.isReached = true }

    /// The scripted user presses here; our script in the frame reports it again when the creative's renderer has it.
    mutating func pressed(at place: TapPoint?) -> [StageOutput] {
        let before = self.press?.isSeen == true ? self.settle() : []
        self.press = Press(place: place)
        self.place = place
        return before + self.wait()
    }

    /// Our script in a frame reports an event of a press.
    mutating func gesture(_ message: AdJSON, in target: EngineTarget? = nil) -> [StageOutput] {
        let gesture = UserGesture(message)
        switch gesture.type {
        case "pointerdown":
            let outputs = self.release() + self.follow(gesture.type, message)
            if gesture.isTouch { self.touched = target }
            return outputs
        case "pointerup", "pointercancel", "click": return self.follow(gesture.type, message) + self.release()
        default: return self.follow(gesture.type, message)
        }
    }

    private mutating func follow(_ type: String, _ message: AdJSON) -> [StageOutput] {
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
            self.press?.isQuiet = false
            if type == "click" { self.press?.isClicked = true }
            return self.wait()
        default: return []
        }
    }

    private mutating func begin(_ message: AdJSON) -> [StageOutput] {
        var outputs: [StageOutput] = []
        let known = self.press
        if known?.isSeen == true { outputs = self.settle() }
        var press = Press(place: TapTracker.place(message, known: known?.isSeen == false ? known?.place : nil))
        press.isSeen = true
        press.isRunning = true
        press.isDown = message["type"] == "pointerdown"
        press.isClicked = message["type"] == "click"
        press.error = self.early
        (self.early, self.isReached) = (nil, false)
        self.press = press
        self.place = press.place
        return outputs + self.wait()
    }

    /// Where our script saw it; a script in a frame of another site inside of the creative can only see its target.
    private static func place(_ message: AdJSON, known: TapPoint?) -> TapPoint? {
        let target = message["target"]?.string.map { $0.excerpt(80) }.flatMap { $0.isEmpty ? nil : $0 }
        if let x = message["x"]?.number, let y = message["y"]?.number, abs(x) < 1e6, abs(y) < 1e6 {
            return TapPoint(x: x, y: y, target: target)
        }
        return known.map { TapPoint(x: $0.x, y: $0.y, target: target) }
    }

    /// What is tried while a finger is on the screen waits until that is lifted; false where none is, or too much waits.
    mutating func hold(_ attempt: Attempt) -> Bool {
        guard self.touched != nil, self.held.count < TapTracker.heldLimit else { return false }
        self.held.append(attempt)
        return true
    }

    /// The finger is lifted, or its end was not seen: what was tried meanwhile is decided now.
    private mutating func release() -> [StageOutput] {
        guard let target = self.touched else { return [] }
        defer { (self.touched, self.held) = (nil, []) }
        return self.held.map { NavigationPolicy.query($0, in: target) }
    }

    // MARK: What followed

    /// The page's listeners for an event of the press have run.
    mutating func reacted(_ message: AdJSON) {
        self.press?.isRunning = false
        if message["changed"] == true { self.press?.hasChanged = true }
        if message["prevented"] == true { self.press?.isCancelled = true }
        if let field = message["operates"]?.string, !field.isEmpty { self.press?.operated = field.excerpt(80) }
    }

    /// The creative did something of its own, as in `mraid.expand`; what needs a gesture belongs to the press also when it is
    /// quiet already.
    mutating func did(_ what: String, byGesture: Bool = false) {
        guard let press, press.did == nil, byGesture || !press.isQuiet else { return }
        self.press?.did = what
    }

    /// A command of the creative was refused.
    mutating func refused(_ reason: String) {
        guard let press, press.refusal == nil, !press.isQuiet else { return }
        self.press?.refusal = reason
    }

    /// A script failed.
    mutating func failed(_ message: String) {
        if self.isReached, message.contains("SyntaxError") { self.early = self.early ?? message }
        // Before our script has reported the press no error can come of it.
        guard let press, press.isSeen, press.error == nil, !press.isQuiet else { return }
        self.press?.error = message
    }

    /// The clicked link's address is code, or a place in the page, or a window was opened without an address.
    mutating func inertLink(_ address: String) {
        guard self.press?.inertLink == nil, case .nowhere(let reason) = ClickThroughVerdict(address) else { return }
        self.press?.inertLink = reason
    }

    /// It led to a click-through URL, which is reported elsewhere.
    mutating func clicked() { self.press = nil }

    /// It led to an address that opens nothing, which is its outcome unless one with an address follows; false where there
    /// is no press any more whose outcome it could be.
    mutating func invalidLink(_ reason: String) -> Bool {
        guard let press else { return false }
        self.press?.invalidLink = press.invalidLink ?? reason
        return true
    }

    // MARK: The outcome

    private mutating func wait() -> [StageOutput] {
        self.number += 1
        return [.setAlarm(.tap(self.number), after: TapTracker.quietTime)]
    }

    /// Half a second has passed since the last event of a press; `target` is the creative's, which is asked whether it runs.
    mutating func wake(_ number: Int, creative target: EngineTarget?) -> [StageOutput] {
        guard number == self.number, let press else { return [] }
        if press.isQuiet { return self.settle() }
        if !press.isSeen {
            guard let target else { return self.settle() }
            return [.query(.ping(target), .tap(number), within: TapTracker.pingLimit)]
        }
        let isSlow = press.isRunning && press.waits == 0
        let isHeld = press.isDown && !press.isRunning && press.waits < TapTracker.waitLimit
        // A listener that cancels a touch keeps the browser from making a click of it.
        let isAwaited =
            !press.isDown && !press.isClicked && !press.isCancelled && press.waits < TapTracker.clickWaitLimit
        if isSlow || isHeld || isAwaited {
            self.press?.waits += 1
            return self.wait()
        }
        // Nothing more comes of a script that hangs.
        return press.isRunning || press.hasOutcome ? self.settle() : self.rest()
    }

    /// Waits as long as something may come of the press.
    private mutating func rest() -> [StageOutput] {
        self.press?.isQuiet = true
        self.number += 1
        return [.setAlarm(.tap(self.number), after: UserActivation.lifetime)]
    }

    /// The creative has answered whether it runs, or has not in time.
    mutating func answered(_ number: Int, _ reply: Result<EngineReply, EngineFault>) -> [StageOutput] {
        guard number == self.number, let press, !press.isSeen else { return [] }
        if case .failure(.late) = reply { self.press?.isRunning = true }
        return self.settle()
    }

    /// Reports the outcome of a press now: the ad is about to close, or the next press begins.
    mutating func settle() -> [StageOutput] {
        let held = self.release()
        guard let press else { return held }
        self.press = nil
        return [.report(.tap(press.outcome, at: press.place))] + held
    }
}

extension TapTracker.Press {
    /// Whether it did something, or something that it wanted was refused.
    fileprivate var hasOutcome: Bool {
        self.invalidLink != nil || self.did != nil || self.refusal != nil || self.error != nil || self.operated != nil
    }

    fileprivate var outcome: TapWithoutLink {
        if let invalidLink { return .nothing(invalidLink) }
        if self.isRunning { return .nothing("the creative's script does not answer") }
        if let did { return .creative(did) }
        if let refusal { return .nothing(refusal) }
        if let error { return .nothing("a script of the creative failed: \(error)") }
        if let operated { return .creative("operates \(operated)") }
        if self.hasChanged { return .creative("its own handler changed what it shows") }
        if self.isCancelled { return .creative("its own handler took the tap") }
        if let inertLink { return .nothing(inertLink) }
        guard self.isSeen else { return .nothing("the tap reached nothing of the creative") }
        return .nothing("there is no link and no handler that opened one or changed what is shown")
    }
}
