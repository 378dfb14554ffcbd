import AdCore
package import PlayConsole

/// Compares a ledger with access logs of any size, in bounded memory.
///
/// Requests are matched with beacons by their key if the log has keys, otherwise by their URL. With several beacons of one
/// URL, requests are assigned to them in the order of time.
package final class LogComparison {
    private let logs: [AccessLog]
    private let lateAfter: Duration
    private let partitions: Partitions
    /// Whether requests are matched by their keys.
    private let usesKeys: Bool
    /// Whether all logs have the hosts of requests.
    private let usesHosts: Bool

    /// The paths of the ledger's beacons: requests for others are about something else.
    private var paths: Set<Substring> = []
    private var hosts: Set<String> = []
    private var period: (first: WallTime, last: WallTime)?
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
        self.partitions = try Partitions(count: LogComparison.parts)
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
        try self.partitions.add(["L"] + line.fields, for: self.usesKeys ? line.key : target)
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
        let match =
            self.usesKeys ? request.key ?? "" : self.match(host: request.host ?? "", target: request.target)
        let time = request.time.map { String($0.milliseconds) } ?? ""
        try self.partitions.add(
            ["H", match, String(self.count), time, String(request.status), request.target, request.host ?? ""],
            for: match
        )
    }

    private func match(host: String, target: String) -> String {
        self.usesHosts ? host.lowercased() + target : target
    }

    // MARK: Comparison

    /// Compares part by part.
    ///
    /// - Parameter onOutcomes: Called with the verdicts of each part.
    /// - Returns: The numbers of all parts, and as many verdicts as a text lists.
    /// - Throws: `UsageError` if the temporary files can't be written or read.
    package func finish(_ onOutcomes: (Reconciliation) -> Void) throws(UsageError) -> Reconciliation {
        var whole = Reconciliation()
        let assessment = BeaconAssessment(
            lateAfter: self.lateAfter,
            dropped: 0,
            hosts: self.usesHosts ? self.hosts : [],
            period: self.period,
            matchesByKey: self.usesKeys
        )
        for part in 0..<LogComparison.parts {
            var groups: [String: LogGroup] = [:]
            var order: [String] = []
            try self.partitions.forEachRecord(of: part) { record in
                let isLine = record.first == "L"
                let line = isLine ? LedgerLine(fields: record.dropFirst()) : nil
                let match: String
                if let line {
                    let url = self.usesKeys ? nil : HTTPURL(line.address)
                    match =
                        self.usesKeys
                        ? line.key : url.map { self.match(host: $0.host, target: String($0.target)) } ?? line.address
                } else {
                    match = record.count > 1 ? record[1] : ""
                }
                if groups[match] == nil { order.append(match) }
                if let line {
                    groups[match, default: LogGroup()].lines.append(line)
                } else {
                    groups[match, default: LogGroup()].add(record, hasKey: self.usesKeys)
                }
            }
            var outcomes: [ReconciledBeacon] = []
            var lines: [LedgerLine] = []
            var duplicates = 0
            for match in order {
                guard var group = groups.removeValue(forKey: match) else { continue }
                let (own, extra) = group.outcomes(assessment)
                outcomes += own
                duplicates += extra
                lines += group.lines
            }
            let compared = Reconciliation(outcomes, of: lines, duplicates: duplicates)
            onOutcomes(compared)
            whole.add(compared, listed: Reconciliation.maxListed)
        }
        return whole
    }
}

/// The beacons and the requests with one key or URL.
private struct LogGroup {
    var lines: [LedgerLine] = []
    private var requests: [Request] = []
    /// The same for all of them.
    private var (key, path, host): (String?, String, String?) = (nil, "", nil)

    private struct Request {
        let number: Int
        /// Zero if the log does not say.
        let time: WallTime
        let status: Int
        /// The checksum of its path.
        let path: UInt64

        var isCounted: Bool { LoggedRequest.isCounted(self.status) }
        var isRedirect: Bool { [301, 302, 303, 307, 308].contains(self.status) }
    }

    /// How much earlier than its recording a request may be logged: clocks differ, and some logs have whole seconds.
    private static let tolerance = Duration.seconds(5)

