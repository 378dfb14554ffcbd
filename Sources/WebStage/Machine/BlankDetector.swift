import AdCore

/// Decides from pictures of the creative's place whether anything of it is visible.
///
/// It looks soon after the reveal and then ever more rarely, for as long as the ad is on screen and ten seconds at most: an
/// image that is late, a text that fades in and a script that waits have their time. The first look that shows something
/// ends it. A creative of which nothing was visible is blank when its ten seconds are over, or when the ad is about to
/// leave the screen and a last look shows nothing either. Looks while the ad is out of sight do not count.
struct BlankDetector: Hashable, Sendable {
    enum Verdict: Hashable, Sendable {
        case visible, blank
    }

    /// What one look showed.
    enum Look: Hashable, Sendable {
        /// So many pixels differ from what the empty place shows.
        case pixels(Int)
        /// No picture could be made, or the ad's place was out of sight.
        case none
    }

    /// What is to be done before the ad leaves the screen.
    enum Farewell: Hashable, Sendable {
        /// Nothing: all is decided.
        case decided
        /// A last look is to begin.
        case look
        /// The look that is under way is the last one.
        case wait
    }

    private enum Phase: Hashable, Sendable {
        case hidden
        /// A look is due.
        case waiting(Looks)
        /// A look is under way.
        case looking(Looks)
        /// The last look is under way: the ad is about to leave the screen.
        case leaving(Looks)
        case decided(Verdict)
        /// Nothing more is to be decided: the creative crashed, made itself large, or can't be pictured.
        case ended
    }

    /// The looks so far, since the reveal.
    private struct Looks: Hashable, Sendable {
        let since: Duration
        var count = 0
        var blanks = 0
        /// When the last one was blank.
        var lastBlank: Duration?

        /// What they come to where there is no more: the last one that was blank must not have been right after the reveal.
        var outcome: Phase {
            self.lastBlank.map { $0 - self.since >= BlankDetector.leastTime } == true ? .decided(.blank) : .ended
        }
    }

    /// From the reveal to the first look, and from each to the next.
    static let pauses: [Duration] = [
        .milliseconds(100), .milliseconds(900), .seconds(1), .seconds(1), .milliseconds(1500), .milliseconds(1500),
        .seconds(2), .seconds(2),
    ]
    /// So many of them must have been blank where the ad stays.
    static let enough = 5
    /// An ad that leaves sooner after its reveal is not judged.
    static let leastTime = Duration.milliseconds(900)
    /// So many pixels that differ are something to see: less than one letter of small print.
    static let leastPixels = 16

    private var phase = Phase.hidden

    var verdict: Verdict? {
        guard case .decided(let verdict) = self.phase else { return nil }
        return verdict
    }

    /// How many looks showed nothing so far.
    var blanks: Int {
        switch self.phase {
        case .waiting(let looks), .looking(let looks), .leaving(let looks): looks.blanks
        case .hidden, .decided, .ended: 0
        }
    }

    /// Whether a verdict is still to come.
    var isUndecided: Bool {
        switch self.phase {
        case .waiting, .looking, .leaving: true
        case .hidden, .decided, .ended: false
        }
    }

    /// Whether the last look is under way.
    var isLeaving: Bool { if case .leaving = self.phase { true } else { false } }

    /// The ad is on screen; gives the time until the first look.
    mutating func reveal(at now: Duration) -> Duration? {
        guard self.phase == .hidden else { return nil }
        self.phase = .waiting(Looks(since: now))
        return BlankDetector.pauses[0]
    }

    /// A look is due; false where none is wanted any more.
    mutating func start() -> Bool {
        guard case .waiting(let looks) = self.phase else { return false }
        self.phase = .looking(looks)
        return true
    }

    /// Handles what a look showed; gives the time until the next one, or nil where there is none.
    mutating func handle(_ look: Look, at now: Duration) -> Duration? {
        var looks: Looks
        switch self.phase {
        case .looking(let before), .leaving(let before): looks = before
        case .hidden, .waiting, .decided, .ended: return nil
        }
        looks.count += 1
        switch look {
        case .pixels(let count) where count >= BlankDetector.leastPixels:
            self.phase = .decided(.visible)
            return nil
        case .pixels:
            looks.blanks += 1
            looks.lastBlank = now
        case .none: break
        }
        if self.isLeaving {
            self.phase = looks.outcome
        } else if looks.count < BlankDetector.pauses.count {
            self.phase = .waiting(looks)
            return BlankDetector.pauses[looks.count]
        } else {
            self.phase = looks.blanks >= BlankDetector.enough ? .decided(.blank) : .ended
        }
        return nil
    }

    /// The ad is about to leave the screen.
    mutating func leave(at now: Duration) -> Farewell {
        switch self.phase {
        case .waiting(let looks) where now - looks.since >= BlankDetector.leastTime:
            self.phase = .leaving(looks)
            return .look
        case .looking(let looks) where now - looks.since >= BlankDetector.leastTime:
            self.phase = .leaving(looks)
            return .wait
        case .waiting, .looking: self.phase = .ended
        case .leaving: return .wait
        case .hidden, .decided, .ended: break
        }
        return .decided
    }

    /// Decides by the looks so far: there is no time for another.
    mutating func close() {
        switch self.phase {
        case .waiting(let looks), .looking(let looks), .leaving(let looks): self.phase = looks.outcome
        case .hidden, .decided, .ended: break
        }
    }

    /// What can be seen is no longer the creative in its place.
    mutating func end() {
        if self.isUndecided || self.phase == .hidden { self.phase = .ended }
    }
}
