/// Whether a slot can be seen, and whether its refresh may go on.
struct SlotSight: Equatable, Sendable {
    /// The share of the container that must be on screen.
    ///
    /// It is half, as for a viewable impression (MRC, *Viewable Ad Impression Measurement Guidelines*): an ad that is
    /// requested for less could not be billed by most policies.
    static let minimumRatio = 0.5

    /// The share of the container's area on screen; a host that reports none has a visible slot.
    private(set) var ratio: Double = 1
    private(set) var isCovered = false
    private(set) var isInBackground = false
    /// Whether the host has stopped the refresh.
    var isStopped = false
    /// Whether the user followed a link, and is not known to be back.
    var isAway = false

    /// Whether the slot can be seen now.
    var isSeen: Bool { self.isInFront && self.ratio >= Self.minimumRatio }

    /// Whether time counts, and a due refresh may run.
    var mayRefresh: Bool { self.isSeen && !self.isStopped && !self.isAway }

    private var isInFront: Bool { !self.isCovered && !self.isInBackground }

    /// Sets the visible share, clamped to 0...1; NaN counts as 0.
    ///
    /// A slot that comes into view is one that a user sees: one who was away is back.
    mutating func setVisible(_ ratio: Double) {
        let wasSeen = self.isSeen
        self.ratio = ratio.isNaN ? 0 : min(max(ratio, 0), 1)
        if self.isSeen, !wasSeen { self.isAway = false }
    }

    /// Handles a signal; the end of the background or of a cover brings a user back who was away.
    mutating func handle(_ signal: HostSignal) {
        switch signal {
        case .covered(let isCovered): self.isCovered = isCovered
        case .background(let isInBackground): self.isInBackground = isInBackground
        case .network, .volume, .obstructed: return
        }
        if self.isInFront { self.isAway = false }
    }

    /// The host has resumed the refresh, so it knows that the user is here.
    mutating func resume() {
        self.isStopped = false
        self.isAway = false
    }
}
