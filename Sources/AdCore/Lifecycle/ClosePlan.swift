/// When an ad can be closed: the precedence of the rules.
///
/// - Rewarded: when the media has ended or failed, or by the watchdog.
/// - Video: the skip offset shows the skip button and the close delay shows the close button, independently. Without a
///   close delay, a skippable video has no close button and any other can be closed at once.
/// - Everything else: after the close delay; without one, at once.
/// - Always: by the watchdog, whose time is added to the close delay.
package struct ClosePlan: Equatable, Sendable {
    /// The visible time after which the ad can be closed; nil if no close delay applies.
    package let closeAfter: Duration?
    /// The time on screen, visible or not, after which the ad can be closed; nil if the host closes it.
    package let watchdog: Duration?

    /// The maximum close delay; a longer one is cut to it.
    package static let maximumCloseDelay = Duration.seconds(10 * 60)
    /// The maximum duration of a rewarded video that the watchdog waits for.
    package static let maximumMediaDuration = Duration.seconds(10 * 60)

    package init(_ rules: ShowRules, timing: AdTiming) {
        guard rules.closeControl == .button else {
            self.closeAfter = nil
            self.watchdog = nil
            return
        }
        let delay = min(max(.zero, rules.closeDelay ?? .zero), ClosePlan.maximumCloseDelay)
        switch rules.kind {
        case .rewarded(let video):
            self.closeAfter = nil
            self.watchdog = ClosePlan.rewardedWatchdog(media: video.duration, timing: timing)
        case .video(let video):
            self.closeAfter = video.isSkippable && delay == .zero ? nil : delay
            self.watchdog = delay + timing.watchdog
        case .banner, .interstitial, .card, .engagement:
            self.closeAfter = delay
            self.watchdog = delay + timing.watchdog
        }
    }

    /// The media's duration with some grace; the general watchdog while the duration is unknown.
    package static func rewardedWatchdog(media: Duration?, timing: AdTiming) -> Duration {
        guard let media, media > .zero else { return timing.watchdog }
        return min(media, self.maximumMediaDuration) + timing.rewardedGrace
    }
}

/// The deadlines of the lifecycle that no provider sets.
package struct AdTiming: Equatable, Sendable {
    /// How long a load may take.
    package var loading: Duration = .seconds(10)
    /// How long a stage may take to show a creative.
    package var presenting: Duration = .seconds(10)
    /// How long after its close delay an ad can be closed whatever happens.
    package var watchdog: Duration = .seconds(30)
    /// What a rewarded video's watchdog adds to the media's duration.
    package var rewardedGrace: Duration = .seconds(10)
    /// How long a link waits for its click to be recorded.
    package var recording: Duration = .milliseconds(100)
    /// How long an ad that is over waits for pending records and links.
    package var settling: Duration = .seconds(15)

    package init() {}
}
