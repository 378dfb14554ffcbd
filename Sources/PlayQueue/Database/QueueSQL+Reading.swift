/// The statements that read what is in the queue.
extension QueueSQL {
    /// Settings of a transaction for statements that read many rows.
    static let readingMuch = """
        SELECT set_config('statement_timeout', '600s', true), set_config('enable_seqscan', 'on', true)
        """

    static func counts(_ hasLabel: Bool) -> String {
        """
        SELECT count(*) FILTER (WHERE state = 0), count(*) FILTER (WHERE state = 1),
            count(*) FILTER (WHERE state = 2 AND level = 0), count(*) FILTER (WHERE state = 2 AND level = 1),
            count(*) FILTER (WHERE state = 2 AND level = 2), count(*) FILTER (WHERE state = 3),
            count(*) FILTER (WHERE state = 2 AND ended > now() - interval '1 minute'),
            (extract(epoch FROM now() - min(waiting_since) FILTER (WHERE state = 0)) * 1000)::bigint,
            count(*) FILTER (WHERE state = 0 AND deaths > 0)
        FROM \(self.creatives(hasLabel))
        """
    }

    /// How many creatives of a policy have no verdict.
    ///
    /// Parameters: label, policy.
    static func open(_ hasLabel: Bool) -> String {
        "SELECT count(*) FROM \(self.creatives(hasLabel)) AND c.state < 2 AND c.policy = $2::bigint"
    }

    /// Counts what is not judged, if that was not done in the last seconds.
    static let count = """
        UPDATE yabbi_scan.summary SET counted = now(),
            waiting = (SELECT count(*) FROM yabbi_scan.creative WHERE state = 0),
            in_progress = (SELECT count(*) FROM yabbi_scan.creative WHERE state = 1),
            set_aside = (SELECT count(*) FROM yabbi_scan.creative WHERE state = 3),
            oldest = (SELECT min(waiting_since) FROM yabbi_scan.creative WHERE state = 0)
        WHERE id IN (
            SELECT id FROM yabbi_scan.summary WHERE counted < now() - interval '10 seconds' FOR UPDATE SKIP LOCKED
        )
        """

    static let summary = """
        SELECT waiting, in_progress, set_aside, (extract(epoch FROM now() - oldest) * 1000)::bigint
        FROM yabbi_scan.summary
        """

    static let labels = """
        SELECT s.label, count(*), count(*) FILTER (WHERE c.state < 2) FROM yabbi_scan.submission s
            JOIN yabbi_scan.creative c ON c.id = s.creative
        GROUP BY s.label ORDER BY max(s.submitted) DESC, s.label DESC LIMIT 20
        """

    static let workers = """
        SELECT name, version, lanes::bigint, in_progress::bigint, judged,
            (extract(epoch FROM now() - seen) * 1000)::bigint, (extract(epoch FROM now() - started) * 1000)::bigint
        FROM yabbi_scan.worker WHERE ended IS NULL AND seen > now() - interval '1 day' ORDER BY seen DESC LIMIT 200
        """

    static func aside(_ hasLabel: Bool) -> String {
        """
        SELECT c.id, c.name, c.deaths::bigint, c.reason FROM \(self.creatives(hasLabel)) AND c.state = 3 AND c.id > $2
        ORDER BY c.id LIMIT 500
        """
    }

    /// The policies by which creatives of a selection were judged, the last used one first.
    static func policies(_ hasLabel: Bool) -> String {
        """
        SELECT p.id::bigint, p.name, p.version, p.files, used.count FROM (
            SELECT c.policy, count(*) AS count, max(c.submitted) AS last FROM \(self.creatives(hasLabel)) GROUP BY c.policy
        ) AS used JOIN yabbi_scan.policy p ON p.id = used.policy ORDER BY used.last DESC, p.id DESC
        """
    }

    /// The results of a policy: of the creatives of each name, the one that was submitted last.
    ///
    /// Parameters: label, policy, the last number, how many.
    static func results(_ hasLabel: Bool) -> String {
        let (others, newer) =
            hasLabel
            ? (
                "yabbi_scan.submission t JOIN yabbi_scan.creative n ON n.id = t.creative WHERE t.label = $1::text",
                "(t.submitted, n.id) > (s.submitted, c.id)"
            ) : ("yabbi_scan.creative n WHERE true", "(n.submitted, n.id) > (c.submitted, c.id)")
        return """
            SELECT c.id, c.state::bigint, c.name, c.source, c.deaths::bigint, c.reason, c.result,
                c.state = 2 AND EXISTS (SELECT FROM yabbi_scan.picture p WHERE p.creative = c.id)
            FROM \(self.creatives(hasLabel)) AND c.policy = $2::bigint AND c.state > 1 AND c.id > $3 AND NOT EXISTS (
                SELECT FROM \(others) AND n.policy = c.policy AND md5(n.name) = md5(c.name) AND n.name = c.name
                    AND n.state > 1 AND \(newer)
            )
            ORDER BY c.id LIMIT $4
            """
    }

    static let picture = "SELECT bytes FROM yabbi_scan.picture WHERE creative = $1"
}
