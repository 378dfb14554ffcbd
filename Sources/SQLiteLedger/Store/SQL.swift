/// The prepared statements.
///
/// `state` is a literal in each of them: SQLite uses a partial index only if its condition is literally in the
/// statement. A test checks that the frequent ones find their rows by an index.
enum SQL: Int, CaseIterable {
    // Transactions, and the database as a whole.
    case begin, commit, rollback, version, pages, freePages, pageLimit, counts, interrupted, pendingCount
    // Beacons: recorded, read and settled.
    case lastNumber, keepLastNumber, insertBeacon, insertClaimed, insertDead, findBeacon, settle, entries, entryOf,
        sendable, queueOf, postpone
    // Queues of beacons, one for each origin, and whose turn it is.
    case insertQueue, deleteQueue, findQueue, firstMoment, lowerQueueDue, setQueue, refreshQueue, clearTurn, newlyDue,
        lastTurn, assignTurn, queuesByTurn, dueQueues, nextQueue, emptyQueues
    // Claims of due beacons, and their leases.
    case firstDue, markInFlight, markDead, expiredLeases, futureLeases, nextLease, release, unclaim
    // Repairs of queues and times, as after a change of the clock.
    case pullDue, queuesAfter, rowsDueAfter, orphanQueue, orphans, adopt
    // Removal of old beacons, and the tallies that stay.
    case oldestDelivered, oldestSettled, anyPending, nextRow, pendingRows, forgettable, delete, tally, addToTally
    // Views of an app's ads, for frequency caps.
    case insertView, deleteOldViews, deleteSurplusViews, redateViews, newestViews

