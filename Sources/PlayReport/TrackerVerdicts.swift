import AdCore

/// What became of the trackers in a video's markup: one verdict for each event that has some.
struct TrackerVerdicts {
    /// An event that has trackers.
    private struct ExpectedTracker: Hashable {
        let spot: Int?
        let part: VideoPartID?
        let event: BeaconEvent

        /// The name in the keys of beacons, of which there may be thousands.
        var name: Substring { "\(TrackingEvent(self.event, spot: self.spot, part: self.part).path)/\(self.event)" }
    }

    /// The events in the order of the markup.
    private var expected: [ExpectedTracker] = []
    /// What became of calls, and of those that are still on their way, by what they tell.
    private var fates: [Substring: [AdEvent]] = [:]
    private var waiting: [Substring: [String]] = [:]
    private var playedSpots: Set<Int> = []
    /// Why the last tap was no click; nil where there was none.
    private let tap: String?

    init(_ events: [AdEvent], _ beacons: VideoTrackers, pending: [String: String]) {
        self.tap = Verdict.whyNoClick(events)
        var known: Set<ExpectedTracker> = []
        for beacon in beacons.all {
            let tracker = ExpectedTracker(spot: beacon.spot, part: beacon.part, event: beacon.event)
            if known.insert(tracker).inserted { self.expected.append(tracker) }
        }
        for event in events {
            switch event {
            case .beaconRecorded(let key, _), .beaconDelivered(let key, _), .beaconUnconfirmed(let key, _),
                .beaconDead(let key, _):
                self.fates[TrackerVerdicts.name(in: key.text), default: []].append(event)
            case .quartile(_, let spot): self.playedSpots.insert(spot)
            default: break
            }
        }
        for (key, reason) in pending { self.waiting[TrackerVerdicts.name(in: key), default: []].append(reason) }
    }

    /// What a key tells of: without the ad in front, and the numbers behind.
    private static func name(in key: String) -> Substring {
        let parts = key.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 3 else { return key[...] }
        return key[parts[1].startIndex..<parts[parts.count - 3].endIndex]
    }

    var list: [Verdict] { self.ofTheLoad + self.ofTheVideo }

    /// Errors that were told on the way to the offer.
    private var ofTheLoad: [Verdict] {
        let name = "\(BeaconKey.loadPath)/error"
        let fates = self.fates(of: name[...], .error)
        return fates.all.isEmpty ? [] : [Verdict(event: name, hasFired: fates.haveFired, reason: fates.text)]
    }

    private var ofTheVideo: [Verdict] {
        self.expected.map { tracker in
            let name = String(tracker.name)
            let fates = self.fates(of: tracker.name, tracker.event)
            guard fates.all.isEmpty else {
                return Verdict(event: name, hasFired: fates.haveFired, reason: fates.text)
            }
            return Verdict(
                event: name,
                hasFired: false,
                reason: self.whyNot(tracker.event, of: tracker.spot, tracker.part)
            )
        }
    }

    /// What became of the calls of one tracker.
    private struct Fates {
        let all: [String]
        /// Whether there was an address that could be called.
        let haveFired: Bool

        var text: String { self.all.joined(separator: "; ") }
    }

    /// What became of the calls: those that arrived are counted, the others are told one by one.
    private func fates(of name: Substring, _ event: BeaconEvent) -> Fates {
        var recorded = 0
        var uncallable = 0
        var delivered = 0
        var others: [String] = []
        for happened in self.fates[name, default: []] {
            switch happened {
            case .beaconRecorded(_, let address):
                if address.fault == nil { recorded += 1 } else { uncallable += 1 }
            case .beaconDelivered: delivered += 1
            default: others += [Verdict.fate(happened, of: event)].compactMap { $0 }
            }
        }
        others += self.waiting[name, default: []].map { "not delivered yet: \($0)" }
        guard recorded + delivered > 0 else { return Fates(all: others, haveFired: uncallable == 0) }
        let count = recorded > 1 ? "\(recorded) times" : "recorded"
        let arrived = delivered == recorded ? "delivered" : "\(delivered) delivered"
        return Fates(all: [count, arrived] + others, haveFired: true)
    }

    private func told(_ event: BeaconEvent, _ spot: Int?) -> Bool {
        self.fates[ExpectedTracker(spot: spot, part: nil, event: event).name, default: []].contains { happened in
            if case .beaconRecorded = happened { true } else { false }
        }
    }

    private func whyNot(_ event: BeaconEvent, of spot: Int?, _ part: VideoPartID?) -> String {
        let wasPlayed = spot.map { self.playedSpots.contains($0) } ?? false
        switch event.rawValue {
        case "error": return "nothing failed"
        case "notUsed": return "it was used"
        case "breakStart", "breakEnd": return "nothing was played"
        default: if spot == nil { return "no player tells of this here; check the event's name" }
        }
        if part == nil, !wasPlayed, !self.told(.impression, spot), !self.told("creativeView", spot) {
            return self.told(.error, spot) ? "it failed" : "it was not played"
        }
        if part == nil, !self.told(.impression, spot), TrackerVerdicts.ofSight.contains(event.rawValue) {
            return "nobody could see it play, and without an impression this is not asked"
        }
        if let tap {
            if part == nil, event.rawValue == "clickTracking" { return tap }
            // Where the tap was made is not known: it may have been on the icon or the companion.
            if event.rawValue == "iconClick" || event.rawValue == "companionClick" {
                return "no click on it was counted; \(tap)"
            }
        }
        return TrackerVerdicts.reasons[event.rawValue]
            ?? (event.rawValue.hasPrefix("progress-")
                ? "it was not played so far" : "no player tells of this here; check the event's name")
    }

    /// What is only told of an ad that had an impression.
    private static let ofSight: Set<String> = ["viewable", "notViewable", "viewUndetermined"]

    private static let reasons = [
        "impression": "nobody could see it play", "loaded": "it was never ready", "start": "it never began",
        "firstQuartile": "it was not played so far", "midpoint": "it was not played so far",
        "thirdQuartile": "it was not played so far", "complete": "it was not played to its end",
        "skip": "the user did not skip it", "mute": "its sound was not switched off",
        "unmute": "its sound was not switched on again", "pause": "it was not paused",
        "resume": "it was not played on after a pause", "rewind": "it was not moved back",
        "viewable": "less than half of it was on screen, or for less than two seconds",
        "notViewable": "it was viewable", "viewUndetermined": "it is known whether it was viewable",
        "closeLinear": "it was not closed while it played", "close": "nobody closed it",
        "clickTracking": "nobody clicked it", "customClick": "nobody clicked where no link is",
        "iconView": "the icon was not shown", "iconClick": "nobody clicked the icon",
        "creativeView": "it was not shown", "companionClick": "nobody clicked it",
        "fullscreen": "it was not enlarged", "exitFullscreen": "it was not made small again",
        "playerExpand": "it was not enlarged", "playerCollapse": "it was not made small again",
        "expand": "it was not enlarged", "collapse": "it was not made small again",
        "acceptInvitation": "nobody asked for more", "acceptInvitationLinear": "nobody asked for more",
        "overlayViewDuration": "it was not shown", "otherAdInteraction": "nobody did anything else with it",
        "adExpand": "nobody made it large", "adCollapse": "nobody made it small", "minimize": "nobody made it small",
        "interactiveStart": "no program of its own is run",
        "verificationNotExecuted": "it was not played",
        "timeSpentViewing": "this event is of VAST 4.0 alone, and no player tells of it",
    ]
}
