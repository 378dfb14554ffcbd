import AdCore
import AdRuntime
import SystemLock
import Testing
import YabbiTesting

@Suite("Clocks")
struct ClockTests {
    @Test("alarms fire in the order in which they are due, cancelled ones never")
    func order() {
        var queue = AlarmQueue()
        let fired = Locked<[Int]>([])
        var ids: [AlarmID] = []
        for number in 0..<1000 {
            let due = Moment(.milliseconds((number * 7919) % 1000))
            ids.append(queue.add(at: due) { fired.withLock { $0.append((number * 7919) % 1000) } })
        }
        for (number, id) in ids.enumerated() where !number.isMultiple(of: 3) { queue.cancel(id) }
        while let alarm = queue.popDue(at: Moment(.seconds(2))) { alarm.fire() }
        let values = fired.withLock { $0 }
        #expect(values.count == 334)
        #expect(values == values.sorted())
        #expect(queue.count == 0)
    }

    @Test("real time fires alarms, the earlier first, whichever was set first")
    func system() async {
        let clock = SystemClock()
        let order = Locked<[String]>([])
        let done = OneShot<Void>()
        _ = clock.schedule(at: clock.now + .milliseconds(30)) {
            order.withLock { $0.append("late") }
            done.resolve(())
        }
        let never = clock.schedule(at: clock.now + .milliseconds(20)) { order.withLock { $0.append("never") } }
        _ = clock.schedule(at: clock.now + .milliseconds(5)) { order.withLock { $0.append("early") } }
        clock.cancel(never)
        await done.value
        #expect(order.withLock { $0 } == ["early", "late"])
    }

    @Test("virtual time jumps from alarm to alarm while nothing is being done, and stands while something is")
    func virtual() async {
        let clock = VirtualClock()
        clock.workBegan()
        let done = OneShot<Moment>()
        _ = clock.schedule(at: Moment(.seconds(3600))) { done.resolve(clock.now) }
        #expect(clock.now == .origin)
        clock.workEnded()
        #expect(await done.value == Moment(.seconds(3600)))
        #expect(clock.wallTime - WallTime(milliseconds: 1_700_000_000_000) == .seconds(3600))
    }

    @Test("time stands where a rest ended until whoever rested rests again")
    func standing() async {
        for _ in 0..<200 {
            let clock = VirtualClock()
            clock.workBegan()
            for second in 1...9 { _ = clock.schedule(at: Moment(.seconds(second))) {} }
            await clock.rest(until: Moment(.milliseconds(4500)))
            #expect(clock.now == Moment(.milliseconds(4500)))
            let rest = ClockRest(clock)
            _ = clock.schedule(at: Moment(.milliseconds(6500))) { rest.end() }
            await rest.wait()
            #expect(clock.now == Moment(.milliseconds(6500)))
            clock.workEnded()
        }
    }

    @Test("a wait that was ended before it began holds time, and one that is given up leaves nothing behind")
    func abandoned() {
        let clock = VirtualClock()
        clock.workBegan()
        let rest = ClockRest(clock)
        rest.end()
        #expect(!rest.abandon())
        let other = ClockRest(clock)
        #expect(other.abandon())
        other.end()
        _ = clock.schedule(at: Moment(.seconds(1))) {}
        #expect(clock.now == .origin)
        clock.workEnded()
        #expect(clock.now == Moment(.seconds(1)))
    }

    @Test("a rest that is cancelled ends at once and keeps the count of work right")
    func cancelledRest() async {
        let clock = ManualClock()
        for _ in 0..<200 {
            let task = clock.work { await clock.rest(until: Moment(.seconds(1))) }
            async let cancel: Void = task.cancel()
            async let advance: Void = clock.advance(by: .milliseconds(500))
            _ = await (cancel, advance)
            await task.value
            await clock.settle()
        }
        #expect(clock.alarms == 0)
    }
}
