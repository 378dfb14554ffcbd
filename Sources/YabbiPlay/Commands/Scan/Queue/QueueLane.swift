import AdCore
import PlayConsole
import PlayQueue
import PlayScan
import SystemSupport

/// Makes verdicts on claimed creatives, and stores them.
final class QueueLane: Sendable {
    /// What became of a claimed creative.
    enum Outcome: Sendable {
        /// The verdict was stored; the time is nil if the creative was measured before.
        case judged(JudgedRecord, time: Duration?)
        /// Its lease was over, or it was removed: another worker has it.
        case refused
        /// It was not finished, because the worker ends or its scan took too long.
        case interrupted
        /// This version can't scan it: it was set aside.
        case setAside(String)
        /// This computer can't scan now: it was given back.
        case unable(String)
        /// The queue refuses what this worker does.
        case failed(String)
    }

    private struct State {
        var policies: [Int64: ScanPolicy] = [:]
        var services: [String: ScanServices] = [:]
    }

    private let queue: CreativeQueue
    private let browser: ScanBrowser
    private let worker: QueueWorker
    /// The options of the worker, as words of `scan`.
    private let words: [String]
    private let state = Locked(State())

    /// How many settings and policies are kept.
    private static let maximumKept = 100
    private static let longestPause = Duration.seconds(10)

    init(_ queue: CreativeQueue, _ browser: ScanBrowser, for worker: QueueWorker, words: [String]) {
        self.queue = queue
        self.browser = browser
        self.worker = worker
        self.words = words
    }

    /// Why a creative has no record.
    private enum Problem: Error {
        case setAside(String)
        case unable(String)
        case interrupted
        case gone
        case queue(QueueError)
    }

    func run(_ creative: ClaimedCreative) async -> Outcome {
        let start = ContinuousClock.now
        do throws(Problem) {
            let policy = try await self.policy(creative.policy)
            if let (record, picture) = try await self.measured(creative) {
                return try await self.store(record, picture, policy, creative, time: nil)
            }
            let (record, picture) = try await self.scan(creative)
            return try await self.store(record, picture, policy, creative, time: .now - start)
        } catch {
            return await self.outcome(of: error, creative)
        }
    }

    private func outcome(of problem: Problem, _ creative: ClaimedCreative) async -> Outcome {
        switch problem {
        case .interrupted: return .interrupted
        case .gone: return .refused
        case .unable(let reason):
            // If that fails, its lease ends.
            try? await self.queue.giveBack([(creative.id, creative.claim)])
            return .unable(reason)
        case .queue(let error): return error.isAway ? .interrupted : .failed(error.message)
        case .setAside(let reason):
            do throws(Problem) {
                try await self.patiently { () throws(QueueError) in
                    try await self.queue.setAside(creative, because: reason)
                }
                return .setAside(reason)
            } catch {
                return .interrupted
            }
        }
    }

    /// The policy with a number, which never changes.
    private func policy(_ number: Int64) async throws(Problem) -> ScanPolicy {
        if let policy = self.state.withLock({ $0.policies[number] }) { return policy }
        let found = try await self.patiently { () throws(QueueError) in try await self.queue.policy(number) }
        guard let found else { throw .gone }
        let name = Style.printable(found.name, upTo: 60)
        let policy: ScanPolicy
        do throws(PolicyError) {
            policy = try PolicySource(stored: found.files).policy()
        } catch {
            throw .setAside(
                """
                yabbi-play \(self.worker.version) can't read the policy \(name) (\(error.message)); upgrade the workers, \
                then use scan retry
                """
            )
        }
        guard policy.version == found.version else {
            throw .setAside("the policy \(name) has not the version under which it was submitted; submit it again")
        }
        self.state.withLock { state in
            if state.policies.count >= QueueLane.maximumKept { state.policies = [:] }
            state.policies[number] = policy
        }
        return policy
    }

