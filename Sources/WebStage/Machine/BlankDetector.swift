import AdCore

/// Decides from screenshots of the creative's rectangle whether the creative is blank.
///
/// Checks run from shortly after the reveal for up to ten seconds, at growing intervals, so that late images, fade-ins
/// and timers count. The first check with visible content decides that the creative is visible. A creative without
/// visible content is blank after the last check, or when the ad is about to close and a final check shows nothing
/// either. Checks while the ad is off-screen do not count.
struct BlankDetector: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        case visible, blank
    }

    /// The result of one check.
    enum CheckResult: Hashable, Sendable {
        /// The number of pixels that differ from the empty rectangle.
        case pixels(Int)
        /// There was no screenshot, or the ad was off-screen.
        case none
    }

    /// What has to be done before the ad closes.
    enum ClosingStep: Hashable, Sendable {
        /// Nothing: the outcome is known.
        case decided
        /// Start a final check.
        case check
        /// Wait for the running check, which is the final one.
        case wait
    }

    private enum Phase: Hashable, Sendable {
        case hidden
        /// Before the next check.
        case waiting(Checks)
        /// A check is running.
        case checking(Checks)
        /// The final check is running: the ad is about to close.
        case closing(Checks)
        case decided(Outcome)
        /// There is no outcome: the creative crashed, was expanded, or there were too few screenshots.
        case ended
    }

    /// The checks since the reveal.
    private struct Checks: Hashable, Sendable {
        let since: Duration
        var count = 0
        var blanks = 0
        /// The time of the last check that was blank.
        var lastBlank: Duration?

        /// The phase without further checks: blank only if a check was blank at least `minTime` after the reveal.
        var finalPhase: Phase {
            self.lastBlank.map { $0 - self.since >= BlankDetector.minTime } == true ? .decided(.blank) : .ended
        }
    }

    /// The time from the reveal to the first check, and between the checks.
    static let intervals: [Duration] = [
        .milliseconds(100), .milliseconds(900), .seconds(1), .seconds(1), .milliseconds(1500), .milliseconds(1500),
        .seconds(2), .seconds(2),
    ]
    /// The number of blank checks that decide that a creative is blank.
    static let minBlankChecks = 5
    /// An ad that closes sooner after its reveal has no outcome.
    static let minTime = Duration.milliseconds(900)
    /// The number of differing pixels from which a creative is visible: fewer than in one letter of small print.
    static let minVisiblePixels = 16

    private var phase = Phase.hidden

    var outcome: Outcome? {
        guard case .decided(let outcome) = self.phase else { return nil }
        return outcome
    }

    /// The number of checks so far that were blank.
    var blanks: Int {
        switch self.phase {
        case .waiting(let checks), .checking(let checks), .closing(let checks): checks.blanks
        case .hidden, .decided, .ended: 0
        }
    }

    /// Whether an outcome is pending.
    var isUndecided: Bool {
        switch self.phase {
        case .waiting, .checking, .closing: true
        case .hidden, .decided, .ended: false
        }
    }

    /// Whether the final check is running.
    var isClosing: Bool { if case .closing = self.phase { true } else { false } }

    /// Starts the checks; returns the time until the first one.
    mutating func reveal(at now: Duration) -> Duration? {
        guard self.phase == .hidden else { return nil }
        self.phase = .waiting(Checks(since: now))
        return BlankDetector.intervals[0]
    }

    /// Starts a check that is due; false if none is needed any more.
    mutating func start() -> Bool {
        guard case .waiting(let checks) = self.phase else { return false }
        self.phase = .checking(checks)
        return true
    }

    /// Handles the result of a check; returns the time until the next one, nil for none.
    mutating func handle(_ result: CheckResult, at now: Duration) -> Duration? {
        var checks: Checks
        switch self.phase {
        case .checking(let before), .closing(let before): checks = before
        case .hidden, .waiting, .decided, .ended: return nil
        }
        checks.count += 1
        switch result {
        case .pixels(let count) where count >= BlankDetector.minVisiblePixels:
            self.phase = .decided(.visible)
            return nil
        case .pixels:
            checks.blanks += 1
            checks.lastBlank = now
        case .none: break
        }
        if self.isClosing {
            self.phase = checks.finalPhase
        } else if checks.count < BlankDetector.intervals.count {
            self.phase = .waiting(checks)
            return BlankDetector.intervals[checks.count]
        } else {
            self.phase = checks.blanks >= BlankDetector.minBlankChecks ? .decided(.blank) : .ended
        }
        return nil
    }

    /// Handles that the ad is about to close.
    mutating func prepareToClose(at now: Duration) -> ClosingStep {
        switch self.phase {
        case .waiting(let checks) where now - checks.since >= BlankDetector.minTime:
            self.phase = .closing(checks)
            return .check
        case .checking(let checks) where now - checks.since >= BlankDetector.minTime:
            self.phase = .closing(checks)
            return .wait
        case .waiting, .checking: self.phase = .ended
        case .closing: return .wait
        case .hidden, .decided, .ended: break
        }
        return .decided
    }

    /// Decides from the checks so far.
    mutating func decideNow() {
        switch self.phase {
        case .waiting(let checks), .checking(let checks), .closing(let checks): self.phase = checks.finalPhase
        case .hidden, .decided, .ended: break
        }
    }

    /// Ends the checks without an outcome: the ad was expanded, or has crashed.
    mutating func end() {
        if self.isUndecided || self.phase == .hidden { self.phase = .ended }
    }
}
