import AdCore

/// Decides from screenshots of the creative's rectangle whether the creative is blank.
///
/// Checks run from shortly after the reveal for up to ten seconds, at growing intervals, so that late images, fade-ins
/// and timers count. The first check with visible content decides that the creative is visible. A creative without
/// visible content is blank after the last check, or when the ad is about to close and a final check shows nothing
/// either. Checks while the ad is off-screen do not count.
struct BlankDetector: Hashable, Sendable {
    enum Verdict: Hashable, Sendable {
        case visible, blank
    }

    /// The result of one check.
    enum Look: Hashable, Sendable {
        /// The number of pixels that differ from the empty rectangle.
        case pixels(Int)
        /// There was no screenshot, or the ad was off-screen.
        case none
    }

    /// What has to be done before the ad closes.
    enum Farewell: Hashable, Sendable {
        /// Nothing: the verdict is known.
        case decided
        /// Start a final check.
        case look
        /// Wait for the running check, which is the final one.
        case wait
    }

    private enum Phase: Hashable, Sendable {
        case hidden
        /// Before the next check.
        case waiting(Looks)
        /// A check is running.
        case looking(Looks)
        /// The final check is running: the ad is about to close.
        case leaving(Looks)
        case decided(Verdict)
        /// There is no verdict: the creative crashed, was expanded, or there were too few screenshots.
        case ended
    }

    /// The checks since the reveal.
    private struct Looks: Hashable, Sendable {
        let since: Duration
        var count = 0
        var blanks = 0
        /// The time of the last check that was blank.
        var lastBlank: Duration?

        /// The result without further checks: blank only if a check was blank at least `leastTime` after the reveal.
        var outcome: Phase {
            self.lastBlank.map { $0 - self.since >= BlankDetector.leastTime } == true ? .decided(.blank) : .ended
        }
    }

    /// The time from the reveal to the first check, and between the checks.
    static let pauses: [Duration] = [
        .milliseconds(100), .milliseconds(900), .seconds(1), .seconds(1), .milliseconds(1500), .milliseconds(1500),
        .seconds(2), .seconds(2),
    ]
    /// The number of blank checks that decide that a creative is blank.
    static let enough = 5
    /// An ad that closes sooner after its reveal has no verdict.
    static let leastTime = Duration.milliseconds(900)
    /// The number of differing pixels from which a creative is visible: fewer than in one letter of small print.
    static let leastPixels = 16

    private var phase = Phase.hidden

    var verdict: Verdict? {
        guard case .decided(let verdict) = self.phase else { return nil }
        return verdict
    }

    /// The number of checks so far that were blank.
    var blanks: Int {
        switch self.phase {
        case .waiting(let looks), .looking(let looks), .leaving(let looks): looks.blanks
        case .hidden, .decided, .ended: 0
        }
    }

    /// Whether a verdict is pending.
    var isUndecided: Bool {
        switch self.phase {
        case .waiting, .looking, .leaving: true
        case .hidden, .decided, .ended: false
        }
    }

    /// Whether the final check is running.
    var isLeaving: Bool { if case .leaving = self.phase { true } else { false } }

    /// Starts the checks; returns the time until the first one.
    mutating func reveal(at now: Duration) -> Duration? {
        guard self.phase == .hidden else { return nil }
        self.phase = .waiting(Looks(since: now))
        return BlankDetector.pauses[0]
    }

    /// Starts a check that is due; false if none is needed any more.
    mutating func start() -> Bool {
        guard case .waiting(let looks) = self.phase else { return false }
        self.phase = .looking(looks)
        return true
    }

    /// Handles the result of a check; returns the time until the next one, nil for none.
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

    /// Handles that the ad is about to close.
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

    /// Decides from the checks so far.
    mutating func close() {
        switch self.phase {
        case .waiting(let looks), .looking(let looks), .leaving(let looks): self.phase = looks.outcome
        case .hidden, .decided, .ended: break
        }
    }

    /// Ends the checks without a verdict: the ad was expanded, or has crashed.
    mutating func end() {
        if self.isUndecided || self.phase == .hidden { self.phase = .ended }
    }
}
