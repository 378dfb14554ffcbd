import AdCore
import LibC
import SQLiteLedger

/// The files of this host, for beacons that are recorded while the server is away.
///
/// There are two: beacons that only this host can have recorded are delivered from here, all others are held until the
/// server is back.
///
/// - A beacon of an ad has a key with the ad's identifier, which no other host has. If the server certainly did not
///   record it, it is delivered from this host.
/// - A key of a provider's own may be recorded by another host, too. And whether the server has recorded a beacon may be
///   unknown, when its connection broke at the wrong moment. Such a beacon is delivered by the server's ledger only,
///   where its key can exist once.
struct LocalLedgers: Sendable {
    /// Beacons that are delivered from here.
    let own: SQLiteLedger
    /// Beacons that wait for the server.
    let held: SQLiteLedger

    init(folder: String, limits: LedgerLimits) {
        let folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        self.own = SQLiteLedger(file: "\(folder)/away.sqlite", limits: limits)
        self.held = SQLiteLedger(file: "\(folder)/held.sqlite", limits: limits)
    }

    /// Whether an earlier process or this one has left a file.
    var mayHaveBeacons: Bool { [self.own, self.held].contains { access($0.file, F_OK) == 0 } }

    /// Records beacons; with `isUncertain` the server may have recorded them.
    func record(_ beacons: [Beacon], isUncertain: Bool, at now: WallTime) async throws(LedgerError) -> RecordResult {
        let own = isUncertain ? [] : beacons.filter(\.key.isOfItsAd)
        let held = isUncertain ? beacons : beacons.filter { !$0.key.isOfItsAd }
        var (new, issues): (Set<BeaconKey>, [AdIssue]) = ([], [])
        if !held.isEmpty {
            let result = try await self.held.record(held, at: now)
            new.formUnion(result.new)
            issues += result.issues
        }
        if !own.isEmpty {
            let result = try await self.own.record(own, at: now)
            new.formUnion(result.new)
            issues += result.issues
        }
        var keys: [BeaconKey] = []
        for beacon in beacons where new.remove(beacon.key) != nil { keys.append(beacon.key) }
        return RecordResult(new: keys, issues: issues)
    }

    /// Removes beacons that an earlier process has begun to carry over from where they could be sent.
    ///
    /// To be called before the first beacon is claimed here.
    func removeHeldFromOwn() async throws(LedgerError) {
        var last = Int64.min
        while true {
            let page = try await self.held.entries(after: last, limit: 1_000)
            guard let end = page.last else { return }
            last = end.number
            try await self.own.remove(page.map(\.beacon.key))
        }
    }

    func close() async {
        await self.own.close()
        await self.held.close()
    }
}

extension BeaconKey {
    /// Whether the key contains the identifier of its ad, so that no other host has the same one.
    var isOfItsAd: Bool { self.text.hasPrefix("\(self.ad)/") }
}
