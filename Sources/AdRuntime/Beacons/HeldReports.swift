import AdCore

/// What is known about beacons before they were reported as recorded, which is reported afterwards.
///
/// A beacon is sent as soon as it is durable, while its ad may still wait for a slow observer: its outcome can be known
/// first. Only reports wait here, never a request or its outcome in the ledger.
struct HeldReports: Sendable {
    /// Something to report about a beacon.
    struct Report: Sendable {
        let beacon: Beacon
        let event: AdEvent
    }

    private struct Held {
        /// How many records of the beacon are not reported yet.
        var records = 0
        var reports: [Report] = []
    }

    private var held: [BeaconKey: Held] = [:]
    /// The maximum number of reports of one beacon; the newest stay, and the last one is its final outcome.
    static let limit = 4

    /// Whether a report waits.
    var hasReports: Bool { self.held.values.contains { !$0.reports.isEmpty } }

    /// Holds the reports of some beacons from now on, until `release` is called as often.
    mutating func hold(_ keys: [BeaconKey]) { for key in keys { self.held[key, default: Held()].records += 1 } }

    /// Keeps a report whose beacon is held; returns any other, which may be made now.
    mutating func add(_ report: Report) -> Report? {
        let key = report.beacon.key
        guard var held = self.held[key] else { return report }
        if held.reports.count >= HeldReports.limit { held.reports.removeFirst() }
        held.reports.append(report)
        self.held[key] = held
        return nil
    }

    /// Ends a `hold`, and returns the reports that may be made now, in order.
    mutating func release(_ keys: [BeaconKey]) -> [Report] {
        var reports: [Report] = []
        for key in keys {
            guard var held = self.held.removeValue(forKey: key) else { continue }
            held.records -= 1
            if held.records > 0 { self.held[key] = held } else { reports += held.reports }
        }
        return reports
    }
}
