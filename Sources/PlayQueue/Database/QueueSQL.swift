/// The statements of the queue.
enum QueueSQL {
    // MARK: Submitting

    static let addPolicy = """
        INSERT INTO yabbi_scan.policy (version, name, files) VALUES ($1, $2, $3) ON CONFLICT (version) DO NOTHING
        """

    static let findPolicy = "SELECT id FROM yabbi_scan.policy WHERE version = $1"

    /// Adds creatives; one that is there already gets the higher priority.
    ///
    /// Parameters: names, sources, kinds, contents, settings; version and id of the policy, priority, retention of results
    /// and pictures in days, label.
    static let submit = """
        WITH given AS MATERIALIZED (
            SELECT name, source, kind, bytes, settings, n, sha256(bytes) AS digest
            FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bytea[], $5::text[])
                WITH ORDINALITY AS given (name, source, kind, bytes, settings, n)
        ), item AS MATERIALIZED (
            SELECT *, sha256(about) AS measured, sha256(about || convert_to(E'\\n' || $6::text, 'UTF8')) AS key
            FROM (
                SELECT *, digest || convert_to(concat_ws(E'\\n', kind, settings, name), 'UTF8') AS about FROM given
            ) AS described
        ), stored AS (
            INSERT INTO yabbi_scan.content (digest, bytes)
            SELECT DISTINCT ON (digest) digest, bytes FROM item ON CONFLICT (digest) DO NOTHING
        ), creative AS (
            INSERT INTO yabbi_scan.creative (
                key, measured, name, source, kind, content, settings, policy, priority, keep_days, keep_picture_days
            )
            SELECT key, measured, name, source, kind, digest, settings, $7::bigint, $8::bigint, $9::bigint, $10::bigint
            FROM (SELECT DISTINCT ON (key) * FROM item) AS item ORDER BY n
            ON CONFLICT (key) DO UPDATE SET priority = greatest(yabbi_scan.creative.priority, excluded.priority)
            RETURNING id, state, xmax = 0 AS is_new
        ), labelled AS (
            INSERT INTO yabbi_scan.submission (label, creative) SELECT $11::text, id FROM creative
            ON CONFLICT DO NOTHING
        )
        SELECT count(*) FILTER (WHERE is_new), count(*) FILTER (WHERE NOT is_new AND state = 2),
            count(*) FILTER (WHERE NOT is_new AND state <> 2)
        FROM creative
        """

    // MARK: Working

    /// How many workers may end while they scan a creative until it is set aside.
    static let maximumDeaths = 3

    /// Takes back what workers held that have not renewed their leases.
    static let expire = """
        WITH expired AS (
            SELECT id FROM yabbi_scan.creative WHERE state = 1 AND lease < now() ORDER BY lease LIMIT 100
            FOR UPDATE SKIP LOCKED
        )
        UPDATE yabbi_scan.creative c SET deaths = c.deaths + 1, lease = NULL,
            state = CASE WHEN c.deaths + 1 >= \(maximumDeaths) THEN 3 ELSE 0 END,
            ended = CASE WHEN c.deaths + 1 >= \(maximumDeaths) THEN now() END,
            reason = concat_ws('; ', c.reason, format('%s did not respond after %s UTC', coalesce(
                (SELECT name FROM yabbi_scan.worker w WHERE w.id = c.worker), 'a worker'
            ), to_char(c.lease AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')))
        FROM expired WHERE c.id = expired.id
        """

    /// Gives back what claims took whose answers were lost, or what a worker can't finish.
    static let giveBack = """
        UPDATE yabbi_scan.creative SET state = 0, lease = NULL
        WHERE state = 1 AND claim = ANY ($1::bigint[]) AND id = ANY ($2::bigint[])
        """

    static let giveBackClaims = """
        UPDATE yabbi_scan.creative SET state = 0, lease = NULL WHERE state = 1 AND claim = ANY ($1::bigint[])
        """

