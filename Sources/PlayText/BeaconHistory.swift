package import AdCore

/// A beacon of an ad with its outcome, from the ad's events.
package struct BeaconHistory: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case delivered(attempts: Int)
        case unconfirmed(String)
        case dead(String)
        /// Not delivered yet.
        case pending
        /// Never sent, because the run withholds beacons.
        case withheld

        package var text: String {
            switch self {
            case .delivered(let attempts): attempts == 1 ? "delivered" : "delivered at attempt \(attempts)"
            case .unconfirmed(let reason): "unconfirmed: \(reason)"
            case .dead(let reason): "dead: \(reason)"
            case .pending: "not delivered yet"
            case .withheld: "withheld: this run sends no beacons"
            }
        }

        package var rating: Rating {
            switch self {
            case .delivered: .good
            case .withheld: .plain
            case .unconfirmed, .pending: .warn
            case .dead: .bad
            }
        }

        /// Whether it is unconfirmed or dead.
        package var isFailure: Bool {
            switch self {
            case .unconfirmed, .dead: true
            case .delivered, .pending, .withheld: false
            }
        }
    }

    /// Whether it is sent: one whose URL can't be called, or that is withheld, is only recorded.
    package var isSent: Bool { self.record?.address.uncallableReason == nil && self.outcome != .withheld }

    /// The detail of the record of a beacon that is withheld.
    static let withheldMark = AdJSON.Member("withheld", true)

    package let key: BeaconKey
    /// The address, and the time of the record; nil if only the outcome was reported.
    package private(set) var record: Record?
    /// When the outcome was reported.
    package private(set) var settled: Moment?
    package private(set) var outcome = Outcome.pending

    package struct Record: Hashable, Sendable {
        package let address: BeaconAddress
        package let at: Moment
    }

    /// The redacted address; empty if only the outcome was reported.
    package var url: String { self.record.map { Redaction.address($0.address.text) } ?? "" }

    package var event: String { self.key.event.rawValue }

    /// The beacons of an ad in the order in which they were first reported.
    package static func all(in records: [AdRecord]) -> [BeaconHistory] {
        var beacons: [BeaconHistory] = []
        var indices: [BeaconKey: Int] = [:]
        for record in records {
            guard let key = record.event.row.beacon else { continue }
            let index = indices[key] ?? beacons.count
            if index == beacons.count {
                indices[key] = index
                beacons.append(BeaconHistory(key: key))
            }
            beacons[index].add(record.event, at: record.at)
            if record.detail.contains(BeaconHistory.withheldMark) { beacons[index].outcome = .withheld }
        }
        return beacons
    }

    private mutating func add(_ event: AdEvent, at moment: Moment) {
        if case .beaconRecorded(_, let address) = event {
            self.record = Record(address: address, at: moment)
        } else if let outcome = event.beaconOutcome {
            self.outcome = outcome
            self.settled = moment
        }
        // The delivery to a fast server can be reported before the record.
        if let record, let settled { self.settled = max(settled, record.at) }
    }
}

extension AdEvent {
    /// The outcome of a beacon that it reports; nil for other events.
    package var beaconOutcome: BeaconHistory.Outcome? {
        switch self {
        case .beaconDelivered(_, let attempts): .delivered(attempts: attempts)
        case .beaconUnconfirmed(_, let reason): .unconfirmed(reason)
        case .beaconDead(_, let reason): .dead(reason)
        default: nil
        }
    }
}
