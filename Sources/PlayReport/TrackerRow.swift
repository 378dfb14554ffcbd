package import AdCore
package import AdMarkup
import PlayConsole
package import PlayText

/// A tracker of an ad: where it comes from, and what became of it.
package struct TrackerRow: Hashable, Sendable {
    /// What became of a tracker.
    enum Outcome: String {
        /// It was recorded and is called.
        case fired
        /// The event happened, and has no tracker.
        case counted
        case notFired, withheld, pending
    }

    /// The event, with the spot or part of the creative that it belongs to.
    package let event: String
    let outcome: Outcome
    package let rating: Rating
    package let reason: String
    /// The document that it comes from.
    let origin: String
    /// The redacted URL.
    package let url: String
    /// When it was recorded.
    let at: Moment?

    /// Whether it was recorded and is called.
    package var isFired: Bool { self.outcome == .fired }

    package var json: AdJSON {
        [
            "event": .string(self.event), "outcome": .string(self.outcome.rawValue),
            "rating": .string(self.rating.rawValue), "reason": .string(self.reason), "from": .string(self.origin),
            "url": .string(self.url), "t": self.at.map { .int($0.sinceOrigin.wholeMilliseconds) } ?? .null,
        ]
    }
}

extension TrackerRow {
    /// A recorded tracker.
    fileprivate init(_ beacon: BeaconHistory, from origin: String) {
        self.init(
            event: BeaconKey.Parts(beacon.key.text)?.name ?? beacon.event,
            outcome: beacon.outcome.ofTracker,
            rating: beacon.outcome == .pending ? .plain : beacon.outcome.rating,
            reason: beacon.outcome.text,
            origin: origin,
            url: beacon.url,
            at: beacon.record?.at
        )
    }

    /// The same if it is pending, and the run is over.
    fileprivate func undelivered(_ reason: String) -> TrackerRow {
        guard self.outcome == .pending else { return self }
        return TrackerRow(
            event: self.event,
            outcome: .fired,
            rating: .bad,
            reason: reason,
            origin: self.origin,
            url: self.url,
            at: self.at
        )
    }

    /// One that was not recorded, by the verdict on its event; of an ad on screen it may be yet.
    fileprivate init(_ verdict: Verdict, from origin: String, url: String = "", isOnScreen: Bool) {
        let isCounted = verdict.outcome == .counted
        // That no error has happened, and that nobody has clicked, is nothing to look into.
        let isGoodNews = ["error", "click"].contains { verdict.event == $0 || verdict.event.hasSuffix("/\($0)") }
        self.init(
            event: verdict.event,
            outcome: isCounted ? .counted : isOnScreen ? .pending : .notFired,
            rating: isCounted ? .good : isOnScreen || isGoodNews ? .plain : .warn,
            reason: verdict.reason,
            origin: origin,
            url: url,
            at: nil
        )
    }
}

extension ReportedAd {
    /// The trackers that a document names whose ad failed to load, without those that were called.
    package func unloadedTrackers(_ trackers: [NamedTracker], from origin: String) -> [TrackerRow] {
        guard self.hasFailedToLoad else { return [] }
        // Such an ad calls only those of errors. Macros are replaced then, which are seldom before the query.
        let path = { (url: String) in url.prefix { $0 != "?" && $0 != "[" && $0 != "$" } }
        let called = self.beacons.filter { $0.event == "error" }.map { path($0.url) }
        return trackers.compactMap { tracker in
            let url = Redaction.address(tracker.url.text)
            if tracker.event == "error", called.contains(where: { $0.hasPrefix(path(url)) }) { return nil }
            return TrackerRow(
                event: tracker.event,
                outcome: .notFired,
                rating: tracker.event == "error" ? .plain : .warn,
                reason: "the ad failed to load",
                origin: origin,
                url: url,
                at: nil
            )
        }
    }
}

extension BeaconHistory.Outcome {
    fileprivate var ofTracker: TrackerRow.Outcome {
        switch self {
        case .withheld: .withheld
        case .pending: .pending
        case .delivered, .unconfirmed, .dead: .fired
        }
    }
}

extension ReportedAd {
    /// The trackers of the ad, one by one: those of its response, and those of its video's documents.
    package var trackerRows: [TrackerRow] {
        let unfired = Dictionary(
            self.verdicts.filter { $0.isOfTracker && !$0.hasFired && $0.outcome != .withheld }.map { ($0.event, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let trackers = self.videoTrackers
        let origins = Dictionary(trackers.map { ($0.place, $0.origin) }, uniquingKeysWith: { first, _ in first })
        // At the end of the run there are no further attempts.
        let lost = Dictionary(
            self.verdicts.compactMap { verdict in verdict.undeliveredReason.map { (verdict.event, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        let recorded = self.beacons.map { beacon in
            let parts = BeaconKey.Parts(beacon.key.text)
            let place = parts.map { TrackerPlace(event: $0.name, index: $0.index) }
            let known = place.flatMap { origins[$0] }
            let row = TrackerRow(beacon, from: known ?? (trackers.isEmpty ? "the ad response" : "the ad"))
            return lost[row.event].map { row.undelivered($0) } ?? row
        }
        let isOnScreen = self.time("shown") != nil && self.closing == nil
        let missing = trackers.compactMap { tracker in
            unfired[tracker.place.event].map {
                TrackerRow($0, from: tracker.origin, url: tracker.url, isOnScreen: isOnScreen)
            }
        }
        let ofResponse = ["view", "click"].compactMap { unfired[$0] }.map {
            TrackerRow($0, from: "the ad response", isOnScreen: isOnScreen)
        }
        return recorded + missing + ofResponse
    }

    /// A tracker by its event and its position among those of the event, as in the keys of beacons.
    private struct TrackerPlace: Hashable {
        let event: String
        let index: Int
    }

    /// The trackers of the documents of a video.
    private var videoTrackers: [(place: TrackerPlace, origin: String, url: String)] {
        let trackers = self.offer?.videoBeacons.all ?? []
        var counts: [String: Int] = [:]
        // The innermost response of a spot is the ad itself (VAST 4.3 §2.3.4.1: it must have an impression).
        let innermost = Dictionary(trackers.map { ($0.spot, $0.depth) }, uniquingKeysWith: max)
        return trackers.map { tracker in
            let event = "\(TrackingEvent(tracker.event, spot: tracker.spot, part: tracker.part).path)/\(tracker.event)"
            let index = counts[event, default: 0]
            counts[event] = index + 1
            let isAds = tracker.depth == innermost[tracker.spot]
            // The names of `inspect`: wrapper 1 is the response that the input leads to.
            let document = tracker.depth == 0 ? "the input" : "wrapper \(tracker.depth)"
            let origin = !isAds ? document : tracker.depth == 0 ? "the ad" : "the ad, \(document)"
            return (TrackerPlace(event: event, index: index), origin, Redaction.address(tracker.url.text))
        }
    }
}