    /// Claims the next creatives: those that may have ended a worker, or others.
    ///
    /// Parameters: whether they are suspected (0 or 1), how many, claim, worker, lease in milliseconds.
    static let claim = """
        WITH next AS (
            SELECT id FROM yabbi_scan.creative WHERE state = 0 AND least(deaths, 1) = $1
            ORDER BY priority DESC, id LIMIT $2 FOR UPDATE SKIP LOCKED
        )
        UPDATE yabbi_scan.creative c
        SET state = 1, claim = $3, worker = $4, lease = now() + $5::bigint * interval '1 millisecond'
        FROM next WHERE c.id = next.id
        RETURNING c.id, c.name, c.source, c.kind, c.settings, c.policy::bigint, c.keep_picture_days::bigint,
            to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'),
            CASE WHEN c.reuses THEN (
                SELECT o.id FROM yabbi_scan.creative o
                WHERE o.state = 2 AND o.measured = c.measured AND o.is_measured ORDER BY o.ended DESC LIMIT 1
            ) END
        """

    static let content = """
        SELECT t.bytes FROM yabbi_scan.creative c JOIN yabbi_scan.content t ON t.digest = c.content WHERE c.id = $1
        """

    static let result = """
        SELECT c.result, p.bytes FROM yabbi_scan.creative c LEFT JOIN yabbi_scan.picture p ON p.creative = c.id
        WHERE c.id = $1
        """

    static let policy = "SELECT name, version, files FROM yabbi_scan.policy WHERE id = $1"

    /// Extends the leases of what a worker holds, and returns what it still holds.
    ///
    /// Parameters: creatives, their claims, lease in milliseconds.
    static let renew = """
        UPDATE yabbi_scan.creative c SET lease = now() + $3::bigint * interval '1 millisecond'
        FROM unnest($1::bigint[], $2::bigint[]) AS held (id, claim)
        WHERE c.id = held.id AND c.claim = held.claim AND c.state = 1
        RETURNING c.id
        """

    /// Tells that a worker is alive.
    ///
    /// Parameters: id, name, version, lanes, in progress, judged, whether it ends.
    static let seen = """
        INSERT INTO yabbi_scan.worker (id, name, version, lanes, in_progress, judged)
        VALUES ($1, $2, $3, $4::bigint, $5::bigint, $6)
        ON CONFLICT (id) DO UPDATE SET seen = now(), in_progress = excluded.in_progress, judged = excluded.judged,
            ended = CASE WHEN $7::bigint = 1 THEN now() END
        """

    /// Stores a verdict, if the claim still holds the creative.
    ///
    /// Parameters: id, claim, level, whether it could be shown, result, picture, retention of the picture in days.
    static let finish = """
        WITH judged AS (
            UPDATE yabbi_scan.creative
            SET state = 2, level = $3::bigint, is_measured = $4::bigint = 1, result = $5, ended = now(), lease = NULL,
                reason = NULL
            WHERE id = $1 AND claim = $2 AND state = 1 RETURNING id
        ), picture AS (
            INSERT INTO yabbi_scan.picture (creative, bytes, until)
            SELECT id, $6::bytea, now() + $7::bigint * interval '1 day' FROM judged WHERE $6::bytea IS NOT NULL
            ON CONFLICT (creative) DO UPDATE SET bytes = excluded.bytes, until = excluded.until
        )
        SELECT count(*) + (
            SELECT count(*) FROM yabbi_scan.creative WHERE id = $1 AND claim = $2 AND state = 2
        ) FROM judged
        """

    // MARK: Retention

    static let removePictures = """
        DELETE FROM yabbi_scan.picture WHERE creative IN (
            SELECT creative FROM yabbi_scan.picture WHERE until < now() LIMIT 1000 FOR UPDATE SKIP LOCKED
        )
        """

    static let removeCreatives = """
        DELETE FROM yabbi_scan.creative WHERE id IN (
            SELECT id FROM yabbi_scan.creative
            WHERE state > 1 AND ended < now() - keep_days * interval '1 day' LIMIT 1000 FOR UPDATE SKIP LOCKED
        )
        RETURNING content
        """

    static let removeContents = """
        DELETE FROM yabbi_scan.content c WHERE c.digest = ANY ($1::bytea[])
            AND NOT EXISTS (SELECT FROM yabbi_scan.creative o WHERE o.content = c.digest)
        """

    static let removeWorkers = """
        DELETE FROM yabbi_scan.worker w WHERE seen < now() - interval '30 days'
            AND NOT EXISTS (SELECT FROM yabbi_scan.creative c WHERE c.worker = w.id AND c.state = 1)
        """

    // MARK: Reading

