import PostgresClient

/// The tables of the queue in their schema `yabbi_scan`.
enum QueueTables {
    static let schema = PostgresSchema(
        "yabbi_scan",
        of: "a queue of scans",
        steps: [creatives],
        // The letters `yabs`.
        lock: 0x7961_6273,
        settings: settings,
        fix: "yabbi-play prepare --scan-queue"
    )

    /// The settings of a connection.
    ///
    /// Sequential scans are off because a table that grows quickly has old statistics.
    private static let settings = """
        SELECT current_setting('server_encoding'), set_config('default_transaction_isolation', 'read committed', false),
            set_config('statement_timeout', '30s', false), set_config('lock_timeout', '10s', false),
            set_config('idle_in_transaction_session_timeout', '30s', false), set_config('jit', 'off', false),
            set_config('enable_seqscan', 'off', false)
        """

    /// Step 1: the creatives, and what belongs to them.
    ///
    /// - `key` is the digest of all that a verdict depends on: content, settings, name and policy. Being unique, it is
    ///   what makes a verdict the only one for a creative and a version of a policy. `measured` is the digest without
    ///   name and policy: creatives with the same one have the same measures.
    /// - Digests are SHA-256, and the server checks them: no creative can take the verdict or the bytes of another one.
    /// - `claim` is the number of the claim that it was in last: the result of an older one is refused.
    /// - `returns` is how often it was given back. Creatives of one priority are claimed in the order of `turn`: when they
    ///   were submitted, or given back once more than others.
    /// - Texts of a state are in `reason`: why it was set aside, or is still suspected.
    /// - `summary` has the counts for metrics, so that they are counted once for all workers.
    ///
    /// All times are by the server's clock.
    private static let creatives = """
        CREATE TABLE yabbi_scan.policy (
            id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text NOT NULL,
            version text COLLATE "C" NOT NULL,
            files bytea NOT NULL,
            digest bytea NOT NULL GENERATED ALWAYS AS (sha256(files)) STORED,
            UNIQUE (digest, version, name)
        );
        CREATE TABLE yabbi_scan.content (
            digest bytea PRIMARY KEY,
            bytes bytea NOT NULL,
            CHECK (digest = sha256(bytes))
        );
        CREATE TABLE yabbi_scan.creative (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            key bytea NOT NULL UNIQUE,
            measured bytea NOT NULL,
            name text NOT NULL,
            source text NOT NULL,
            kind smallint NOT NULL,
            content bytea NOT NULL REFERENCES yabbi_scan.content,
            settings text NOT NULL,
            policy integer NOT NULL REFERENCES yabbi_scan.policy,
            priority smallint NOT NULL,
            keep_days integer NOT NULL,
            keep_picture_days integer NOT NULL,
            submitted timestamptz NOT NULL DEFAULT now(),
            waiting_since timestamptz NOT NULL DEFAULT now(),
            turn timestamptz NOT NULL DEFAULT now(),
            state smallint NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 3),
            deaths smallint NOT NULL DEFAULT 0,
            returns integer NOT NULL DEFAULT 0,
            reuses boolean NOT NULL DEFAULT true,
            claim bigint,
            worker bigint,
            lease timestamptz,
            ended timestamptz,
            until timestamptz,
            level smallint,
            is_measured boolean,
            scanned_as text,
            result text,
            reason text,
            CHECK (measured = \(measured)),
            CHECK (key = \(key))
        ) WITH (autovacuum_vacuum_scale_factor = 0.02);
        CREATE INDEX creative_waiting ON yabbi_scan.creative (least(deaths, 1), priority DESC, turn, id)
            WHERE state = 0;
        CREATE INDEX creative_waiting_since ON yabbi_scan.creative (waiting_since) WHERE state = 0;
        CREATE INDEX creative_leases ON yabbi_scan.creative (lease) WHERE state = 1;
        CREATE INDEX creative_measured ON yabbi_scan.creative (measured, ended) WHERE state = 2 AND is_measured;
        CREATE INDEX creative_aside ON yabbi_scan.creative (id) WHERE state = 3;
        CREATE INDEX creative_until ON yabbi_scan.creative (until) WHERE state > 1;
        CREATE INDEX creative_name ON yabbi_scan.creative (policy, md5(name)) WHERE state > 1;
        CREATE INDEX creative_content ON yabbi_scan.creative (content);
        CREATE TABLE yabbi_scan.submission (
            label text COLLATE "C" NOT NULL,
            creative bigint NOT NULL REFERENCES yabbi_scan.creative ON DELETE CASCADE,
            submitted timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (label, creative)
        );
        CREATE INDEX submission_creative ON yabbi_scan.submission (creative);
        CREATE TABLE yabbi_scan.picture (
            creative bigint PRIMARY KEY REFERENCES yabbi_scan.creative ON DELETE CASCADE,
            bytes bytea NOT NULL,
            until timestamptz NOT NULL
        );
        CREATE INDEX picture_until ON yabbi_scan.picture (until);
        CREATE TABLE yabbi_scan.worker (
            id bigint PRIMARY KEY,
            name text NOT NULL,
            version text NOT NULL,
            lanes integer NOT NULL,
            in_progress integer NOT NULL DEFAULT 0,
            judged bigint NOT NULL DEFAULT 0,
            started timestamptz NOT NULL DEFAULT now(),
            seen timestamptz NOT NULL DEFAULT now(),
            ended timestamptz
        );
        CREATE TABLE yabbi_scan.summary (
            id smallint PRIMARY KEY CHECK (id = 1),
            waiting bigint,
            in_progress bigint,
            set_aside bigint,
            oldest timestamptz,
            counted timestamptz NOT NULL
        );
        INSERT INTO yabbi_scan.summary (id, counted) VALUES (1, '-infinity');
        CREATE VIEW yabbi_scan.creatives AS
            SELECT c.id, c.name, c.source,
                CASE c.state WHEN 0 THEN 'waiting' WHEN 1 THEN 'in progress' WHEN 2 THEN 'judged' ELSE 'set aside' END
                    AS state,
                CASE WHEN c.state = 2 THEN CASE c.level WHEN 0 THEN 'pass' WHEN 1 THEN 'warn' WHEN 2 THEN 'fail' END END
                    AS verdict,
                p.name AS policy, p.version AS policy_version, c.priority, c.deaths, c.returns, c.submitted, c.ended,
                w.name AS worker, c.reason
            FROM yabbi_scan.creative c JOIN yabbi_scan.policy p ON p.id = c.policy
                LEFT JOIN yabbi_scan.worker w ON w.id = c.worker;
        """

