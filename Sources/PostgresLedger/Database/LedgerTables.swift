import AdCore
import PostgresClient

/// The tables of the ledger in its schema `yabbi`, and the migration of older ones.
enum LedgerTables {
    static let schema = PostgresSchema(
        "yabbi",
        of: "a ledger",
        steps: [beacons],
        // The letters `yabb`.
        lock: 0x7961_6262,
        settings: LedgerSQL.settings
    )

    /// Step 1: the beacons.
    ///
    /// - `moment` is when a beacon is due (pending), when its lease ends (in flight), or when it was settled, in
    ///   milliseconds since 1970 by the server's clock, as is `recorded`.
    /// - `origin` is where it goes, empty if its address is invalid. There is no table of origins: hosts would wait for
    ///   each other's changes of its rows.
    /// - `batch` is the recording that created it, `holder` and `claim` the claim that it was in last.
    ///
    /// Indexes contain waiting, claimed and settled beacons apart. Rows are updated twice, so they are vacuumed early.
    private static let beacons = """
        CREATE TABLE yabbi.beacon (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            state smallint NOT NULL CHECK (state BETWEEN 0 AND 4),
            billing boolean NOT NULL,
            moment bigint NOT NULL,
            attempts integer NOT NULL DEFAULT 0,
            in_doubt boolean NOT NULL DEFAULT false,
            recorded bigint NOT NULL,
            batch bigint NOT NULL,
            holder bigint,
            claim bigint,
            key text COLLATE "C" NOT NULL UNIQUE,
            ad text NOT NULL,
            event text NOT NULL,
            provider text NOT NULL,
            method smallint NOT NULL,
            verdict smallint NOT NULL,
            doubt smallint NOT NULL,
            origin text COLLATE "C" NOT NULL,
            url text NOT NULL,
            headers bytea,
            secrets bytea,
            reason text,
            body bytea
        ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);
        CREATE INDEX beacon_waiting ON yabbi.beacon (origin, moment, id) WHERE state = 0;
        CREATE INDEX beacon_leases ON yabbi.beacon (moment) WHERE state = 1;
        CREATE INDEX beacon_settled ON yabbi.beacon (state, moment) WHERE state > 1;
        CREATE VIEW yabbi.beacons AS
            SELECT id, key,
                CASE state WHEN 0 THEN 'pending' WHEN 1 THEN 'in flight' WHEN 2 THEN 'delivered'
                    WHEN 3 THEN 'unconfirmed' ELSE 'dead' END AS state,
                billing, to_timestamp(recorded / 1000.0) AS recorded, to_timestamp(moment / 1000.0) AS moment,
                attempts, in_doubt, ad, event, provider, origin, url, reason
            FROM yabbi.beacon;
        """

    /// The rights of a group of users.
    enum Access: Sendable {
        /// For hosts that record and deliver.
        case writer
        /// For tools that read.
        case reader
        /// For removing settled beacons.
        case pruner

        /// The statements that give a role its rights.
        func grants(to role: String) -> [String] {
            LedgerTables.schema.grants(of: self.rights, to: role)
        }

        private var rights: [String] {
            switch self {
            case .writer: ["SELECT, INSERT, UPDATE ON yabbi.beacon", "SELECT ON yabbi.layout"]
            case .reader: ["SELECT ON yabbi.beacon, yabbi.beacons, yabbi.layout"]
            // FOR UPDATE needs the right to update a column.
            case .pruner: ["SELECT, DELETE, UPDATE (reason) ON yabbi.beacon", "SELECT ON yabbi.layout"]
            }
        }
    }
}
