/// The progress of one spot: its position, what was tracked of it, and what is due at which time.
struct SpotProgress: Equatable, Sendable {
    /// Something that is due at a position of the spot.
    struct Mark: Equatable, Sendable {
        enum Kind: Hashable, Sendable {
            case quartile(Quartile)
            case progress(MediaOffset)
            case part(VideoPartID, visible: Bool)
        }

        let time: Duration
        let kind: Kind
    }

    /// Whether the spot was viewable.
    enum Viewable: Equatable, Sendable {
        case due
        case counting(since: Moment)
        case tracked
    }

    let index: Int
    let rules: SpotRules
    /// The player's duration if it reports one, else the markup's.
    private(set) var duration: Duration?
    /// Whether its first frame is known to have been shown.
    var hasStarted = false
    /// Whether its player has reported `started`.
    var hasReportedStart = false
    /// Whether its impression was tracked.
    var hasImpression = false
    var viewable = Viewable.due
    /// Whether the user sought forward in it.
    private(set) var hasJumped = false
    /// The position in the media.
    private(set) var position: Duration = .zero
    /// Whether it is muted.
    var isMuted = false
    /// Whether the video fills the screen; nil until the player reports it.
    var isFullScreen: Bool?
    /// The parts on screen, each with the number of marks passed by then.
    private var visible: [VideoPartID: Int] = [:]
    private let parts: Set<VideoPartID>
    /// Whether the duration is the player's.
    private var isMeasured = false
    private var marks: [Mark] = []
    /// The index of the first mark that is still due.
    private var next = 0
    /// Marks that were passed; they are not due again after seeking back.
    private var passed: Set<Mark.Kind> = []
    /// Whether the stage runs the interactive part.
    var runsInteractive = false
    /// What the stage has reported of verification scripts.
    private var verifications: [Int: VerificationState] = [:]
    private var tracked: Set<String> = []
    private var counts: [BeaconEvent: Int] = [:]

    init(_ index: Int, _ rules: SpotRules) {
        self.index = index
        self.rules = rules
        self.duration = rules.length
        self.parts = Set(rules.parts.map(\.id))
        self.marks = self.pendingMarks()
    }

    var isOverlay: Bool { if case .overlay = self.rules.form { true } else { false } }
    /// How long an overlay stays at least; nil if it has no limit.
    var minimumDuration: Duration? {
        guard case .overlay(let minimumDuration?) = self.rules.form, minimumDuration > .zero else { return nil }
        return minimumDuration
    }
    /// Whether it has this part.
    func has(_ part: VideoPartID) -> Bool { self.parts.contains(part) }
    /// Its parts on screen, in the order in which they appeared.
    var visibleParts: [VideoPartID] { self.visible.sorted { $0.value < $1.value }.map(\.key) }
    /// The position from which it can be skipped: `skipoffset` (VAST 4.3 §3.8); nil for never.
    var skipAt: Duration? { self.rules.skipOffset?.time(in: self.duration) }

    /// Takes over the first duration that the player reports; returns whether this was it.
    mutating func measure(_ duration: Duration?) -> Bool {
        guard !self.isMeasured, let duration, duration > .zero else { return false }
        self.isMeasured = true
        self.duration = duration
        self.updateMarks()
        return true
    }

    private mutating func updateMarks() {
        self.marks = self.pendingMarks()
        self.next = 0
    }

