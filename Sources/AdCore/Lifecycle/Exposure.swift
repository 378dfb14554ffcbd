/// Whether an ad can be seen, and for how long it could be.
struct Exposure: Equatable, Sendable {
    /// The share of the ad that the stage reports to be on screen.
    private(set) var visible: Double = 0
    /// Whether something of the host's lies over the ad.
    private(set) var isCovered = false
    /// Whether the app is in the background.
    private(set) var isInBackground = false

    /// Whether the creative has crashed: what is on screen since is no ad.
    private(set) var hasCrashed = false

    private var seenBefore: Duration = .zero
    private var seenSince: Moment?

    /// Whether the host lets the ad be in front at all.
    var isInFront: Bool { !self.isCovered && !self.isInBackground }
    /// Whether any of the ad can be seen.
    var isSeen: Bool { self.isInFront && self.visible > 0 }

    /// Whether seen time is being counted.
    var isCounting: Bool { self.seenSince != nil }

    /// Takes what the stage says of visibility; what is no number between 0 and 1 is brought there, NaN is nothing.
    mutating func see(_ ratio: Double) {
        self.visible = ratio.isNaN || self.hasCrashed ? 0 : min(max(ratio, 0), 1)
    }

    /// The creative has crashed: from now on there is nothing to be seen of it.
    mutating func crash() {
        self.hasCrashed = true
        self.visible = 0
    }

    /// Takes what the host says; returns false for what is no matter of visibility.
    mutating func take(_ signal: HostSignal) -> Bool {
        switch signal {
        case .covered(let isCovered): self.isCovered = isCovered
        case .background(let isInBackground): self.isInBackground = isInBackground
        case .network: return false
        }
        return true
    }

    /// Starts or stops the count of seen time according to whether the ad can be seen.
    mutating func count(at now: Moment) {
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

    /// How long the ad could be seen so far.
    func seen(until now: Moment) -> Duration {
        guard let seenSince else { return self.seenBefore }
        return self.seenBefore + (now - seenSince)
    }
}
