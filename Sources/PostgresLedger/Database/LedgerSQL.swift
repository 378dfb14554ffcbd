import SQLiteLedger

/// The statements of the ledger.
///
/// `$1` of most is the time; without it the server's clock counts. All other times are passed as distances to it, in
/// milliseconds: the clocks of hosts may differ by hours.
enum LedgerSQL {
    private static let clock = "SELECT coalesce($1::bigint, (extract(epoch FROM now()) * 1000)::bigint) AS now"

    /// The settings of a connection.
    ///
    /// Sequential scans are off because a table that grows quickly has old statistics.
    static let settings = """
        SELECT current_setting('server_encoding'), set_config('default_transaction_isolation', 'read committed', false),
            set_config('statement_timeout', '10s', false), set_config('lock_timeout', '5s', false),
            set_config('idle_in_transaction_session_timeout', '30s', false), set_config('enable_seqscan', 'off', false),
            set_config('plan_cache_mode', 'force_generic_plan', false), set_config('jit', 'off', false),
            set_config('synchronous_commit', CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')
                THEN 'on' ELSE current_setting('synchronous_commit') END, false)
        """

    // MARK: Recording

    private static let columns = """
        state, billing, method, verdict, doubt, key, ad, event, provider, origin, url, headers, secrets, body, reason,
        batch, moment, recorded
        """

    /// The columns of the arrays `$3` to `$13`; `codes` is `BeaconArrays.code`.
    private static let values = """
        (r.codes & 7)::smallint, r.codes & 8 > 0, (r.codes >> 4 & 3)::smallint, (r.codes >> 6 & 7)::smallint,
        (r.codes >> 9 & 3)::smallint, r.key, r.ad, r.event, r.provider, r.origin, r.url, r.headers, r.secrets, r.body,
        r.reason, $2
        """
    private static let arrays = """
        $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::bytea[], $11::bytea[],
        $12::bytea[], $13::text[]
        """
    private static let names = "codes, key, ad, event, provider, origin, url, headers, secrets, body, reason"

    /// Inserts beacons that are due now; it fails if one of the keys is known.
    ///
    /// It takes three quarters of the time of `recordNew`, and keys are rarely known.
    static let record = """
        WITH t AS (\(clock)) INSERT INTO yabbi.beacon (\(columns))
        SELECT \(values), t.now, t.now FROM t, unnest(\(arrays)) AS r (\(names))
        """

    /// Inserts those of the beacons whose keys are new.
    static let recordNew = "\(record) ON CONFLICT (key) DO NOTHING"

    /// Inserts beacons of a local ledger with their states; one that was delivered there is delivered.
    static let carry = """
        WITH t AS (\(clock)) INSERT INTO yabbi.beacon AS b (\(columns), attempts)
        SELECT \(values), t.now + r.due, t.now + r.recorded, r.attempts::integer
        FROM t, unnest(\(arrays), $14::bigint[], $15::bigint[], $16::bigint[]) AS r (\(names), due, recorded, attempts)
        ON CONFLICT (key) DO UPDATE SET state = 2, moment = excluded.moment, attempts = excluded.attempts,
            in_doubt = false, reason = NULL
            WHERE excluded.state = 2 AND b.state <> 2
        """

    /// Those of the keys that the recording `$2` has inserted.
    static let recorded = "SELECT key FROM yabbi.beacon WHERE key = ANY($1::text[]) AND batch = $2"

    // MARK: Claims

    /// Takes back a claim whose answer was lost: its beacons were never handed out, so they are not in doubt.
    static let undo = """
        UPDATE yabbi.beacon SET state = 0, attempts = attempts - 1, moment = (extract(epoch FROM now()) * 1000)::bigint
        WHERE state = 1 AND holder = $1 AND claim = ANY($2::bigint[])
        """

