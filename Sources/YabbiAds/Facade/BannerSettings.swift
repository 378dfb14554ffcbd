/// How banners behave.
///
/// Where a banner is on the screen is not among them: the presenter creates its view, and places it.
public struct BannerSettings: Hashable, Sendable {
    /// Whether a banner has a close button.
    public private(set) var showsCloseButton = true
    /// How long a banner is seen from its impression to the next request; nil for no refresh.
    public private(set) var refreshInterval: Duration?

    init() {}

    /// Shows or hides the close button.
    public func updateShowCloseButton(_ shows: Bool) -> BannerSettings {
        var settings = self
        settings.showsCloseButton = shows
        return settings
    }

    /// Sets the refresh interval, clamped to 15 to 120 seconds; 0 or less turns refreshes off.
    public func updateRefreshIntervalSeconds(_ seconds: Int) -> BannerSettings {
        var settings = self
        settings.refreshInterval = seconds <= 0 ? nil : .seconds(min(max(seconds, 15), 120))
        return settings
    }
}
