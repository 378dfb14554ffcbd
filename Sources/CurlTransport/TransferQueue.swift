import AdCore
import CLibcurl
import SystemSupport

/// One request to one URL, with the continuation of its task.
struct Job: Sendable {
    let id: UInt64
    let request: AdHTTPRequest
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<Result<AdHTTPResponse, TransportError>, Never>

    func fail(_ failure: TransferFailure) {
        self.continuation.resume(returning: .failure(failure.transportError(for: self.request.url)))
    }
}

/// The queue of commands from tasks to the thread of the transfers.
final class TransferQueue: Sendable {
    enum Command: Sendable {
        case start(Job)
        case cancel(UInt64)
    }

    private struct Waker: Sendable {
        // curl_multi_wakeup is the only multi function that is safe on any thread; nothing else is called here.
        nonisolated(unsafe) let multi: UnsafeMutableRawPointer
    }

    private let inbox = CommandInbox<Command>()
    private let lastID = Locked<UInt64>(0)

    /// Sends one request, without following redirects.
    func send(
        _ request: AdHTTPRequest,
        until deadline: ContinuousClock.Instant
    ) async -> Result<AdHTTPResponse, TransportError> {
        guard !Task.isCancelled else {
            return .failure(TransferFailure(cause: .cancelled).transportError(for: request.url))
        }
        let id = self.lastID.withLock { last in
            last += 1
            return last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let job = Job(id: id, request: request, deadline: deadline, continuation: continuation)
                guard self.inbox.append(.start(job)) else { return job.fail(TransferFailure(cause: .shutDown)) }
                // The cancellation handler may have run before the job was in the queue; its command then found no job.
                if Task.isCancelled { self.inbox.append(.cancel(id)) }
            }
        } onCancel: {
            self.inbox.append(.cancel(id))
        }
    }

    /// Refuses new requests and makes the thread end.
    func close() { self.inbox.close() }

    // MARK: The thread

    /// Removes all commands, and returns whether the queue is closed.
    func drain() -> (commands: [Command], isClosed: Bool) { self.inbox.drain() }

    /// Whether the thread may sleep in libcurl.
    func prepareToSleep() -> Bool { self.inbox.prepareToSleep() }

    /// Sets the multi handle through which new commands wake the thread.
    func connect(_ multi: UnsafeMutableRawPointer) {
        let waker = Waker(multi: multi)
        self.inbox.setWaker { curl_multi_wakeup(waker.multi) }
    }

    /// Removes the multi handle, so that it can be freed.
    func disconnect() { self.inbox.setWaker(nil) }
}
