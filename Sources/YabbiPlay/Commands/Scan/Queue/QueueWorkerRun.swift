import AdCore
import LibC
import PlayConsole
import PlayQueue
import PlayScan
import SystemSupport

/// A worker from its first claim to its end: executes what its plan decides.
final class QueueWorkerRun: Sendable {
    private enum Event: Sendable {
        case tick
        case ended(ClaimedCreative, QueueLane.Outcome)
        case counted(OpenCounts)
        case stop
        /// Scans have not ended in time after they were told to.
        case givenUp
    }

    private let work: QueueWork
    private let queue: CreativeQueue
    /// A connection for contents, results and counts, so that they do not delay the renewal of leases.
    private let store: CreativeQueue
    private let console: any Console
    private let reporter: ScanReporter
    private let worker: QueueWorker
    private let metrics: Locked<WorkerMetrics>

    /// How often creatives and pictures are looked for that are older than their retention.
    private static let retentionInterval = Duration.seconds(600)
    /// How often the queue is counted for metrics.
    private static let countInterval = Duration.seconds(15)
    /// How long scans that are told to end are waited for.
    private static let longestEnd = Duration.seconds(20)

    init(_ work: QueueWork, _ queue: CreativeQueue, _ store: CreativeQueue, _ console: any Console) {
        self.work = work
        self.queue = queue
        self.store = store
        self.console = console
        self.reporter = ScanReporter(console, isJSON: work.isJSON, isVerbose: work.isVerbose, keepsIDs: false)
        self.worker = QueueWorker(
            .random(in: 0 ... .max),
            called: "\(QueueWorkerRun.hostName):\(getpid())",
            version: CommandVersion.number,
            lanes: work.lanes,
            signature: work.signature
        )
        self.metrics = Locked(WorkerMetrics(self.worker))
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func run() async throws(PlayError) -> ExitCode {
        let browser = try ScanBrowser(lanes: self.work.lanes)
        let server = try self.startMetrics()
        let (events, sender) = AsyncStream<Event>.makeStream()
        let interruption = Interruption { sender.yield(.stop) }
        let upkeep = Task { await self.keepUp(sender) }
        let lane = QueueLane(self.store, browser, for: self.worker, words: self.work.words)
        let failure = await self.loop(lane, events, sender, interruption)
        upkeep.cancel()
        self.console.showProgress(nil)
        server?.stop()
        _ = await browser.close()
        self.summarize()
        if let failure { throw PlayError(.usage, failure) }
        return .done
    }

    private func startMetrics() throws(PlayError) -> MetricsServer? {
        guard let place = self.work.metrics else { return nil }
        let server = try MetricsServer(place) { [metrics = self.metrics] in
            metrics.withLock { $0 }.text(
                memory: ProcessMemory.ofThisProcess,
                processorTime: ProcessorTime.ofThisProcess.inSeconds
            )
        }
        if self.work.isJSON {
            let line: AdJSON = ["event": "metrics", "url": .string(server.url)]
            self.console.out(line.text())
        } else {
            self.console.out("metrics at \(server.url)")
        }
        return server
    }

    private func summarize() {
        let totals = self.reporter.totals
        guard !self.work.isJSON else { return self.console.out(totals.json(processorTime: .zero).text()) }
        self.console.out("\(Quantity.text(totals.total, "creative")) judged: \(totals.text)")
    }

    // MARK: The loop

    /// Claims, scans and renews until it is to end; returns why it can't go on.
    private func loop(
        _ lane: QueueLane,
        _ events: AsyncStream<Event>,
        _ sender: AsyncStream<Event>.Continuation,
        _ interruption: Interruption?
    ) async -> String? {
        var state = LoopState(self.work, at: .now)
        var iterator = events.makeAsyncIterator()
        loop: while true {
            switch state.plan.next(at: .now) {
            case .claim(let count, let suspects):
                let claimed = await self.claim(count, suspects: suspects, &state)
                for creative in claimed {
                    state.tasks[creative] = Task { sender.yield(.ended(creative, await lane.run(creative))) }
                }
            case .renew: await self.renew(&state)
            case .wait(let end):
                self.showProgress(state.tasks.count)
                let timer = Task {
                    guard (try? await Task.sleep(until: end, clock: .continuous)) != nil else { return }
                    sender.yield(.tick)
                }
                let event = await iterator.next() ?? .stop
                timer.cancel()
                self.handle(event, &state)
            case .end: break loop
            }
            if self.console.loss != nil { state.plan.stop() }
        }
        // A second signal ends the process at once.
        interruption?.end()
        await self.end(&state, &iterator, sender)
        return state.failure
    }

    private struct LoopState {
        var plan: WorkerPlan
        var tasks: [ClaimedCreative: Task<Void, Never>] = [:]
        /// Whether it was told that the database is away.
        var isAway = false
        /// Whether a signal has told the worker to end.
        var wasTold = false
        var failure: String?

        init(_ work: QueueWork, at now: ContinuousClock.Instant) {
            self.plan = WorkerPlan(lanes: work.lanes, lease: work.lease, endsWhenEmpty: work.endsWhenEmpty, at: now)
        }
    }

    private func claim(_ count: Int, suspects: Bool, _ state: inout LoopState) async -> [ClaimedCreative] {
        do throws(QueueError) {
            let claimed = try await self.queue.claim(
                count,
                suspects: suspects,
                for: self.worker,
                number: .random(in: 0 ... .max),
                lease: self.work.lease
            )
            self.answered(&state)
            let held = claimed.map { ($0.id, $0.claim) }
            state.plan.claimed(held, of: count, suspects: suspects, at: .now)
            return claimed
        } catch {
            self.failed(error, &state)
            return []
        }
    }

    private func renew(_ state: inout LoopState) async {
        do throws(QueueError) {
            self.cancel(state.plan.dropOverdue(at: .now), state)
            let judged = self.metrics.withLock(\.judged)
            let claims = state.plan.claims
            let held = try await self.queue.renew(claims, lease: self.work.lease, for: self.worker, judged: judged)
            let signs = try await self.queue.signs(for: self.worker)
            self.answered(&state)
            self.metrics.withLock { $0.renewed(inProgress: claims.count) }
            // Another worker has them.
            self.cancel(state.plan.renewed(held: held, signs, at: .now), state)
        } catch {
            self.failed(error, &state)
        }
    }

    private func cancel(_ creatives: [Int64], _ state: LoopState) {
        let ids = Set(creatives)
        for (creative, task) in state.tasks where ids.contains(creative.id) { task.cancel() }
    }

    /// Counts the queue for metrics and progress, and removes what is older than its retention, until it is cancelled.
    ///
    /// Both may take long in a large queue, or fail: scans go on meanwhile.
    private func keepUp(_ sender: AsyncStream<Event>.Continuation) async {
        let counts = self.work.metrics != nil || self.console.showsProgress && !self.work.isJSON
        var nextRetention = ContinuousClock.now
        while !Task.isCancelled {
            if counts, let counted = try? await self.store.openCounts() { sender.yield(.counted(counted)) }
            if .now >= nextRetention, (try? await self.store.removeOld()) != false {
                nextRetention = .now + QueueWorkerRun.retentionInterval
            }
            try? await Task.sleep(for: QueueWorkerRun.countInterval)
        }
    }

    private func answered(_ state: inout LoopState) {
        guard state.isAway else { return }
        state.isAway = false
        self.console.err("yabbi-play: the database responds again")
    }

    private func failed(_ error: QueueError, _ state: inout LoopState) {
        self.metrics.withLock { $0.failed() }
        state.plan.failed(at: .now)
        guard error.isAway else {
            state.failure = state.failure ?? error.message
            return state.plan.stop()
        }
        guard !state.isAway else { return }
        state.isAway = true
        self.console.err("yabbi-play: \(error.message); the worker goes on when it is back")
    }

    private func handle(_ event: Event, _ state: inout LoopState) {
        switch event {
        case .tick, .givenUp: break
        case .stop:
            state.wasTold = true
            state.plan.stop()
        case .counted(let counts): self.metrics.withLock { $0.counted(counts) }
        case .ended(let creative, let outcome):
            state.tasks[creative] = nil
            self.handle(outcome, of: creative, &state)
        }
    }

    private func handle(_ outcome: QueueLane.Outcome, of creative: ClaimedCreative, _ state: inout LoopState) {
        switch outcome {
        case .judged(let judged, let time):
            self.metrics.withLock { $0.judged(judged.verdict.level.order, in: time) }
            self.reporter.add(judged)
            state.plan.ended(creative.id, claim: creative.claim, at: .now)
        case .refused:
            self.metrics.withLock { $0.refusedResult() }
            state.plan.ended(creative.id, claim: creative.claim, at: .now)
        case .setAside(let reason):
            self.console.err("yabbi-play: \(Style.printable(creative.name, upTo: 120)) is set aside: \(reason)")
            state.plan.ended(creative.id, claim: creative.claim, at: .now)
        case .unable(let reason): self.gaveBack(creative, because: reason, &state)
        // It is given back at the end, or its lease ends.
        case .interrupted: break
        case .failed(let message):
            state.failure = state.failure ?? message
            state.plan.stop()
        }
    }

    /// A creative must not fail for what this computer lacks.
    private func gaveBack(_ creative: ClaimedCreative, because reason: String, _ state: inout LoopState) {
        self.metrics.withLock { $0.gaveBack() }
        self.console.err("yabbi-play: \(reason); \(Style.printable(creative.name, upTo: 120)) is given back")
        state.plan.gaveBack(creative.id, claim: creative.claim, at: .now)
        guard state.plan.isUnable else { return }
        state.failure = state.failure ?? "this computer can't scan: \(reason)"
        state.plan.stop()
    }

    /// Ends what is in progress, and gives it back.
    private func end(
        _ state: inout LoopState,
        _ iterator: inout AsyncStream<Event>.Iterator,
        _ sender: AsyncStream<Event>.Continuation
    ) async {
        // If the worker ends by itself, what is in progress is not why.
        let wasTold = state.wasTold && state.failure == nil
        for task in state.tasks.values { task.cancel() }
        let timer = Task {
            guard (try? await Task.sleep(for: QueueWorkerRun.longestEnd)) != nil else { return }
            sender.yield(.givenUp)
        }
        while !state.tasks.isEmpty, let event = await iterator.next() {
            if case .givenUp = event { break }
            self.handle(event, &state)
        }
        timer.cancel()
        do throws(QueueError) {
            let judged = self.metrics.withLock(\.judged)
            // What has been claimed has been begun: each lane takes its creative at once.
            try await self.queue.leave(state.plan.claims, self.worker, judged: judged, wasTold: wasTold)
        } catch {
            // The leases end by themselves.
            guard state.failure == nil else { return }
            self.console.err("yabbi-play: \(error.message); what it has claimed is scanned when the leases end")
        }
    }

    private func showProgress(_ inProgress: Int) {
        guard !self.work.isJSON, self.console.showsProgress else { return }
        let waiting = self.metrics.withLock(\.waiting).map { " · \($0) wait" } ?? ""
        let totals = self.reporter.totals
        let line = "judged \(totals.total) · \(totals.text) · \(inProgress) in progress\(waiting)"
        self.console.showProgress(Style.cut(line, to: self.console.width - 1))
    }
}
