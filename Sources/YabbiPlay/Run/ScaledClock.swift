/// A clock that runs faster than the platform's by a factor.
struct ScaledClock: Clock {
    struct Instant: InstantProtocol {
        fileprivate let sinceStart: Duration

        func advanced(by duration: Duration) -> Instant { Instant(sinceStart: self.sinceStart + duration) }
        func duration(to other: Instant) -> Duration { other.sinceStart - self.sinceStart }
        static func < (left: Instant, right: Instant) -> Bool { left.sinceStart < right.sinceStart }
    }

    private let speed: Double
    private let start = ContinuousClock.now

    /// A clock that starts now.
    init(speed: Double) { self.speed = speed }

    var now: Instant { Instant(sinceStart: self.start.duration(to: .now) * self.speed) }
    var minimumResolution: Duration { ContinuousClock().minimumResolution }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(until: self.start + deadline.sinceStart / self.speed, tolerance: tolerance)
    }
}