    /// The record of a creative with the same content and settings.
    private func measured(_ creative: ClaimedCreative) async throws(Problem) -> (ScanRecord, [UInt8]?)? {
        guard let id = creative.measured else { return nil }
        let result = try await self.patiently { () throws(QueueError) in try await self.queue.result(of: id) }
        guard let result, let json = try? AdJSON.reading(Array(result.verdict.utf8)).json,
            let record = ScanRecord(json)
        else { return nil }
        return (record.renamed(creative.name, from: creative.source), result.picture)
    }

    private func scan(_ creative: ClaimedCreative) async throws(Problem) -> (ScanRecord, [UInt8]?) {
        let item = try await self.item(creative)
        if case .invalid(let reason) = item.content { return (ScanRecord(item, failure: reason), nil) }
        let services: ScanServices
        do throws(UsageError) {
            services = try self.services(creative)
        } catch {
            throw .setAside("yabbi-play \(self.worker.version) can't use its settings: \(error.message)")
        }
        let outcome = await ScanRun.outcome(of: item, in: services) { Task.isCancelled }
        if Task.isCancelled { throw .interrupted }
        if let reason = outcome.hostFailure { throw .unable(reason) }
        return (outcome.record, outcome.picture)
    }

    private func item(_ creative: ClaimedCreative) async throws(Problem) -> ScanItem {
        let bytes = try await self.patiently { () throws(QueueError) in try await self.queue.content(of: creative.id) }
        guard let bytes else { throw .gone }
        let text = String(decoding: bytes, as: UTF8.self)
        let content: ScanItem.Content
        switch creative.kind {
        case .markup?: content = .markup(bytes)
        // Nothing else: a path would be read from this computer.
        case .url?: content = HTTPURL(text) == nil ? .invalid("the URL is not one of http or https") : .url(text)
        case .invalid?: content = .invalid(text)
        case nil:
            throw .setAside("it was submitted by a newer version; upgrade the workers, then use scan retry")
        }
        return ScanItem(creative.name, content, from: creative.source)
    }

    private func services(_ creative: ClaimedCreative) throws(UsageError) -> ScanServices {
        let takesPictures = creative.keptPictureDays > 0
        let key = "\(takesPictures)\(creative.settings)"
        if let services = self.state.withLock({ $0.services[key] }) { return services }
        let settings = try ScanSettings(stored: creative.settings, self.words)
        let services: ScanServices
        do throws(PlayError) {
            services = try ScanServices(settings, self.browser, takesPictures: takesPictures, isOfOthers: true)
        } catch {
            throw UsageError(error.message)
        }
        self.state.withLock { state in
            if state.services.count >= QueueLane.maximumKept { state.services = [:] }
            state.services[key] = services
        }
        return services
    }

    private func store(
        _ record: ScanRecord,
        _ picture: [UInt8]?,
        _ policy: ScanPolicy,
        _ creative: ClaimedCreative,
        time: Duration?
    ) async throws(Problem) -> Outcome {
        let judged = JudgedRecord(record, policy, today: creative.today)
        let result = QueuedResult(
            level: judged.verdict.level.order,
            isMeasured: !record.isWithoutMeasures,
            verdict: judged.json.text(),
            picture: creative.keptPictureDays > 0 ? picture : nil
        )
        let isStored = try await self.patiently { () throws(QueueError) in
            try await self.queue.finish(creative, result, by: self.worker)
        }
        return isStored ? .judged(judged, time: time) : .refused
    }

    /// The value of a call of the queue, tried again while the database is away and the creative may still be held.
    private func patiently<Value: Sendable>(
        _ body: () async throws(QueueError) -> Value
    ) async throws(Problem) -> Value {
        var pause = Duration.milliseconds(200)
        while true {
            do throws(QueueError) {
                return try await body()
            } catch {
                guard error.isAway, (try? await Task.sleep(for: pause)) != nil else { throw .queue(error) }
                pause = min(pause * 2, QueueLane.longestPause)
            }
        }
    }
}
