import AdCore
import SandboxSSP

/// The ledger held against what the server saw: every beacon once, none lost, none doubled.
struct Reconciliation: Equatable, Sendable {
    var recorded = 0
    var delivered = 0
    var unconfirmed = 0
    var dead = 0
    /// Recorded, and neither sent to its end nor given up.
    var pending = 0
    /// Recorded, said to be delivered, and never seen by the server.
    var lost = 0
    /// Seen more than once.
    var duplicates = 0
    /// Seen by the server, and in no ledger.
    var unknown = 0
    /// How many ads could not be loaded or shown, and had no beacon to send.
    var failedAds = 0

    /// Holds the ledger's entries against the hits of the built-in server's trackers.
    init(_ entries: [LedgerEntry], hits: [Sandbox.Hit], failedAds: Int) {
        self.init(entries, keys: hits.filter { $0.path.hasPrefix("/t/") }.map(\.key))
        self.failedAds = failedAds
    }

    /// Holds entries against the keys of the calls that arrived; a call without a key is nobody's.
    init(_ entries: [LedgerEntry], keys: [String?]) {
        var seen: [String: Int] = [:]
        for key in keys {
            if let key { seen[key, default: 0] += 1 } else { self.unknown += 1 }
        }
        for entry in entries {
            self.recorded += 1
            let count = seen.removeValue(forKey: entry.beacon.key.text) ?? 0
            self.duplicates += max(0, count - 1)
            switch entry.state {
            case .delivered:
                self.delivered += 1
                if count == 0 { self.lost += 1 }
            case .unconfirmed: self.unconfirmed += 1
            case .dead: self.dead += 1
            case .recorded, .inFlight: self.pending += 1
            }
        }
        self.unknown += seen.values.reduce(0, +)
    }

    /// Whether each beacon arrived once and no other did.
    var isClean: Bool { self.recorded == self.delivered && self.lost + self.duplicates + self.unknown == 0 }

    var json: String {
        JSON.object([
            .init("event", "reconciled"), .init("recorded", .int(self.recorded)),
            .init("delivered", .int(self.delivered)), .init("unconfirmed", .int(self.unconfirmed)),
            .init("dead", .int(self.dead)), .init("pending", .int(self.pending)), .init("lost", .int(self.lost)),
            .init("duplicates", .int(self.duplicates)), .init("unknown", .int(self.unknown)),
            .init("failed", .int(self.failedAds)),
        ]).text()
    }

    /// What people are told: the ads that failed, where there are any, and the count of beacons.
    func lines(_ style: Style) -> [String] {
        let text =
            "\(self.recorded) beacons recorded, \(self.delivered) delivered, \(self.unconfirmed) unconfirmed, "
            + "\(self.dead) dead, \(self.pending) pending, \(self.lost) lost, \(self.duplicates) doubled, "
            + "\(self.unknown) from nowhere"
        let beacons = self.isClean ? style.green("reconciled: ") + text : style.red("NOT reconciled: ") + text
        guard self.failedAds > 0 else { return [beacons] }
        let ads = self.failedAds == 1 ? "1 ad" : "\(self.failedAds) ads"
        return [style.red("\(ads) could not be shown") + "; see above", beacons]
    }
}
