/// Whether an ad is visible, and for how long it was.
struct Exposure: Equatable, Sendable {
    /// The share of the ad's area on screen, as the stage reports it.
    private(set) var visible: Double = 0
    /// Whether something of the app covers the ad.
    private(set) var isCovered = false
    /// Whether the app is in the background.
    private(set) var isInBackground = false

    /// Whether the creative has crashed, so that it is not visible any more.
    private(set) var hasCrashed = false

    private var seenBefore: Duration = .zero
    private var seenSince: Moment?

    /// Whether the app is in the foreground and does not cover the ad.
    var isInFront: Bool { !self.isCovered && !self.isInBackground }
    /// Whether any part of the ad is visible.
    var isSeen: Bool { self.isInFront && self.visible > 0 }

    /// Whether visible time is being counted.
    var isCounting: Bool { self.seenSince != nil }

    /// Sets the visible share that the stage reports, clamped to 0...1; NaN counts as 0.
    mutating func setVisible(_ ratio: Double) {
        self.visible = ratio.isNaN || self.hasCrashed ? 0 : min(max(ratio, 0), 1)
    }

    /// Marks the creative as crashed and not visible any more.
    mutating func crash() {
        self.hasCrashed = true
        self.visible = 0
    }

    /// Handles a signal of the host; returns false if it has no effect on visibility.
    mutating func handle(_ signal: HostSignal) -> Bool {
        switch signal {
        case .covered(let isCovered): self.isCovered = isCovered
        case .background(let isInBackground): self.isInBackground = isInBackground
        case .network: return false
        }
        return true
    }

    /// Starts or stops counting visible time after a change of visibility.
    mutating func updateSeenTime(at now: Moment) {
        switch (self.isSeen, self.seenSince) {
        case (true, nil):
            self.seenSince = now
        case (false, let since?):
            self.seenBefore += now - since
            self.seenSince = nil
        case (true, _?), (false, nil):
            break
        }
    }

    /// How long the ad was visible so far.
    func seen(until now: Moment) -> Duration {
        guard let seenSince else { return self.seenBefore }
        return self.seenBefore + (now - seenSince)
    }
}