    /// Ends leases that are over, or longer than any (`$3`): their claims were interrupted.
    ///
    /// The beacons are due since `$4`, 0 or less, so that a claim for what was due a moment ago takes them, too.
    static let expire = """
        WITH t AS (\(clock)) UPDATE yabbi.beacon b SET state = 0, moment = t.now + $4, in_doubt = true, reason = $2
        FROM t WHERE b.id IN (
            SELECT id FROM yabbi.beacon
            WHERE state = 1 AND (moment <= (SELECT now FROM t) OR moment > (SELECT now FROM t) + $3)
            ORDER BY moment LIMIT 1000 FOR UPDATE SKIP LOCKED
        )
        """

    /// Makes beacons due now that are due later than any (`$2`): their time is from a wrong clock.
    static let pull = """
        WITH RECURSIVE t AS (\(clock)), \(names(after: "''")) UPDATE yabbi.beacon b SET moment = t.now
        FROM t, name WHERE b.state = 0 AND b.origin = name.name AND b.moment > t.now + $2
        """

    /// Claims beacons: the first of each origin, then the second of each, beginning after the origin `$2`.
    ///
    /// Rows that another host claims at the same time are skipped. `$3` and `$4` are the limits of single origins, `$5`
    /// that of the others, `$6` the limit in all; `$7` is until when beacons must be due, `$8` the end of the lease.
    static let claim = """
        WITH RECURSIVE t AS (\(clock)),
        \(names("later", after: "$2")),
        \(names("earlier", after: "''", to: "$2")),
        line AS (
            SELECT n.name, coalesce(l.room, $5) AS room, row_number() OVER () AS place
            FROM (
                (SELECT name FROM later WHERE name IS NOT NULL LIMIT \(maximumOrigins))
                UNION ALL (SELECT name FROM earlier WHERE name IS NOT NULL LIMIT \(maximumOrigins))
            ) AS n
            LEFT JOIN unnest($3::text[], $4::bigint[]) AS l (name, room) ON l.name COLLATE "C" = n.name
            -- Not EXISTS, for which all that is due would be read.
            CROSS JOIN LATERAL (
                SELECT FROM yabbi.beacon b
                WHERE b.state = 0 AND b.origin = n.name AND b.moment <= (SELECT now FROM t) + $7
                LIMIT 1
            ) AS first
            WHERE coalesce(l.room, $5) > 0
            LIMIT $6
        ),
        due AS (
            SELECT b.id, line.place, row_number() OVER (PARTITION BY line.place ORDER BY b.moment, b.id) AS round
            FROM line CROSS JOIN LATERAL (
                SELECT id, moment FROM yabbi.beacon
                WHERE state = 0 AND origin = line.name AND moment <= (SELECT now FROM t) + $7
                ORDER BY moment, id LIMIT line.room FOR UPDATE SKIP LOCKED
            ) AS b
        ),
        chosen AS (SELECT id, round, place FROM due ORDER BY round, place LIMIT $6),
        taken AS (
            UPDATE yabbi.beacon b SET state = 1, moment = t.now + $8, attempts = b.attempts + 1, holder = $9, claim = $10,
                recorded = CASE WHEN b.recorded > t.now + $11 THEN t.now ELSE b.recorded END
            FROM chosen, t WHERE b.id = chosen.id
            RETURNING b.*, t.now, chosen.round, chosen.place
        )
        SELECT \(BeaconRow.columns), now, origin FROM taken ORDER BY round, place
        """

    /// When the first beacon of each origin is due, and when the first lease ends (without a name).
    static let waiting = """
        WITH RECURSIVE t AS (\(clock)), \(names(after: "''"))
        (SELECT n.name, b.moment - t.now, t.now FROM t, (
            SELECT name FROM name WHERE name IS NOT NULL LIMIT \(maximumOrigins + 1)
        ) AS n CROSS JOIN LATERAL (
            SELECT moment FROM yabbi.beacon WHERE state = 0 AND origin = n.name ORDER BY moment LIMIT 1
        ) AS b)
        UNION ALL
        (SELECT NULL, moment - t.now, t.now FROM yabbi.beacon, t WHERE state = 1 ORDER BY moment LIMIT 1)
        """

    /// The maximum number of origins that one claim looks at; the next one goes on after the last served.
    static let maximumOrigins = 1_024

