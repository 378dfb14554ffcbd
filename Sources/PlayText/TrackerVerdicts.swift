import AdCore

/// The verdicts on the trackers of a video's markup, one per event.
struct TrackerVerdicts {
    /// An event that has trackers.
    private struct ExpectedTracker: Hashable {
        let spot: Int?
        let part: VideoPartID?
        let event: BeaconEvent

        /// The event's part of beacon keys.
        var name: Substring { "\(TrackingEvent(self.event, spot: self.spot, part: self.part).path)/\(self.event)" }
    }

    /// The events in the order of the markup.
    private var expected: [ExpectedTracker] = []
    /// The beacons, and the reasons of pending ones, by name.
    private let beacons: [Substring: [BeaconHistory]]
    private var pendingReasons: [Substring: [String]] = [:]
    private var playedSpots: Set<Int> = []
    /// Why the last tap was not a click; nil if there was no tap, or it was one.
    private let noClickReason: String?

    init(_ events: [AdEvent], _ beacons: [BeaconHistory], _ trackers: VideoTrackers, pending: [String: String]) {
        self.noClickReason = Verdict.reasonForNoClick(events)
        self.beacons = Dictionary(grouping: beacons) { TrackerVerdicts.name(in: $0.key.text) }
        var known: Set<ExpectedTracker> = []
        for expected in trackers.all {
            let tracker = ExpectedTracker(spot: expected.spot, part: expected.part, event: expected.event)
            if known.insert(tracker).inserted { self.expected.append(tracker) }
        }
        for event in events {
            if case .quartile(_, let spot) = event { self.playedSpots.insert(spot) }
        }
        for (key, reason) in pending { self.pendingReasons[TrackerVerdicts.name(in: key), default: []].append(reason) }
    }

    /// The event's part of a key: between the ad's id and the two numbers at the end.
    private static func name(in key: String) -> Substring {
        BeaconKey.Parts(key).map { $0.name[...] } ?? key[...]
    }

    var list: [Verdict] { self.loadVerdicts + self.videoVerdicts }

    /// The error URLs that were called while the ad was loaded.
    private var loadVerdicts: [Verdict] {
        let name = "\(BeaconKey.loadPath)/error"
        if self.beacons[name[...]]?.contains(where: { $0.outcome == .withheld }) == true {
            return [Verdict(event: name, .withheld, reason: Verdict.withheldReason)]
        }
        let calls = self.calls(of: name[...])
        return calls.steps.isEmpty ? [] : [Verdict(event: name, hasFired: calls.hasFired, reason: calls.text)]
    }

    private var videoVerdicts: [Verdict] {
        self.expected.map { tracker in
            let name = String(tracker.name)
            if self.beacons[tracker.name]?.contains(where: { $0.outcome == .withheld }) == true {
                return Verdict(event: name, .withheld, reason: Verdict.withheldReason)
            }
            let calls = self.calls(of: tracker.name)
            guard calls.steps.isEmpty else {
                return Verdict(event: name, hasFired: calls.hasFired, reason: calls.text)
            }
            return Verdict(
                event: name,
                hasFired: false,
                reason: self.reasonNotFired(tracker.event, of: tracker.spot, tracker.part)
            )
        }
    }

    /// The calls of one event's trackers.
    private struct Calls {
        let steps: [String]
        /// Whether at least one URL can be called.
        let hasFired: Bool

        var text: String { self.steps.joined(separator: "; ") }
    }

    /// The calls of an event: recorded and delivered ones as numbers, the others one by one.
    private func calls(of name: Substring) -> Calls {
        var recorded = 0
        var uncallable = 0
        var delivered = 0
        var others: [String] = []
        for beacon in self.beacons[name] ?? [] {
            if let record = beacon.record {
                if record.address.uncallableReason == nil { recorded += 1 } else { uncallable += 1 }
            }
            switch beacon.outcome {
            case .delivered: delivered += 1
            case .unconfirmed, .dead: others.append(beacon.outcome.text)
            case .pending, .withheld: break
            }
        }
        others += self.pendingReasons[name, default: []].map { Verdict.notDelivered + $0 }
        guard recorded + delivered > 0 else { return Calls(steps: others, hasFired: uncallable == 0) }
        let steps =
            max(recorded, delivered) > 1
            ? ["\(delivered) of \(max(recorded, delivered)) URLs delivered"]
            : ["recorded"] + (delivered > 0 ? ["delivered"] : [])
        return Calls(steps: steps + others, hasFired: true)
    }

