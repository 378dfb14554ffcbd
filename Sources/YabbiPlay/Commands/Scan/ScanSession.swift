import AdCore
import AdRuntime
import PlayConsole
import PlayInspect
import PlayScan
import SystemSupport

/// A scan from its first creative to its outputs.
final class ScanSession: Sendable {
    private struct State {
        var isInterrupted = false
        var failure: PlayError?
    }

    private let options: ScanOptions
    private let console: any Console
    private let reporter: ScanReporter
    private let state = Locked(State())
    /// The time before which verdicts of an earlier scan do not count, as a text of ISO 8601; nil for any.
    private let oldest: String?

    init(_ options: ScanOptions, on console: any Console) {
        self.options = options
        self.oldest = options.maxAge.map { CalendarText.iso8601(SystemClock().wallTime + (.zero - $0)) }
        self.console = console
        self.reporter = ScanReporter(console, isJSON: options.isJSON, isVerbose: options.isVerbose)
    }

    func run() async throws(PlayError) -> ExitCode {
        let start = ContinuousClock.now
        let policy = try ScanSession.policy(self.options.policyName)
        let baseline = try ScanSession.baseline(self.options.baseline)
        let folder = try ScanFolder(self.options.report, self.options.outputs)
        let (journal, earlier) = try self.journal(in: folder)
        let total = try self.count()
        let browser = try ScanBrowser(lanes: self.options.jobs, engine: self.options.settings.engine)
        let services = try ScanServices(self.options.settings, browser, takesPictures: self.options.report != nil)
        let progress = self.startProgress(of: total, since: start)
        let judge = ScanJudge(policy, baseline, today: ScanSession.today)
        let lanes = ScanLanes(services, folder, journal, earlier, judge)
        let task = Task { await self.scan(lanes) }
        let interruption = Interruption { [weak self] in
            self?.state.withLock { $0.isInterrupted = true }
            task.cancel()
        }
        await task.value
        progress?.cancel()
        self.console.showProgress(nil)
        interruption?.end()
        let used = ProcessorTime.ofThisProcess + (await browser.close())
        if let reason = journal.lostReason {
            throw PlayError(.usage, "the scan was ended: \(reason); make space and run it again to go on")
        }
        try self.reporter.finish(
            ScanReporter.Ending(policy, baseline, folder, outputs: self.options.outputs, used: (.now - start, used))
        )
        if let failure = self.state.withLock(\.failure) { throw failure }
        return try self.code()
    }

    // MARK: Preparation

    static func policy(_ name: String) throws(PlayError) -> ScanPolicy {
        let source = try self.source(name)
        do throws(PolicyError) {
            return try source.policy()
        } catch {
            throw PlayError(.usage, "the policy can't be used: \(error.message)")
        }
    }

    /// The texts of a policy.
    static func source(_ name: String) throws(PlayError) -> PolicySource {
        do throws(PolicyError) {
            return try PolicyLibrary.source(name) { (path) throws(PolicyError) in
                do throws(UsageError) {
                    return try FileReading.document(path)
                } catch {
                    throw PolicyError(error.message)
                }
            }
        } catch {
            throw PlayError(.usage, "the policy can't be used: \(error.message)")
        }
    }

    static var today: String { String(CalendarText.iso8601(SystemClock().wallTime).prefix(10)) }