    mutating func add(_ record: [String], hasKey: Bool) {
        guard record.count >= 7, let number = Int(record[2]), let status = Int(record[4]) else { return }
        if self.requests.isEmpty {
            self.key = hasKey && !record[1].isEmpty ? record[1] : nil
            self.path = record[5]
            self.host = record[6].isEmpty ? nil : record[6]
        }
        let time = WallTime(milliseconds: Int64(record[3]) ?? 0)
        self.requests.append(
            Request(number: number, time: time, status: status, path: LogGroup.path(of: record[5]))
        )
    }

    /// Removes the other steps of redirected requests: a request is logged again, with its key, where it is redirected to.
    ///
    /// The beacon was sent at least as often as it was redirected from its own path, and as often as a redirect or it itself
    /// ended; the more frequent ones are kept.
    private mutating func removeOtherSteps() {
        let counted = self.requests.filter(\.isCounted)
        let redirects = counted.filter(\.isRedirect)
        guard self.key != nil, let first = redirects.first else { return }
        let own = self.lines.first.flatMap { HTTPURL($0.address) }.map { LogGroup.path(of: String($0.target)) }
        let starts = redirects.filter { $0.path == own ?? first.path }
        let ends = counted.filter { !$0.isRedirect }
        let kept = Set((ends.count >= starts.count ? ends : starts).map(\.number))
        self.requests.removeAll { $0.isCounted && !kept.contains($0.number) }
    }

    private static func path(of target: String) -> UInt64 {
        Checksum.of(target.utf8.prefix { $0 != UInt8(ascii: "?") })
    }

    /// The verdicts, and how many requests were counted beyond the first one of a beacon.
    mutating func outcomes(_ assessment: BeaconAssessment) -> ([ReconciledBeacon], duplicates: Int) {
        self.requests.sort { ($0.time, $0.number) < ($1.time, $1.number) }
        self.removeOtherSteps()
        guard !self.lines.isEmpty else { return ([assessment.unknown(self.key, self.hits(self.requests[...]))], 0) }
        self.lines.sort { $0.recorded < $1.recorded }
        var own: [[Request]] = Array(repeating: [], count: self.lines.count)
        // The first beacon without a counted request.
        var next = 0
        for request in self.requests {
            let isKnown = request.time.milliseconds > 0
            let isInTime =
                next < self.lines.count
                && (!isKnown || self.lines[next].recorded <= request.time + LogGroup.tolerance)
            own[isInTime ? next : max(0, next - 1)].append(request)
            if request.isCounted, isInTime { next += 1 }
        }
        var duplicates = 0
        let outcomes = zip(self.lines, own).map { line, requests in
            let outcome = assessment.outcome(line, self.hits(requests[...]))
            if outcome.verdict == .doubled {
                duplicates += max(0, requests.count(where: \.isCounted) - 1)
            }
            return outcome
        }
        return (outcomes, duplicates)
    }

    private func hits(_ requests: ArraySlice<Request>) -> [ReceivedHit] {
        requests.map { request in
            ReceivedHit(
                n: request.number,
                at: request.time,
                key: self.key,
                path: self.path,
                host: self.host,
                fault: request.isCounted ? nil : "status \(request.status)",
                isCounted: request.isCounted
            )
        }
    }
}

extension LedgerLine {
    /// The line as texts.
    fileprivate var fields: [String] {
        let (code, reason) =
            switch self.state {
            case .delivered: ("d", "")
            case .unconfirmed(let reason): ("u", reason)
            case .dead(let reason): ("x", reason)
            case .pending(let reason): ("p", reason)
            }
        return [
            self.key, self.event, self.url, self.address, self.isBilling ? "1" : "", code, reason,
            String(self.attempts),
            String(self.recorded.milliseconds), self.isAtLeastOnce ? "1" : "",
        ]
    }

    /// Nil for texts that are not `fields`.
    fileprivate init?(fields: ArraySlice<String>) {
        let fields = Array(fields)
        guard fields.count == 10, let attempts = Int(fields[7]), let recorded = Int64(fields[8]) else { return nil }
        let state: State
        switch fields[5] {
        case "d": state = .delivered
        case "u": state = .unconfirmed(reason: fields[6])
        case "x": state = .dead(reason: fields[6])
        default: state = .pending(reason: fields[6])
        }
        self.init(
            key: fields[0],
            event: fields[1],
            url: fields[2],
            isBilling: fields[4] == "1",
            state: state,
            attempts: attempts,
            recorded: WallTime(milliseconds: recorded),
            isAtLeastOnce: fields[9] == "1",
            address: fields[3]
        )
    }
}