    private func isRecorded(_ event: BeaconEvent, _ spot: Int?) -> Bool {
        let name = ExpectedTracker(spot: spot, part: nil, event: event).name
        return self.beacons[name]?.contains { $0.record != nil } ?? false
    }

    private func reasonNotFired(_ event: BeaconEvent, of spot: Int?, _ part: VideoPartID?) -> String {
        let wasPlayed = spot.map { self.playedSpots.contains($0) } ?? false
        switch event.rawValue {
        case "error": return "no error occurred"
        case "notUsed": return "the ad was used"
        case "breakStart", "breakEnd": return "no ad of the break was played"
        default: if spot == nil { return TrackerVerdicts.unsupported }
        }
        if case .verification = part, wasPlayed { return "its script was run" }
        if part == nil, !wasPlayed, !self.isRecorded(.impression, spot), !self.isRecorded("creativeView", spot) {
            return self.isRecorded(.error, spot) ? "the ad failed" : "the ad was not played"
        }
        if part == nil, !self.isRecorded(.impression, spot), TrackerVerdicts.viewability.contains(event.rawValue) {
            return "viewability is not measured without an impression"
        }
        if let reason = self.noClickReason {
            if part == nil, event.rawValue == "clickTracking" { return reason }
            // The position of the tap is not known: it may have been on the icon or the companion.
            if event.rawValue == "iconClick" || event.rawValue == "companionClick" {
                return "no click on it was counted; \(reason)"
            }
        }
        return TrackerVerdicts.reasons[event.rawValue]
            ?? (event.rawValue.hasPrefix("progress-") ? "not played that far" : TrackerVerdicts.unsupported)
    }

    /// The events of VAST's ViewableImpression: they need an impression first.
    private static let viewability: Set<String> = ["viewable", "notViewable", "viewUndetermined"]

    private static let unsupported = "unsupported event; check its name"

    private static let reasons = [
        "impression": "never in view while playing", "loaded": "never ready to play", "start": "playback did not start",
        "firstQuartile": "not played that far", "midpoint": "not played that far",
        "thirdQuartile": "not played that far", "complete": "not played to the end",
        "skip": "not skipped", "mute": "not muted", "unmute": "not unmuted", "pause": "not paused",
        "resume": "not resumed after a pause", "rewind": "not rewound",
        "viewable": "not 50 % in view for 2 s without a break",
        "notViewable": "the ad was viewable", "viewUndetermined": "viewability was determined",
        "closeLinear": "not closed during playback", "close": "not closed by the user",
        "clickTracking": "the user did not click", "customClick": "no click without a click-through URL",
        "iconView": "the icon was not displayed", "iconClick": "no click on the icon",
        "creativeView": "not displayed", "companionClick": "no click on the companion",
        "fullscreen": "not expanded to full screen", "exitFullscreen": "full screen was not left",
        "playerExpand": "the player was not expanded", "playerCollapse": "the player was not collapsed",
        "expand": "not expanded", "collapse": "not collapsed",
        "acceptInvitation": "the user did not accept the invitation",
        "acceptInvitationLinear": "the user did not accept the invitation",
        "overlayViewDuration": "the overlay was not displayed", "otherAdInteraction": "no other interaction",
        "adExpand": "not expanded by the user", "adCollapse": "not collapsed by the user",
        "minimize": "not minimized by the user",
        "interactiveStart": "interactive creatives are not executed",
        "verificationNotExecuted": "the ad was not played",
        "timeSpentViewing": "event of VAST 4.0 only, which is not supported",
    ]
}
