import AdCore
import AdRuntime
import SystemSupport
import Testing
import YabbiTesting

@Suite("Clocks")
struct ClockTests {
    @Test("alarms fire in the order in which they are due, and cancelled ones never")
    func order() {
        var queue = AlarmQueue<Moment>()
        let fired = Locked<[Int]>([])
        var ids: [UInt64] = []
        for number in 0..<1000 {
            let due = Moment(.milliseconds((number * 7919) % 1000))
            ids.append(queue.add(at: due) { fired.withLock { $0.append((number * 7919) % 1000) } })
        }
        for (number, id) in ids.enumerated() where !number.isMultiple(of: 3) { _ = queue.cancel(id) }
        while let alarm = queue.popDue(at: Moment(.seconds(2))) { alarm.fire() }
        let values = fired.withLock { $0 }
        #expect(values.count == 334)
        #expect(values == values.sorted())
        #expect(queue.count == 0)
    }

    @Test("releasing an alarm may cancel another: no clock holds its lock while it releases one")
    func nested() {
        final class Owner: Sendable {
            let end: @Sendable () -> Void
            init(_ end: @escaping @Sendable () -> Void) { self.end = end }
            deinit { self.end() }
        }
        let clocks: [any AdClock] = [SystemClock(), VirtualClock(), ManualClock()]
        for clock in clocks {
            clock.workStarted()
            let other = clock.schedule(at: clock.now + .seconds(60)) {}
            let ended = Locked(0)
            let first = { () -> AlarmID in
                let owner = Owner {
                    clock.cancel(other)
                    ended.withLock { $0 += 1 }
                }
                return clock.schedule(at: clock.now + .seconds(30)) { _ = owner }
            }()
            clock.cancel(first)
            #expect(ended.withLock { $0 } == 1)
            clock.workEnded()
        }
    }

    @Test("one task sleeps for all alarms, also when many are set and cancelled concurrently")
    func sleepers() async {
        let base = CountingClock()
        let clock = SystemClock(base)
        let far = clock.schedule(at: clock.now + .seconds(600)) {}
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<2 {
                group.addTask {
                    for round in 0..<3000 {
                        let offset = Duration.microseconds((round * 37 + worker * 11) % 300 - 100)
                        let alarm = clock.schedule(at: clock.now + offset) {}
                        if round.isMultiple(of: 2) { clock.cancel(alarm) }
                        await Task.yield()
                    }
                }
            }
        }
        let done = OneShot<Void>()
        _ = clock.schedule(at: clock.now + .milliseconds(5)) { done.set(()) }
        await done.value
        let deadline = ContinuousClock.now + .seconds(10)
        while base.sleeping > 1, ContinuousClock.now < deadline { await Task.yield() }
        #expect(base.sleeping <= 1)
        clock.cancel(far)
    }

    @Test("the system clock fires the earlier alarm first, whichever was set first")
    func system() async {
        let clock = SystemClock()
        let order = Locked<[String]>([])
        let done = OneShot<Void>()
        _ = clock.schedule(at: clock.now + .milliseconds(30)) {
            order.withLock { $0.append("late") }
            done.set(())
        }
        let never = clock.schedule(at: clock.now + .milliseconds(20)) { order.withLock { $0.append("never") } }
        _ = clock.schedule(at: clock.now + .milliseconds(5)) { order.withLock { $0.append("early") } }
        clock.cancel(never)
        await done.value
        #expect(order.withLock { $0 } == ["early", "late"])
    }

    @Test("virtual time jumps to the next alarm when there is no work, and stands still while there is")
    func virtual() async {
        let clock = VirtualClock()
        clock.workStarted()
        let done = OneShot<Moment>()
        _ = clock.schedule(at: Moment(.seconds(3600))) { done.set(clock.now) }
        #expect(clock.now == .origin)
        clock.workEnded()
        #expect(await done.value == Moment(.seconds(3600)))
        #expect(clock.wallTime - WallTime(milliseconds: 1_700_000_000_000) == .seconds(3600))
    }

    @Test("virtual time stands still between two waits")
    func standing() async {
        for _ in 0..<200 {
            let clock = VirtualClock()
            clock.workStarted()
            for second in 1...9 { _ = clock.schedule(at: Moment(.seconds(second))) {} }
            await clock.rest(until: Moment(.milliseconds(4500)))
            #expect(clock.now == Moment(.milliseconds(4500)))
            let rest = ClockWait(clock)
            _ = clock.schedule(at: Moment(.milliseconds(6500))) { rest.end() }
            await rest.wait()
            #expect(clock.now == Moment(.milliseconds(6500)))
            clock.workEnded()
        }
    }

    @Test("a wait that ends before it starts counts as work, and an abandoned wait does not")
    func abandoned() {
        let clock = VirtualClock()
        clock.workStarted()
        let rest = ClockWait(clock)
        rest.end()
        #expect(!rest.abandon())
        let other = ClockWait(clock)
        #expect(other.abandon())
        other.end()
        _ = clock.schedule(at: Moment(.seconds(1))) {}
        #expect(clock.now == .origin)
        clock.workEnded()
        #expect(clock.now == Moment(.seconds(1)))
    }

    @Test("a cancelled wait ends at once and keeps the count of work correct")
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

/// A clock that counts the tasks that sleep.
private final class CountingClock: Clock {
    typealias Instant = ContinuousClock.Instant
    private let count = Locked(0)

    var sleeping: Int { self.count.withLock { $0 } }
    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { ContinuousClock().minimumResolution }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        self.count.withLock { $0 += 1 }
        defer { self.count.withLock { $0 -= 1 } }
        try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
}
