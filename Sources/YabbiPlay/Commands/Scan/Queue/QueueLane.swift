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
        /// It was not finished, because the worker ends.
        case interrupted
        /// The queue refuses what this worker does.
        case failed(String)
    }

    private struct State {
        var policies: [Int64: ScanPolicy] = [:]
        var services: [String: ScanServices] = [:]
    }

    private let queue: CreativeQueue
    private let browser: ScanBrowser
    /// The options of the worker, as words of `scan`.
    private let words: [String]
    private let state = Locked(State())

    /// How many settings are kept.
    private static let maximumServices = 100
    private static let longestPause = Duration.seconds(10)

    init(_ queue: CreativeQueue, _ browser: ScanBrowser, words: [String]) {
        self.queue = queue
        self.browser = browser
        self.words = words
    }

    func run(_ creative: ClaimedCreative) async -> Outcome {
        let start = ContinuousClock.now
        do throws(QueueError) {
            guard let policy = try await self.policy(creative.policy) else { return .refused }
            if let (record, picture) = try await self.measured(creative) {
                return try await self.store(record, picture, policy, creative, time: nil)
            }
            guard
                let bytes = try await self.patiently({ () throws(QueueError) in
                    try await self.queue.content(of: creative.id)
                })
            else { return .refused }
            guard let (record, picture) = await self.scan(creative, bytes) else { return .interrupted }
            return try await self.store(record, picture, policy, creative, time: .now - start)
        } catch {
            return error.isAway ? .interrupted : .failed(error.message)
        }
    }

    /// The policy with a number, which never changes.
    private func policy(_ number: Int64) async throws(QueueError) -> ScanPolicy? {
        if let policy = self.state.withLock({ $0.policies[number] }) { return policy }
        let found = try await self.patiently { () throws(QueueError) in try await self.queue.policy(number) }
        guard let found else { return nil }
        let policy: ScanPolicy
        do throws(PolicyError) {
            policy = try PolicySource(stored: found.files).policy()
        } catch {
            throw QueueError(
                """
                the policy \(found.name) was submitted by another version of yabbi-play, and this one can't read it \
                (\(error.message)); use the same version
                """
            )
        }
        self.state.withLock { $0.policies[number] = policy }
        return policy
    }

    /// The record of a creative with the same content and settings.
    private func measured(_ creative: ClaimedCreative) async throws(QueueError) -> (ScanRecord, [UInt8]?)? {
        guard let id = creative.measured else { return nil }
        let result = try await self.patiently { () throws(QueueError) in try await self.queue.result(of: id) }
        guard let result, let json = try? AdJSON.reading(Array(result.verdict.utf8)).json,
            let record = ScanRecord(json)
        else { return nil }
        // It has the same name, and may be from another source.
        return (record.from(creative.source), result.picture)
    }

    /// Scans a creative; nil if the worker ends.
    private func scan(_ creative: ClaimedCreative, _ bytes: [UInt8]) async -> (ScanRecord, [UInt8]?)? {
        let text = String(decoding: bytes, as: UTF8.self)
        let content: ScanItem.Content =
            switch creative.kind {
            case .markup: .markup(bytes)
            case .url: .url(text)
            case .invalid: .invalid(text)
            }
        let item = ScanItem(creative.name, content, from: creative.source)
        let services: ScanServices
        do throws(UsageError) {
            services = try self.services(creative)
        } catch {
            return (ScanRecord(item, failure: error.message), nil)
        }
        if case .invalid(let reason) = content { return (ScanRecord(item, failure: reason), nil) }
        var outcome = await ScanRun(item, in: services).run()
        // A creative must not fail for what its neighbor in the browser does.
        if outcome.isLate, !Task.isCancelled { outcome = await ScanRun(item, in: services).run() }
        return Task.isCancelled ? nil : (outcome.record, outcome.picture)
    }

    private func services(_ creative: ClaimedCreative) throws(UsageError) -> ScanServices {
        let takesPictures = creative.keptPictureDays > 0
        let key = "\(takesPictures)\(creative.settings)"
        if let services = self.state.withLock({ $0.services[key] }) { return services }
        let settings = try ScanSettings(stored: creative.settings, self.words)
        let services: ScanServices
        do throws(PlayError) {
            services = try ScanServices(settings, self.browser, takesPictures: takesPictures)
        } catch {
            throw UsageError(error.message)
        }
        self.state.withLock { state in
            if state.services.count >= QueueLane.maximumServices { state.services = [:] }
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
    ) async throws(QueueError) -> Outcome {
        let judged = JudgedRecord(record, policy, today: creative.today)
        let result = QueuedResult(
            level: judged.verdict.level.order,
            isMeasured: !record.isWithoutMeasures,
            verdict: judged.json.text(),
            picture: creative.keptPictureDays > 0 ? picture : nil
        )
        let isStored = try await self.patiently { () throws(QueueError) in
            try await self.queue.finish(creative, result)
        }
        return isStored ? .judged(judged, time: time) : .refused
    }

    /// The value of a call of the queue, tried again while the database is away and the creative may still be held.
    private func patiently<Value: Sendable>(
        _ body: () async throws(QueueError) -> Value
    ) async throws(QueueError) -> Value {
        var pause = Duration.milliseconds(200)
        while true {
            do throws(QueueError) {
                return try await body()
            } catch {
                guard error.isAway, (try? await Task.sleep(for: pause)) != nil else { throw error }
                pause = min(pause * 2, QueueLane.longestPause)
            }
        }
    }
}
