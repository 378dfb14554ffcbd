import PostgresClient

extension CreativeQueue {
    /// Adds creatives in one transaction.
    ///
    /// A creative with the same name, content, settings and policy is there only once, and gets the higher priority.
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
        let policy = submission.policy
        let rows = try self.run([
            PostgresStatement(
                "addPolicy",
                QueueSQL.addPolicy,
                [.text(policy.version), .text(policy.name), .text(policy.files)]
            ), PostgresStatement("findPolicy", QueueSQL.findPolicy, [.text(policy.version)]),
        ])
        let values: [PostgresValue] = [
            .texts(creatives.map(\.name)), .texts(creatives.map(\.source)), .ints(creatives.map(\.kind.rawValue)),
            .blobs(creatives.map(\.bytes)), .texts(creatives.map(\.settings)), .text(policy.version),
            PostgresValue(rows.last?.first?.int(0)), .int(Int64(submission.priority)), .int(Int64(submission.keptDays)),
            .int(Int64(submission.keptPictureDays)), .text(submission.label),
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
        return try self.run(
            PostgresStatement(
                once: QueueSQL.retry,
                [label.map(PostgresValue.text) ?? .null, patterns, .int(withFailures ? 1 : 0)]
            )
        ).changes
    }

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
