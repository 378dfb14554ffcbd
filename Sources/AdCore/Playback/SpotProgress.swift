/// How far one spot has come: what was told of it, and what is still to be told.
struct SpotProgress: Equatable, Sendable {
    /// Something that is due at a point of the spot's time.
    struct Mark: Equatable, Sendable {
        enum Kind: Hashable, Sendable {
            case quartile(Int)
            case progress(MediaOffset)
            case part(VideoPartID, visible: Bool)
        }

        let time: Duration
        let kind: Kind
    }

    /// Whether the spot was seen for as long as a video must be seen.
    enum Viewable: Equatable, Sendable {
        case due
        case counting(since: Moment)
        case told
    }

    let index: Int
    let terms: SpotRules
    /// The player's word on the length, or the markup's.
    private(set) var duration: Duration?
    /// Whether its first frame is known to have been shown.
    var hasStarted = false
    /// Whether its player has told of its start, and of its length.
    var isAnnounced = false
    /// Whether its impression was told.
    var isImpressed = false
    var viewable = Viewable.due
    /// Whether something of it was passed over.
    private(set) var hasJumped = false
    /// Where it is.
    private(set) var position: Duration = .zero
    /// Whether its sound is off.
    var isMuted = false
    /// Which parts are on screen, and since which mark.
    private var visible: [VideoPartID: Int] = [:]
    private let parts: Set<VideoPartID>
    /// Whether the length is the player's own word.
    private var isMeasured = false
    private var marks: [Mark] = []
    /// The first of the marks that is still due.
    private var next = 0
    /// Marks that were passed, and are not passed again after a jump back.
    private var passed: Set<Mark.Kind> = []
    private var told: Set<String> = []
    private var counts: [BeaconEvent: Int] = [:]

    init(_ index: Int, _ terms: SpotRules) {
        self.index = index
        self.terms = terms
        self.duration = terms.length
        self.parts = Set(terms.parts.map(\.id))
        self.marks = self.pending()
    }

    var isOverlay: Bool { if case .overlay = self.terms.form { true } else { false } }
    /// How long an overlay stays at least; nil where that is any time.
    var least: Duration? {
        guard case .overlay(let least?) = self.terms.form, least > .zero else { return nil }
        return least
    }
    /// Whether something of this name belongs to it.
    func has(_ part: VideoPartID) -> Bool { self.parts.contains(part) }
    /// Which of its parts are on screen, in the order in which they came.
    var visibleParts: [VideoPartID] { self.visible.sorted { $0.value < $1.value }.map(\.key) }
    /// When it can be skipped.
    var skipAt: Duration? { self.terms.skipOffset?.time(in: self.duration) }

    /// Takes the player's first word on the length; returns whether this was it.
    mutating func measure(_ duration: Duration?) -> Bool {
        guard !self.isMeasured, let duration, duration > .zero else { return false }
        self.isMeasured = true
        self.duration = duration
        self.renew()
        return true
    }

    private mutating func renew() {
        self.marks = self.pending()
        self.next = 0
    }

    /// What is still due, in the order of its time; what depends on a length that nobody knows is not there.
    private func pending() -> [Mark] {
        var marks: [Mark] = []
        func add(_ time: Duration?, _ kind: Mark.Kind) {
            if let time, !self.passed.contains(kind) { marks.append(Mark(time: time, kind: kind)) }
        }
        if !self.isOverlay {
            for quartile in [25, 50, 75] {
                add(MediaOffset.percent(Double(quartile)).time(in: self.duration), .quartile(quartile))
            }
        }
        for offset in self.terms.progress { add(offset.time(in: self.duration), .progress(offset)) }
        for part in self.terms.parts {
            guard let time = part.time else { continue }
            add(time.start, .part(part.id, visible: true))
            if let length = time.length { add(time.start + length, .part(part.id, visible: false)) }
        }
        // A stable order for what is due at the same time: as above.
        return marks.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    /// Moves to a point and returns what was passed on the way, in order.
    mutating func advance(to position: Duration) -> [Mark] {
        self.position = position
        let end = self.marks[self.next...].firstIndex { $0.time > position } ?? self.marks.count
        let due = Array(self.marks[self.next..<end])
        self.next = end
        self.pass(due)
        return due
    }

    /// Comes to the end, and returns what is due there: also what depends on a length that nobody knew.
    mutating func finish() -> [Mark] {
        let end = self.duration ?? self.position
        if self.duration == nil {
            self.duration = end
            self.renew()
        }
        return self.advance(to: max(end, self.position))
    }

    private mutating func pass(_ marks: [Mark]) {
        for mark in marks {
            self.passed.insert(mark.kind)
            guard case .part(let id, let isVisible) = mark.kind else { continue }
            self.visible[id] = isVisible ? self.passed.count : nil
        }
    }

    /// Somebody moved it on without playing what lies between.
    mutating func jump() { self.hasJumped = true }

    /// Goes back, or forward without having played what lies between.
    mutating func move(to position: Duration) { self.position = position }

    // MARK: Facts

    /// A fact that is told once; nil where it was told before.
    mutating func once(_ event: BeaconEvent, part: VideoPartID? = nil, code: Int? = nil) -> PlaybackStep? {
        guard self.told.insert("\(part.map { "\($0)/" } ?? "")\(event)").inserted else { return nil }
        return .tell(self.fact(event, part: part, code: code))
    }

    /// A fact that is told each time; nil where it was told so often that it is told no more.
    mutating func again(_ event: BeaconEvent, part: VideoPartID? = nil, code: Int? = nil) -> PlaybackStep? {
        guard self.counts[event, default: 0] < SpotProgress.mostRepeated else { return nil }
        return self.repeated(event, part, code)
    }

    /// How often one spot tells of what can be repeated: whoever repeats it more often is no user.
    static let mostRepeated = 100

    /// The spot itself can't be played, which is always told.
    mutating func failed(_ code: Int) -> PlaybackStep { self.repeated(.error, nil, code) }

    private mutating func repeated(_ event: BeaconEvent, _ part: VideoPartID?, _ code: Int?) -> PlaybackStep {
        let ordinal = self.counts[event, default: 0]
        self.counts[event] = ordinal + 1
        return .tell(self.fact(event, part: part, ordinal: ordinal, code: code))
    }

    private func fact(_ event: BeaconEvent, part: VideoPartID?, ordinal: Int = 0, code: Int?) -> TrackingEvent {
        TrackingEvent(
            event,
            spot: self.index,
            part: part,
            ordinal: ordinal,
            position: self.hasStarted ? self.position : nil,
            code: code,
            isMuted: self.isMuted
        )
    }
}
