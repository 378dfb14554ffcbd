import SystemSupport
import Testing

@Suite("AsyncSemaphore", .timeLimit(.minutes(1)))
struct AsyncSemaphoreTests {
    @Test("the limit of tasks is admitted, the others wait in order of arrival")
    func order() async throws {
        let semaphore = AsyncSemaphore(2)
        let first = try #require(await semaphore.acquire())
        let second = try #require(await semaphore.acquire())
        let order = Locked<[Int]>([])
        let third = Task {
            let permit = await semaphore.acquire()
            order.withLock { $0.append(3) }
            permit?.release()
        }
        await semaphore.untilWaiting(1)
        let fourth = Task {
            let permit = await semaphore.acquire()
            order.withLock { $0.append(4) }
            permit?.release()
        }
        await semaphore.untilWaiting(2)
        #expect(order.withLock { $0 }.isEmpty)
        first.release()
        first.release()
        await third.value
        await fourth.value
        #expect(order.withLock { $0 } == [3, 4])
        second.release()
    }

    @Test("a cancelled task stops waiting and takes no permit")
    func cancelled() async throws {
        let semaphore = AsyncSemaphore(1)
        let first = try #require(await semaphore.acquire())
        let task = Task { await semaphore.acquire() == nil }
        await semaphore.untilWaiting(1)
        task.cancel()
        #expect(await task.value)
        first.release()
        #expect(await semaphore.acquire() != nil)
    }

    @Test("releasing the last reference to a permit returns it")
    func lastReference() async throws {
        let semaphore = AsyncSemaphore(1)
        var permit = await semaphore.acquire()
        #expect(permit != nil)
        permit = nil
        #expect(await semaphore.acquire() != nil)
    }
}

extension AsyncSemaphore {
    /// Waits until this many tasks wait; the time limit of the test ends it.
    fileprivate func untilWaiting(_ count: Int) async {
        while self.waitingCount < count, !Task.isCancelled { await Task.yield() }
    }
}
