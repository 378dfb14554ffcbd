package import AdCore
import PlayText

/// A tracker of an ad: where it comes from, and what became of it.
package struct TrackerRow: Hashable, Sendable {
    let event: String
    let outcome: String
    let reason: String
    /// The document that it comes from.
    let origin: String
    /// The redacted URL.
    let url: String
    /// When it was recorded.
    let at: Moment?

    package var json: AdJSON {
        [
            "event": .string(self.event), "outcome": .string(self.outcome), "reason": .string(self.reason),
            "from": .string(self.origin), "url": .string(self.url),
            "t": self.at.map { .int($0.sinceOrigin.wholeMilliseconds) } ?? .null,
        ]
    }
}

extension ReportedAd {
    /// The trackers of the ad, one by one: those of its response, and those of its video's documents.
    package var trackerRows: [TrackerRow] {
        let beacons = self.beacons
        let reasons = Dictionary(self.verdicts.map { ($0.event, $0) }) { first, _ in first }
        var rows: [TrackerRow] = []
        var recorded: Set<BeaconKey> = []
        for beacon in beacons {
            recorded.insert(beacon.key)
            let (outcome, reason) = ReportedAd.outcome(beacon)
            rows.append(
                TrackerRow(
                    event: beacon.key.event.rawValue,
                    outcome: outcome,
                    reason: reason,
                    origin: self.origin(of: beacon),
                    url: beacon.url,
                    at: beacon.record?.at
                )
            )
        }
        // What has not fired, with the reason of its event's verdict.
        for tracker in self.offer?.videoBeacons.all ?? [] {
            let name = "\(TrackingEvent(tracker.event, spot: tracker.spot, part: tracker.part).path)/\(tracker.event)"
            guard let verdict = reasons[name], !verdict.hasFired, verdict.outcome != .withheld else { continue }
            rows.append(
                TrackerRow(
                    event: name,
                    outcome: "notFired",
                    reason: verdict.reason,
                    origin: tracker.depth == 0 ? "the ad" : "wrapper \(tracker.depth)",
                    url: Redaction.address(tracker.url.text),
                    at: nil
                )
            )
        }
        for event in ["view", "click"] {
            guard let verdict = reasons[event], !verdict.hasFired, verdict.outcome != .withheld else { continue }
            let isCounted = verdict.outcome == .counted
            rows.append(
                TrackerRow(
                    event: event,
                    outcome: isCounted ? "counted" : "notFired",
                    reason: verdict.reason,
                    origin: "the ad response",
                    url: "",
                    at: nil
                )
            )
        }
        return rows
    }

    private static func outcome(_ beacon: BeaconHistory) -> (String, String) {
        switch beacon.outcome {
        case .withheld: ("withheld", beacon.outcome.text)
        case .pending: ("pending", beacon.outcome.text)
        case .delivered, .unconfirmed, .dead: ("fired", beacon.outcome.text)
        }
    }

    /// The document of a recorded beacon: its tracker has the same event and server.
    private func origin(of beacon: BeaconHistory) -> String {
        guard let trackers = self.offer?.videoBeacons.all, !trackers.isEmpty else { return "the ad response" }
        let host = HTTPURL(beacon.url)?.host
        let tracker = trackers.first { tracker in
            tracker.event == beacon.key.event && host != nil && tracker.url.text.contains(host ?? "")
        }
        guard let tracker else { return "the ad" }
        return tracker.depth == 0 ? "the ad" : "wrapper \(tracker.depth)"
    }
}
