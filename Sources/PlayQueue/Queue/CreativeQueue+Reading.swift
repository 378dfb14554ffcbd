import PostgresClient

/// What is in a queue.
package struct QueueCounts: Hashable, Sendable {
    package var waiting = 0
    package var inProgress = 0
    package var passed = 0
    package var warned = 0
    package var failed = 0
    package var setAside = 0
    /// The verdicts of the last minute.
    package var lastMinute = 0
    /// How long the oldest one has waited.
    package var oldest: Duration?
    /// Those that wait after a worker ended while it scanned them.
    package var suspects = 0

    package init() {}

    package var judged: Int { self.passed + self.warned + self.failed }
    package var total: Int { self.open + self.judged + self.setAside }
    /// What has no verdict yet.
    package var open: Int { self.waiting + self.inProgress }
}

/// What is not judged, for metrics.
package struct OpenCounts: Hashable, Sendable {
    package let waiting: Int
    package let inProgress: Int
    package let setAside: Int
    /// How long the oldest one has waited; nil if none waits.
    package let oldest: Duration?

    package init(waiting: Int, inProgress: Int, setAside: Int, oldest: Duration?) {
        self.waiting = waiting
        self.inProgress = inProgress
        self.setAside = setAside
        self.oldest = oldest
    }
}

/// What a worker has to know about the queue to go on.
package struct QueueSigns: Hashable, Sendable {
    /// Whether it is to scan creatives that may have ended a worker.
    package let takesSuspects: Bool
    /// Whether nothing waits, and no worker has anything in progress.
    package let isEmpty: Bool

    package init(takesSuspects: Bool, isEmpty: Bool) {
        self.takesSuspects = takesSuspects
        self.isEmpty = isEmpty
    }
}

/// A submission in a queue.
package struct QueueLabel: Hashable, Sendable {
    package let label: String
    package let total: Int
    package let open: Int
}

/// A worker in a queue.
package struct SeenWorker: Hashable, Sendable {
    package let name: String
    package let version: String
    package let lanes: Int
    package let inProgress: Int
    package let judged: Int
    /// How long ago it was seen, and was started.
    package let seen: Duration
    package let started: Duration
}

/// A creative that was set aside, and why.
package struct SetAsideCreative: Hashable, Sendable {
    package let id: Int64
    package let name: String
    package let reason: String
}

/// A policy by which creatives were judged.
package struct UsedPolicy: Hashable, Sendable {
    package let number: Int64
    package let policy: QueuedPolicy
    package let count: Int
}

/// The result of a creative.
package struct EndedCreative: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        /// The verdict, as JSON.
        case judged(String)
        /// Why it was set aside.
        case setAside(String)
    }

    package let id: Int64
    package let name: String
    package let source: String
    package let outcome: Outcome
    package let hasPicture: Bool
}

extension CreativeQueue {
    /// The counts of a submission, or of all.
    package func counts(_ label: String?) throws(QueueError) -> QueueCounts {
        let row = try self.read(QueueSQL.counts(label != nil), [CreativeQueue.value(label)]).first
        func number(_ column: Int32) -> Int { Int(row?.int(column) ?? 0) }
        var counts = QueueCounts()
        counts.waiting = number(0)
        counts.inProgress = number(1)
        counts.passed = number(2)
        counts.warned = number(3)
        counts.failed = number(4)
        counts.setAside = number(5)
        counts.lastMinute = number(6)
        counts.oldest = row?.int(7).map { .milliseconds($0) }
        counts.suspects = number(8)
        return counts
    }

    /// How many creatives of a submission have no verdict by a policy.
    package func open(_ label: String?, by policy: Int64) throws(QueueError) -> Int {
        let row = try self.read(QueueSQL.open(label != nil), [CreativeQueue.value(label), .int(policy)]).first
        return Int(row?.int(0) ?? 0)
    }

    /// The last submissions.
    package func labels() throws(QueueError) -> [QueueLabel] {
        try self.read(QueueSQL.labels).rows.map { row in
            QueueLabel(label: row.text(0) ?? "", total: Int(row.int(1) ?? 0), open: Int(row.int(2) ?? 0))
        }
    }

    /// The workers that were seen in the last day and have not ended in order.
    package func workers() throws(QueueError) -> [SeenWorker] {
        try self.run(PostgresStatement(once: QueueSQL.workers)).rows.map { row in
            SeenWorker(
                name: row.text(0) ?? "",
                version: row.text(1) ?? "",
                lanes: Int(row.int(2) ?? 0),
                inProgress: Int(row.int(3) ?? 0),
                judged: Int(row.int(4) ?? 0),
                seen: .milliseconds(row.int(5) ?? 0),
                started: .milliseconds(row.int(6) ?? 0)
            )
        }
    }

    /// Creatives that were set aside, in the order of their numbers.
    package func setAside(_ label: String?, after id: Int64) throws(QueueError) -> [SetAsideCreative] {
        try self.read(QueueSQL.aside(label != nil), [CreativeQueue.value(label), .int(id)]).rows.map { row in
            SetAsideCreative(
                id: row.int(0) ?? 0,
                name: row.text(1) ?? "",
                reason: CreativeQueue.reason(deaths: row.int(2), row.text(3))
            )
        }
    }

    /// The policies of a submission's creatives, the last one first.
    package func policies(_ label: String?) throws(QueueError) -> [UsedPolicy] {
        try self.read(QueueSQL.policies(label != nil), [CreativeQueue.value(label)]).rows.map { row in
            UsedPolicy(
                number: row.int(0) ?? 0,
                policy: QueuedPolicy(
                    row.text(1) ?? "",
                    version: row.text(2) ?? "",
                    files: String(decoding: row.blob(3) ?? [], as: UTF8.self)
                ),
                count: Int(row.int(4) ?? 0)
            )
        }
    }

    /// Results by a policy, in the order in which creatives were submitted; of several creatives of a name, the last one.
    package func results(
        _ label: String?,
        by policy: Int64,
        after id: Int64,
        limit: Int
    ) throws(QueueError) -> [EndedCreative] {
        let values: [PostgresValue] = [CreativeQueue.value(label), .int(policy), .int(id), .int(Int64(limit))]
        return try self.read(QueueSQL.results(label != nil), values).rows.map { row in
            let setAside = EndedCreative.Outcome.setAside(CreativeQueue.reason(deaths: row.int(4), row.text(5)))
            return EndedCreative(
                id: row.int(0) ?? 0,
                name: row.text(2) ?? "",
                source: row.text(3) ?? "",
                outcome: row.int(1) == 2 ? row.text(6).map(EndedCreative.Outcome.judged) ?? setAside : setAside,
                hasPicture: row.int(7) == 1
            )
        }
    }

    /// The picture of a creative, as WebP.
    package func picture(of creative: Int64) throws(QueueError) -> [UInt8]? {
        try self.run(PostgresStatement("picture", QueueSQL.picture, [.int(creative)])).first?.blob(0)
    }

    private static func reason(deaths: Int64?, _ reason: String?) -> String {
        let deaths = Int(deaths ?? 0)
        guard deaths >= QueueSQL.maximumDeaths else { return reason ?? "no reason is known" }
        return "\(deaths) workers ended while they scanned it (\(reason ?? "no reason is known"))"
    }
}