    var text: String {
        switch self {
        // MARK: Transactions, and the database as a whole

        case .begin: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"
        case .version: "PRAGMA data_version"
        case .pages: "PRAGMA page_count"
        case .freePages: "PRAGMA freelist_count"
        case .pageLimit: "PRAGMA max_page_count"
        case .counts:
            """
            SELECT 0, count(*) FROM beacon WHERE state = 0
            UNION ALL SELECT state, count(*) FROM beacon WHERE state > 0 GROUP BY state
            """
        // Expired claims of beacons with the guarantee `atMostOnce`: they are not sent again.
        case .interrupted: "SELECT count(*) FROM beacon WHERE state = 0 AND in_doubt = 1 AND doubt = 0"
        case .pendingCount: "SELECT count(*) FROM beacon WHERE state = 0"

        // MARK: Beacons: recorded, read and settled

        // The highest number ever used; its row may be deleted.
        case .lastNumber:
            """
            SELECT max(coalesce((SELECT max(id) FROM beacon), 0),
                coalesce((SELECT value FROM tally WHERE name = 'last'), 0))
            """
        case .keepLastNumber:
            """
            INSERT INTO tally (name, value) SELECT 'last', coalesce(max(id), 0) FROM beacon WHERE true
            ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)
            """
        case .insertBeacon:
            """
            INSERT INTO beacon (id, state, billing, moment, queue, recorded, key, ad, event, provider, method, verdict,
                doubt, url, headers, secrets, body)
            VALUES (?1, 0, ?2, ?3, ?4, ?3, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
            ON CONFLICT (key) DO NOTHING
            """
        case .insertClaimed:
            """
            INSERT INTO beacon (id, state, billing, moment, queue, attempts, recorded, key, ad, event, provider, method,
                verdict, doubt, url, headers, secrets, body)
            VALUES (?1, 1, ?2, ?16, ?4, 1, ?3, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
            ON CONFLICT (key) DO NOTHING
            """
        case .insertDead:
            """
            INSERT INTO beacon (id, state, billing, moment, queue, recorded, key, ad, event, provider, method, verdict,
                doubt, url, headers, secrets, body, reason)
            VALUES (?1, 4, ?2, ?3, ?4, ?3, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
            ON CONFLICT (key) DO NOTHING
            """
        case .findBeacon: "SELECT id, state, attempts, queue, in_doubt, moment FROM beacon WHERE key = ?1"
        case .settle:
            """
            UPDATE beacon SET state = ?2, moment = ?3, queue = ?4, reason = ?5, attempts = ?6, in_doubt = 0
            WHERE id = ?1
            """
        case .sendable:
            """
            SELECT \(BeaconRow.columns) FROM beacon
            WHERE state = 0 AND moment < ?1 AND (in_doubt = 0 OR doubt = 1) LIMIT ?2
            """
        case .queueOf: "SELECT queue FROM beacon WHERE id = ?1"
        case .postpone: "UPDATE beacon SET moment = ?2 WHERE id = ?1"
        case .entryOf: "SELECT \(BeaconRow.columns) FROM beacon WHERE key = ?1"
        case .entries: "SELECT \(BeaconRow.columns) FROM beacon WHERE id > ?1 ORDER BY id LIMIT ?2"

        // MARK: Queues of beacons, one for each origin, and whose turn it is

        case .insertQueue: "INSERT INTO queue (origin, due) VALUES (?1, ?2)"
        case .deleteQueue: "DELETE FROM queue WHERE id = ?1"
        case .findQueue: "SELECT id, due, turn FROM queue WHERE origin = ?1"
        case .firstMoment: "SELECT moment FROM beacon WHERE state = 0 AND queue = ?1 ORDER BY moment LIMIT 1"
        case .lowerQueueDue: "UPDATE queue SET due = ?2 WHERE id = ?1 AND (due IS NULL OR due > ?2)"
        case .setQueue: "UPDATE queue SET due = ?2, turn = ?3 WHERE id = ?1"
        case .refreshQueue:
            """
            UPDATE queue SET due = (
                SELECT moment FROM beacon WHERE state = 0 AND queue = ?1 ORDER BY moment LIMIT 1
            ) WHERE id = ?1
            """
        case .clearTurn: "UPDATE queue SET turn = NULL WHERE id = ?1"
        case .newlyDue: "SELECT id FROM queue WHERE turn IS NULL AND due <= ?1 ORDER BY due, id LIMIT ?2"
        case .lastTurn: "SELECT coalesce(max(turn), 0) FROM queue"
        case .assignTurn: "UPDATE queue SET turn = ?2 WHERE id = ?1"
        case .queuesByTurn: "SELECT id, origin, due, turn FROM queue WHERE turn IS NOT NULL ORDER BY turn"
        case .dueQueues: "SELECT origin, due FROM queue WHERE due IS NOT NULL ORDER BY due"
        case .nextQueue: "SELECT due FROM queue WHERE due IS NOT NULL ORDER BY due LIMIT 1"
        // A claimed beacon still belongs to a queue without pending ones.
        case .emptyQueues:
            """
            SELECT id FROM queue WHERE due IS NULL
            AND id NOT IN (SELECT queue FROM beacon WHERE state > 0 AND state = 1 AND billing IN (0, 1)) LIMIT ?1
            """

        // MARK: Claims of due beacons, and their leases

        case .firstDue:
            """
            SELECT \(BeaconRow.columns) FROM beacon
            WHERE state = 0 AND queue = ?1 AND moment <= ?2 ORDER BY moment, id LIMIT 1
            """
        case .markInFlight: "UPDATE beacon SET state = 1, moment = ?2, attempts = ?3, recorded = ?4 WHERE id = ?1"
        case .markDead: "UPDATE beacon SET state = 4, moment = ?2, queue = 0, reason = ?3, in_doubt = 0 WHERE id = ?1"
        case .expiredLeases:
            "SELECT id, queue FROM beacon WHERE state > 0 AND state = 1 AND billing IN (0, 1) AND moment <= ?1 LIMIT ?2"
        case .futureLeases:
            "SELECT id, queue FROM beacon WHERE state > 0 AND state = 1 AND billing IN (0, 1) AND moment > ?1 LIMIT ?2"
        case .nextLease:
            """
            SELECT min(moment) FROM (
                SELECT min(moment) AS moment FROM beacon WHERE state > 0 AND state = 1 AND billing = 0
                UNION ALL SELECT min(moment) FROM beacon WHERE state > 0 AND state = 1 AND billing = 1
            )
            """
        case .release:
            """
            UPDATE beacon SET state = 0, moment = coalesce(?2, recorded), in_doubt = 1, reason = ?3,
                recorded = CASE WHEN recorded > ?4 THEN ?2 ELSE recorded END
            WHERE id = ?1
            """

        // `in_doubt` is still what it was before the claim.
        case .unclaim: "UPDATE beacon SET state = 0, moment = ?2, attempts = ?3 WHERE id = ?1"

        // MARK: Repairs of queues and times, as after a change of the clock

        case .pullDue:
            """
            UPDATE beacon SET moment = ?2, recorded = CASE WHEN recorded > ?3 THEN ?2 ELSE recorded END WHERE id = ?1
            """
        case .queuesAfter:
            """
            SELECT id, due,
                (SELECT moment FROM beacon WHERE state = 0 AND beacon.queue = queue.id ORDER BY moment LIMIT 1),
                (SELECT moment FROM beacon WHERE state = 0 AND beacon.queue = queue.id ORDER BY moment DESC LIMIT 1)
            FROM queue WHERE id > ?1 ORDER BY id LIMIT ?2
            """
        case .rowsDueAfter: "SELECT id FROM beacon WHERE state = 0 AND queue = ?1 AND moment > ?2 LIMIT ?3"
        case .orphanQueue: "SELECT min(queue) FROM beacon WHERE state = 0 AND queue > ?1 AND queue < ?2"
        case .orphans: "SELECT id, url FROM beacon WHERE state = 0 AND queue = ?1 LIMIT ?2"
        case .adopt: "UPDATE beacon SET queue = ?2 WHERE id = ?1"

        // MARK: Removal of old beacons, and the tallies that stay

        case .oldestDelivered:
            """
            SELECT id, 0, moment FROM (
                SELECT * FROM (SELECT id, moment FROM beacon WHERE state > 0 AND state = 2 AND billing = 0 ORDER BY moment, id LIMIT ?1)
                UNION ALL
                SELECT * FROM (SELECT id, moment FROM beacon WHERE state > 0 AND state = 2 AND billing = 1 ORDER BY moment, id LIMIT ?1)
            ) ORDER BY moment, id LIMIT ?1
            """
        case .oldestSettled:
            "SELECT id, 0 FROM beacon WHERE state > 0 AND state = ?1 AND billing = ?2 ORDER BY moment, id LIMIT ?3"
        case .anyPending: "SELECT 1 FROM beacon WHERE state = 0 AND billing = ?1 LIMIT 1"
        case .nextRow: "SELECT min(id) FROM beacon WHERE id > ?1"
        // By number, not by the index: the beacon recorded first is dropped first, whatever its retries.
        case .pendingRows:
            """
            SELECT id, queue FROM beacon NOT INDEXED
            WHERE id BETWEEN ?1 AND ?2 AND state = 0 AND billing = ?3 ORDER BY id LIMIT ?4
            """
        case .forgettable:
            "SELECT id, 0 FROM beacon WHERE state > 0 AND state = ?1 AND billing IN (0, 1) AND moment < ?2 LIMIT ?3"
        case .delete: "DELETE FROM beacon WHERE id = ?1"
        case .tally: "SELECT value FROM tally WHERE name = ?1"
        case .addToTally:
            """
            INSERT INTO tally (name, value) VALUES (?1, ?2)
            ON CONFLICT (name) DO UPDATE SET value = value + excluded.value
            """

        case .insertView:
            """
            INSERT INTO counted_view (ad, moment, session, placement, campaign, advertiser)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (ad) DO NOTHING
            """
        case .deleteOldViews: "DELETE FROM counted_view WHERE moment < ?1"
        case .deleteSurplusViews: "DELETE FROM counted_view WHERE id <= (SELECT max(id) FROM counted_view) - ?1"
        case .redateViews: "UPDATE counted_view SET moment = ?1 WHERE moment > ?2"
        case .newestViews:
            """
            SELECT ad, moment, session, placement, campaign, advertiser FROM counted_view
            WHERE moment >= ?1 ORDER BY moment DESC, id DESC LIMIT ?2
            """
        }
    }
}
