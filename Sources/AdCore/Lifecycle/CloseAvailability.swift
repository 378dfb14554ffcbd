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
        guard let closeAfter = showing.closeAfter else { return .afterMedia(atMost: latest) }
        let rest = max(.zero, closeAfter - showing.exposure.visibleTime(until: now))
        return latest < rest
            ? .after(latest, isRunning: true) : .after(rest, isRunning: showing.exposure.isCounting)
    }
}
