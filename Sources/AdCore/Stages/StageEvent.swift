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
    /// It entered or left full screen; one that does not fill the screen at its start reports that before it.
    case enlarged(Bool)
    /// The user interacted with it without a click-through.
    case interacted(VideoInteraction)
    /// It was played to its end, and its interactive part goes on; `completed` or `stopped` follows.
    case extended
    /// It was played to its end.
    case completed
    /// Its interactive part has ended it before.
    case stopped
    /// The user has skipped it with a button of its interactive part.
    case skipped
    /// It can't be played, with the VAST error code.
    case failed(vastCode: Int, String)
    /// A companion or icon is on screen.
    case partShown(VideoPartID)
    /// A companion or icon can't be displayed; the video goes on.
    case partFailed(VideoPartID?, vastCode: Int, String)
    /// The stage runs the interactive part, reported before the spot starts.
    case interactiveLoading
    /// What became of a verification script, by its index.
    case verification(Int, VerificationState)
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