    /// The marks that are still due, by time; a percentage of an unknown duration is left out (VAST 4.3 §3.14.3).
    private func pendingMarks() -> [Mark] {
        var marks: [Mark] = []
        func add(_ time: Duration?, _ kind: Mark.Kind) {
            if let time, !self.passed.contains(kind) { marks.append(Mark(time: time, kind: kind)) }
        }
        if !self.isOverlay {
            for quartile in Quartile.timed {
                add(MediaOffset.percent(Double(quartile.percent)).time(in: self.duration), .quartile(quartile))
            }
        }
        for offset in self.rules.progress { add(offset.time(in: self.duration), .progress(offset)) }
        for part in self.rules.parts {
            guard let time = part.time else { continue }
            add(time.start, .part(part.id, visible: true))
            if let length = time.length { add(time.start + length, .part(part.id, visible: false)) }
        }
        // Marks of the same time keep the order from above.
        return marks.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    /// Moves to a position and returns the marks passed on the way, in order.
    mutating func advance(to position: Duration) -> [Mark] {
        self.position = position
        let end = self.marks[self.next...].firstIndex { $0.time > position } ?? self.marks.count
        let due = Array(self.marks[self.next..<end])
        self.next = end
        self.markPassed(due)
        return due
    }

    /// Moves to the end and returns the remaining marks, those of an unknown duration included.
    mutating func finish() -> [Mark] {
        let end = self.duration ?? self.position
        if self.duration == nil {
            self.duration = end
            self.updateMarks()
        }
        return self.advance(to: max(end, self.position))
    }

    private mutating func markPassed(_ marks: [Mark]) {
        for mark in marks {
            self.passed.insert(mark.kind)
            guard case .part(let id, let isVisible) = mark.kind else { continue }
            self.visible[id] = isVisible ? self.passed.count : nil
        }
    }

    /// Marks that the user sought forward.
    mutating func jump() { self.hasJumped = true }

    /// Sets the position without passing any mark.
    mutating func move(to position: Duration) { self.position = position }

    // MARK: Tracking

    /// Sets what became of a verification script; false if that was known.
    mutating func set(_ state: VerificationState, ofVerification number: Int) -> Bool {
        guard (0..<self.rules.verifications).contains(number) else { return false }
        switch self.verifications[number] {
        case nil, .loading: break
        case .executed, .notExecuted: return false
        }
        self.verifications[number] = state
        return true
    }

    /// Tracks the verification scripts that are known not to run (VAST 4.3 §3.17.4); at the end of the spot also those
    /// that are still loading.
    mutating func trackVerifications(atEnd isEnd: Bool = false) -> [PlaybackStep] {
        guard self.hasStarted else { return [] }
        var steps: [PlaybackStep?] = []
        for number in 0..<self.rules.verifications {
            let reason: VerificationState.Reason? =
                switch self.verifications[number] {
                case .notExecuted(let reason, _): reason
                case .loading: isEnd ? .notLoaded : nil
                case .executed: nil
                // The stage runs no scripts.
                case nil: .notSupported
                }
            guard let reason else { continue }
            steps.append(
                self.trackOnce("verificationNotExecuted", part: .verification(number), code: reason.rawValue)
            )
        }
        return steps.compactMap(\.self)
    }

    /// Tracks an event that may happen once; nil if it was tracked before.
    mutating func trackOnce(_ event: BeaconEvent, part: VideoPartID? = nil, code: Int? = nil) -> PlaybackStep? {
        guard self.tracked.insert("\(part.map { "\($0)/" } ?? "")\(event)").inserted else { return nil }
        return .track(self.event(event, part: part, code: code))
    }

    /// Whether an event of the spot itself was tracked.
    func isTracked(_ event: BeaconEvent) -> Bool { self.tracked.contains("\(event)") }

    /// Tracks an event that may happen repeatedly; nil if its limit is reached.
    mutating func trackEach(_ event: BeaconEvent, part: VideoPartID? = nil, code: Int? = nil) -> PlaybackStep? {
        guard self.counts[event, default: 0] < SpotProgress.repeatLimit else { return nil }
        return self.repeated(event, part, code)
    }

    /// How often one event of a spot is tracked; no user repeats an action more often.
    static let repeatLimit = 100

    /// Tracks that the spot itself can't be played, without a limit.
    mutating func trackError(_ code: Int) -> PlaybackStep { self.repeated(.error, nil, code) }

    private mutating func repeated(_ event: BeaconEvent, _ part: VideoPartID?, _ code: Int?) -> PlaybackStep {
        let ordinal = self.counts[event, default: 0]
        self.counts[event] = ordinal + 1
        return .track(self.event(event, part: part, ordinal: ordinal, code: code))
    }

    private func event(_ event: BeaconEvent, part: VideoPartID?, ordinal: Int = 0, code: Int?) -> TrackingEvent {
        TrackingEvent(
            event,
            spot: self.index,
            part: part,
            ordinal: ordinal,
            position: self.hasStarted ? self.position : nil,
            code: code,
            isMuted: self.isMuted,
            // Ads of an app fill the screen, unless the stage reports that this one does not.
            isFullScreen: self.isFullScreen ?? true
        )
    }
}
