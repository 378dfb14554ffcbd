import AdCore
import PlayReport

/// Compares what became of the trackers of two ads: by event and URL, and the verdicts on those that did not fire.
struct TrackerComparison {
    private let pair: ComparedPair

    init(_ pair: ComparedPair) { self.pair = pair }

    var differences: [RunDifference] {
        let beacons = self.beacons
        // A missing beacon and its verdict are one difference.
        let events = Set(beacons.map(\.event))
        return beacons.map(\.difference) + self.verdicts.filter { !events.contains($0.event) }.map(\.difference)
    }

    private struct Finding {
        let event: String
        let difference: RunDifference
    }

    private var beacons: [Finding] {
        let groups = SideBySide.groups(self.all(self.pair.a), self.all(self.pair.b)) {
            [TrackerName.text($0), self.pair.normalization.url($0.url)]
        }
        return groups.compactMap { group in
            guard group.a.map(\.state).sorted() != group.b.map(\.state).sorted() else { return nil }
            let event = group.key[0]
            return Finding(
                event: event,
                difference: self.pair.difference(
                    .tracker,
                    "\(event)  \(group.key[1])",
                    a: self.outcome(group.a, of: event, in: self.pair.a),
                    b: self.outcome(group.b, of: event, in: self.pair.b)
                )
            )
        }
    }

    /// The beacons of an ad, and what was withheld and is not among them: requests of the creative have no key.
    private func all(_ ad: ComparedAd) -> [RunBeacon] {
        let keys = Set(ad.beacons.map(\.key))
        let withheld = ad.events.compactMap { event -> RunBeacon? in
            let key = event["key"]?.string ?? ""
            guard EventKey.name(of: event) == "beaconWithheld", !keys.contains(key) else { return nil }
            let name = BeaconKey.Parts(key)?.event ?? "request of the creative"
            return RunBeacon(event: name, key: key, url: event["url"]?.string ?? "", state: "withheld")
        }
        return ad.beacons + withheld
    }

    /// What became of equal beacons; without any, why the tracker did not fire.
    private func outcome(_ beacons: [RunBeacon], of event: String, in ad: ComparedAd) -> String? {
        let outcomes = beacons.map { beacon in
            beacon.reason.map { "\(beacon.state): \(self.pair.normalization.text($0))" } ?? beacon.state
        }
        let verdict = ad.verdicts?.first { $0.of == event && $0.outcome == "notFired" }
        return Times.list(outcomes) ?? verdict.map(self.text)
    }

    private var verdicts: [Finding] {
        guard let a = self.pair.a.verdicts, let b = self.pair.b.verdicts else { return [] }
        return SideBySide.groups(a, b) { [$0.of] }.compactMap { group in
            guard group.a.map(\.outcome).sorted() != group.b.map(\.outcome).sorted() else { return nil }
            return Finding(
                event: group.key[0],
                difference: self.pair.difference(
                    .tracker,
                    group.key[0],
                    a: Times.list(group.a.map(self.text)),
                    b: Times.list(group.b.map(self.text))
                )
            )
        }
    }

    func text(_ verdict: RunVerdict) -> String {
        let outcome = verdict.outcome == "notFired" ? "not fired" : verdict.outcome
        return verdict.reason.isEmpty ? outcome : "\(outcome): \(self.pair.normalization.text(verdict.reason))"
    }
}

/// The name of a beacon's event, as verdicts have it.
enum TrackerName {
    /// The event with the part of the creative that it belongs to, as in `spot-1/complete`.
    static func text(_ beacon: RunBeacon) -> String {
        BeaconKey.Parts(beacon.key)?.name ?? beacon.event
    }
}
