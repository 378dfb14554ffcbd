import AdCore
import Testing

@testable import YabbiPlay

@Suite("The ledger held against the server")
struct ReconciliationTests {
    private func key(_ ad: UInt64, _ event: BeaconEvent = .view) -> BeaconKey {
        BeaconKey(ad: AdID(bits: ad), event: event)
    }

    private func entry(_ key: BeaconKey, _ state: LedgerEntry.State) throws -> LedgerEntry {
        let url = try #require(TrackingURL("http://127.0.0.1/t/view"))
        return LedgerEntry(
            Beacon(key, BeaconCall(.get, url), of: "test"),
            number: 1,
            state: state,
            attempts: 1,
            recorded: WallTime(milliseconds: 0)
        )
    }

    @Test("each beacon once and no other is clean")
    func clean() throws {
        let keys = [self.key(1), self.key(1, .click), self.key(2)]
        let result = Reconciliation(try keys.map { try self.entry($0, .delivered) }, keys: keys.map(\.text).reversed())
        #expect(result.isClean)
        #expect(result.recorded == 3 && result.delivered == 3)
        #expect(Reconciliation([], keys: []).isClean)
    }

    @Test("a beacon that is said to be delivered and was never seen is lost")
    func lost() throws {
        let result = Reconciliation([try self.entry(self.key(1), .delivered)], keys: [])
        #expect(result.lost == 1)
        #expect(!result.isClean)
    }

    @Test("a beacon that was seen three times was doubled twice, whatever the ledger says of it")
    func doubled() throws {
        let text = self.key(1).text
        for state in [LedgerEntry.State.delivered, .unconfirmed(reason: "it was cut off")] {
            let result = Reconciliation([try self.entry(self.key(1), state)], keys: [text, text, text])
            #expect(result.duplicates == 2)
            #expect(result.lost == 0 && result.unknown == 0)
            #expect(!result.isClean)
        }
    }

    @Test("a call that is in no ledger comes from nowhere, with a key or without one")
    func unknown() throws {
        let known = self.key(1)
        let entries = [try self.entry(known, .delivered)]
        #expect(Reconciliation(entries, keys: [known.text, self.key(2).text]).unknown == 1)
        let keyless = Reconciliation(entries, keys: [known.text, nil, nil])
        #expect(keyless.unknown == 2)
        #expect(!keyless.isClean)
    }

    @Test("what is still on its way, in doubt or given up is counted as that, and not as lost")
    func otherEnds() throws {
        let now = WallTime(milliseconds: 0)
        let entries = [
            try self.entry(self.key(1), .recorded(nextTry: now, reason: nil)),
            try self.entry(self.key(2), .inFlight(until: now)),
            try self.entry(self.key(3), .unconfirmed(reason: "it was cut off")),
            try self.entry(self.key(4), .dead(reason: "status 410")),
        ]
        let result = Reconciliation(entries, keys: [self.key(3).text])
        #expect(result.pending == 2 && result.unconfirmed == 1 && result.dead == 1)
        #expect(result.lost == 0 && result.delivered == 0)
        #expect(!result.isClean)
    }

    @Test("every count is in the JSON and in the line, and ads that failed are told above it")
    func words() throws {
        var result = Reconciliation([], keys: [nil])
        (result.recorded, result.delivered, result.unconfirmed, result.dead) = (9, 8, 7, 6)
        (result.pending, result.lost, result.duplicates, result.failedAds) = (5, 4, 3, 2)
        let json = try JSON(parsing: result.json)
        let names = [
            "recorded", "delivered", "unconfirmed", "dead", "pending", "lost", "duplicates", "unknown", "failed",
        ]
        #expect(names.map { json[$0]?.number } == [9, 8, 7, 6, 5, 4, 3, 1, 2])
        let text =
            "9 beacons recorded, 8 delivered, 7 unconfirmed, 6 dead, 5 pending, 4 lost, 3 doubled, 1 from nowhere"
        #expect(
            result.lines(Style(isColoured: false)) == [
                "2 ads could not be shown; see above", "NOT reconciled: \(text)",
            ]
        )
        #expect(Reconciliation([], keys: []).lines(Style(isColoured: false)).count == 1)
    }
}
