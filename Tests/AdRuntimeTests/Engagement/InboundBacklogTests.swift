import Testing

@testable import AdRuntime

@Suite("What was said and nobody has handled yet")
struct BacklogTests {
    @Test("is bounded in number; what is too much is told once, and dropped until nothing waits any more")
    func count() {
        let backlog = InboundBacklog(most: 100)
        for _ in 0..<100 { #expect(backlog.add(0) == .fits) }
        #expect(backlog.add(0) == .full && backlog.add(0) == .dropped)
        for _ in 0..<99 { backlog.remove(0) }
        #expect(backlog.add(0) == .dropped)
        backlog.remove(0)
        #expect(backlog.add(0) == .fits)
    }

    @Test("is bounded in bytes, and what was handled makes room")
    func bytes() {
        let backlog = InboundBacklog(most: 100)
        let half = InboundBacklog.mostBytes / 2
        #expect(backlog.add(half) == .fits && backlog.add(half) == .fits)
        backlog.remove(half)
        #expect(backlog.add(half) == .fits && backlog.add(1) == .full)
    }
}
