import AdCore
import SandboxSSP

/// The ledger held against what the server saw: every beacon once, none lost, none doubled.
struct Reconciliation: Equatable, Sendable {
    var recorded = 0
    var delivered = 0
    var unconfirmed = 0
    var dead = 0
    /// Recorded, said to be delivered, and never seen by the server.
    var lost = 0
    /// Seen more than once.
    var duplicates = 0
    /// Seen by the server, and in no ledger.
    var unknown = 0

    init(_ entries: [LedgerEntry], hits: [Sandbox.Hit]) {
        var seen: [String: Int] = [:]
        for hit in hits where hit.path.hasPrefix("/t/") {
            if let key = hit.key { seen[key, default: 0] += 1 }
        }
        for entry in entries {
            self.recorded += 1
            let count = seen.removeValue(forKey: entry.beacon.key.text) ?? 0
            if count > 1 { self.duplicates += count - 1 }
            switch entry.state {
            case .delivered:
                self.delivered += 1
                if count == 0 { self.lost += 1 }
            case .unconfirmed: self.unconfirmed += 1
            case .dead: self.dead += 1
            case .recorded, .inFlight: self.lost += 1
            }
        }
        self.unknown = seen.values.reduce(0, +)
    }

    /// Whether each beacon arrived once and no other did.
    var isClean: Bool { self.recorded == self.delivered && self.lost + self.duplicates + self.unknown == 0 }

    var json: String {
        JSON.object([
            .init("event", "reconciled"), .init("recorded", .int(self.recorded)),
            .init("delivered", .int(self.delivered)), .init("unconfirmed", .int(self.unconfirmed)),
            .init("dead", .int(self.dead)), .init("lost", .int(self.lost)),
            .init("duplicates", .int(self.duplicates)), .init("unknown", .int(self.unknown)),
        ]).text()
    }

    func line(_ style: Style) -> String {
        let text =
            "\(self.recorded) beacons recorded, \(self.delivered) delivered, \(self.unconfirmed) unconfirmed, "
            + "\(self.dead) dead, \(self.lost) lost, \(self.duplicates) doubled, \(self.unknown) from nowhere"
        return self.isClean ? style.green("reconciled: ") + text : style.red("NOT reconciled: ") + text
    }
}
