import Testing

@testable import AdRuntime

@Suite("The backlog of inbound messages")
struct InboundBacklogTests {
    @Test("the number of messages is limited; above the limit they are dropped until the backlog is empty")
    func count() {
        let backlog = InboundBacklog(countLimit: 100)
        for _ in 0..<100 { #expect(backlog.add(0) == .fits) }
        #expect(backlog.add(0) == .full && backlog.add(0) == .dropped)
        for _ in 0..<99 { backlog.remove(0) }
        #expect(backlog.add(0) == .dropped)
        backlog.remove(0)
        #expect(backlog.add(0) == .fits)
    }

    @Test("the number of bytes is limited, and handled messages make room")
    func bytes() {
        let backlog = InboundBacklog(countLimit: 100)
        let half = InboundBacklog.byteLimit / 2
        #expect(backlog.add(half) == .fits && backlog.add(half) == .fits)
        backlog.remove(half)
        #expect(backlog.add(half) == .fits && backlog.add(1) == .full)
    }
}
