/// The id of one command of the host, by which its outcome reaches the waiting caller.
package struct CommandID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }
}

/// An input of the lifecycle.
package enum AdInput: Equatable, Sendable {
    /// The host loads the ad.
    case load(CommandID)
    /// The host shows the ad.
    case show(CommandID)
    /// The host shows the ad, and a frequency cap does not allow another view.
    case showCapped(CommandID, AdError)
    /// The task that waits for a command was cancelled.
    case cancel(CommandID)
    /// The host closes the ad.
    case close
    /// The host destroys the ad, whatever its state.
    case destroy
    /// The load succeeded with an offer of these rules.
    case offerArrived(Boxed<ShowRules>)
    /// The load failed.
    case loadFailed(AdError)
    /// The presenter could not create the creative on a stage.
    case presentFailed(StageError)
    /// The stage reported an event.
    case stage(StageEvent)
    /// The app's visibility or its network changed.
    case signal(HostSignal)
    /// A timer has fired.
    case timer(AdTimer)
    /// The ledger has recorded the beacons of an event, or failed to.
    case recorded(BeaconEvent)
    /// The ledger has recorded the trackers of a video's tracking event, or failed to.
    case tracked
    /// The host's opener has opened a click-through URL, or failed to.
    case linkOpened(ClickThroughURL, LinkOpenResult)
}

extension AdInput {
    /// The load succeeded with an offer of these rules.
    package static func offerArrived(_ rules: ShowRules) -> AdInput { .offerArrived(Boxed(rules)) }

    /// What the host or the stage reported, as text; nil for inputs of the runtime itself.
    package var reportedName: String? {
        switch self {
        case .close: return "close by the host"
        case .stage(let event):
            switch event {
            case .click: return "click"
            case .partClicked(let part, _, _, _): return "click on \(part)"
            case .closeRequested(by: .user): return "close by the user"
            case .closeRequested(by: .creative): return "close by the creative"
            case .skipRequested: return "skip"
            case .video(let event, _): return "video \(event)"
            case .tap: return "tap"
            case .ready, .revealed, .visible, .blocked, .diagnostic, .message, .crashed, .gone: return nil
            }
        case .load, .show, .showCapped, .cancel, .destroy, .offerArrived, .loadFailed, .presentFailed, .signal, .timer,
            .recorded,
            .tracked, .linkOpened:
            return nil
        }
    }
}

/// The timers of an ad; at most one of each runs at a time.
package enum AdTimer: String, Hashable, Sendable, CaseIterable {
    /// The deadline of the load.
    case loading
    /// The end of the ad's lifetime.
    case expiry
    /// The deadline of the stage to show the creative.
    case presenting
    /// The end of the close delay, counted in visible time.
    case close
    /// The limit in all time on screen after which the ad can be closed.
    case watchdog
    /// The end of the viewability policy's duration.
    case view
    /// The end of the duration after which a video spot counts as viewable.
    case viewable
    /// The deadline for recording a click, after which its links open anyway.
    case record
    /// The deadline of an ad that is over for pending records and links.
    case settling
}
