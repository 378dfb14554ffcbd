import SystemLock
import Testing

@testable import ChromiumStage

@Suite("Lanes", .timeLimit(.minutes(1)))
struct LanesTests {
    @Test("so many are let in, and the others in the order in which they came")
    func order() async throws {
        let lanes = Lanes(2)
        let first = try #require(await lanes.enter())
        let second = try #require(await lanes.enter())
        let order = Locked<[Int]>([])
        let third = Task {
            let lane = await lanes.enter()
            order.withLock { $0.append(3) }
            lane?.leave()
        }
        await lanes.untilWaiting(1)
        let fourth = Task {
            let lane = await lanes.enter()
            order.withLock { $0.append(4) }
            lane?.leave()
        }
        await lanes.untilWaiting(2)
        #expect(order.withLock { $0 }.isEmpty)
        first.leave()
        first.leave()
        await third.value
        await fourth.value
        #expect(order.withLock { $0 } == [3, 4])
        second.leave()
    }

    @Test("who is cancelled waits no longer, and takes nobody's lane")
    func cancelled() async throws {
        let lanes = Lanes(1)
        let first = try #require(await lanes.enter())
        let task = Task { await lanes.enter() == nil }
        await lanes.untilWaiting(1)
        task.cancel()
        #expect(await task.value)
        first.leave()
        #expect(await lanes.enter() != nil)
    }

    @Test("a lane that nobody holds any more is free")
    func forgotten() async throws {
        let lanes = Lanes(1)
        var lane = await lanes.enter()
        #expect(lane != nil)
        lane = nil
        #expect(await lanes.enter() != nil)
    }
}

extension Lanes {
    /// Waits until so many wait; the suite's time limit ends a wait for those who never come.
    fileprivate func untilWaiting(_ count: Int) async {
        while self.waiting < count { await Task.yield() }
    }
}
