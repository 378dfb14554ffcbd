import AdCore

/// Plays one VPAID program (VPAID 2.0): calls its methods in their order, and turns its events into those of a video.
///
/// The playback machine decides what is tracked; here is only what the program has said. Each wait has a time limit, and a
/// program that never stops is stopped.
struct VPAIDSession: Hashable, Sendable {
    enum Action: Hashable, Sendable {
        /// Call a method of the program.
        case call(String, [AdJSON])
        /// List a message in tools.
        case observe(BridgeMessage)
        /// The program is loaded, and can be shown.
        case ready
        /// Report an event of the video.
        case report(VideoEvent)
        /// The ad is over, by this event.
        case end(VideoEvent)
        /// Skip the ad.
        case skip
        /// Open a link, if the user has pressed it; nil for the ad's own.
        case click(String?)
        /// Report what was blocked.
        case blocked(String)
        case setAlarm(Wait, after: Duration)
    }

    /// What is waited for.
    enum Wait: Hashable, Sendable {
        /// The program, `AdLoaded`, `AdStarted`: the number of the step.
        case step(Int)
        /// The end of the ad.
        case end
        /// The program was asked to stop.
        case stop
        /// The next tick of the clock.
        case tick
    }

    enum Phase: Hashable, Sendable {
        case loading, initializing, ready, starting, running, stopping, over
    }

    /// How long the program may take for each step.
    static let stepLimit = Duration.seconds(5)
    /// How long after `stopAd` it may take, in real time.
    static let stopLimit = Duration.seconds(1)
    /// How much longer than its duration it may run, for the user's interactions.
    static let maxExtension = Duration.seconds(60)
    /// The duration of an ad that does not tell its own.
    static let usualDuration = Duration.seconds(30)
    /// How often the position is reported between the program's quartiles.
    static let tick = Duration.milliseconds(250)
    /// The maximum number of events.
    static let maxEvents = 2_000

    private(set) var phase = Phase.loading
    private let size: Size
    private let parameters: String?
    private let statedDuration: Duration?
    private let rate: Double
    private var step = 0
    private var events = 0
    private var duration: Duration
    /// Whether its video has started and ended.
    private var hasStarted = false
    private var hasCompleted = false
    /// The last quartile that the program has reported, and the time played.
    private var quartile = 0
    private var clock = Duration.zero
    private var isPaused = false
    /// Whether it should play: the program gets a command when it can, and whenever this changes.
    private var isWanted = false
    private var isMuted = false
    private var isExpanded = false

    init(size: Size, parameters: String?, duration: Duration?, rate: Double = 1) {
        self.size = size
        self.parameters = parameters
        self.statedDuration = duration.flatMap { $0 > .zero ? $0 : nil }
        self.duration = self.statedDuration ?? VPAIDSession.usualDuration
        self.rate = rate
    }

    var isOver: Bool { self.phase == .over }

    // MARK: The player

    mutating func start() -> [Action] { [self.wait()] }

    /// Starts the ad, or resumes it.
    mutating func play() -> [Action] {
        let wasWanted = self.isWanted
        self.isWanted = true
        switch self.phase {
        case .ready:
            self.phase = .starting
            return self.call("startAd") + [self.wait()]
        case .running: return wasWanted ? [] : self.call("resumeAd")
        case .loading, .initializing, .starting, .stopping, .over: return []
        }
    }

    mutating func pause() -> [Action] {
        let wasWanted = self.isWanted
        self.isWanted = false
        return self.phase == .running && wasWanted ? self.call("pauseAd") : []
    }

    mutating func resize(to size: Size) -> [Action] {
        switch self.phase {
        case .ready, .starting, .running:
            self.call("resizeAd", [.double(size.width), .double(size.height), "normal"])
        case .loading, .initializing, .stopping, .over: []
        }
    }

    /// The ad is over: the program cleans up.
    mutating func stop(skipped: Bool = false) -> [Action] {
        switch self.phase {
        case .loading, .initializing, .over:
            self.phase = .over
            return []
        case .stopping: return []
        case .ready, .starting, .running:
            self.phase = .stopping
            return self.call(skipped ? "skipAd" : "stopAd") + [.setAlarm(.stop, after: VPAIDSession.stopLimit)]
        }
    }

    /// The program is gone.
    mutating func lost(_ reason: String) -> [Action] { self.fail(901, "the VPAID program is gone: \(reason)") }

    // MARK: Time limits