    /// The creatives of a submission, or all if the parameter $1 is null.
    private static let selected = """
        ($1::text IS NULL OR EXISTS (
            SELECT FROM yabbi_scan.submission s WHERE s.label = $1::text AND s.creative = c.id
        ))
        """

    static let counts = """
        SELECT count(*) FILTER (WHERE state = 0), count(*) FILTER (WHERE state = 1),
            count(*) FILTER (WHERE state = 2 AND level = 0), count(*) FILTER (WHERE state = 2 AND level = 1),
            count(*) FILTER (WHERE state = 2 AND level = 2), count(*) FILTER (WHERE state = 3),
            count(*) FILTER (WHERE state = 2 AND ended > now() - interval '1 minute'),
            (extract(epoch FROM now() - min(submitted) FILTER (WHERE state = 0)) * 1000)::bigint,
            count(*) FILTER (WHERE state = 0 AND deaths > 0)
        FROM yabbi_scan.creative c WHERE \(selected)
        """

    /// What is not judged, which indexes answer: for metrics that are read again and again.
    static let openCounts = """
        SELECT (SELECT count(*) FROM yabbi_scan.creative WHERE state = 0),
            (SELECT count(*) FROM yabbi_scan.creative WHERE state = 1),
            (SELECT count(*) FROM yabbi_scan.creative WHERE state = 3),
            (SELECT (extract(epoch FROM now() - min(submitted)) * 1000)::bigint FROM yabbi_scan.creative WHERE state = 0),
            (SELECT count(*) FROM yabbi_scan.creative WHERE state = 0 AND least(deaths, 1) = 1)
        """

    static let labels = """
        SELECT s.label, count(*), count(*) FILTER (WHERE c.state < 2) FROM yabbi_scan.submission s
            JOIN yabbi_scan.creative c ON c.id = s.creative
        GROUP BY s.label ORDER BY max(c.submitted) DESC, s.label DESC LIMIT 20
        """

    static let workers = """
        SELECT name, version, lanes::bigint, in_progress::bigint, judged,
            (extract(epoch FROM now() - seen) * 1000)::bigint, (extract(epoch FROM now() - started) * 1000)::bigint
        FROM yabbi_scan.worker WHERE ended IS NULL AND seen > now() - interval '1 day' ORDER BY seen DESC LIMIT 200
        """

    static let aside = """
        SELECT id, name, deaths::bigint, reason FROM yabbi_scan.creative c
        WHERE state = 3 AND id > $2 AND \(selected) ORDER BY id LIMIT 500
        """

    /// The policies by which creatives of a selection were judged, the last used one first.
    static let policies = """
        SELECT p.id::bigint, p.name, p.version, p.files, count(*)
        FROM yabbi_scan.creative c JOIN yabbi_scan.policy p ON p.id = c.policy
        WHERE \(selected) GROUP BY p.id ORDER BY max(c.submitted) DESC, p.id DESC
        """

    /// The results of a policy: the last one of each name.
    ///
    /// Parameters: label, policy, the last id, how many.
    static let results = """
        SELECT c.id, c.state::bigint, c.name, c.source, c.deaths::bigint, c.reason, c.result,
            EXISTS (SELECT FROM yabbi_scan.picture p WHERE p.creative = c.id)
        FROM yabbi_scan.creative c
        WHERE c.policy = $2::bigint AND c.state > 1 AND c.id > $3 AND \(selected) AND NOT EXISTS (
            SELECT FROM yabbi_scan.creative n WHERE n.policy = c.policy AND md5(n.name) = md5(c.name) AND n.state > 1 AND n.id > c.id
                AND ($1::text IS NULL OR EXISTS (
                    SELECT FROM yabbi_scan.submission s WHERE s.label = $1::text AND s.creative = n.id
                ))
        )
        ORDER BY c.id LIMIT $4
        """

    static let picture = "SELECT bytes FROM yabbi_scan.picture WHERE creative = $1"

    /// Lets creatives be scanned again.
    ///
    /// Parameters: label, pattern of names or null, whether also those that could not be
    /// shown.
    static let retry = """
        UPDATE yabbi_scan.creative c
        SET state = 0, deaths = 0, reuses = false, reason = NULL, ended = NULL
        WHERE state > 1 AND \(selected) AND CASE
            WHEN $2::text[] IS NOT NULL THEN c.name LIKE ANY ($2::text[])
            ELSE state = 3 OR $3::bigint = 1 AND NOT is_measured END
        """
}
