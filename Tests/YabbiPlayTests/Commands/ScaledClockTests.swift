import Testing

@testable import YabbiPlay

@Suite("A clock that runs faster")
struct SpedClockTests {
    @Test("its time is the platform's, so many times over")
    func speed() {
        let clock = ScaledClock(speed: 16)
        let (start, real) = (clock.now, ContinuousClock.now)
        while real.duration(to: .now) < .milliseconds(5) {}
        #expect(start.duration(to: clock.now) >= .milliseconds(80))
    }

    @Test("whoever sleeps is woken so many times as soon")
    func sleep() async throws {
        let clock = ScaledClock(speed: 16)
        let real = ContinuousClock.now
        try await clock.sleep(until: clock.now.advanced(by: .seconds(1)), tolerance: nil)
        #expect((.milliseconds(50)..<(.milliseconds(900))).contains(real.duration(to: .now)))
    }
}
