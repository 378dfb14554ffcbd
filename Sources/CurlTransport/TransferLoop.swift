import AdCore
import CLibcurl

/// The event loop of all HTTP transfers, on one thread.
///
/// `curl_multi_poll` was measured against an epoll loop over `curl_multi_socket_action`: it is as fast with one and
/// with a thousand active transfers, and about 80 µs slower per response while dozens of others hang. It is the same
/// code on every system.
final class TransferLoop {
    private let configuration: CurlTransport.Configuration
    private let queue: TransferQueue
    private let onEnd: @Sendable () -> Void
    private let multi: UnsafeMutableRawPointer
    /// Shares TLS sessions between connections: a `counted` request always opens a new one.
    private let sessions: UnsafeMutableRawPointer
    private let trustStore: TrustStore
    private let authorities: UnsafeMutableBufferPointer<UInt8>?

    private var scheduler: RequestScheduler
    private var waiting: [UInt64: Job] = [:]
    /// A lower bound for the earliest deadline of the waiting jobs.
    private var nextExpiry: ContinuousClock.Instant?
    private var running: [UInt64: Transfer] = [:]
    private var idleHandles: [EasyHandle] = []

    /// The maximum number of idle handles; each takes about 20 KB.
    private static let maxIdleHandles = 16

    init(
        _ configuration: CurlTransport.Configuration,
        trustStore: TrustStore,
        queue: TransferQueue,
        onEnd: @escaping @Sendable () -> Void
    ) throws(AdSetupError) {
        guard let multi = curl_multi_init() else {
            throw AdSetupError(description: "libcurl can't create a multi handle: out of memory.")
        }
        guard let sessions = curl_share_init() else {
            curl_multi_cleanup(multi)
            throw AdSetupError(description: "libcurl can't create a share handle: out of memory.")
        }
        yabbi_share_tls_sessions(sessions)
        let connections = min(max(1, configuration.connections), Int(Int32.max))
        let idle = min(max(1, configuration.idleConnections), Int(Int32.max))
        yabbi_multi_set_long(multi, CURLMOPT_MAXCONNECTS, idle)

        self.configuration = configuration
        self.queue = queue
        self.onEnd = onEnd
        self.multi = multi
        self.sessions = sessions
        self.trustStore = trustStore
        self.authorities = trustStore.copy()
        self.scheduler = RequestScheduler(perHost: configuration.connectionsPerHost, total: connections)
        queue.connect(multi)
    }

    deinit {
        self.queue.disconnect()
        self.idleHandles = []
        curl_multi_cleanup(self.multi)
        curl_share_cleanup(self.sessions)
        self.authorities?.deallocate()
        self.onEnd()
    }

    /// Runs until the queue is closed, then ends all transfers.
    func run() {
        var loopError = CURLM_OK
        while loopError == CURLM_OK {
            let (commands, isClosed) = self.queue.drain()
            for command in commands { self.execute(command) }
            if isClosed { break }

            self.expire()
            self.startWaiting()
            var count: Int32 = 0
            loopError = curl_multi_perform(self.multi, &count)
            self.collect()
            // Finished transfers freed connections. libcurl has a timeout of 0 for what starts here, so poll returns at
            // once.
            self.startWaiting()
            guard loopError == CURLM_OK else { break }
            let sleepTimeout = self.queue.prepareToSleep() ? self.sleepTimeout() : 0
            loopError = curl_multi_poll(self.multi, nil, 0, sleepTimeout, nil)
        }
        self.endAll(loopError)
    }

    // MARK: Commands

    private func execute(_ command: TransferQueue.Command) {
        switch command {
        case .start(let job):
            self.waiting[job.id] = job
            self.scheduler.enqueue(job.id, for: job.request.url.origin)
            self.nextExpiry = min(self.nextExpiry ?? job.deadline, job.deadline)
        case .cancel(let id):
            if let job = self.waiting.removeValue(forKey: id) {
                self.scheduler.remove(id, from: job.request.url.origin)
                job.fail(TransferFailure(cause: .cancelled))
            } else if let transfer = self.running[id] {
                self.finish(transfer) { transfer.job.fail(transfer.failure(.cancelled)) }
            }
        // In neither: the transfer finished first.
        }
    }

    private func startWaiting() {
        while let id = self.scheduler.next() {
            guard let job = self.waiting.removeValue(forKey: id) else {
                preconditionFailure("The scheduler returned a request that is not waiting.")
            }
            self.start(job)
        }
        if self.waiting.isEmpty { self.nextExpiry = nil }
    }

    private func start(_ job: Job) {
        guard let easy = self.idleHandles.popLast() ?? EasyHandle() else {
            self.scheduler.finish(job.request.url.origin)
            return job.fail(TransferFailure(cause: .code(CURLE_OUT_OF_MEMORY)))
        }
        let transfer = Transfer(job, on: easy)
        self.trustStore.apply(to: easy, authorities: self.authorities)
        easy.set(CURLOPT_SHARE, pointer: self.sessions)
        let isPrepared = transfer.prepare(self.configuration, now: .now)
        guard isPrepared, curl_multi_add_handle(self.multi, easy.raw) == CURLM_OK else {
            self.scheduler.finish(job.request.url.origin)
            var failure = TransferFailure(cause: .code(easy.optionError?.code ?? CURLE_FAILED_INIT))
            if let error = easy.optionError { failure.detail = "libcurl rejected option \(error.option.rawValue)" }
            return job.fail(failure)
        }
        self.running[job.id] = transfer
    }

    // MARK: Results

    private func collect() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(self.multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let transfer = Transfer.on(handle)
            else { continue }
            let code = yabbi_message_result(message)
            self.finish(transfer) { transfer.complete(code) }
        }
    }

    /// Removes a transfer from libcurl, then resumes its task.
    private func finish(_ transfer: Transfer, _ resume: () -> Void) {
        curl_multi_remove_handle(self.multi, transfer.easy.raw)
        self.running[transfer.job.id] = nil
        self.scheduler.finish(transfer.job.request.url.origin)
        resume()
        if self.idleHandles.count < TransferLoop.maxIdleHandles {
            transfer.easy.reset()
            self.idleHandles.append(transfer.easy)
        }
    }

    /// Fails the waiting jobs whose deadline has passed.
    private func expire() {
        guard let next = self.nextExpiry else { return }
        let now = ContinuousClock.now
        guard now >= next else { return }
        for job in self.waiting.values where job.deadline <= now {
            self.waiting[job.id] = nil
            self.scheduler.remove(job.id, from: job.request.url.origin)
            job.fail(TransferFailure(cause: .waitedTooLong))
        }
        self.nextExpiry = self.waiting.values.lazy.map(\.deadline).min()
    }

    /// How long the loop may sleep, in milliseconds, if libcurl has no timeout.
    private func sleepTimeout() -> Int32 {
        guard let next = self.nextExpiry else { return .max }
        return Int32(CurlOptions.milliseconds(next - .now))
    }

    private func endAll(_ loopError: CURLMcode) {
        self.queue.close()
        for command in self.queue.drain().commands { self.execute(command) }
        let detail =
            loopError == CURLM_OK ? "" : "libcurl's loop stopped: " + String(cString: curl_multi_strerror(loopError))
        for transfer in self.running.values {
            self.finish(transfer) {
                var failure = transfer.failure(.shutDown)
                failure.detail = detail
                transfer.job.fail(failure)
            }
        }
        for job in self.waiting.values { job.fail(TransferFailure(cause: .shutDown, detail: detail)) }
        self.waiting = [:]
    }
}