    static func baseline(_ path: String?) throws(PlayError) -> ScanBaseline {
        guard let path else { return ScanBaseline() }
        do throws(ScanJournal.Failure) {
            return try ScanBaseline(path)
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    private func journal(in folder: ScanFolder) throws(PlayError) -> (ScanJournal, ScanJournal.Index) {
        do throws(ScanJournal.Failure) {
            let journal = try ScanJournal(folder.journal)
            return (journal, try ScanJournal.Index(folder.journal))
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    private func count() throws(PlayError) -> Int? {
        do throws(ScanList.Failure) {
            return try ScanList.count(self.options.sources)
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    private func startProgress(of total: Int?, since start: ContinuousClock.Instant) -> Task<Void, Never>? {
        guard !self.options.isJSON, self.console.showsProgress else { return nil }
        let line = ScanProgress(of: total, since: start)
        return Task {
            while !Task.isCancelled {
                let totals = self.reporter.totals
                self.console.showProgress(Style.cut(line.line(totals, at: .now), to: self.console.width - 1))
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    // MARK: Scanning

    private func scan(_ lanes: ScanLanes) async {
        let feed = ScanFeed(self.options.sources)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<self.options.jobs {
                group.addTask {
                    while !self.isEnding(lanes.journal), let item = await self.next(feed) {
                        await self.scan(item, lanes)
                    }
                }
            }
        }
    }

    /// Whether no further creatives are scanned.
    private func isEnding(_ journal: ScanJournal) -> Bool {
        self.console.loss != nil || journal.lostReason != nil
            || self.state.withLock { $0.isInterrupted || $0.failure != nil }
    }

    private func next(_ feed: ScanFeed) async -> ScanItem? {
        do throws(ScanList.Failure) {
            return try await feed.next()
        } catch {
            self.end(PlayError(.usage, "the scan was ended: \(error.message)"))
            return nil
        }
    }

    /// Ends the scan with the first error.
    private func end(_ error: PlayError) { self.state.withLock { $0.failure = $0.failure ?? error } }

    private func scan(_ item: ScanItem, _ lanes: ScanLanes) async {
        let digest = lanes.services.digest(of: item)
        if let (record, line) = lanes.earlier.record(item.id, digest: digest, since: self.oldest) {
            let judged = lanes.judge.judge(record)
            // The journal has the verdicts of the current policy, baseline and day.
            if judged.line != line { lanes.journal.append(judged) }
            return self.reporter.add(judged, isResumed: true)
        }
        var outcome = await ScanRun.outcome(of: item, in: lanes.services) { self.state.withLock(\.isInterrupted) }
        // A creative that was interrupted is scanned again by the next scan.
        if self.state.withLock(\.isInterrupted) { return }
        // Of a computer whose browser does not run, no creative fails.
        if let reason = outcome.hostFailure {
            let text = "the scan was ended, because the browser does not run here: \(reason)"
            return self.end(PlayError(.showFailed, "\(text); fix that and run it again to go on"))
        }
        if let picture = outcome.picture {
            do throws(PlayError) {
                outcome.record.picture = try lanes.folder.write(picture, of: item.id)
            } catch {
                return self.end(PlayError(.usage, "the scan was ended: \(error.message)"))
            }
        }
        let judged = lanes.judge.judge(outcome.record)
        lanes.journal.append(judged)
        self.reporter.add(judged)
    }

    // MARK: The end

    private func code() throws(PlayError) -> ExitCode {
        let (totals, isInterrupted) = (self.reporter.totals, self.state.withLock(\.isInterrupted))
        if isInterrupted {
            let fix = self.options.report == nil ? "with --report, a scan can go on" : "run it again to go on"
            throw PlayError(
                .showFailed,
                "the scan was interrupted after \(Quantity.text(totals.total, "creative")); \(fix)"
            )
        }
        guard totals.total > 0 else { throw PlayError(.usage, "the sources have no creatives") }
        return totals[.fail] > 0 ? .invalidCreative : .done
    }
}

/// What the lanes of a scan work with.
struct ScanLanes: Sendable {
    let services: ScanServices
    let folder: ScanFolder
    let journal: ScanJournal
    /// The records of an earlier scan in the same folder.
    let earlier: ScanJournal.Index
    let judge: ScanJudge

    init(
        _ services: ScanServices,
        _ folder: ScanFolder,
        _ journal: ScanJournal,
        _ earlier: ScanJournal.Index,
        _ judge: ScanJudge
    ) {
        self.services = services
        self.folder = folder
        self.journal = journal
        self.earlier = earlier
        self.judge = judge
    }
}

/// Judges the records of one scan.
struct ScanJudge: Sendable {
    let policy: ScanPolicy
    private let baseline: ScanBaseline
    private let today: String

    init(_ policy: ScanPolicy, _ baseline: ScanBaseline, today: String) {
        self.policy = policy
        self.baseline = baseline
        self.today = today
    }

    func judge(_ record: ScanRecord) -> JudgedRecord {
        JudgedRecord(record, self.policy, today: self.today, baseline: self.baseline[record.id])
    }
}

/// Hands the creatives of a scan to its lanes.
actor ScanFeed {
    private let list: ScanList

    init(_ sources: [String]) { self.list = ScanList(sources) }

    func next() throws(ScanList.Failure) -> ScanItem? { try self.list.next() }
}
