/// What the runtime tells a stage besides its commands.
///
/// A stage passes it on to scripts that measure (OMID) or interact (SIMID), so that they hear of the same events as the
/// trackers.
public enum StageNotice: Hashable, Sendable {
    /// An event of the video was tracked, or the view of another creative was recorded.
    case tracked(TrackingEvent)
    /// The host could not open the click-through URL of a click.
    case linkNotOpened(ClickThroughURL)
    /// The user has taken consent back: this is the position that the creative may still have.
    case location(AdContext.Location?)
    /// Something around the ad has changed.
    case host(HostSignal)
}
