/// Whether an ad is visible, and for how long it was.
struct Exposure: Equatable, Sendable {
    /// The share of the ad's area on screen, as the stage reports it.
    private(set) var visibleRatio: Double = 0
    /// Whether something of the app covers the ad.
    private(set) var isCovered = false
    /// Whether the app is in the background.
    private(set) var isInBackground = false

    /// Whether the creative has crashed, so it is not visible any more.
    private(set) var hasCrashed = false

    private var earlierVisibleTime: Duration = .zero
    private var visibleSince: Moment?

    /// The same for another stage: what covers the ad and where the app is stays as it is.
    var withoutStage: Exposure {
        var exposure = Exposure()
        exposure.isCovered = self.isCovered
        exposure.isInBackground = self.isInBackground
        return exposure
    }

    /// Whether the app is in the foreground and does not cover the ad.
    var isInFront: Bool { !self.isCovered && !self.isInBackground }
    /// Whether any part of the ad is visible.
    var isVisible: Bool { self.isInFront && self.visibleRatio > 0 }

    /// Whether visible time is being counted.
    var isCounting: Bool { self.visibleSince != nil }

    /// Sets the visible share that the stage reports, clamped to 0...1; NaN counts as 0.
    mutating func setVisibleRatio(_ ratio: Double) {
        self.visibleRatio = ratio.isNaN || self.hasCrashed ? 0 : min(max(ratio, 0), 1)
    }

    /// Marks the creative as crashed and not visible any more.
    mutating func crash() {
        self.hasCrashed = true
        self.visibleRatio = 0
    }

    /// Handles a signal of the host; returns false if it has no effect on visibility.
    mutating func handle(_ signal: HostSignal) -> Bool {
        switch signal {
        case .covered(let isCovered): self.isCovered = isCovered
        case .background(let isInBackground): self.isInBackground = isInBackground
        // The stage reports the visible share without what is obstructed.
        case .network, .volume, .obstructed: return false
        }
        return true
    }

    /// Starts or stops counting visible time after a change of visibility.
    mutating func updateVisibleTime(at now: Moment) {
        switch (self.isVisible, self.visibleSince) {
        case (true, nil):
            self.visibleSince = now
        case (false, let since?):
            self.earlierVisibleTime += now - since
            self.visibleSince = nil
        case (true, _?), (false, nil):
            break
        }
    }

    /// How long the ad was visible so far.
    func visibleTime(until now: Moment) -> Duration {
        guard let visibleSince else { return self.earlierVisibleTime }
        return self.earlierVisibleTime + (now - visibleSince)
    }
}
