/// When an ad can be closed and skipped: the precedence of the rules in one place.
///
/// - Rewarded: neither before the media has ended or failed, or the watchdog.
/// - Video: the skip offset shows *skip*, the close time-out shows *close*, each at its own time. An absent or zero
///   time-out adds no close button where there is a skip offset, and otherwise means at once.
/// - Everything else: the close time-out, absent or zero meaning at once.
/// - Always: the watchdog, which adds its own time to the close time-out.
package struct ClosePlan: Equatable, Sendable {
    /// Closable after this much seen time; nil where no time-out leads there.
    package let closeAfter: Duration?
    /// Closable after this much time on screen, seen or not; nil where the host closes.
    package let watchdog: Duration?

    /// The longest close time-out that is honoured.
    package static let longestTimeout = Duration.seconds(10 * 60)
    /// The longest time that a rewarded video may hold the screen, however long it claims to be.
    package static let longestMedia = Duration.seconds(10 * 60)

    package init(_ terms: ShowRules, timing: AdTiming) {
        guard terms.closeControl == .button else {
            self.closeAfter = nil
            self.watchdog = nil
            return
        }
        let timeout = min(max(.zero, terms.closeDelay ?? .zero), ClosePlan.longestTimeout)
        switch terms.kind {
        case .rewarded(let video):
            self.closeAfter = nil
            self.watchdog = ClosePlan.rewardedWatchdog(media: video.duration, timing: timing)
        case .video(let video):
            self.closeAfter = video.isSkippable && timeout == .zero ? nil : timeout
            self.watchdog = timeout + timing.watchdog
        case .banner, .interstitial, .card, .engagement:
            self.closeAfter = timeout
            self.watchdog = timeout + timing.watchdog
        }
    }

    /// The media's length and some grace; the general watchdog as long as the length is not known.
    package static func rewardedWatchdog(media: Duration?, timing: AdTiming) -> Duration {
        guard let media, media > .zero else { return timing.watchdog }
        return min(media, self.longestMedia) + timing.rewardedGrace
    }
}

/// The deadlines of an ad's life that no provider sets.
package struct AdTiming: Equatable, Sendable {
    /// How long a load may take.
    package var loading: Duration = .seconds(10)
    /// How long a stage may take to show a creative.
    package var presenting: Duration = .seconds(10)
    /// How long an ad may be on screen without a way out, beyond its close time-out.
    package var watchdog: Duration = .seconds(30)
    /// What a rewarded video's watchdog adds to the media's length.
    package var rewardedGrace: Duration = .seconds(10)
    /// How long a link waits for its click to be written down.
    package var recording: Duration = .milliseconds(100)
    /// How long an ad that is over waits for what is still being written down or opened.
    package var settling: Duration = .seconds(15)

    package init() {}
}
