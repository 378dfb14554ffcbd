import SystemSupport
import Testing

@Suite("A dedicated thread and its wake pipe")
struct DedicatedThreadTests {
    @Test("a joined thread has run its closure")
    func joined() throws {
        let count = Locked(0)
        let threads = try (0..<8).map { _ in
            try #require(DedicatedThread("yabbi-test") { for _ in 0..<1_000 { count.withLock { $0 += 1 } } })
        }
        for thread in threads { thread.join() }
        #expect(count.withLock { $0 } == 8_000)
    }

    @Test("a ring before a wait ends that wait only")
    func rang() throws {
        let pipe = try #require(WakePipe())
        for _ in 0..<100_000 { pipe.wake() }
        // Without the rings this would never return.
        pipe.wait(atMost: nil)
        // The pipe is cleared now: only the timeout ends the wait.
        let start = ContinuousClock.now
        pipe.wait(atMost: .milliseconds(3))
        #expect(ContinuousClock.now - start >= .milliseconds(3))
    }

    @Test("a ring wakes a thread that waits")
    func woken() throws {
        let (here, there) = try (#require(WakePipe()), #require(WakePipe()))
        let thread = try #require(
            DedicatedThread("yabbi-test") {
                for _ in 0..<100 {
                    there.wait(atMost: nil)
                    here.wake()
                }
            }
        )
        for _ in 0..<100 {
            there.wake()
            here.wait(atMost: nil)
        }
        thread.join()
    }
}
