/// Puts creatives on a screen: a terminal, a browser, a web view.
///
/// The core owns policy, a stage reports facts: it never sends a beacon, never opens an address, and never decides that
/// an ad may close.
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
    /// The room there is for an ad of this kind.
    func container(for kind: ShowRules.Kind) async -> AdContainer
    /// Prepares a creative out of sight and reports `ready` when it could be seen.
    ///
    /// `report` may be called from any thread, also before this returns, and keeps nothing alive but the ad.
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
    /// Brings the creative into sight; the stage reports `revealed` and `visible(ratio:)` when that is so.
    func reveal() async
    /// Shows or hides a control of ours, above the creative and out of its reach.
    func setControl(_ control: StageControl, visible: Bool) async
    /// Steers the video, where there is one.
    func control(_ command: VideoCommand) async
    /// Tells a page something, as the one argument of a call and never as a part of its code; what is no page is told
    /// nothing.
    func post(_ message: String) async
    /// Takes the creative off the screen and frees everything it held.
    func close(_ reason: CloseReason) async
}

extension Stage {
    /// Nobody is told.
    public func post(_ message: String) async {}
}

/// A control that the stage draws for us.
public enum StageControl: String, Hashable, Sendable {
    /// Ends the ad.
    case close
    /// Skips the video.
    case skip
}

/// What a video is told.
public enum VideoCommand: Hashable, Sendable {
    /// Play the current spot, from the start or from where it was paused.
    case play
    /// Stop where it is.
    case pause
    /// Leave the current spot and make this one ready; `play` follows.
    case next(spot: Int)
    /// Leave the video and show what comes behind it.
    case showEndCard
    /// Show or hide a part of the current spot.
    case part(VideoPartID, visible: Bool)
}

/// How a creative is to be shown.
public struct StageOptions: Hashable, Sendable {
    /// The ad's id, for the stage's own books.
    public let ad: AdID
    /// What kind of ad it is.
    public let kind: ShowRules.Kind
    /// The sizes: asked for, resolved, and the scale between them.
    public let size: CreativeLayout
    /// Who offers a way to close it; where the host does, the stage draws none, and is gone when the host takes it away.
    public let closeControl: ShowRules.CloseControl

    /// Options.
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

/// What a stage saw.
public enum StageEvent: Hashable, Sendable {
    /// The creative could be shown now; of a page, that it is loaded: it says by itself when it can be seen.
    case ready
    /// The creative is on screen.
    case revealed
    /// This share of the creative's area is on screen, from 0 to 1. Reported whenever it changes.
    case visible(ratio: Double)
    /// The creative asks for a click-through: to its own URL, or, with nil, to the ad's. `byUser` is true only where the stage
    /// has its own proof of a user's gesture.
    case click(ClickThroughURL?, byUser: Bool, at: TapPoint? = nil)
    /// The user pressed the creative, and there was no click-through.
    case tap(TapWithoutLink, at: TapPoint? = nil)
    /// Something about the creative that changes no state.
    case diagnostic(CreativeDiagnostic)
    /// Something the creative tried was stopped.
    case blocked(BlockedAttempt)
    /// Somebody asked to end the ad: the user by our button or the system's, or the creative.
    case closeRequested(by: Requester)
    /// The user pressed our skip button.
    case skipRequested
    /// The video did something, and which of its spots it was.
    case video(VideoEvent, spot: Int = 0)
    /// Something that is shown with a spot was clicked; the link is the part's own where it has one of its making.
    case partClicked(VideoPartID, ClickThroughURL?, byUser: Bool, spot: Int = 0)
    /// A page said something through its bridge.
    case message(String)
    /// The creative can't go on: it crashed, does not answer any more, or was ended by the stage.
    case crashed(String, cause: CrashCause = .crash)
    /// The stage went away without being asked.
    case gone

    /// Why a creative can't go on; the raw value is the code of the issue that the ad reports.
    public enum CrashCause: String, Hashable, Sendable, CaseIterable {
        /// It crashed, does not answer any more, or took more than a creative may have.
        case crash = "creative.crashed"
        /// It put another page into its own place, and was ended.
        case replacement = "creative.replaced"
        /// It kept the browser from working for anything else, and was ended.
        case flood = "creative.flooded"
    }

    /// Who asked to end an ad.
    public enum Requester: Hashable, Sendable {
        /// The user.
        case user
        /// The creative.
        case creative
    }
}

/// What a video did.
public enum VideoEvent: Hashable, Sendable {
    /// It could play now without waiting for the network.
    case loaded
    /// Its first frame is on screen; its length, where the player knows it. It may be reported once more when that is
    /// known only later.
    case started(duration: Duration?)
    /// It has played up to here. What was paused plays on with `resumed` alone.
    case progressed(Duration)
    /// Somebody moved it to here.
    case sought(Duration)
    /// Its sound was switched off, or on again; where it is off from the beginning, that is reported before it starts.
    case muted(Bool)
    /// It stands still.
    case paused
    /// It plays on.
    case resumed
    /// It fills the screen now, or no longer.
    case enlarged(Bool)
    /// The user did something with it that is no click.
    case interacted(VideoInteraction)
    /// It played to its end.
    case completed
    /// It can't be played; the VAST error code says why.
    case failed(vastCode: Int, String)
    /// A part of it is on screen.
    case partShown(VideoPartID)
    /// Something that belongs to it can't be shown or run; the video itself goes on.
    case partFailed(VideoPartID?, vastCode: Int, String)
}

/// What a user can do with an ad besides clicking it, as VAST distinguishes it.
public enum VideoInteraction: String, Hashable, Sendable, CaseIterable {
    /// Asked for more of it than is shown by itself.
    case acceptInvitation
    /// Made an overlay small.
    case minimize
    /// Made the ad large within its place.
    case expand
    /// Made it small again.
    case collapse
    /// A program that came with it has begun.
    case interactiveStart
    /// Clicked where no link is.
    case customClick
    /// Anything else.
    case other
}

/// Why a creative could not be put on a stage.
public struct StageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened and what to do, in one sentence.
    public let message: String
    /// The VAST error code for it, where there is one.
    public let vastCode: Int?

    /// Says why.
    public init(_ message: String, vastCode: Int? = nil) {
        self.message = message
        self.vastCode = vastCode
    }

    /// The message.
    public var description: String { self.message }
}
