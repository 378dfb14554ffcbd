import AdCore
import CLibcurl

/// The loop: everything here runs on its one thread, libcurl included.
///
/// `curl_multi_poll` was measured against an epoll loop over `curl_multi_socket_action`: as fast with one and with a
/// thousand busy transfers. It costs some 80 µs more per answer only while dozens of others hang. For that it is the
/// same code on every system, with nothing of our own between libcurl and its sockets.
final class Engine {
    private let configuration: CurlTransport.Configuration
    private let queue: TransferQueue
    private let onEnd: @Sendable () -> Void
    private let multi: UnsafeMutableRawPointer
    /// Lets a new connection go on with the TLS session of an earlier one: counted requests always connect anew.
    private let sessions: UnsafeMutableRawPointer
    private let trust: Trust
    private let authorities: UnsafeMutableBufferPointer<UInt8>?

    private var lanes: Lanes
    private var waiting: [UInt64: Job] = [:]
    /// No waiting job is overdue before this.
    ///
    /// It may be too early, never too late.
    private var nextExpiry: ContinuousClock.Instant?
    private var running: [UInt64: Transfer] = [:]
    private var spares: [EasyHandle] = []

    /// How many handles are kept for later; each holds some 20 KB.
    private static let mostSpares = 16

    init(
        _ configuration: CurlTransport.Configuration,
        trust: Trust,
        queue: TransferQueue,
        onEnd: @escaping @Sendable () -> Void
    ) throws(AdSetupError) {
        guard let multi = curl_multi_init() else {
            throw AdSetupError(description: "libcurl gave no multi handle; the memory is used up.")
        }
        guard let sessions = curl_share_init() else {
            curl_multi_cleanup(multi)
            throw AdSetupError(description: "libcurl gave no share handle; the memory is used up.")
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
        self.trust = trust
        self.authorities = trust.copy()
        self.lanes = Lanes(perHost: configuration.connectionsPerHost, total: connections)
        queue.connect(multi)
    }

    deinit {
        self.queue.disconnect()
        self.spares = []
        curl_multi_cleanup(self.multi)
        curl_share_cleanup(self.sessions)
        self.authorities?.deallocate()
        self.onEnd()
    }

    /// Works until the queue is closed, then ends what is under way.
    func run() {
        var trouble = CURLM_OK
        while trouble == CURLM_OK {
            let (commands, isClosed) = self.queue.drain()
            for command in commands { self.obey(command) }
            if isClosed { break }

            self.expire()
            self.admit()
            var count: Int32 = 0
            trouble = curl_multi_perform(self.multi, &count)
            self.collect()
            // Whoever ended made room. What starts now is due at once, so the poll does not sleep.
            self.admit()
            guard trouble == CURLM_OK else { break }
            let patience = self.queue.prepareToSleep() ? self.patience() : 0
            trouble = curl_multi_poll(self.multi, nil, 0, patience, nil)
        }
        self.endAll(trouble)
    }

    // MARK: In

    private func obey(_ command: TransferQueue.Command) {
        switch command {
        case .start(let job):
            self.waiting[job.id] = job
            self.lanes.arrive(job.id, at: job.request.url.origin)
            self.nextExpiry = min(self.nextExpiry ?? job.deadline, job.deadline)
        case .cancel(let id):
            if let job = self.waiting.removeValue(forKey: id) {
                self.lanes.withdraw(id, from: job.request.url.origin)
                job.fail(Failure(cause: .cancelled))
            } else if let transfer = self.running[id] {
                self.finish(transfer) { transfer.job.fail(transfer.failure(.cancelled)) }
            }
        // Neither: the answer was faster.
        }
    }

    private func admit() {
        while let id = self.lanes.admit() {
            guard let job = self.waiting.removeValue(forKey: id) else {
                preconditionFailure("A lane admitted a request that does not wait.")
            }
            self.start(job)
        }
        if self.waiting.isEmpty { self.nextExpiry = nil }
    }

    private func start(_ job: Job) {
        guard let easy = self.spares.popLast() ?? EasyHandle() else {
            self.lanes.leave(job.request.url.origin)
            return job.fail(Failure(cause: .code(CURLE_OUT_OF_MEMORY)))
        }
        let transfer = Transfer(job, on: easy)
        self.trust.apply(to: easy, authorities: self.authorities)
        easy.set(CURLOPT_SHARE, pointer: self.sessions)
        let isPrepared = transfer.prepare(self.configuration, now: .now)
        guard isPrepared, curl_multi_add_handle(self.multi, easy.raw) == CURLM_OK else {
            self.lanes.leave(job.request.url.origin)
            var failure = Failure(cause: .code(easy.refusal?.code ?? CURLE_FAILED_INIT))
            if let refusal = easy.refusal { failure.detail = "libcurl refused option \(refusal.option.rawValue)" }
            return job.fail(failure)
        }
        self.running[job.id] = transfer
    }

    // MARK: Out

    private func collect() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(self.multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let transfer = Transfer.on(handle)
            else { continue }
            let code = yabbi_message_result(message)
            self.finish(transfer) { transfer.end(code) }
        }
    }

    /// Takes a transfer from libcurl, then answers its task.
    private func finish(_ transfer: Transfer, _ answer: () -> Void) {
        curl_multi_remove_handle(self.multi, transfer.easy.raw)
        self.running[transfer.job.id] = nil
        self.lanes.leave(transfer.job.request.url.origin)
        answer()
        if self.spares.count < Engine.mostSpares {
            transfer.easy.reset()
            self.spares.append(transfer.easy)
        }
    }

    /// Ends what has waited past its deadline.
    private func expire() {
        guard let next = self.nextExpiry else { return }
        let now = ContinuousClock.now
        guard now >= next else { return }
        for job in self.waiting.values where job.deadline <= now {
            self.waiting[job.id] = nil
            self.lanes.withdraw(job.id, from: job.request.url.origin)
            job.fail(Failure(cause: .waitedTooLong))
        }
        self.nextExpiry = self.waiting.values.lazy.map(\.deadline).min()
    }

    /// How long the loop may sleep where libcurl itself has nothing to do.
    private func patience() -> Int32 {
        guard let next = self.nextExpiry else { return .max }
        return Int32(RequestForm.milliseconds(next - .now))
    }

    private func endAll(_ trouble: CURLMcode) {
        self.queue.close()
        for command in self.queue.drain().commands { self.obey(command) }
        let detail =
            trouble == CURLM_OK ? "" : "libcurl's loop stopped: " + String(cString: curl_multi_strerror(trouble))
        for transfer in self.running.values {
            self.finish(transfer) {
                var failure = transfer.failure(.shutDown)
                failure.detail = detail
                transfer.job.fail(failure)
            }
        }
        for job in self.waiting.values { job.fail(Failure(cause: .shutDown, detail: detail)) }
        self.waiting = [:]
    }
}
