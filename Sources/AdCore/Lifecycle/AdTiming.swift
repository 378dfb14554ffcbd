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

    /// How long a load's requests may take: it stops before its deadline, so that it can still say what was late.
    package var requesting: Duration { self.loading - min(.milliseconds(500), self.loading / 20) }
}
