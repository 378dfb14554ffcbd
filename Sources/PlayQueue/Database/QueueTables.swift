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
    /// - `key` is the digest of all that a verdict depends on: name, content, settings and policy. Being unique, it is
    ///   what makes a verdict the only one for a creative and a version of a policy. `measured` is the digest without
    ///   the policy: creatives with the same one have the same measures.
    /// - Digests are SHA-256, because a creative must not be able to take the verdict of another one.
    /// - `claim` is the number of the claim that it was in last: the result of an older one is refused.
    /// - Texts of a state are in `reason`: why it was set aside, or is still suspected.
    ///
    /// All times are by the server's clock.
    private static let creatives = """
        CREATE TABLE yabbi_scan.policy (
            id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            version text COLLATE "C" NOT NULL UNIQUE,
            name text NOT NULL,
            files text NOT NULL
        );
        CREATE TABLE yabbi_scan.content (
            digest bytea PRIMARY KEY,
            bytes bytea NOT NULL
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
            state smallint NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 3),
            deaths smallint NOT NULL DEFAULT 0,
            reuses boolean NOT NULL DEFAULT true,
            claim bigint,
            worker bigint,
            lease timestamptz,
            ended timestamptz,
            level smallint,
            is_measured boolean,
            result text,
            reason text
        ) WITH (autovacuum_vacuum_scale_factor = 0.02);
        CREATE INDEX creative_waiting ON yabbi_scan.creative (least(deaths, 1), priority DESC, id) WHERE state = 0;
        CREATE INDEX creative_leases ON yabbi_scan.creative (lease) WHERE state = 1;
        CREATE INDEX creative_measured ON yabbi_scan.creative (measured) WHERE state = 2;
        CREATE INDEX creative_aside ON yabbi_scan.creative (id) WHERE state = 3;
        CREATE INDEX creative_ended ON yabbi_scan.creative (ended) WHERE state > 1;
        CREATE INDEX creative_name ON yabbi_scan.creative (policy, md5(name)) WHERE state > 1;
        CREATE INDEX creative_content ON yabbi_scan.creative (content);
        CREATE TABLE yabbi_scan.submission (
            label text COLLATE "C" NOT NULL,
            creative bigint NOT NULL REFERENCES yabbi_scan.creative ON DELETE CASCADE,
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
        CREATE VIEW yabbi_scan.creatives AS
            SELECT c.id, c.name, c.source,
                CASE c.state WHEN 0 THEN 'waiting' WHEN 1 THEN 'in progress' WHEN 2 THEN 'judged' ELSE 'set aside' END
                    AS state,
                CASE c.level WHEN 0 THEN 'pass' WHEN 1 THEN 'warn' WHEN 2 THEN 'fail' END AS verdict,
                p.name AS policy, p.version AS policy_version, c.priority, c.deaths, c.submitted, c.ended, w.name AS worker,
                c.reason
            FROM yabbi_scan.creative c JOIN yabbi_scan.policy p ON p.id = c.policy
                LEFT JOIN yabbi_scan.worker w ON w.id = c.worker;
        """

    /// The rights of a group of users.
    enum Access: Sendable {
        /// For those that submit creatives and read verdicts.
        case submitter
        /// For computers that scan.
        case worker
        /// For dashboards.
        case reader

        private static let all = """
            yabbi_scan.policy, yabbi_scan.content, yabbi_scan.creative, yabbi_scan.submission, yabbi_scan.picture, \
            yabbi_scan.worker, yabbi_scan.creatives, yabbi_scan.layout
            """

        var rights: [String] {
            switch self {
            case .submitter:
                [
                    "SELECT ON \(Access.all)",
                    """
                    INSERT ON yabbi_scan.policy, yabbi_scan.content, yabbi_scan.creative, yabbi_scan.submission
                    """,
                    "UPDATE (priority, state, deaths, reuses, reason, ended) ON yabbi_scan.creative",
                ]
            // Workers remove what is older than its retention.
            case .worker:
                [
                    "SELECT ON \(Access.all)", "UPDATE, DELETE ON yabbi_scan.creative",
                    "INSERT, UPDATE, DELETE ON yabbi_scan.picture, yabbi_scan.worker",
                    "DELETE ON yabbi_scan.content, yabbi_scan.submission",
                ]
            case .reader: ["SELECT ON \(Access.all)"]
            }
        }
    }
}
