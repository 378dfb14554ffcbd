/// The statements of submitting and of scanning.
enum QueueSQL {
    // MARK: Submitting

    static let addPolicy = """
        INSERT INTO yabbi_scan.policy (name, version, files) VALUES ($1, $2, $3)
        ON CONFLICT (digest, version, name) DO NOTHING
        """

    static let findPolicy = """
        SELECT id::bigint FROM yabbi_scan.policy WHERE digest = sha256($3::bytea) AND version = $2 AND name = $1
        """

    /// Adds creatives; one that is there already gets the higher priority, and is kept as long as the newer submission
    /// wants it.
    ///
    /// Parameters: names, sources, kinds, contents, settings; number of the policy, priority, retention of results and
    /// pictures in days, label.
    static let submit = """
        WITH given AS MATERIALIZED (
            SELECT name, source, kind, bytes, settings, n, sha256(bytes) AS content, $6::bigint AS policy
            FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bytea[], $5::text[])
                WITH ORDINALITY AS given (name, source, kind, bytes, settings, n)
        ), described AS MATERIALIZED (
            SELECT *, \(QueueTables.measured) AS measured FROM given
        ), item AS MATERIALIZED (
            SELECT *, \(QueueTables.key) AS key FROM described
        ), stored AS (
            INSERT INTO yabbi_scan.content (digest, bytes)
            SELECT DISTINCT ON (content) content, bytes FROM item ON CONFLICT (digest) DO NOTHING
        ), creative AS (
            INSERT INTO yabbi_scan.creative AS c (
                key, measured, name, source, kind, content, settings, policy, priority, keep_days, keep_picture_days
            )
            SELECT key, measured, name, source, kind, content, settings, policy, $7::bigint, $8::bigint, $9::bigint
            FROM (SELECT DISTINCT ON (key) * FROM item) AS item ORDER BY n
            ON CONFLICT (key) DO UPDATE SET priority = greatest(c.priority, excluded.priority), submitted = now(),
                keep_days = greatest(c.keep_days, excluded.keep_days),
                keep_picture_days = greatest(c.keep_picture_days, excluded.keep_picture_days),
                until = CASE WHEN c.until IS NOT NULL
                    THEN greatest(c.until, now() + excluded.keep_days * interval '1 day') END
            RETURNING id, state, xmax = 0 AS is_new
        ), labelled AS (
            INSERT INTO yabbi_scan.submission (label, creative) SELECT $10::text, id FROM creative
            ON CONFLICT (label, creative) DO UPDATE SET submitted = now()
        ), kept AS (
            UPDATE yabbi_scan.picture p SET until = greatest(p.until, now() + $9::bigint * interval '1 day')
            FROM creative WHERE p.creative = creative.id AND NOT creative.is_new
        )
        SELECT count(*) FILTER (WHERE is_new), count(*) FILTER (WHERE NOT is_new AND state = 2),
            count(*) FILTER (WHERE NOT is_new AND state <> 2) + (SELECT count(*) FROM item) - count(*)
        FROM creative
        """

    /// Lets a part of the judged creatives be scanned again, in the order of their numbers; returns their numbers.
    ///
    /// Parameters: label, pattern of names or null, whether also those that could not be shown, the last number, how many.
    static func retry(_ hasLabel: Bool) -> String {
        """
        WITH chosen AS (
            SELECT c.id FROM \(self.creatives(hasLabel)) AND c.state > 1 AND c.id > $4 AND CASE
                WHEN $2::text[] IS NOT NULL THEN c.name LIKE ANY ($2::text[])
                ELSE c.state = 3 OR $3::bigint = 1 AND NOT c.is_measured END
            ORDER BY c.id LIMIT $5
        )
        UPDATE yabbi_scan.creative c
        SET state = 0, deaths = 0, returns = 0, reuses = false, claim = NULL, reason = NULL, ended = NULL, until = NULL,
            waiting_since = now()
        FROM chosen WHERE c.id = chosen.id AND c.state > 1 RETURNING c.id
        """
    }

    /// The creatives of a submission, whose label is the parameter $1, or all if it is null.
    static func creatives(_ hasLabel: Bool) -> String {
        hasLabel
            ? "yabbi_scan.submission s JOIN yabbi_scan.creative c ON c.id = s.creative WHERE s.label = $1::text"
            : "yabbi_scan.creative c WHERE $1::text IS NULL"
    }

    // MARK: Working

    /// How many workers may end while they scan a creative until it is set aside.
    static let maximumDeaths = 3
    /// How often a creative may be given back and be the next one again; after that it waits behind the others.
    static let returnsInTurn = 2
    /// How often it may be given back until each further time counts as the end of a worker.
    static let maximumReturns = 10

