import SystemSupport
import Testing

@Suite("Locked")
struct LockedTests {
    @Test("additions of concurrent tasks are not lost")
    func additions() async {
        let total = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<10_000 { total.withLock { $0 += 1 } }
                }
            }
        }
        #expect(total.withLock { $0 } == 80_000)
    }

    @Test("an error is rethrown, and the lock is released")
    func errors() {
        struct Stop: Error {}
        let value = Locked("a")
        #expect(throws: Stop.self) {
            try value.withLock { text in
                text = "b"
                throw Stop()
            }
        }
        #expect(value.withLock { $0 } == "b")
    }

    @Test("the value is released with its lock")
    func release() {
        final class Owner: Sendable {}
        weak var owner: Owner?
        do {
            let inside = Owner()
            owner = inside
            _ = Locked(inside)
        }
        #expect(owner == nil)
    }
}
