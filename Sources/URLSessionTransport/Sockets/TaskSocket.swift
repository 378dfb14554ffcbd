import AdCore
import SystemSupport

/// What `TaskSocket` uses of URLSession's WebSocket task; tests have another one.
protocol SocketTask: AnyObject, Sendable {
    /// Begins to connect.
    func resume()
    /// Sends a text, and reports whether that failed.
    func send(_ text: String, report: @escaping @Sendable ((any Error)?) -> Void)
    /// Receives one message or a failure, and reports it.
    func receive(report: @escaping @Sendable (SocketTaskMachine.Input) -> Void)
    /// Sends a Close frame.
    func close(code: UInt16)
    /// Ends the task without a Close frame.
    func cancel()
}

/// Executes what the machine of one WebSocket connection decides.
final class TaskSocket: Sendable {
    private struct State {
        var machine: SocketTaskMachine
        /// The program's callback; nil after the end was reported.
        var report: (@Sendable (SocketEvent) -> Void)?
        var alarm: Task<Void, Never>?
    }

    private let task: any SocketTask
    private let onEnd: @Sendable () -> Void
    private let state: Locked<State>
    /// One input at a time, in the order in which they arrived.
    private let mailbox = SerialMailbox<SocketTaskMachine.Input?>()

    /// Creates the connection of a task that was not resumed; `onEnd` is called before its end is reported.
    init(
        _ task: any SocketTask,
        _ machine: SocketTaskMachine,
        report: @escaping @Sendable (SocketEvent) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.task = task
        self.onEnd = onEnd
        self.state = Locked(State(machine: machine, report: report))
    }

    /// Begins to connect.
    func start() {
        self.task.resume()
        self.mailbox.post(nil) { self.handle($0) }
    }

    /// Handles an input, after those that arrived before it.
    func post(_ input: SocketTaskMachine.Input) { self.mailbox.post(input) { self.handle($0) } }

    private func handle(_ input: SocketTaskMachine.Input?) {
        let actions = self.state.withLock { state in
            input.map { state.machine.handle($0) } ?? state.machine.start()
        }
        for action in actions { self.execute(action) }
    }

    private func execute(_ action: SocketTaskMachine.Action) {
        switch action {
        case .receive: self.task.receive { self.post($0) }
        case .send(let text, let bytes):
            self.task.send(text) { error in
                self.post(error.map { .sendFailed(TransferError($0).detail) } ?? .sent(bytes))
            }
        case .close(let code): self.task.close(code: code)
        case .drop: self.task.cancel()
        case .alarm(let number, let time): self.setAlarm(number, after: time)
        case .report(let event): self.report(event)
        }
    }

    private func setAlarm(_ number: Int, after time: Duration) {
        let alarm = Task {
            guard (try? await Task.sleep(for: time, clock: .continuous)) != nil else { return }
            self.post(.alarm(number))
        }
        let last = self.state.withLock { state in
            defer { state.alarm = alarm }
            return state.alarm
        }
        last?.cancel()
    }

    private func report(_ event: SocketEvent) {
        guard case .closed = event else {
            self.state.withLock(\.report)?(event)
            return
        }
        let (report, alarm) = self.state.withLock { state in
            defer { (state.report, state.alarm) = (nil, nil) }
            return (state.report, state.alarm)
        }
        alarm?.cancel()
        self.onEnd()
        report?(event)
    }
}

/// The program's handle of a connection, which is closed when the handle is deallocated.
final class TaskSocketHandle: SocketConnection {
    /// Nil for a connection that was never begun.
    private let socket: TaskSocket?

    init(_ socket: TaskSocket?) { self.socket = socket }

    deinit { self.socket?.post(.close) }

    func send(_ text: String) { self.socket?.post(.send(text)) }

    func close() { self.socket?.post(.close) }
}
