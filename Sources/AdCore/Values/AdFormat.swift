/// What the host asks for: where an ad appears and what the user may expect of it.
public enum AdFormat: String, Hashable, Sendable, CaseIterable {
    /// Beside the app's own content.
    case banner
    /// Over the whole screen.
    case interstitial
    /// Over the whole screen, with a reward for watching to the end.
    case rewarded
    /// A card among the app's own content.
    case card
    /// A popup, a mini-game or a widget.
    case engagement
}
