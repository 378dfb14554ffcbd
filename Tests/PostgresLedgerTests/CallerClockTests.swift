import AdCore
import Testing

@testable import PostgresLedger

@Suite("The time of a caller")
struct CallerClockTests {
    private let start = ContinuousClock.now

    private static func at(_ seconds: Int64) -> WallTime { WallTime(milliseconds: seconds * 1_000) }

    @Test("an earlier time that is passed in is a distance to the present")
    func earlier() {
        var clock = CallerClock(.server)
        #expect(!clock.isSet)
        _ = clock.present(Self.at(100), at: self.start)
        #expect(clock.isSet)
        let present = clock.present(Self.at(100), at: self.start + .seconds(7))
        #expect(present.wallTime == Self.at(107))
        #expect(present.override == nil)
        #expect(present.distance(to: Self.at(100)) == -7_000)
        #expect(present.time(at: 3_000) == Self.at(110))
        // A caller that passes no time in has the same calendar.
        let other = clock.present(nil, at: self.start + .seconds(9))
        #expect(other.wallTime == Self.at(109))
    }

    @Test("a later time than expected is the present: the process may have been stopped")
    func later() {
        var clock = CallerClock(.server)
        _ = clock.present(Self.at(100), at: self.start)
        let present = clock.present(Self.at(500), at: self.start + .seconds(1))
        #expect(present.wallTime == Self.at(500))
    }

    @Test("how long ago a time was is by the clock of the times that were passed in")
    func distance() {
        var clock = CallerClock(.server)
        _ = clock.present(Self.at(100), at: .now)
        let distances = [Self.at(90), WallTime(milliseconds: .min)].map { clock.distance(to: $0) }
        #expect((-70_000 ... -10_000).contains(distances[0]))
        #expect(distances[1] < -1_000_000_000_000 && distances[1] > .min / 2)
    }

    @Test("tests move the time of the server, too")
    func caller() {
        var clock = CallerClock(.caller)
        let times = [Self.at(100), Self.at(50), nil].map { clock.present($0, at: self.start).override }
        #expect(times == [Self.at(100), Self.at(50), Self.at(50)])
    }
}
