import PostgresClient

extension CreativeQueue {
    /// Stores a policy; returns its number.
    package func add(_ policy: QueuedPolicy) throws(QueueError) -> Int64 {
        let values: [PostgresValue] = [
            .text(policy.name), .text(policy.version), .bytes(Array(policy.files.utf8)),
        ]
        let rows = try self.run([
            PostgresStatement(once: QueueSQL.addPolicy, values), PostgresStatement(once: QueueSQL.findPolicy, values),
        ])
        guard let number = rows.last?.first?.int(0) else { throw QueueError("the queue has not stored the policy") }
        return number
    }

    /// Adds creatives in one transaction.
    ///
    /// A creative with the same name, content, settings and policy is there only once, and gets the higher priority and the
    /// longer retention.
    ///
    /// - Parameters:
    ///   - creatives: The creatives.
    ///   - submission: What they have in common.
    /// - Returns: How many were new.
    /// - Throws: `QueueError` if the database can't be reached, or the user may not do so.
    package func submit(
        _ creatives: [SubmittedCreative],
        _ submission: Submission
    ) throws(QueueError) -> SubmittedCounts {
        let values: [PostgresValue] = [
            .texts(creatives.map(\.name)), .texts(creatives.map(\.source)), .ints(creatives.map(\.kind.rawValue)),
            .blobs(creatives.map(\.bytes)), .texts(creatives.map(\.settings)), .int(submission.policy),
            .int(Int64(submission.priority)), .int(Int64(submission.keptDays)), .int(Int64(submission.keptPictureDays)),
            .text(submission.label),
        ]
        let row = try self.run(PostgresStatement("submit", QueueSQL.submit, values)).first
        var counts = SubmittedCounts()
        counts.new = Int(row?.int(0) ?? 0)
        counts.judged = Int(row?.int(1) ?? 0)
        counts.known = Int(row?.int(2) ?? 0)
        return counts
    }

    /// Lets creatives be scanned again.
    ///
    /// - Parameters:
    ///   - label: The submission; nil for all.
    ///   - names: Patterns of the names of creatives, in which `*` stands for anything; empty for those that were set aside.
    ///   - withFailures: Without patterns, whether also creatives are scanned again that could not be shown.
    /// - Returns: How many.
    /// - Throws: `QueueError` if the database can't be reached, or the user may not do so.
    package func retry(_ label: String?, names: [String], withFailures: Bool) throws(QueueError) -> Int {
        let patterns: PostgresValue = names.isEmpty ? .null : .texts(names.map(CreativeQueue.likePattern))
        let text = QueueSQL.retry(label != nil)
        var (count, last) = (0, Int64(0))
        while true {
            let rows = try self.read(
                text,
                [
                    CreativeQueue.value(label), patterns, .int(withFailures ? 1 : 0), .int(last),
                    .int(Int64(CreativeQueue.retried)),
                ]
            )
            count += rows.count
            guard rows.count == CreativeQueue.retried else { return count }
            last = rows.rows.compactMap { $0.int(0) }.max() ?? last
        }
    }

    /// How many creatives one statement lets be scanned again.
    private static let retried = 5_000

    static func value(_ label: String?) -> PostgresValue { label.map(PostgresValue.text) ?? .null }

    /// The pattern of `LIKE` for one in which `*` stands for anything.
    private static func likePattern(_ text: String) -> String {
        var pattern = ""
        for character in text {
            switch character {
            case "*": pattern.append("%")
            case "%", "_", "\\": pattern += "\\\(character)"
            default: pattern.append(character)
            }
        }
        return pattern
    }
}
