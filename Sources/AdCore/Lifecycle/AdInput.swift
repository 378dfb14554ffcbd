/// Names one call of the host's, so that its outcome finds the one who waits for it.
package struct CommandID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }
}

/// Everything that can happen to an ad.
package enum AdInput: Equatable, Sendable {
    /// The host asks for the ad.
    case load(CommandID)
    /// The host wants it shown.
    case show(CommandID)
    /// The task that waited for a command was cancelled.
    case cancel(CommandID)
    /// The host ends the ad.
    case close
    /// The host is done with the ad, whatever it is doing.
    case destroy
    /// The provider's offer has come.
    case offerArrived(ShowRules)
    /// The provider's answer holds no ad.
    case loadFailed(AdError)
    /// The presenter could not put the creative on a stage.
    case presentFailed(StageError)
    /// The stage saw something.
    case stage(StageEvent)
    /// The host's surroundings changed.
    case signal(HostSignal)
    /// A timer that was set has run out.
    case timer(AdTimer)
    /// The ledger has, or has not, written down the beacons of an event.
    case recorded(BeaconEvent)
    /// The ledger has, or has not, written down what a video had to tell.
    case told
    /// The host's opener is done with a link.
    case linkOpened(ClickThroughURL, LinkOpenResult)
}

extension AdInput {
    /// What the host or the stage reported, in words; nil for what comes from the runtime itself.
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
        case .load, .show, .cancel, .destroy, .offerArrived, .loadFailed, .presentFailed, .signal, .timer, .recorded,
            .told, .linkOpened:
            return nil
        }
    }
}

/// The timers of an ad; each runs at most once at a time.
package enum AdTimer: String, Hashable, Sendable, CaseIterable {
    /// The answer must be here.
    case loading
    /// The ad may not be shown any more.
    case expiry
    /// The stage must have shown the creative.
    case presenting
    /// The close time-out of seen time has passed.
    case close
    /// No ad may be on screen longer without a way out.
    case watchdog
    /// The ad was visible for as long as the view policy asks.
    case view
    /// The spot was visible for as long as a video has to be to count as viewable.
    case viewable
    /// A link does not wait longer for its beacon.
    case record
    /// An ad that is over does not wait longer for what is still being written down or opened.
    case settling
}
