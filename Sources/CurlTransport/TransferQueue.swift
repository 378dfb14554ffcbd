import AdCore
import CLibcurl
import SystemSupport

/// One request to one address, and the task that waits for its response.
struct Job: Sendable {
    let id: UInt64
    let request: AdHTTPRequest
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<Result<AdHTTPResponse, TransportError>, Never>

    func fail(_ failure: Failure) { self.continuation.resume(returning: .failure(failure.error(self.request.url))) }
}

/// The commands of tasks to the thread that runs libcurl's multi handle.
final class TransferQueue: Sendable {
    enum Command: Sendable {
        case start(Job)
        case cancel(UInt64)
    }

    private struct Waker: Sendable {
        // libcurl lets any thread wake a multi handle; nothing else is done with this one here.
        nonisolated(unsafe) let multi: UnsafeMutableRawPointer
    }

    private let inbox = CommandInbox<Command>()
    private let lastID = Locked<UInt64>(0)

    /// Sends one request, without following redirects.
    func send(
        _ request: AdHTTPRequest,
        until deadline: ContinuousClock.Instant
    ) async -> Result<AdHTTPResponse, TransportError> {
        guard !Task.isCancelled else { return .failure(Failure(cause: .cancelled).error(request.url)) }
        let id = self.lastID.withLock { last in
            last += 1
            return last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let job = Job(id: id, request: request, deadline: deadline, continuation: continuation)
                guard self.inbox.append(.start(job)) else { return job.fail(Failure(cause: .shutDown)) }
                // The handler below may have run before the job was in the queue; then its command found no job.
                if Task.isCancelled { self.inbox.append(.cancel(id)) }
            }
        } onCancel: {
            self.inbox.append(.cancel(id))
        }
    }

    /// Refuses requests from now on, and tells the thread to end.
    func close() { self.inbox.close() }

    // MARK: The thread

    /// Removes all commands, and says whether the queue was closed.
    func drain() -> (commands: [Command], isClosed: Bool) { self.inbox.drain() }

    /// Whether the thread may sleep in libcurl.
    func prepareToSleep() -> Bool { self.inbox.prepareToSleep() }

    /// From now on the thread is woken through this multi handle.
    func connect(_ multi: UnsafeMutableRawPointer) {
        let waker = Waker(multi: multi)
        self.inbox.setWaker { curl_multi_wakeup(waker.multi) }
    }

    /// From now on the multi handle is not touched any more; it may be freed.
    func disconnect() { self.inbox.setWaker(nil) }
}
