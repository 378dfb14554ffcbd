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
