/// How far an ad on screen is from being closable: what a countdown beside the close button says.
public enum WayOut: Hashable, Sendable {
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
    package func wayOut(at now: Moment) -> WayOut? {
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
