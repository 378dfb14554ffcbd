import AdCore
import CLibcurl
import SystemLock

/// One request to one address, and the task that waits for its answer.
struct Job: Sendable {
    let id: UInt64
    let request: HTTPRequest
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>

    func fail(_ failure: Failure) { self.continuation.resume(returning: .failure(failure.error(self.request.url))) }
}

/// What tasks put in and the loop's thread takes out.
final class Mailbox: Sendable {
    /// What the loop is asked to do.
    enum Command: Sendable {
        case start(Job)
        case cancel(UInt64)
    }

    private struct State {
        var commands: [Command] = []
        var isClosed = false
        var lastID: UInt64 = 0
    }

    private struct Bell: Sendable {
        // libcurl lets any thread wake a multi handle; nothing else is done with this one here.
        nonisolated(unsafe) let multi: UnsafeMutableRawPointer
    }

    private let state = Locked(State())
    /// How the sleeping loop is woken; nil before it has begun and when it has ended.
    ///
    /// A lock of its own: the loop must not find the mailbox locked by the very one that has just woken it.
    private let bell = Locked<Bell?>(nil)

    /// Carries out one hop.
    func carry(
        _ request: HTTPRequest,
        until deadline: ContinuousClock.Instant
    ) async -> Result<HTTPResponse, TransportError> {
        guard !Task.isCancelled else { return .failure(Failure(cause: .cancelled).error(request.url)) }
        let id = self.state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let job = Job(id: id, request: request, deadline: deadline, continuation: continuation)
                guard self.post(.start(job)) else { return job.fail(Failure(cause: .shutDown)) }
                // The handler below may have run before the job was in the mailbox; then nobody heard it.
                if Task.isCancelled { self.post(.cancel(id)) }
            }
        } onCancel: {
            self.post(.cancel(id))
        }
    }

    /// Everything that came in since the last time, and whether more may come.
    func take() -> (commands: [Command], isClosed: Bool) {
        self.state.withLock { state in
            defer { state.commands.removeAll() }
            return (state.commands, state.isClosed)
        }
    }

    /// Lets nothing more in, and tells the loop to end.
    func close() {
        self.state.withLock { $0.isClosed = true }
        self.ring()
    }

    /// From now on the loop is woken through this libcurl multi handle.
    func open(_ multi: UnsafeMutableRawPointer) {
        let bell = Bell(multi: multi)
        self.bell.withLock { $0 = bell }
    }

    /// From now on nobody touches the multi handle; it may be freed.
    func disconnect() { self.bell.withLock { $0 = nil } }

    /// Puts a command in; false where the mailbox is closed.
    @discardableResult
    private func post(_ command: Command) -> Bool {
        let (isAccepted, isFirst) = self.state.withLock { state -> (Bool, Bool) in
            guard !state.isClosed else { return (false, false) }
            state.commands.append(command)
            return (true, state.commands.count == 1)
        }
        // Whoever put the first one in has woken the loop; it takes all there is.
        if isFirst { self.ring() }
        return isAccepted
    }

    private func ring() {
        self.bell.withLock { bell in
            if let bell { curl_multi_wakeup(bell.multi) }
        }
    }
}
