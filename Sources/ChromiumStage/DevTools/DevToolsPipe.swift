import AdCore
import LibC
import SystemSupport
import WebStage

/// The connection to one browser over a pair of file descriptors, which it closes at the end.
///
/// One thread reads, writes and handles timeouts. It ends when the browser closes its end, or when `close` is called.
final class DevToolsPipe: Sendable {
    typealias Reply = Result<AdJSON, EngineError>

    /// The default time limit of a command.
    static let timeLimit = EngineTime.limit
    /// The maximum number of unsent bytes; a browser that reads less is unusable.
    private static let unsentLimit = 256 << 20

    private struct Waiting {
        let method: String
        let deadline: ContinuousClock.Instant
        let reply: @Sendable (Reply) -> Void
    }

    private struct State {
        var unsent: [UInt8] = []
        var waiting: [Int: Waiting] = [:]
        var alarms = AlarmQueue<ContinuousClock.Instant>()
        var last = 0
        var isClosed = false
    }

    private let state = Locked(State())
    private let bell: WakePipe
    private let reading: Int32
    private let writing: Int32
    private let report: @Sendable (DevToolsReport) -> Void
    private let onEnd: @Sendable () -> Void

    /// Starts the thread; nil if the system has no pipe or thread left, in which case the caller still owns both
    /// descriptors.
    ///
    /// - Parameters:
    ///   - reading: The descriptor from which the browser's messages are read.
    ///   - writing: The descriptor to which commands are written; it may be the same.
    ///   - report: Called with each event and flood, in order, on the pipe's thread; it must not block.
    ///   - onEnd: Called once at the end, on the pipe's thread; it may block.
    init?(
        reading: Int32,
        writing: Int32,
        report: @escaping @Sendable (DevToolsReport) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) {
        guard let bell = WakePipe() else { return nil }
        self.bell = bell
        self.reading = reading
        self.writing = writing
        self.report = report
        self.onEnd = onEnd
        for file in [reading, writing] { _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK) }
        guard DedicatedThread.start("yabbi-browser", { self.run() }) else { return nil }
    }

    /// Sends a command; `reply` is called once, on the pipe's thread.
    func call(
        _ command: DevToolsCommand,
        within limit: Duration = timeLimit,
        reply: @escaping @Sendable (Reply) -> Void
    ) {
        let isAccepted = self.state.withLock { state in
            guard !state.isClosed else { return false }
            state.last += 1
            state.waiting[state.last] = Waiting(method: command.method, deadline: .now + limit, reply: reply)
            state.unsent += command.bytes(number: state.last)
            return true
        }
        if isAccepted { self.bell.wake() } else { reply(.failure(.gone)) }
    }

    /// Sends a command and waits for the reply.
    func call(
        _ command: DevToolsCommand,
        within limit: Duration = timeLimit
    ) async throws(EngineError) -> AdJSON {
        let reply = await withCheckedContinuation { continuation in
            self.call(command, within: limit) { continuation.resume(returning: $0) }
        }
        return try reply.get()
    }

    /// Sends a command and ignores the reply.
    func post(_ command: DevToolsCommand) {
        let isAccepted = self.state.withLock { state in
            guard !state.isClosed else { return false }
            state.last += 1
            state.unsent += command.bytes(number: state.last)
            return true
        }
        if isAccepted { self.bell.wake() }
    }

    /// Calls a closure on the pipe's thread after a delay, unless the connection has ended by then.
    func after(_ delay: Duration, _ ring: @escaping @Sendable () -> Void) {
        self.state.withLock { state in
            if !state.isClosed { _ = state.alarms.add(at: .now + delay, ring) }
        }
        self.bell.wake()
    }

    /// Whether the connection has ended; true before any closure is called about it.
    var isClosed: Bool { self.state.withLock(\.isClosed) }

    /// Ends the connection; all pending commands fail with `gone`.
    func close() {
        self.state.withLock { $0.isClosed = true }
        self.bell.wake()
    }

    // MARK: The thread

    private func run() {
        var splitter = DevToolsSplitter()
        var meter = FloodMeter()
        var quotas = MessageQuotas()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var out = [UInt8]()[...]
        while true {
            let (more, deadline, isClosed) = self.state.withLock { state in
                defer { state.unsent = [] }
                let deadlines = [state.waiting.values.lazy.map(\.deadline).min(), state.alarms.nextDue()]
                return (state.unsent, deadlines.compactMap(\.self).min(), state.isClosed)
            }
            if isClosed { break }
            // Unsent bytes of the last round go first.
            if !more.isEmpty { out = out.isEmpty ? more[...] : out + more }
            if out.count > DevToolsPipe.unsentLimit { break }
            guard self.send(&out) else { break }
            var files = [
                pollfd(fd: self.bell.reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: self.reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: out.isEmpty ? -1 : self.writing, events: Int16(POLLOUT), revents: 0),
            ]
            self.bell.wait(for: &files, atMost: deadline.map { $0 - .now })
            if files[1].revents != 0 {
                let count = read(self.reading, &buffer, buffer.count)
                if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { break }
                if count > 0 {
                    buffer.withUnsafeBytes { bytes in
                        splitter.append(UnsafeRawBufferPointer(rebasing: bytes[..<count])) {
                            self.handle($0, &meter, &quotas)
                        }
                    }
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

    /// Writes as much as the browser accepts; false if the connection is broken.
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

    /// Handles a message, unless its session has exceeded the limit; replies are always handled.
    private func handle(
        _ bytes: [UInt8],
        _ meter: inout FloodMeter,
        _ quotas: inout MessageQuotas
    ) {
        guard let preview = DevToolsPreview(bytes), !preview.isPicture else { return self.deliver(bytes) }
        let count = preview.isInline ? min(bytes.count, FloodMeter.inlineByteLimit) : bytes.count
        switch meter.admit(preview.session, bytes: count, at: .now) {
        case .read: break
        case .drop: return
        case .report(let flood): return self.report(.flood(flood, in: preview.session))
        case .readAfter(let flood): self.report(.flood(flood, in: preview.session))
        }
        if quotas.admit(preview) { self.deliver(bytes) }
    }

    private func deliver(_ bytes: [UInt8]) {
        switch DevToolsMessage(bytes) {
        case .reply(let number, let reply):
            let waiting = self.state.withLock { $0.waiting.removeValue(forKey: number) }
            waiting?.reply(reply)
        case .event(let event): self.report(.event(event))
        case nil: break
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
        for (_, one) in late.sorted(by: { $0.key < $1.key }) { one.reply(.failure(.late(one.method))) }
        for ring in due { ring() }
    }
}

private func closeFile(_ file: Int32) { close(file) }
