/// The format of an ad that the host requests.
public enum AdFormat: String, Hashable, Sendable, CaseIterable {
    /// An ad beside the app's own content.
    case banner
    /// An ad over the whole screen.
    case interstitial
    /// An ad over the whole screen, with a reward for watching to the end.
    case rewarded
    /// A native card among the app's own content.
    case card
    /// A popup, mini-game or widget that a server pushes in a live session.
    case engagement
}
