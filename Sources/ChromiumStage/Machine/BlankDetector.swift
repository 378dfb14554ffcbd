import AdCore

/// Decides from pictures of the creative's place whether anything of it is visible.
///
/// It looks soon after the reveal and then ever more rarely. The first look that shows something ends it. A creative of
/// which nothing was visible on every look is blank when no request of it is under way any more, and after ten seconds in
/// any case: an image that is late, or a text that fades in, has its time. Looks while the ad is out of sight do not count.
struct BlankDetector: Hashable, Sendable {
    enum Verdict: Hashable, Sendable {
        case visible, blank
    }

    /// What one look showed.
    enum Look: Hashable, Sendable {
        /// So many pixels differ from the most frequent colour.
        case pixels(Int)
        /// No picture could be made, or the ad's place was out of sight.
        case none
    }

    private enum Phase: Hashable, Sendable {
        case hidden
        /// A look is due.
        case waiting(Looks)
        /// A look is under way.
        case looking(Looks)
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
    }

    /// From the reveal to the first look, and from each to the next.
    static let pauses: [Duration] = [
        .milliseconds(100), .milliseconds(900), .seconds(1), .seconds(1), .milliseconds(1500), .milliseconds(1500),
        .seconds(2), .seconds(2),
    ]
    /// So many blank looks decide where no request is under way: 4.5 s after the reveal.
    static let enough = 5
    /// How long after the reveal the last look must have been blank where the ad is closed before that.
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
        case .waiting(let looks), .looking(let looks): looks.blanks
        case .hidden, .decided, .ended: 0
        }
    }

    /// Whether a verdict is still to come.
    var isUndecided: Bool {
        switch self.phase {
        case .waiting, .looking: true
        case .hidden, .decided, .ended: false
        }
    }

    /// The ad is on screen; gives the time until the first look.
    mutating func reveal(at now: Duration) -> Duration? {
        guard self.phase == .hidden else { return nil }
        self.phase = .waiting(Looks(since: now))
        return BlankDetector.pauses[0]
    }

    /// A look is due; false where none is wanted any more.
    mutating func begin() -> Bool {
        guard case .waiting(let looks) = self.phase else { return false }
        self.phase = .looking(looks)
        return true
    }

    /// Takes what a look showed; gives the time until the next one, or nil where there is none.
    mutating func take(_ look: Look, isLoading: Bool, at now: Duration) -> Duration? {
        guard case .looking(var looks) = self.phase else { return nil }
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
        let isLast = looks.count >= BlankDetector.pauses.count
        if looks.blanks >= BlankDetector.enough, isLast || !isLoading {
            self.phase = .decided(.blank)
        } else {
            self.phase = isLast ? .ended : .waiting(looks)
        }
        return self.isUndecided ? BlankDetector.pauses[looks.count] : nil
    }

    /// The ad is about to leave the screen: it is blank where all looks were, and the last one not right after the reveal.
    mutating func close() {
        switch self.phase {
        case .waiting(let looks), .looking(let looks):
            let isBlank = looks.lastBlank.map { $0 - looks.since >= BlankDetector.leastTime } ?? false
            self.phase = isBlank ? .decided(.blank) : .ended
        case .hidden, .decided, .ended: break
        }
    }

    /// What can be seen is no longer the creative in its place.
    mutating func end() {
        if self.isUndecided || self.phase == .hidden { self.phase = .ended }
    }
}
