/// What follows from a video event, in the given order.
package enum PlaybackStep: Equatable, Sendable {
    /// Record the trackers of an event.
    case track(TrackingEvent)
    /// Report that this percentage of a spot was played.
    case quartile(Int, spot: Int)
    /// Show or hide the skip button.
    case skip(visible: Bool)
    /// Show or hide a part.
    case part(VideoPartID, visible: Bool)
    /// Go on to another spot.
    case next(spot: Int)
    /// Set the timer after which the spot may count as viewable.
    case setViewableTimer(at: Moment)
    /// Cancel that timer.
    case cancelViewableTimer
    /// The last spot is over.
    case over(PlaybackEnd)
}

/// How the last spot ended.
package enum PlaybackEnd: Equatable, Sendable {
    case completed
    /// It was played to its end, but skipped over or not visible; or its creative has ended it.
    case unwatched
    case skipped
    case failed(String)
}

/// How a video event was handled.
package enum PlaybackResult: Equatable, Sendable {
    case steps([PlaybackStep])
    /// The event is too late, repeated or out of order.
    case ignored(String)
}
