import AdCore
import Testing

@testable import AdRuntime

@Suite("What a connection has said that nobody has handled")
struct SocketBacklogTests {
    @Test("is bounded in number, and one that is too much ends the connection once")
    func count() {
        let backlog = SocketBacklog()
        for _ in 0..<SocketBacklog.most.count { #expect(backlog.add(.text(""), of: 1) == .fits) }
        #expect(backlog.add(.text(""), of: 1) == .full)
        #expect(backlog.add(.text(""), of: 1) == .dropped)
        #expect(backlog.add(.text(""), of: 2) == .fits, "the next connection begins anew")
    }

    @Test("is bounded in bytes, and what was handled makes room")
    func bytes() {
        let backlog = SocketBacklog()
        let text = SocketEvent.text(String(repeating: "x", count: SocketBacklog.most.bytes / 2))
        #expect(backlog.add(text, of: 1) == .fits && backlog.add(text, of: 1) == .fits)
        backlog.remove(text, of: 1)
        #expect(backlog.add(text, of: 1) == .fits && backlog.add(.text("x"), of: 1) == .full)
    }

    @Test("of an older connection says nothing of the present one")
    func older() {
        let backlog = SocketBacklog()
        for _ in 0..<SocketBacklog.most.count { _ = backlog.add(.text(""), of: 2) }
        #expect(backlog.add(.text("late"), of: 1) == .dropped)
        backlog.remove(.text("late"), of: 1)
        #expect(backlog.add(.text(""), of: 2) == .full)
    }
}