    /// Takes back what workers held that have not renewed their leases.
    ///
    /// After a start of the server, workers have the time of a lease to come back. Parameter: a lease in milliseconds.
    static let expire = """
        WITH expired AS (
            SELECT id FROM yabbi_scan.creative WHERE state = 1 AND lease < now()
                AND pg_postmaster_start_time() + $1::bigint * interval '1 millisecond' < now()
            ORDER BY lease LIMIT 100 FOR UPDATE SKIP LOCKED
        )
        UPDATE yabbi_scan.creative c SET deaths = c.deaths + 1, lease = NULL, waiting_since = now(),
            state = CASE WHEN c.deaths + 1 >= \(maximumDeaths) THEN 3 ELSE 0 END,
            ended = CASE WHEN c.deaths + 1 >= \(maximumDeaths) THEN now() END,
            until = CASE WHEN c.deaths + 1 >= \(maximumDeaths) THEN now() + c.keep_days * interval '1 day' END,
            reason = concat_ws('; ', c.reason, format('%s did not respond after %s UTC', coalesce(
                (SELECT name FROM yabbi_scan.worker w WHERE w.id = c.worker), 'a worker'
            ), to_char(c.lease AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')))
        FROM expired WHERE c.id = expired.id
        """

    /// Gives back what a worker has begun and can't finish.
    ///
    /// The creative may be why: where one uses up the memory, systemd may tell the worker to end, and then each worker
    /// that has it next. When a computer can't scan, the creative is hardly why: it is only moved behind others.
    ///
    /// Parameters: claims, creatives, whether the worker was told to end (0 or 1).
    static let giveBack = """
        WITH back AS (
            SELECT id, CASE WHEN $3::bigint = 1 THEN returns + 1
                    ELSE greatest(returns, least(returns + 1, \(returnsInTurn + 1))) END AS returns,
                deaths + CASE WHEN $3::bigint = 1 AND returns >= \(maximumReturns) THEN 1 ELSE 0 END AS deaths
            FROM yabbi_scan.creative
            WHERE state = 1 AND claim = ANY ($1::bigint[]) AND id = ANY ($2::bigint[]) ORDER BY id FOR UPDATE
        )
        UPDATE yabbi_scan.creative c SET lease = NULL, claim = NULL, returns = back.returns, deaths = back.deaths,
            turn = CASE WHEN back.returns > \(returnsInTurn) THEN now() ELSE c.turn END,
            state = CASE WHEN back.deaths >= \(maximumDeaths) THEN 3 ELSE 0 END,
            ended = CASE WHEN back.deaths >= \(maximumDeaths) THEN now() END,
            until = CASE WHEN back.deaths >= \(maximumDeaths) THEN now() + c.keep_days * interval '1 day' END,
            reason = CASE WHEN back.deaths = c.deaths THEN c.reason
                ELSE concat_ws('; ', c.reason, format('%s was told to end and gave it back, as %s before it', coalesce(
                    (SELECT name FROM yabbi_scan.worker w WHERE w.id = c.worker), 'a worker'
                ), back.returns - 1)) END
        FROM back WHERE c.id = back.id
        """

    /// Gives back what claims took whose answers were lost.
    static let giveBackClaims = """
        UPDATE yabbi_scan.creative SET state = 0, lease = NULL, claim = NULL
        WHERE state = 1 AND claim = ANY ($1::bigint[])
        """

    /// Claims the next creatives: those that may have ended a worker, or others.
    ///
    /// Measures are used again for a day, if they were made by the same version with the same options, and if there is a
    /// picture where one is wanted. Documents that are fetched are fetched again.
    ///
    /// Parameters: whether they are suspected (0 or 1), how many, claim, worker, lease in milliseconds, how the worker
    /// scans.
    static let claim = """
        WITH next AS (
            SELECT id FROM yabbi_scan.creative WHERE state = 0 AND least(deaths, 1) = $1
            ORDER BY priority DESC, turn, id LIMIT $2 FOR UPDATE SKIP LOCKED
        )
        UPDATE yabbi_scan.creative c
        SET state = 1, claim = $3, worker = $4, lease = now() + $5::bigint * interval '1 millisecond'
        FROM next WHERE c.id = next.id
        RETURNING c.id, c.name, c.source, c.kind::bigint, c.settings, c.policy::bigint, c.keep_picture_days::bigint,
            to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'),
            CASE WHEN c.reuses AND c.kind = 0 THEN (
                SELECT o.id FROM yabbi_scan.creative o
                WHERE o.state = 2 AND o.is_measured AND o.measured = c.measured AND o.scanned_as = $6::text
                    AND o.ended > now() - interval '1 day' AND (
                        c.keep_picture_days = 0 OR EXISTS (SELECT FROM yabbi_scan.picture p WHERE p.creative = o.id)
                    )
                ORDER BY o.ended DESC LIMIT 1
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
    /// What was taken back meanwhile, and not claimed again, is its own again. Parameters: creatives, their claims, lease
    /// in milliseconds.
    static let renew = """
        UPDATE yabbi_scan.creative c SET lease = now() + $3::bigint * interval '1 millisecond',
            deaths = CASE WHEN c.state = 1 THEN c.deaths ELSE c.deaths - 1 END, state = 1, ended = NULL, until = NULL
        FROM unnest($1::bigint[], $2::bigint[]) AS held (id, claim)
        WHERE c.id = held.id AND c.claim = held.claim AND c.state <> 2
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

