/// What the shell around the lifecycle must do, in the order given.
package enum AdAction: Equatable, Sendable {
    /// Ask the provider; the answer comes back as `offerArrived` or `loadFailed`.
    case request
    /// Stop asking.
    case cancelRequest
    /// Tell the caller of a command how it ended.
    case finish(CommandID, AdError?)
    /// Tell everybody who listens.
    case emit(AdEvent)
    /// Wake the ad at this moment; a timer of the same name is replaced.
    case setTimer(AdTimer, at: Moment)
    /// Don't wake the ad after all.
    case cancelTimer(AdTimer)
    /// Give the creative to the presenter.
    case present
    /// Tell the stage something, after all it was told before.
    case stage(StageCommand)
    /// Write down the beacons of an event; the answer comes back as `recorded`.
    case record(BeaconEvent)
    /// Write down what a video has to tell; the answer comes back as `told`.
    case tell(TrackingEvent)
    /// Give a link to the host's opener; the answer comes back as `linkOpened`.
    case open(ClickThroughURL)
    /// Nothing will happen any more: free everything. Who waits hears of the end after that, and may need what is freed.
    case release
}

/// What a stage is told.
package enum StageCommand: Equatable, Sendable {
    case reveal
    case control(StageControl, visible: Bool)
    case video(VideoCommand)
    case post(String)
    case close(CloseReason)
}

/// What the lifecycle made of an input.
package enum AdInputResult: Equatable, Sendable {
    /// It was legal news; the state may have changed.
    case accepted
    /// It came too late, twice or out of order, which is nobody's fault; nothing changed.
    case ignored(String)
    /// The caller asked for something that can't be had now, and is told so; what went on before goes on.
    case refused(AdError.Code)
}
