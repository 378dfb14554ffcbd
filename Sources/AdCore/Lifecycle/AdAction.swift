/// What the lifecycle's shell must do, in the given order.
package enum AdAction: Equatable, Sendable {
    /// Load an offer; the result is the input `offerArrived` or `loadFailed`.
    case request
    /// Cancel the load.
    case cancelRequest
    /// Complete a command with its outcome.
    case finish(CommandID, AdError?)
    /// Emit an event to the observers.
    case emit(AdEvent)
    /// Set a timer; it replaces a timer of the same name.
    case setTimer(AdTimer, at: Moment)
    /// Cancel a timer.
    case cancelTimer(AdTimer)
    /// Create the creative on a stage.
    case present
    /// Send a command to the stage, after all earlier ones.
    case stage(StageCommand)
    /// Record the beacons of an event; the input `recorded` follows.
    case record(BeaconEvent)
    /// Record the notices of an auction to its bidders; the input `recorded` of the event `win` follows a win.
    case settle(SaleOutcome)
    /// Get the next offer of the auction; the result is the input `offerArrived` or `loadFailed`.
    case requestNext(LossReason)
    /// Record the trackers of a video's tracking event; the input `tracked` follows.
    case track(TrackingEvent)
    /// Pass a click-through URL to the host's opener; the input `linkOpened` follows.
    case open(ClickThroughURL)
    /// Free everything: the ad is over.
    ///
    /// It comes before `finish`, because the waiting caller may need what is freed.
    case release
}

/// A command for the stage.
package enum StageCommand: Equatable, Sendable {
    case reveal
    case control(StageControl, visible: Bool)
    case video(VideoCommand)
    case post(String)
    case close(CloseReason)
}

/// How the lifecycle handled an input.
package enum AdInputResult: Equatable, Sendable {
    /// The input is legal; the state may have changed.
    case accepted
    /// The input is too late, repeated or out of order, which is not an error; nothing changed.
    case ignored(String)
    /// The command is not possible now and has failed with this code; the state did not change.
    case refused(AdError.Code)
}