    private mutating func wait() -> Action {
        self.step += 1
        return .setAlarm(.step(self.step), after: VPAIDSession.stepLimit)
    }

    mutating func handle(_ wait: Wait) -> [Action] {
        switch (wait, self.phase) {
        case (.step(self.step), .loading):
            return self.fail(901, "the VPAID program did not load within \(VPAIDSession.stepLimit)")
        case (.step(self.step), .initializing):
            return self.fail(901, "the VPAID program did not send AdLoaded within \(VPAIDSession.stepLimit)")
        case (.step(self.step), .starting):
            return self.fail(901, "the VPAID program did not send AdStarted within \(VPAIDSession.stepLimit)")
        case (.end, .running) where !self.isWanted:
            return [.setAlarm(.end, after: VPAIDSession.maxExtension / self.rate)]
        case (.end, .starting), (.end, .running):
            let text = "the VPAID program did not stop \(VPAIDSession.maxExtension) after its duration, and was stopped"
            return [.blocked(text)] + self.stop()
        case (.stop, .stopping):
            self.phase = .over
            return [.end(self.ending)]
        case (.tick, .running) where !self.hasCompleted: return self.advance() + [self.nextTick]
        default: return []
        }
    }

    private var nextTick: Action { .setAlarm(.tick, after: VPAIDSession.tick / self.rate) }

    /// Moves the position by the clock, but not to a quartile that the program has not reported.
    private mutating func advance() -> [Action] {
        guard self.isWanted, !self.isPaused else { return [] }
        let next = self.duration * (Double(self.quartile + 1) / 4)
        let clock = min(self.clock + VPAIDSession.tick, next - .milliseconds(1))
        guard clock > self.clock else { return [] }
        self.clock = clock
        return [.report(.progressed(clock))]
    }

    /// The program has reported a quartile.
    private mutating func reached(_ quartile: Int) -> [Action] {
        guard self.hasStarted, quartile > self.quartile else { return [] }
        self.quartile = quartile
        self.clock = self.duration * (Double(quartile) / 4)
        return [.report(.progressed(self.clock))]
    }

    /// How an ad ends that stops: it was played to its end, or not; one that has shown nothing has failed.
    private var ending: VideoEvent {
        if self.hasCompleted { return .completed }
        return self.hasStarted
            ? .stopped : .failed(vastCode: 901, "the VPAID program has stopped without AdImpression or AdVideoStart")
    }

    private mutating func fail(_ code: Int, _ text: String) -> [Action] {
        guard !self.isOver else { return [] }
        let isStopping = self.phase == .stopping || self.hasCompleted
        self.phase = .over
        return [.end(isStopping ? self.ending : .failed(vastCode: code, text))]
    }

    // MARK: Messages

    /// Handles a message of the program.
    mutating func handle(_ message: VPAIDMessage) -> [Action] {
        guard !self.isOver else { return [] }
        self.events += 1
        guard self.events <= VPAIDSession.maxEvents else {
            return self.fail(901, "the VPAID program sends more than \(VPAIDSession.maxEvents) events")
        }
        switch message {
        case .unusable(let text): return self.fail(901, "the VPAID program can't be run: \(text)")
        case .threw(let method, let text):
            let listed = self.listed("threw", ["method": .string(method), "text": .string(text)])
            let isVital = ["handshakeVersion", "initAd", "startAd", "subscribe"].contains(method)
            return [listed] + (isVital ? self.fail(901, "\(method) of the VPAID program failed: \(text)") : [])
        case .version(let version):
            guard self.phase == .loading else { return [] }
            let listed = self.listed("handshakeVersion", ["version": .string(version)])
            guard let major = version.split(separator: ".").first.flatMap({ Int($0) }), (1...2).contains(major) else {
                return [listed] + self.fail(901, "the VPAID program has version \(version.isEmpty ? "none" : version)")
            }
            self.phase = .initializing
            let values: [AdJSON] = [
                .double(self.size.width), .double(self.size.height), "normal", 500, .string(self.parameters ?? ""),
            ]
            return [listed] + self.call("initAd", values) + [self.wait()]
        case .event(let name, let values, let state):
            let arguments: [AdJSON.Member] = values.enumerated().compactMap { index, value in
                value == .null ? nil : .init("\(index)", value)
            }
            return [self.listed(name, .object(arguments))] + self.handle(name, values, state)
        }
    }

