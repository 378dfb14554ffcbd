/// How far an ad on screen is from being closable: what a countdown beside the close button says.
public enum CloseAvailability: Hashable, Sendable {
    /// The user can close the ad now, by this rule.
    case open(CloseRule)
    /// After this much more time; it stands still while nobody can see the ad.
    case after(Duration, isRunning: Bool)
    /// When the media has ended, and after this long at the latest.
    case afterMedia(atMost: Duration)
    /// Never by the user: the host closes.
    case byHost
}

extension AdLifecycle {
    /// How far the ad is from being closable; nil where it is not on screen.
    package func closeAvailability(at now: Moment) -> CloseAvailability? {
        guard case .showing(let showing) = self.state else { return nil }
        if let rule = showing.closable { return .open(rule) }
        guard let watchdog = showing.watchdog else { return .byHost }
        let latest = max(.zero, watchdog - now)
        guard let closeAfter = showing.plan.closeAfter else { return .afterMedia(atMost: latest) }
        let rest = max(.zero, closeAfter - showing.exposure.seen(until: now))
        return latest < rest
            ? .after(latest, isRunning: true) : .after(rest, isRunning: showing.exposure.isCounting)
    }
}

/// How far a video on screen has played.
public struct VideoProgress: Hashable, Sendable {
    /// Which spot's turn it is, from 0.
    public let spot: Int
    /// How many there are where nothing fails.
    public let spots: Int
    /// Where the spot is.
    public let position: Duration
    /// Its length, where it is known.
    public let duration: Duration?
    /// When the user can skip it: zero for now, nil for never.
    public let skippableIn: Duration?
    /// Whether it plays now.
    public let isPlaying: Bool
    /// Whether its sound is off.
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
    /// How far the video is; nil where there is none on screen, or it is over.
    package var progress: VideoProgress? {
        guard case .showing(let showing) = self.state, let playback = showing.playback, playback.phase != .over else {
            return nil
        }
        let skipAt = showing.terms.isRewarded ? nil : playback.run.skipAt
        return VideoProgress(
            spot: playback.spot,
            spots: playback.terms.planned,
            position: playback.position,
            duration: playback.duration,
            skippableIn: skipAt.map { max(.zero, $0 - playback.position) },
            isPlaying: playback.isPlaying,
            isMuted: playback.run.isMuted
        )
    }
}
