/// What follows from what a video did, in the order given.
package enum PlaybackStep: Equatable, Sendable {
    /// Whoever wants to know of this is told.
    case tell(TrackingEvent)
    /// So many hundredths of a spot have been played.
    case quartile(Int, spot: Int)
    /// The user can skip the spot, or no longer.
    case skip(visible: Bool)
    /// A part has its time, or no longer.
    case part(VideoPartID, visible: Bool)
    /// Another spot's turn has come.
    case next(spot: Int)
    /// Look again at this moment whether the spot has been seen for long enough.
    case watch(until: Moment)
    /// Don't look again.
    case unwatch
    /// There is nothing left to play.
    case over(PlaybackEnd)
}

/// How the last of what there was to play has ended.
package enum PlaybackEnd: Equatable, Sendable {
    case completed
    /// It came to its end, and nobody has watched it.
    case unwatched
    case skipped
    case failed(String)
}

/// What became of a video's news.
package enum PlaybackResult: Equatable, Sendable {
    case steps([PlaybackStep])
    /// It came too late, twice or out of order.
    case ignored(String)
}
