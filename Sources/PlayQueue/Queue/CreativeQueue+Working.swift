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
            .int(CreativeQueue.milliseconds(lease)), .text(worker.signature),
        ]
        let rows = try self.claim(
            number,
            [
                PostgresStatement("expire", QueueSQL.expire, [.int(CreativeQueue.milliseconds(lease))]),
                PostgresStatement("claim", QueueSQL.claim, values),
            ]
        )
        return (rows.last?.rows ?? []).compactMap { row in
            guard let id = row.int(0), let name = row.text(1), let source = row.text(2), let settings = row.text(4),
                let policy = row.int(5)
            else { return nil }
            return ClaimedCreative(
                id: id,
                claim: number,
                name: name,
                source: source,
                kind: row.int(3).flatMap(SubmittedCreative.Kind.init(rawValue:)),
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
        guard let name = row?.text(0), let version = row?.text(1), let files = row?.blob(2) else { return nil }
        return QueuedPolicy(name, version: version, files: String(decoding: files, as: UTF8.self))
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

    /// What a worker does about suspects, and whether the queue has nothing left.
    package func signs(for worker: QueueWorker) throws(QueueError) -> QueueSigns {
        let row = try self.run(PostgresStatement("signs", QueueSQL.signs, [.int(worker.id)])).first
        return QueueSigns(takesSuspects: row?.int(0) == 1, isEmpty: row?.int(1) == 1)
    }

    /// Gives creatives back that a worker does not finish, and tells that it ends.
    ///
    /// It is tried once: a worker that is told to end must not wait for its database.
    ///
    /// - Parameters:
    ///   - creatives: What it has begun.
    ///   - worker: The worker.
    ///   - judged: How many it has judged.
    ///   - wasTold: Whether it was told to end, for which the creatives may be why.
    /// - Throws: `QueueError` if the database can't be reached.
    package func leave(
        _ creatives: [(id: Int64, claim: Int64)],
        _ worker: QueueWorker,
        judged: Int,
        wasTold: Bool
    ) throws(QueueError) {
        let back = CreativeQueue.back(creatives, wasTold: wasTold)
        let statements = self.givingBack + [back, self.seen(worker, inProgress: 0, judged: judged, isEnding: true)]
        _ = try self.run(statements, timeout: .seconds(10), tries: 1)
    }

    /// Gives creatives back that this computer can't scan, while a worker goes on.
    package func giveBack(_ creatives: [(id: Int64, claim: Int64)]) throws(QueueError) {
        _ = try self.run(CreativeQueue.back(creatives, wasTold: false))
    }

    private static func back(_ creatives: [(id: Int64, claim: Int64)], wasTold: Bool) -> PostgresStatement {
        PostgresStatement(
            once: QueueSQL.giveBack,
            [.ints(creatives.map(\.claim)), .ints(creatives.map(\.id)), .int(wasTold ? 1 : 0)]
        )
    }

    /// Sets a creative aside that a worker can't scan.
    package func setAside(_ creative: ClaimedCreative, because reason: String) throws(QueueError) {
        let values: [PostgresValue] = [.int(creative.id), .int(creative.claim), .text(reason)]
        _ = try self.run(PostgresStatement(once: QueueSQL.setAside, values))
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

    /// Stores a verdict; false if another claim has the creative, because the lease was over.
    package func finish(
        _ creative: ClaimedCreative,
        _ result: QueuedResult,
        by worker: QueueWorker
    ) throws(QueueError) -> Bool {
        let values: [PostgresValue] = [
            .int(creative.id), .int(creative.claim), .int(Int64(result.level)), .int(result.isMeasured ? 1 : 0),
            .text(result.verdict), result.picture.map(PostgresValue.bytes) ?? .null, .text(worker.signature),
        ]
        return try self.run(PostgresStatement("finish", QueueSQL.finish, values)).first?.int(0) == 1
    }

    /// Removes what is older than its retention, a part of it at once; false if there may be more.
    package func removeOld() throws(QueueError) -> Bool {
        let pictures = try self.run(PostgresStatement(once: QueueSQL.removePictures)).changes
        let creatives = try self.run(PostgresStatement(once: QueueSQL.removeCreatives)).first?.int(0) ?? 0
        _ = try self.run(PostgresStatement(once: QueueSQL.removeWorkers))
        return pictures < 1000 && creatives < 1000
    }

    /// The counts for metrics: made anew if they are older than some seconds, for all workers.
    package func openCounts() throws(QueueError) -> OpenCounts {
        let rows = try self.run([
            PostgresStatement("count", QueueSQL.count), PostgresStatement("summary", QueueSQL.summary),
        ])
        let row = rows.last?.first
        return OpenCounts(
            waiting: Int(row?.int(0) ?? 0),
            inProgress: Int(row?.int(1) ?? 0),
            setAside: Int(row?.int(2) ?? 0),
            oldest: row?.int(3).map { .milliseconds($0) }
        )
    }

    private static func milliseconds(_ duration: Duration) -> Int64 { Int64(duration / .milliseconds(1)) }
}

extension PostgresRow {
    /// The bytes of a column; nil for NULL.
    func blob(_ column: Int32) -> [UInt8]? { self.withBlob(column) { Array($0) } }
}