    /// Whether a worker is to scan a suspect, and whether the queue has nothing left.
    ///
    /// There are as many workers for suspects as suspects: those with the lowest numbers. Parameter: the worker.
    static let signs = """
        SELECT ((
                SELECT count(*) FROM (
                    SELECT FROM yabbi_scan.creative WHERE state = 0 AND least(deaths, 1) = 1 LIMIT 100
                ) AS suspects
            ) > (
                SELECT count(*) FROM yabbi_scan.worker
                WHERE ended IS NULL AND seen > now() - interval '1 minute' AND id < $1
            ))::int::bigint,
            (NOT EXISTS (SELECT FROM yabbi_scan.creative WHERE state = 0)
                AND NOT EXISTS (SELECT FROM yabbi_scan.creative WHERE state = 1))::int::bigint
        """

    /// Stores a verdict, if no other claim has the creative.
    ///
    /// Parameters: id, claim, level, whether it could be shown, result, picture, how it was scanned.
    static let finish = """
        WITH judged AS (
            UPDATE yabbi_scan.creative
            SET state = 2, level = $3::bigint, is_measured = $4::bigint = 1, result = $5, scanned_as = $7, ended = now(),
                until = now() + keep_days * interval '1 day', lease = NULL, reason = NULL
            WHERE id = $1 AND claim = $2 AND state <> 2 RETURNING id, keep_picture_days
        ), removed AS (
            DELETE FROM yabbi_scan.picture WHERE creative IN (SELECT id FROM judged) AND $6::bytea IS NULL
        ), picture AS (
            INSERT INTO yabbi_scan.picture (creative, bytes, until)
            SELECT id, $6::bytea, now() + keep_picture_days * interval '1 day' FROM judged WHERE $6::bytea IS NOT NULL
            ON CONFLICT (creative) DO UPDATE SET bytes = excluded.bytes, until = excluded.until
        )
        SELECT count(*) + (
            SELECT count(*) FROM yabbi_scan.creative WHERE id = $1 AND claim = $2 AND state = 2
        ) FROM judged
        """

    /// Sets a creative aside that this worker can't scan; a renewal that comes later does not hold it.
    ///
    /// Parameters: id, claim, reason.
    static let setAside = """
        UPDATE yabbi_scan.creative SET state = 3, lease = NULL, claim = NULL, reason = $3, ended = now(),
            until = now() + keep_days * interval '1 day'
        WHERE id = $1 AND claim = $2 AND state < 2
        """

    // MARK: Retention

    static let removePictures = """
        DELETE FROM yabbi_scan.picture WHERE creative IN (
            SELECT creative FROM yabbi_scan.picture WHERE until < now() LIMIT 1000 FOR UPDATE SKIP LOCKED
        )
        """

    /// Removes creatives, and contents that no other creative has; returns how many contents.
    static let removeCreatives = """
        WITH old AS MATERIALIZED (
            SELECT id FROM yabbi_scan.creative WHERE state > 1 AND until < now() LIMIT 1000 FOR UPDATE SKIP LOCKED
        ), removed AS (
            DELETE FROM yabbi_scan.creative c USING old WHERE c.id = old.id RETURNING c.content
        ), content AS (
            DELETE FROM yabbi_scan.content t USING (SELECT DISTINCT content FROM removed) AS r
            WHERE t.digest = r.content AND NOT EXISTS (
                SELECT FROM yabbi_scan.creative c WHERE c.content = t.digest AND c.id NOT IN (SELECT id FROM old)
            )
        )
        SELECT count(*) FROM removed
        """

    static let removeWorkers = """
        DELETE FROM yabbi_scan.worker w WHERE seen < now() - interval '30 days'
            AND NOT EXISTS (SELECT FROM yabbi_scan.creative c WHERE c.worker = w.id AND c.state = 1)
        """
}