    /// The digests of a row, for the check and for submissions.
    static let measured = "sha256(content || convert_to(concat_ws(E'\\n', kind, settings), 'UTF8'))"
    static let key = "sha256(measured || convert_to(concat_ws(E'\\n', policy, name), 'UTF8'))"

    /// The rights of a group of users.
    enum Access: Sendable {
        /// For those that submit creatives and read verdicts.
        case submitter
        /// For computers that scan.
        case worker
        /// For dashboards.
        case reader

        private static let read = """
            yabbi_scan.policy, yabbi_scan.creative, yabbi_scan.submission, yabbi_scan.picture, yabbi_scan.worker, \
            yabbi_scan.creatives, yabbi_scan.summary, yabbi_scan.layout
            """

        var rights: [String] {
            switch self {
            // They add what has no verdict, and let it be scanned again; verdicts come from workers only.
            case .submitter:
                [
                    "SELECT ON \(Access.read)", "SELECT (digest) ON yabbi_scan.content",
                    "INSERT (name, version, files) ON yabbi_scan.policy",
                    "INSERT ON yabbi_scan.content, yabbi_scan.submission",
                    """
                    INSERT (key, measured, name, source, kind, content, settings, policy, priority, keep_days, \
                    keep_picture_days) ON yabbi_scan.creative
                    """,
                    """
                    UPDATE (priority, keep_days, keep_picture_days, submitted, waiting_since, state, deaths, returns, \
                    reuses, claim, reason, ended, until) ON yabbi_scan.creative
                    """,
                    "UPDATE (submitted) ON yabbi_scan.submission", "UPDATE (until) ON yabbi_scan.picture",
                ]
            // Workers remove what is older than its retention.
            case .worker:
                [
                    "SELECT ON \(Access.read), yabbi_scan.content", "UPDATE, DELETE ON yabbi_scan.creative",
                    "INSERT, UPDATE, DELETE ON yabbi_scan.picture, yabbi_scan.worker",
                    "DELETE ON yabbi_scan.content", "UPDATE ON yabbi_scan.summary",
                ]
            case .reader: ["SELECT ON \(Access.read)"]
            }
        }
    }
}
