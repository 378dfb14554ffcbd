/// Whether an ad on screen can be closed now, or when, for a countdown at the close button.
public enum CloseAvailability: Hashable, Sendable {
    /// The user can close the ad now, by this rule.
    case open(CloseRule)
    /// The user can close it after this much more time; `isRunning` is false while the ad is not visible.
    case after(Duration, isRunning: Bool)
    /// The user can close it when the media has ended, and after this time at the latest.
    case afterMedia(atMost: Duration)
    /// The user can't close it; the host does.
    case byHost
}

extension AdLifecycle {
    /// Whether the ad can be closed, or when; nil if it is not on screen.
    package func closeAvailability(at now: Moment) -> CloseAvailability? {
        guard case .showing(let showing) = self.state else { return nil }
        if let rule = showing.closable { return .open(rule) }
        guard let watchdog = showing.watchdog else { return .byHost }
        let latest = max(.zero, watchdog - now)
        guard let closeAfter = showing.plan.closeAfter else { return .afterMedia(atMost: latest) }
        let rest = max(.zero, closeAfter - showing.exposure.visibleTime(until: now))
        return latest < rest
            ? .after(latest, isRunning: true) : .after(rest, isRunning: showing.exposure.isCounting)
    }
}

/// The playback position of a video on screen.
public struct VideoProgress: Hashable, Sendable {
    /// The index of the current spot.
    public let spot: Int
    /// The number of planned spots, without fallback ads.
    public let spots: Int
    /// The position in the current spot.
    public let position: Duration
    /// The current spot's duration; nil if unknown.
    public let duration: Duration?
    /// The time until the user can skip it: zero for now, nil for never.
    public let skippableIn: Duration?
    /// Whether it plays now.
    public let isPlaying: Bool
    /// Whether it is muted.
    public let isMuted: Bool

    package init(
        spot: Int,
        spots: Int,
        position: Duration,
        duration: Duration?,
        skippableIn: Duration?,
        isPlaying: Bool,
        isMuted: Bool
    ) {
        self.spot = spot
        self.spots = spots
        self.position = position
        self.duration = duration
        self.skippableIn = skippableIn
        self.isPlaying = isPlaying
        self.isMuted = isMuted
    }
}

extension AdLifecycle {
    /// The playback position of the video; nil if none is on screen or it is over.
    package var progress: VideoProgress? {
        guard case .showing(let showing) = self.state, let playback = showing.playback, playback.phase != .over else {
            return nil
        }
        let skipAt = showing.rules.isRewarded ? nil : playback.current.skipAt
        return VideoProgress(
            spot: playback.spot,
            spots: playback.rules.planned,
            position: playback.position,
            duration: playback.duration,
            skippableIn: skipAt.map { max(.zero, $0 - playback.position) },
            isPlaying: playback.isPlaying,
            isMuted: playback.current.isMuted
        )
    }
}
