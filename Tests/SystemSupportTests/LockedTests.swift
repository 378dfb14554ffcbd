import SystemSupport
import Testing

@Suite("Locked")
struct LockedTests {
    @Test("no addition of many tasks is lost")
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

    @Test("an error comes through, and the lock is free afterwards")
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

    @Test("the value goes with its lock")
    func release() {
        final class Guest: Sendable {}
        weak var guest: Guest?
        do {
            let inside = Guest()
            guest = inside
            _ = Locked(inside)
        }
        #expect(guest == nil)
    }
}
