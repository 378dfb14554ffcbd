import AdCore
import SystemSupport
import TestSupport
import Testing

@testable import URLSessionTransport

@Suite("A WebSocket over a task in memory", .serialized, .timeLimit(.minutes(1)))
struct TaskSocketTests {
    private func socket(
        _ task: MemoryTask,
        _ events: Received<SocketEvent>,
        limits: SocketRequest.Limits = .init(),
        ended: Received<Bool> = Received()
    ) throws -> TaskSocket {
        let url = try #require(SocketURL("ws://a.example/"))
        let machine = SocketTaskMachine(SocketRequest(url, limits: limits))
        let socket = TaskSocket(task, machine) {
            events.append($0)
        } onEnd: {
            ended.append(true)
        }
        socket.start()
        return socket
    }

    @Test("texts are sent and received in order, and the end is reported once and last")
    func exchange() async throws {
        let (task, events, ended) = (MemoryTask(), Received<SocketEvent>(), Received<Bool>())
        let socket = try self.socket(task, events, ended: ended)
        let handle = TaskSocketHandle(socket)
        handle.send("lost: it is not open yet")
        socket.post(.opened)
        for number in 0..<100 { handle.send("\(number)") }
        for number in 0..<100 { task.deliver(.text("\(number)")) }
        handle.close()
        socket.post(.closedByPeer(code: 1000, reason: ""))
        socket.post(.ended(nil, status: 101))
        let texts = (0..<100).map { "\($0)" }
        #expect(task.calls == ["resume"] + texts + ["close 1000"])
        #expect(events.all.dropLast() == [.opened] + texts.map { .text($0) })
        guard case .closed(let end) = events.all.last else {
            Issue.record("the end was not reported")
            return
        }
        #expect(end.cause == .byUs && ended.all == [true])
    }

    @Test("a handle that is released closes its connection")
    func released() throws {
        let (task, events) = (MemoryTask(), Received<SocketEvent>())
        let socket = try self.socket(task, events)
        var handle: TaskSocketHandle? = TaskSocketHandle(socket)
        socket.post(.opened)
        _ = handle
        handle = nil
        #expect(task.calls == ["resume", "close 1000"])
    }

    @Test("a connection can be used and closed within its own callback")
    func withinCallback() async throws {
        let task = MemoryTask()
        let (handle, events) = (Locked<TaskSocketHandle?>(nil), Received<SocketEvent>())
        let url = try #require(SocketURL("ws://a.example/"))
        let socket = TaskSocket(task, SocketTaskMachine(SocketRequest(url))) { event in
            events.append(event)
            guard event == .text("1") else { return }
            handle.withLock { $0 }?.send("from within")
            handle.withLock { $0 }?.close()
        } onEnd: {
        }
        handle.withLock { $0 = TaskSocketHandle(socket) }
        socket.start()
        socket.post(.opened)
        for number in 0..<3 { task.deliver(.text("\(number)")) }
        socket.post(.closedByPeer(code: 1000, reason: ""))
        #expect(task.calls == ["resume", "from within", "close 1000"])
        #expect(events.all.count == 4, "opened, two texts, and the end")
        handle.withLock { $0 = nil }
    }

    @Test("a server that does not open the connection in time is left")
    func timesOut() async throws {
        let (task, events) = (MemoryTask(), Received<SocketEvent>())
        let socket = try self.socket(task, events, limits: .init(connect: .milliseconds(50)))
        guard case .closed(let end) = await events.first() else {
            Issue.record("the connection was opened")
            return
        }
        #expect(end.cause == .notOpened())
        #expect(task.calls == ["resume", "cancel"])
        withExtendedLifetime(socket) {}
    }

    @Test("the Close frame waits until everything is sent")
    func flushes() throws {
        let (task, events) = (MemoryTask(sendsAtOnce: false), Received<SocketEvent>())
        let socket = try self.socket(task, events)
        let handle = TaskSocketHandle(socket)
        socket.post(.opened)
        handle.send("a")
        handle.close()
        #expect(task.calls == ["resume", "a"])
        task.finishSending()
        #expect(task.calls == ["resume", "a", "close 1000"])
        socket.post(.closedByPeer(code: 1000, reason: ""))
        #expect(events.all.count == 2)
    }
}

/// A task without a network, which records its calls.
private final class MemoryTask: SocketTask {
    private struct State {
        var calls: [String] = []
        var receivers: [@Sendable (SocketTaskMachine.Input) -> Void] = []
        var senders: [@Sendable ((any Error)?) -> Void] = []
    }

    private let state = Locked(State())
    private let sendsAtOnce: Bool

    init(sendsAtOnce: Bool = true) { self.sendsAtOnce = sendsAtOnce }

    var calls: [String] { self.state.withLock(\.calls) }

    /// Delivers a message if the connection asks for one.
    func deliver(_ input: SocketTaskMachine.Input) {
        let receiver = self.state.withLock { $0.receivers.isEmpty ? nil : $0.receivers.removeFirst() }
        receiver?(input)
    }

    /// Reports that everything was sent.
    func finishSending() {
        let senders = self.state.withLock { state in
            defer { state.senders = [] }
            return state.senders
        }
        for sender in senders { sender(nil) }
    }

    func resume() { self.record("resume") }

    func send(_ text: String, report: @escaping @Sendable ((any Error)?) -> Void) {
        self.record(text)
        if self.sendsAtOnce { return report(nil) }
        self.state.withLock { $0.senders.append(report) }
    }

    func receive(report: @escaping @Sendable (SocketTaskMachine.Input) -> Void) {
        self.state.withLock { $0.receivers.append(report) }
    }

    func close(code: UInt16) { self.record("close \(code)") }

    func cancel() { self.record("cancel") }

    private func record(_ call: String) { self.state.withLock { $0.calls.append(call) } }
}
