import AdCore
package import PlayConsole

/// Compares a ledger with access logs of any size, in bounded memory.
///
/// Requests are matched with beacons by their key if the log has keys, otherwise by their URL. With several beacons of
/// one URL, requests are assigned to them in the order of time (`LogAssignment`). Of the beacons and requests of a part
/// only times and numbers are in memory; their texts are in temporary files.
package final class LogComparison {
    private let logs: [AccessLog]
    private let lateAfter: Duration
    /// The beacons, each with its key or URL and the checksum of its path.
    private let lines: Partitions
    /// The requests, each with its key or URL.
    private let requests: Partitions
    /// Whether requests are matched by their keys.
    private let usesKeys: Bool
    /// Whether all logs have the hosts of requests.
    private let usesHosts: Bool

    /// The paths of the ledger's beacons: requests for others are about something else.
    private var paths: Set<Substring> = []
    private var hosts: Set<String> = []
    private var period: (first: WallTime, last: WallTime)?
    /// The requests without a key, if beacons are matched by their keys: no beacon can be theirs.
    private var keyless = LogGroup()
    /// The number of requests so far; each has a number.
    private var count = 0

    /// The number of requests that are about something else.
    package private(set) var others = 0

    private static let parts = 64
    private static let maximumPaths = 100_000
    private static let maximumHosts = 1_000

    /// Recognizes the formats of logs.
    ///
    /// - Parameters:
    ///   - paths: The files; `-` is the standard input.
    ///   - pattern: Their format, as in nginx's `log_format`; nil to recognize it.
    ///   - lateAfter: How long after its recording a beacon is late.
    /// - Throws: `UsageError` for a file that can't be read, or whose format is not recognized.
    package init(_ paths: [String], pattern: String?, lateAfter: Duration) throws(UsageError) {
        var logs: [AccessLog] = []
        for path in paths { logs.append(try AccessLog(path, pattern: pattern)) }
        self.logs = logs
        self.lateAfter = lateAfter
        self.usesKeys = logs.allSatisfy(\.hasKeys)
        self.usesHosts = logs.allSatisfy(\.hasHosts)
        self.lines = try Partitions(count: LogComparison.parts)
        self.requests = try Partitions(count: LogComparison.parts)
    }

    /// Whether requests are matched with beacons by their keys; otherwise by their URLs.
    package var matchesByKey: Bool { self.usesKeys }

    // MARK: Input

    /// Adds a beacon of the ledger; all are added before `read`.
    package func add(_ line: LedgerLine) throws(UsageError) {
        let url = HTTPURL(line.address)
        if let url, self.paths.count < LogComparison.maximumPaths {
            self.paths.insert(Substring(url.target.prefix { $0 != "?" }))
        }
        let target = url.map { self.match(host: $0.host, target: String($0.target)) } ?? line.address
        let match = self.usesKeys ? line.key : target
        let path = url.map { String(LogGroup.path(of: $0.target)) } ?? ""
        try self.lines.add([match, path] + line.fields, for: match)
    }

    /// Reads the logs; returns what could not be read of them.
    package func read() throws(UsageError) -> [String] {
        var problems: [String] = []
        for log in self.logs {
            try log.forEach { (request) throws(UsageError) in try self.add(request) }
            if let problem = log.problem { problems.append(problem) }
        }
        return problems
    }

    private func add(_ request: LoggedRequest) throws(UsageError) {
        self.count += 1
        if let time = request.time {
            self.period = self.period.map { (min($0.first, time), max($0.last, time)) } ?? (time, time)
        }
        let isBeacons = self.paths.count >= LogComparison.maximumPaths || self.paths.contains(request.path)
        guard isBeacons || self.usesKeys && request.key != nil else {
            self.others += 1
            return
        }
        if let host = request.host, self.hosts.count < LogComparison.maximumHosts { self.hosts.insert(host) }
        guard !self.usesKeys || request.key != nil else {
            self.keyless.add(request, number: self.count)
            return
        }
        let target = self.match(host: request.host ?? "", target: request.target)
        let match = self.usesKeys ? request.key ?? "" : target
        let time = request.time.map { String($0.milliseconds) } ?? ""
        try self.requests.add(
            [match, String(self.count), time, String(request.status), request.target, request.host ?? ""],
            for: match
        )
    }

    private func match(host: String, target: String) -> String {
        self.usesHosts ? host.lowercased() + target : target
    }

    // MARK: Comparison

    /// Compares part by part.
    ///
    /// - Parameter onOutcomes: Called with some verdicts after the other.
    /// - Returns: The numbers of all verdicts, and as many of them as a text lists.
    /// - Throws: `UsageError` if the temporary files can't be written or read.
    package func finish(_ onOutcomes: (Reconciliation) -> Void) throws(UsageError) -> Reconciliation {
        let assessment = BeaconAssessment(
            lateAfter: self.lateAfter,
            dropped: 0,
            hosts: self.usesHosts ? self.hosts : [],
            period: self.period,
            matchesByKey: self.usesKeys
        )
        var verdicts = VerdictBatches()
        for part in 0..<LogComparison.parts {
            var groups = try self.groups(of: part)
            try self.lines.forEachRecord(of: part) { record in
                guard let line = LedgerLine(fields: record.dropFirst(2)) else { return }
                let arrivals = groups.nextArrivals(of: record[0])
                let outcome = assessment.outcome(line, arrivals)
                let duplicates = outcome.verdict == .doubled ? max(0, arrivals.counted - 1) : 0
                verdicts.add(outcome, of: line, duplicates: duplicates, onOutcomes)
            }
            for group in groups.withoutBeacons {
                verdicts.add(assessment.unknown(group.key, group.arrivals), of: nil, duplicates: 0, onOutcomes)
            }
        }
        if self.keyless.hasRequests {
            self.keyless.assign()
            verdicts.add(assessment.unknown(nil, self.keyless.arrivals), of: nil, duplicates: 0, onOutcomes)
        }
        verdicts.handOver(onOutcomes)
        return verdicts.whole
    }

    /// The beacons and the requests of a part, with the decision which belong together.
    private func groups(of part: Int) throws(UsageError) -> LogGroups {
        var groups = LogGroups()
        try self.lines.forEachRecord(of: part) { record in
            guard let line = LedgerLine(fields: record.dropFirst(2)) else { return }
            groups.add(line, path: UInt32(record[1]), to: record[0])
        }
        let usesKeys = self.usesKeys
        try self.requests.forEachRecord(of: part) { record in
            guard record.count == 6, let number = Int(record[1]), let status = Int(record[3]) else { return }
            let request = LoggedRequest(
                time: Int64(record[2]).map { WallTime(milliseconds: $0) },
                target: record[4],
                host: record[5].isEmpty ? nil : record[5],
                status: status,
                key: usesKeys ? record[0] : nil
            )
            groups.add(request, number: number, to: record[0])
        }
        groups.assign()
        return groups
    }
}