    /// A recursive query of the origins with waiting beacons in their order: one step in the index for each.
    private static func names(_ query: String = "name", after first: String, to last: String? = nil) -> String {
        let bound = last.map { " AND b.origin <= \($0)" } ?? ""
        return """
            \(query) (name) AS (
                (SELECT b.origin FROM yabbi.beacon b WHERE b.state = 0 AND b.origin > \(first)\(bound)
                ORDER BY b.origin LIMIT 1)
                UNION ALL SELECT (
                    SELECT b.origin FROM yabbi.beacon b WHERE b.state = 0 AND b.origin > \(query).name\(bound)
                    ORDER BY b.origin LIMIT 1
                ) FROM \(query) WHERE \(query).name IS NOT NULL
            )
            """
    }

    // MARK: Outcomes

    /// Writes the outcomes of claimed beacons.
    ///
    /// The outcome of an interrupted claim counts as long as the beacon was not sent again, also if it was given up as
    /// interrupted (`$8`) meanwhile; after that only that it was delivered. `spare` is 1 for a beacon that was not sent this
    /// time.
    static let settle = """
        WITH t AS (\(clock)) UPDATE yabbi.beacon b
        SET state = r.state::smallint, moment = t.now + r.due, reason = r.reason, in_doubt = false,
            attempts = b.attempts - CASE WHEN b.attempts = r.attempt AND b.state < 2 THEN r.spare::integer ELSE 0 END
        FROM t, unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[])
            AS r (key, attempt, state, due, spare, reason)
        WHERE b.key = r.key COLLATE "C" AND (
            (b.state = 1 OR b.state = 0 AND b.in_doubt) AND b.attempts = r.attempt OR r.state = 2 AND b.state <> 2
            OR b.state = 3 AND b.attempts = r.attempt AND b.reason = $8
        )
        """

    /// Gives up a row that can't be read.
    static let bury = """
        WITH t AS (\(clock)) UPDATE yabbi.beacon b SET state = 4, moment = t.now, in_doubt = false, reason = r.reason
        FROM t, unnest($2::bigint[], $3::text[]) AS r (id, reason) WHERE b.id = r.id
        """

    // MARK: Reading and removing

    static let entriesOf = "SELECT \(BeaconRow.columns) FROM yabbi.beacon WHERE key = ANY($1::text[])"
    static let entries = "SELECT \(BeaconRow.columns) FROM yabbi.beacon WHERE id > $1 ORDER BY id LIMIT $2"
    /// The number of beacons by state in a page of `$2` rows after the number `$1`, with the last number; those that are
    /// interrupted and not sent again apart.
    static let counts = "WITH \(page("$1", limit: "$2")) \(pageCounts)"

    /// The same of a page of `$3` rows after the number `$2`, whose waiting beacons are made due since `$4`, 0 or less.
    static let countsMakingDue = """
        WITH t AS (\(clock)), \(page("$2", limit: "$3")), due AS (
            UPDATE yabbi.beacon b SET moment = t.now + $4 FROM t, page
            WHERE b.id = page.id AND b.state = 0 AND b.moment > t.now + $4
        ) \(pageCounts)
        """

    private static func page(_ number: String, limit: String) -> String {
        "page AS (SELECT id, state, in_doubt, doubt FROM yabbi.beacon WHERE id > \(number) ORDER BY id LIMIT \(limit))"
    }
    private static let pageCounts =
        "SELECT state, state = 0 AND in_doubt AND doubt = 0, count(*), max(id) FROM page GROUP BY 1, 2"
    /// The number of rows that one statement reads of the whole table, so that others do not wait for it.
    static let pageSize: Int64 = 50_000
    /// Deletes a batch of beacons of the state `$2` that were settled before `$3`; all of them without it.
    static let delete = """
        WITH t AS (\(clock)) DELETE FROM yabbi.beacon WHERE id IN (
            SELECT id FROM yabbi.beacon
            WHERE state > 1 AND state = $2
                AND moment < coalesce((SELECT now FROM t) + $3::bigint, 9223372036854775807)
            ORDER BY moment LIMIT $4 FOR UPDATE SKIP LOCKED
        )
        """
}
