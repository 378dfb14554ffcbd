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
    /// The file whose lock a process has while it moves beacons between the files or to the server.
    let lockFile: String

    init(folder: String, limits: LedgerLimits) {
        let folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        var limits = limits
        // What was delivered from here is not in the server's book before it is carried over.
        limits.settled = limits.rows
        limits.reportsRemovedDeliveries = true
        self.lockFile = "\(folder)/carry.lock"
        self.own = SQLiteLedger(file: "\(folder)/away.sqlite", limits: limits)
        self.held = SQLiteLedger(file: "\(folder)/held.sqlite", limits: limits)
    }

    /// Whether an earlier process or this one has left a file.
    var mayHaveBeacons: Bool { [self.own, self.held].contains { access($0.file, F_OK) == 0 } }

    /// Why nothing was recorded.
    struct Failure: Error {
        let error: LedgerError
        /// Whether a file may have some of the beacons all the same.
        let isUncertain: Bool
    }

    /// Records beacons, all or none; with `isUncertain` the server may have recorded them.
    func record(_ beacons: [Beacon], isUncertain: Bool, at now: WallTime) async throws(Failure) -> RecordResult {
        var own = isUncertain ? [] : beacons.filter(\.key.isOfItsAd)
        var held = isUncertain ? beacons : beacons.filter { !$0.key.isOfItsAd }
        var isChanged = false
        do throws(LedgerError) {
            // A key is in one of the files only. What the server may have is not sent from here any more.
            let heldBefore = try await self.held.known(own.map(\.key))
            own.removeAll { heldBefore.contains($0.key) }
            let sent = try await self.own.removeUnsent(held.map(\.key))
            held.removeAll { sent.contains($0.key) }
            isChanged = !held.isEmpty
            let first = held.isEmpty ? RecordResult(new: []) : try await self.held.record(held, at: now)
            let second: RecordResult
            do throws(LedgerError) {
                second = own.isEmpty ? RecordResult(new: []) : try await self.own.record(own, at: now)
            } catch {
                try await self.held.remove(first.new)
                isChanged = false
                throw error
            }
            var new = Set(first.new + second.new)
            let keys = beacons.map(\.key).filter { new.remove($0) != nil }
            return RecordResult(new: keys, issues: first.issues + second.issues)
        } catch {
            throw Failure(error: error, isUncertain: isChanged)
        }
    }

    /// Settles which of the files has a beacon that an earlier process has begun to carry over.
    ///
    /// To be called with the lock, before the first beacon is claimed here. What was not sent yet is left to the server;
    /// what was sent from here is not held any more.
    func settleHeld() async throws(LedgerError) {
        var last = Int64.min
        while true {
            let page = try await self.held.entries(after: last, limit: 1_000)
            guard let end = page.last else { return }
            last = end.number
            let sent = try await self.own.removeUnsent(page.map(\.beacon.key))
            try await self.held.remove(Array(sent))
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
