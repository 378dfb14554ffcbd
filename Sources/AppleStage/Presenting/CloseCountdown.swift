import AdCore

/// Counts down to the close button, as the runtime counts: only the time in which the ad can be seen.
///
/// It decides nothing: the runtime shows the button (`Stage.setControl`), and the number is gone with that.
struct CloseCountdown: Hashable, Sendable {
    private let delay: Duration
    /// The time in which the ad was seen, up to `since`.
    private var seen = Duration.zero
    /// Since when it is seen; nil if it is not.
    private var since: Duration?
    private var isRevealed = false
    private var isCovered = false
    private var isInBackground = false

    init(_ delay: Duration) { self.delay = delay }

    /// The ad is on screen.
    mutating func reveal(at now: Duration) { self.change(at: now) { $0.isRevealed = true } }

    /// Something around the ad has changed.
    mutating func handle(_ notice: StageNotice, at now: Duration) {
        switch notice {
        case .host(.covered(let isCovered)): self.change(at: now) { $0.isCovered = isCovered }
        case .host(.background(let isThere)): self.change(at: now) { $0.isInBackground = isThere }
        default: break
        }
    }

    private mutating func change(at now: Duration, _ change: (inout CloseCountdown) -> Void) {
        self.seen = self.time(at: now)
        change(&self)
        self.since = self.isRevealed && !self.isCovered && !self.isInBackground ? now : nil
    }

    private func time(at now: Duration) -> Duration { self.seen + (self.since.map { max(.zero, now - $0) } ?? .zero) }

    /// The remaining seconds, rounded up; nil when there are none.
    func remaining(at now: Duration) -> Int? {
        let left = self.delay - self.time(at: now)
        guard left > .zero else { return nil }
        return Int(left.components.seconds) + (left.components.attoseconds > 0 ? 1 : 0)
    }
}
