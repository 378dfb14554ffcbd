import LibC
import SystemSupport
package import WebStage

/// A command in the form of an engine's connection.
package protocol EnginePipeCommand: Sendable {
    /// The name of the command in errors.
    var name: String { get }

    /// The encoded message; `number` matches the reply to the command.
    func bytes(number: Int) -> [UInt8]
}

/// What an engine has sent.
package enum EnginePipeMessage<Answer: Sendable, Report: Sendable>: Sendable {
    /// The reply to a command.
    case reply(number: Int, Result<Answer, EngineError>)
    case report(Report)
}

/// Reads the messages of an engine's connection.
package protocol EnginePipeReader: Sendable {
    associatedtype Command: EnginePipeCommand
    associatedtype Answer: Sendable
    associatedtype Report: Sendable

    init()

    /// Handles bytes that arrived at `now`; `deliver` is called with each complete message.
    ///
    /// - Returns: False if what follows can't be read, which ends the connection.
    mutating func append(
        _ bytes: UnsafeRawBufferPointer,
        at now: ContinuousClock.Instant,
        deliver: (EnginePipeMessage<Answer, Report>) -> Void
    ) -> Bool
}

/// The connection to one engine over a pair of file descriptors, which it closes at the end.
///
/// One thread reads, writes and handles timeouts. It ends when the engine closes its end, or when `close` is called.
package final class EnginePipe<Reader: EnginePipeReader>: Sendable {
    package typealias Reply = Result<Reader.Answer, EngineError>

    private struct Waiting {
        let name: String
        let deadline: ContinuousClock.Instant
        let reply: @Sendable (Reply) -> Void
    }

    private struct State {
        var unsent: [UInt8] = []
        /// Messages that are sent when nothing else is unsent.
        var inTurn: [[UInt8]] = []
        var waiting: [Int: Waiting] = [:]
        var alarms = AlarmQueue<ContinuousClock.Instant>()
        var last = 0
        var isClosed = false
        var traffic = EngineTraffic()

        /// Counts a command; returns its number.
        mutating func count() -> Int {
            self.last += 1
            self.traffic.commands += 1
            return self.last
        }

        /// Takes what is to be sent next; `isIdle` if all before it was sent.
        mutating func takeUnsent(isIdle: Bool) -> [UInt8] {
            if self.unsent.isEmpty, isIdle, !self.inTurn.isEmpty { return self.inTurn.removeFirst() }
            defer { self.unsent = [] }
            return self.unsent
        }
    }

    private let state = Locked(State())
    private let bell: WakePipe
    private let reading: Int32
    private let writing: Int32
    private let unsentLimit: Int
    private let report: @Sendable (Reader.Report) -> Void
    private let onEnd: @Sendable () -> Void

    /// Starts the thread; nil if the system has no pipe or thread left, in which case the caller still owns both
    /// descriptors.
    ///
    /// - Parameters:
    ///   - reading: The descriptor from which the engine's messages are read.
    ///   - writing: The descriptor to which commands are written; it may be the same.
    ///   - unsentLimit: The maximum number of unsent bytes; an engine that reads less is unusable.
    ///   - report: Called with each event and flood, in order, on the pipe's thread; it must not block.
    ///   - onEnd: Called once at the end, on the pipe's thread; it may block.
    package init?(
        reading: Int32,
        writing: Int32,
        unsentLimit: Int = 256 << 20,
        report: @escaping @Sendable (Reader.Report) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) {
        guard let bell = WakePipe() else { return nil }
        self.bell = bell
        self.reading = reading
        self.writing = writing
        self.unsentLimit = unsentLimit
        self.report = report
        self.onEnd = onEnd
        for file in [reading, writing] { _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK) }
        guard DedicatedThread.start("yabbi-browser", { self.run() }) else { return nil }
    }

    /// Sends a command; `reply` is called once, on the pipe's thread.
    package func call(
        _ command: Reader.Command,
        within limit: Duration = EngineTime.limit,
        reply: @escaping @Sendable (Reply) -> Void
    ) {
        let isAccepted = self.state.withLock { state in
            guard !state.isClosed else { return false }
            let number = state.count()
            state.traffic.awaited += 1
            state.waiting[number] = Waiting(name: command.name, deadline: .now + limit, reply: reply)
            state.unsent += command.bytes(number: number)
            return true
        }
        if isAccepted { self.bell.wake() } else { reply(.failure(.gone)) }
    }

    /// Sends a command and waits for the reply.
    package func call(
        _ command: Reader.Command,
        within limit: Duration = EngineTime.limit
    ) async throws(EngineError) -> Reader.Answer {
        let reply = await withCheckedContinuation { continuation in
            self.call(command, within: limit) { continuation.resume(returning: $0) }
        }
        return try reply.get()
    }

    /// Sends a command and ignores the reply.
    package func post(_ command: Reader.Command) { self.post(command) { $0.unsent += $1 } }

    /// Sends a command that may be large after all others, one at a time, and ignores the reply.
    package func postInTurn(_ command: Reader.Command) { self.post(command) { $0.inTurn.append($1) } }

    private func post(_ command: Reader.Command, _ add: (inout State, [UInt8]) -> Void) {
        let isAccepted = self.state.withLock { state in
            guard !state.isClosed else { return false }
            add(&state, command.bytes(number: state.count()))
            return true
        }
        if isAccepted { self.bell.wake() }
    }

    /// Calls a closure on the pipe's thread after a delay, unless the connection has ended by then.
    package func after(_ delay: Duration, _ ring: @escaping @Sendable () -> Void) {
        self.state.withLock { state in
            if !state.isClosed { _ = state.alarms.add(at: .now + delay, ring) }
        }
        self.bell.wake()
    }

    /// What was sent and received so far.
    package var traffic: EngineTraffic { self.state.withLock(\.traffic) }

    /// Whether the connection has ended; true before any closure is called about it.
    package var isClosed: Bool { self.state.withLock(\.isClosed) }

    /// Ends the connection; all pending commands fail with `gone`.
    package func close() {
        self.state.withLock { $0.isClosed = true }
        self.bell.wake()
    }

    // MARK: The thread

    private func run() {
        var reader = Reader()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var out = [UInt8]()[...]
        while true {
            let (more, deadline, isClosed) = self.state.withLock { state in
                let deadlines = [state.waiting.values.lazy.map(\.deadline).min(), state.alarms.nextDue()]
                return (state.takeUnsent(isIdle: out.isEmpty), deadlines.compactMap(\.self).min(), state.isClosed)
            }
            if isClosed { break }
            // Unsent bytes of the last round go first.
            if !more.isEmpty { out = out.isEmpty ? more[...] : out + more }
            if out.count > self.unsentLimit { break }
            guard self.send(&out) else { break }
            var files = [
                pollfd(fd: self.bell.reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: self.reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: out.isEmpty ? -1 : self.writing, events: Int16(POLLOUT), revents: 0),
            ]
            let isNextDue = out.isEmpty && self.state.withLock { !$0.inTurn.isEmpty }
            self.bell.wait(for: &files, atMost: isNextDue ? .zero : deadline.map { $0 - .now })
            if files[1].revents != 0 {
                let count = read(self.reading, &buffer, buffer.count)
                if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { break }
                if count > 0 {
                    let isReadable = buffer.withUnsafeBytes { bytes in
                        let received = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                        return reader.append(received, at: .now, deliver: self.handle)
                    }
                    guard isReadable else { break }
                }
            }
            self.handleDeadlines(at: .now)
        }
        let (waiting, alarms) = self.state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return (state.waiting, state.alarms.removeAll())
        }
        // The closures are released outside the lock, without being called.
        withExtendedLifetime(alarms) {}
        for (_, one) in waiting.sorted(by: { $0.key < $1.key }) { one.reply(.failure(.gone)) }
        for file in Set([self.reading, self.writing]) { closeFile(file) }
        self.onEnd()
    }

    /// Writes as much as the engine accepts; false if the connection is broken.
    private func send(_ out: inout ArraySlice<UInt8>) -> Bool {
        while !out.isEmpty {
            let count = out.withUnsafeBytes { write(self.writing, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return true }
            guard count > 0 else { return false }
            out = out.dropFirst(count)
        }
        out = []
        return true
    }

    private func handle(_ message: EnginePipeMessage<Reader.Answer, Reader.Report>) {
        switch message {
        case .reply(let number, let reply):
            let waiting = self.state.withLock { state in
                state.traffic.messages += 1
                return state.waiting.removeValue(forKey: number)
            }
            waiting?.reply(reply)
        case .report(let report):
            self.state.withLock { $0.traffic.messages += 1 }
            self.report(report)
        }
    }

    /// Fails the commands that are late, and calls the alarms that are due.
    private func handleDeadlines(at now: ContinuousClock.Instant) {
        let (late, due) = self.state.withLock { state in
            let late = state.waiting.filter { $0.value.deadline <= now }
            for number in late.keys { state.waiting[number] = nil }
            var due: [@Sendable () -> Void] = []
            while let alarm = state.alarms.popDue(at: now) { due.append(alarm.fire) }
            return (late, due)
        }
        for (_, one) in late.sorted(by: { $0.key < $1.key }) { one.reply(.failure(.late(one.name))) }
        for ring in due { ring() }
    }
}

private func closeFile(_ file: Int32) { close(file) }
