import SystemSupport
import Testing

@Suite("A thread of one's own")
struct OwnThreadTests {
    @Test("a joined thread has done its work")
    func joined() throws {
        let count = Locked(0)
        let threads = try (0..<8).map { _ in
            try #require(DedicatedThread("yabbi-test") { for _ in 0..<1_000 { count.withLock { $0 += 1 } } })
        }
        for thread in threads { thread.join() }
        #expect(count.withLock { $0 } == 8_000)
    }

    @Test("a pipe that rang before anybody waited is heard, once")
    func rang() throws {
        let bell = try #require(WakePipe())
        for _ in 0..<100_000 { bell.ring() }
        // Without the ring this would wait for ever.
        bell.wait(atMost: nil)
        // And now it has been heard: only time ends the wait.
        let start = ContinuousClock.now
        bell.wait(atMost: .milliseconds(3))
        #expect(ContinuousClock.now - start >= .milliseconds(3))
    }

    @Test("a thread that waits is woken by a ring from another")
    func woken() throws {
        let (here, there) = try (#require(WakePipe()), #require(WakePipe()))
        let thread = try #require(
            DedicatedThread("yabbi-test") {
                for _ in 0..<100 {
                    there.wait(atMost: nil)
                    here.ring()
                }
            }
        )
        for _ in 0..<100 {
            there.ring()
            here.wait(atMost: nil)
        }
        thread.join()
    }
}