    private mutating func handle(_ name: String, _ values: [AdJSON], _ state: VPAIDState) -> [Action] {
        switch name {
        case "AdLoaded":
            guard self.phase == .initializing else { return [] }
            self.phase = .ready
            return [.ready]
        case "AdStarted": return self.started(state)
        case "AdStopped": return self.stopped()
        case "AdSkipped":
            if self.phase == .running { return [.skip] + self.stop() }
            return self.stopped()
        case "AdError": return self.fail(901, "the VPAID program reports: \(values.first?.string?.excerpt(200) ?? "")")
        case "AdClickThru":
            // If the program opens the page itself, its window is what counts.
            guard self.phase == .running, values.count > 2, values[2] != false else { return [] }
            return [.click(values[0].string.flatMap { $0.isEmpty ? nil : $0 })]
        default: break
        }
        guard self.phase == .running || self.phase == .starting else { return [] }
        return self.videoEvent(name, state)
    }

    private mutating func started(_ state: VPAIDState) -> [Action] {
        guard self.phase == .starting else { return [] }
        self.phase = .running
        self.duration = state.duration ?? self.duration
        self.isMuted = state.volume == 0
        let limit = (self.duration + VPAIDSession.maxExtension) / self.rate
        return (self.isMuted ? [.report(.muted(true))] : []) + [.setAlarm(.end, after: limit)]
            + (self.isWanted ? [] : self.call("pauseAd"))
    }

    private mutating func stopped() -> [Action] {
        switch self.phase {
        case .running, .stopping:
            self.phase = .over
            return [.end(self.ending)]
        case .loading, .initializing, .ready, .starting:
            return self.fail(901, "the VPAID program stopped before its start")
        case .over: return []
        }
    }

    private mutating func videoEvent(_ name: String, _ state: VPAIDState) -> [Action] {
        switch name {
        // The impression of VPAID is when its first picture is shown.
        case "AdImpression", "AdVideoStart":
            guard !self.hasStarted else { return [] }
            self.hasStarted = true
            self.duration = state.duration ?? self.duration
            return [
                .report(.started(duration: self.duration)), .report(.interacted(.interactiveStart)), self.nextTick,
            ]
        case "AdVideoFirstQuartile": return self.reached(1)
        case "AdVideoMidpoint": return self.reached(2)
        case "AdVideoThirdQuartile": return self.reached(3)
        case "AdVideoComplete":
            guard self.hasStarted, !self.hasCompleted else { return [] }
            self.hasCompleted = true
            return self.reached(4) + [.report(.extended)]
        case "AdPaused":
            guard !self.isPaused else { return [] }
            self.isPaused = true
            return [.report(.paused)]
        case "AdPlaying":
            guard self.isPaused else { return [] }
            self.isPaused = false
            return [.report(.resumed)]
        case "AdVolumeChange":
            let isMuted = state.volume == 0
            guard state.volume != nil, isMuted != self.isMuted else { return [] }
            self.isMuted = isMuted
            return [.report(.muted(isMuted))]
        case "AdExpandedChange":
            guard state.isExpanded != self.isExpanded else { return [] }
            self.isExpanded = state.isExpanded
            return [.report(.interacted(state.isExpanded ? .expand : .collapse))]
        case "AdInteraction": return [.report(.interacted(.other))]
        case "AdUserAcceptInvitation": return [.report(.interacted(.acceptInvitation))]
        case "AdUserMinimize": return [.report(.interacted(.minimize))]
        default: return []
        }
    }

    // MARK: Calls

    private func call(_ method: String, _ values: [AdJSON] = []) -> [Action] {
        let arguments: AdJSON = .object(values.enumerated().map { .init("\($0.offset)", $0.element) })
        return [.observe(BridgeMessage(.vpaid, .toCreative, method, arguments)), .call(method, values)]
    }

    private func listed(_ name: String, _ arguments: AdJSON) -> Action {
        .observe(BridgeMessage(.vpaid, .fromCreative, name, arguments))
    }
}

/// The documents of a VPAID program: its frame, and the page in it with the video and the slot that it plays in.
enum VPAIDDocument {
    static let text = """
        <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Ad</title><style>
        html, body, iframe { width: 100%; height: 100%; margin: 0; border: 0; overflow: hidden; background: #000; }
        </style></head><body></body></html>
        """

    static let page = """
        <head><style>
        html, body { height: 100%; margin: 0; overflow: hidden; background: #000; }
        #video, #slot { position: absolute; inset: 0; width: 100%; height: 100%; }
        </style></head><body><video id="video" playsinline></video><div id="slot"></div></body>
        """
}
