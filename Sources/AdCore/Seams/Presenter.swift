/// Creates the stages that display creatives: a terminal, a browser, a web view.
///
/// The runtime decides and a stage reports: a stage never sends a beacon, never opens a link, and never decides that an
/// ad can be closed.
///
/// ```swift
/// struct MyPresenter: Presenter {
///     func container(for kind: ShowRules.Kind) async -> AdContainer {
///         AdContainer(width: 390, screen: Size(width: 390, height: 844))
///     }
///
///     func present(
///         _ creative: Creative,
///         _ options: StageOptions,
///         report: @escaping @Sendable (StageEvent) -> Void
///     ) async throws(StageError) -> any Stage {
///         MyStage(creative, size: options.size.resolved, report: report)
///     }
/// }
/// ```
public protocol Presenter: Sendable {
    /// The available space for an ad of this kind.
    func container(for kind: ShowRules.Kind) async -> AdContainer
    /// Creates a creative out of sight, and reports `ready` when it can be revealed.
    ///
    /// `report` may be called from any thread, even before this returns; it retains only the ad.
    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage
}

/// One creative on a screen, from `present` to `close`.
///
/// The runtime calls one method at a time, in order, and never again after `close`.
public protocol Stage: Sendable {
    /// Makes the creative visible; the stage then reports `revealed` and `visible(ratio:)`.
    func reveal() async
    /// Shows or hides a control of the runtime, above the creative and out of its reach.
    func setControl(_ control: StageControl, visible: Bool) async
    /// Controls the video of a video creative.
    func control(_ command: VideoCommand) async
    /// Posts a message to a page creative, as an argument of a call and never as code; other creatives ignore it.
    func post(_ message: String) async
    /// Takes the creative off the screen and frees its resources.
    func close(_ reason: CloseReason) async
}

extension Stage {
    /// Ignores the message.
    public func post(_ message: String) async {}
}

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

    /// Creates options.
    public init(
        ad: AdID,
        kind: ShowRules.Kind,
        size: CreativeLayout,
        closeControl: ShowRules.CloseControl = .button
    ) {
        self.ad = ad
        self.kind = kind
        self.size = size
        self.closeControl = closeControl
    }
}

/// An event that a stage reports.
public enum StageEvent: Hashable, Sendable {
    /// The creative can be revealed; a page creative is loaded, and sends a message when it is ready.
    case ready
    /// The creative is on screen.
    case revealed
    /// The share of the creative's area that is on screen, from 0 to 1, reported whenever it changes.
    case visible(ratio: Double)
    /// A click-through to the creative's own URL or, with nil, to the ad's.
    ///
    /// `byUser` is true only if the stage itself has observed a user's gesture.
    case click(ClickThroughURL?, byUser: Bool, at: TapPoint? = nil)
    /// The user pressed the creative without a click-through.
    case tap(TapWithoutLink, at: TapPoint? = nil)
    /// A failed request, a script error or a blank ad; it changes no state.
    case diagnostic(CreativeDiagnostic)
    /// An action of the creative was blocked.
    case blocked(BlockedAttempt)
    /// The user or the creative requests that the ad closes.
    case closeRequested(by: Requester)
    /// The user pressed the skip button.
    case skipRequested
    /// An event of the video, with the index of its spot.
    case video(VideoEvent, spot: Int = 0)
    /// A companion or icon of a spot was clicked; the URL is nil if the part has none of its own.
    case partClicked(VideoPartID, ClickThroughURL?, byUser: Bool, spot: Int = 0)
    /// A page sent a message through its bridge.
    case message(String)
    /// The creative crashed, stopped responding, or was ended by the stage.
    case crashed(String, cause: CrashCause = .crash)
    /// The stage disappeared without `close`.
    case gone

    /// Why a creative ended; the raw value is the code of the issue that the ad reports.
    public enum CrashCause: String, Hashable, Sendable, CaseIterable {
        /// It crashed, stopped responding, or exceeded a resource limit.
        case crash = "creative.crashed"
        /// It replaced its own page by another one, and was ended.
        case replacement = "creative.replaced"
        /// It kept the browser busy with its own events, and was ended.
        case flood = "creative.flooded"
    }

    /// What requested that an ad closes.
    public enum Requester: Hashable, Sendable {
        /// The user.
        case user
        /// The creative.
        case creative
    }
}

/// An event of a video.
public enum VideoEvent: Hashable, Sendable {
    /// It can play without waiting for the network.
    case loaded
    /// Its first frame is on screen; reported again if its duration becomes known later.
    case started(duration: Duration?)
    /// It was played up to this position; only `resumed` ends a pause.
    case progressed(Duration)
    /// The user sought to this position.
    case sought(Duration)
    /// It was muted or unmuted; a video that starts muted reports that before it starts.
    case muted(Bool)
    /// It was paused.
    case paused
    /// It was resumed.
    case resumed
    /// It entered or left full screen.
    case enlarged(Bool)
    /// The user interacted with it without a click-through.
    case interacted(VideoInteraction)
    /// It was played to its end.
    case completed
    /// It can't be played, with the VAST error code.
    case failed(vastCode: Int, String)
    /// A companion or icon is on screen.
    case partShown(VideoPartID)
    /// A companion, icon or script can't be displayed or run; the video goes on.
    case partFailed(VideoPartID?, vastCode: Int, String)
}

/// A user's interaction with a video besides a click-through, by the tracking events of VAST 4.3 §3.14.1.
public enum VideoInteraction: String, Hashable, Sendable, CaseIterable {
    /// The user opened additional content of the ad: `acceptInvitation`.
    case acceptInvitation
    /// The user minimized an overlay: `minimize`.
    case minimize
    /// The user expanded the ad: `adExpand`.
    case expand
    /// The user collapsed the ad again: `adCollapse`.
    case collapse
    /// The interactive creative has started: `interactiveStart`.
    case interactiveStart
    /// The user clicked something that opens no page: CustomClick (VAST 4.3 §3.10.3).
    case customClick
    /// Any other interaction: `otherAdInteraction`.
    case other
}

/// Why a creative can't be displayed on a stage.
public struct StageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened and the fix, in one sentence.
    public let message: String
    /// The VAST error code, if any.
    public let vastCode: Int?

    /// Creates an error.
    public init(_ message: String, vastCode: Int? = nil) {
        self.message = message
        self.vastCode = vastCode
    }

    /// The message.
    public var description: String { self.message }
}