/// The groups of a part, each by its key or URL.
private struct LogGroups {
    private var indexes: [String: Int] = [:]
    private var groups: [LogGroup] = []

    mutating func add(_ line: LedgerLine, path: UInt32?, to match: String) {
        let index = self.index(of: match)
        self.groups[index].add(line, path: path)
    }

    mutating func add(_ request: LoggedRequest, number: Int, to match: String) {
        let index = self.index(of: match)
        self.groups[index].add(request, number: number)
    }

    private mutating func index(of match: String) -> Int {
        if let index = self.indexes[match] { return index }
        self.indexes[match] = self.groups.count
        self.groups.append(LogGroup())
        return self.groups.count - 1
    }

    mutating func assign() {
        for index in self.groups.indices { self.groups[index].assign() }
    }

    /// The requests of the next beacon of a group.
    mutating func nextArrivals(of match: String) -> Arrivals {
        let index = self.index(of: match)
        return self.groups[index].nextArrivals()
    }

    /// The requests that no beacon of the ledger explains.
    var withoutBeacons: some Sequence<LogGroup> { self.groups.lazy.filter { !$0.hasBeacons } }
}

/// Hands verdicts over in batches, so that only some of them are in memory.
private struct VerdictBatches {
    private(set) var whole = Reconciliation()
    private var outcomes: [ReconciledBeacon] = []
    private var lines: [LedgerLine] = []
    private var duplicates = 0

    private static let size = 4_096

    mutating func add(
        _ outcome: ReconciledBeacon,
        of line: LedgerLine?,
        duplicates: Int,
        _ onOutcomes: (Reconciliation) -> Void
    ) {
        self.outcomes.append(outcome)
        if let line { self.lines.append(line) }
        self.duplicates += duplicates
        if self.outcomes.count >= VerdictBatches.size { self.handOver(onOutcomes) }
    }

    mutating func handOver(_ onOutcomes: (Reconciliation) -> Void) {
        guard !self.outcomes.isEmpty else { return }
        let batch = Reconciliation(self.outcomes, of: self.lines, duplicates: self.duplicates)
        (self.outcomes, self.lines, self.duplicates) = ([], [], 0)
        onOutcomes(batch)
        self.whole.add(batch, listed: Reconciliation.maxListed)
    }
}
