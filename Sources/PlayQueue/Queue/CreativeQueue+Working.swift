import PostgresClient

extension CreativeQueue {
    /// Claims creatives; at first takes back those of workers that did not respond.
    ///
    /// - Parameters:
    ///   - count: How many at most.
    ///   - suspects: Whether those are claimed that may have ended a worker, or the others.
    ///   - worker: The worker.
    ///   - number: The number of the claim, different for each.
    ///   - lease: How long the claim holds without being renewed.
    /// - Returns: What was claimed.
    /// - Throws: `QueueError` if the database can't be reached, or the user may not do so.
    package func claim(
        _ count: Int,
        suspects: Bool,
        for worker: QueueWorker,
        number: Int64,
        lease: Duration
    ) throws(QueueError) -> [ClaimedCreative] {
        let values: [PostgresValue] = [
            .int(suspects ? 1 : 0), .int(Int64(count)), .int(number), .int(worker.id),
            .int(CreativeQueue.milliseconds(lease)),
        ]
        let rows = try self.claim(
            number,
            [
                PostgresStatement("expire", QueueSQL.expire), PostgresStatement("claim", QueueSQL.claim, values),
            ]
        )
        return (rows.last?.rows ?? []).compactMap { row in
            guard let id = row.int(0), let name = row.text(1), let source = row.text(2), let settings = row.text(4),
                let kind = row.int(3).flatMap(SubmittedCreative.Kind.init(rawValue:)), let policy = row.int(5)
            else { return nil }
            return ClaimedCreative(
                id: id,
                claim: number,
                name: name,
                source: source,
                kind: kind,
                settings: settings,
                policy: policy,
                keptPictureDays: row.int(6) ?? 0,
                today: row.text(7) ?? "",
                measured: row.int(8)
            )
        }
    }

    /// The bytes of a creative; nil if it was removed.
    package func content(of creative: Int64) throws(QueueError) -> [UInt8]? {
        try self.run(PostgresStatement("content", QueueSQL.content, [.int(creative)])).first?.blob(0)
    }

    /// The verdict and picture of a creative that was judged.
    package func result(of creative: Int64) throws(QueueError) -> (verdict: String, picture: [UInt8]?)? {
        let row = try self.run(PostgresStatement("result", QueueSQL.result, [.int(creative)])).first
        guard let verdict = row?.text(0) else { return nil }
        return (verdict, row?.blob(1))
    }

    package func policy(_ number: Int64) throws(QueueError) -> QueuedPolicy? {
        let row = try self.run(PostgresStatement("policy", QueueSQL.policy, [.int(number)])).first
        guard let name = row?.text(0), let version = row?.text(1), let files = row?.text(2) else { return nil }
        return QueuedPolicy(name, version: version, files: files)
    }

    /// Renews leases, and tells that a worker is alive; returns which of its creatives it still holds.
    package func renew(
        _ creatives: [(id: Int64, claim: Int64)],
        lease: Duration,
        for worker: QueueWorker,
        judged: Int
    ) throws(QueueError) -> Set<Int64> {
        let rows = try self.run([
            self.seen(worker, inProgress: creatives.count, judged: judged),
            PostgresStatement(
                "renew",
                QueueSQL.renew,
                [
                    .ints(creatives.map(\.id)), .ints(creatives.map(\.claim)), .int(CreativeQueue.milliseconds(lease)),
                ]
            ),
        ])
        return Set((rows.last?.rows ?? []).compactMap { $0.int(0) })
    }

    /// Gives creatives back that a worker does not finish, and tells that it ends.
    package func leave(
        _ creatives: [(id: Int64, claim: Int64)],
        _ worker: QueueWorker,
        judged: Int
    ) throws(QueueError) {
        _ = try self.run([
            PostgresStatement(once: QueueSQL.giveBack, [.ints(creatives.map(\.claim)), .ints(creatives.map(\.id))]),
            self.seen(worker, inProgress: 0, judged: judged, isEnding: true),
        ])
    }

    private func seen(
        _ worker: QueueWorker,
        inProgress: Int,
        judged: Int,
        isEnding: Bool = false
    ) -> PostgresStatement {
        PostgresStatement(
            "seen",
            QueueSQL.seen,
            [
                .int(worker.id), .text(worker.name), .text(worker.version), .int(Int64(worker.lanes)),
                .int(Int64(inProgress)), .int(Int64(judged)), .int(isEnding ? 1 : 0),
            ]
        )
    }

    /// Stores a verdict; false if the claim no longer holds the creative, because its lease was over.
    package func finish(_ creative: ClaimedCreative, _ result: QueuedResult) throws(QueueError) -> Bool {
        let values: [PostgresValue] = [
            .int(creative.id), .int(creative.claim), .int(Int64(result.level)), .int(result.isMeasured ? 1 : 0),
            .text(result.verdict), result.picture.map(PostgresValue.bytes) ?? .null, .int(creative.keptPictureDays),
        ]
        return try self.run(PostgresStatement("finish", QueueSQL.finish, values)).first?.int(0) == 1
    }

    /// Removes what is older than its retention, a part of it at once; false if there may be more.
    package func removeOld() throws(QueueError) -> Bool {
        let pictures = try self.run(PostgresStatement(once: QueueSQL.removePictures)).changes
        let removed = try self.run(PostgresStatement(once: QueueSQL.removeCreatives))
        let contents = removed.rows.map { $0.blob(0) }
        if !contents.isEmpty { _ = try self.run(PostgresStatement(once: QueueSQL.removeContents, [.blobs(contents)])) }
        _ = try self.run(PostgresStatement(once: QueueSQL.removeWorkers))
        return pictures < 1000 && removed.count < 1000
    }

    private static func milliseconds(_ duration: Duration) -> Int64 { Int64(duration / .milliseconds(1)) }
}

extension PostgresRow {
    /// The bytes of a column; nil for NULL.
    func blob(_ column: Int32) -> [UInt8]? { self.withBlob(column) { Array($0) } }
}
