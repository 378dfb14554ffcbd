import Testing

@testable import YabbiPlay

@Suite("A clock that runs faster")
struct ScaledClockTests {
    @Test("its time passes faster by the factor")
    func speed() {
        let clock = ScaledClock(speed: 16)
        let (start, real) = (clock.now, ContinuousClock.now)
        while real.duration(to: .now) < .milliseconds(5) {}
        #expect(start.duration(to: clock.now) >= .milliseconds(80))
    }

    @Test("a sleep is shorter by the factor")
    func sleep() async throws {
        let clock = ScaledClock(speed: 16)
        let real = ContinuousClock.now
        try await clock.sleep(until: clock.now.advanced(by: .seconds(1)), tolerance: nil)
        #expect((.milliseconds(50)..<(.milliseconds(900))).contains(real.duration(to: .now)))
    }
}
