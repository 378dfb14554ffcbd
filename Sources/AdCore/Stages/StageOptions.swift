/// A control of the runtime that the stage draws.
public enum StageControl: String, Hashable, Sendable {
    /// The close button.
    case close
    /// The skip button.
    case skip
}

/// A command for the video of a creative.
public enum VideoCommand: Hashable, Sendable {
    /// Play the current spot, from the start or from where it was paused.
    case play
    /// Pause the current spot.
    case pause
    /// Leave the current spot and prepare this one; `play` follows.
    case next(spot: Int)
    /// Leave the video and show the end card.
    case showEndCard
    /// Show or hide a part of the current spot.
    case part(VideoPartID, visible: Bool)
}

/// The options for displaying a creative.
public struct StageOptions: Hashable, Sendable {
    /// The ad's id.
    public let ad: AdID
    /// The kind of ad.
    public let kind: ShowRules.Kind
    /// The requested and the layout size, and the scale between them.
    public let size: CreativeLayout
    /// How the ad can be closed; with `host` the stage draws no close button, and is gone when the host removes it.
    public let closeControl: ShowRules.CloseControl
    /// How long the ad must be visible before it can be closed, for a countdown; nil if another rule decides.
    ///
    /// It is only to be shown: the runtime decides when the close button appears (`Stage.setControl`).
    public let closeDelay: Duration?
    /// The device's position, if the creative may have it.
    public let location: AdContext.Location?

    /// Creates options.
    public init(
        ad: AdID,
        kind: ShowRules.Kind,
        size: CreativeLayout,
        closeControl: ShowRules.CloseControl = .button,
        closeDelay: Duration? = nil,
        location: AdContext.Location? = nil
    ) {
        self.ad = ad
        self.kind = kind
        self.size = size
        self.closeControl = closeControl
        self.closeDelay = closeDelay
        self.location = location
    }
}
