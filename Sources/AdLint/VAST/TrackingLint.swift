import AdCore
import AdHTML
import AdMarkup

/// Checks the trackers of one ad: unknown events, and URLs that are requested twice (VAST 4.3 §3.14).
enum TrackingLint {
    private static let maxImpressions = 10
    private static let maxTrackers = 100

    static func check(_ body: LintElement, _ log: inout LintLog) {
        let impressions = body.children("Impression")
        var billing: [String: Int] = [:]
        for impression in impressions {
            let address = impression.text
            if address.isEmpty || address == "about:blank" { continue }
            if let line = billing[address] {
                log.add(
                    .impressionTwice,
                    impression.textPlace,
                    "\(address.quotedURL) is already an impression on line \(line)"
                )
            } else {
                billing[address] = impression.textLine
            }
        }
        if impressions.count > self.maxImpressions {
            log.add(
                .impressionMany,
                impressions[self.maxImpressions].place,
                "there are \(impressions.count) impressions"
            )
        }
        var trackers = 0
        var firsts: [String: LintElement] = [:]
        var repeated: [Key: Int] = [:]
        for element in body.descendants("Tracking", "ClickTracking", "Error", "CustomClick") where !element.isForeign {
            trackers += 1
            let address = element.text
            if address.isEmpty { continue }
            if element.name == "Tracking", let line = billing[address] {
                let event = (element.attribute("event") ?? "").excerpt()
                log.add(
                    .impressionAlsoEvent,
                    element.textPlace,
                    "\(address.quotedURL) is the impression of line \(line), and is also requested for \(event)"
                )
            }
            // Most URLs occur once, and then need no longer key.
            guard let first = firsts[address] else {
                firsts[address] = element
                continue
            }
            repeated[Key(first)] = repeated[Key(first)] ?? first.textLine
            if let line = repeated[Key(element)] {
                log.add(
                    .trackerTwice,
                    element.textPlace,
                    "\(address.quotedURL) is on line \(line) for the same event"
                )
            } else {
                repeated[Key(element)] = element.textLine
            }
        }
        if trackers + impressions.count > self.maxTrackers {
            log.add(.trackerMany, body.place, "the ad has \(trackers + impressions.count) trackers")
        }
        for group in body.descendants("TrackingEvents") where !group.isForeign { self.events(in: group, &log) }
    }

    /// What is the same for two trackers that are requested at the same event.
    private struct Key: Hashable {
        let parent: Int?
        let name: String
        let details: [String]
        let address: String

        init(_ tracker: LintElement) {
            self.parent = tracker.parent?.index
            self.name = tracker.name
            self.details = ["event", "offset", "id"].map { tracker.attribute($0) ?? "" }
            self.address = tracker.text
        }
    }

    private static func events(in group: LintElement, _ log: inout LintLog) {
        let place = group.parent?.name ?? ""
        for tracking in group.children("Tracking") {
            guard let name = tracking.attribute("event")?.trimmed, !name.isEmpty else {
                log.add(.eventMissing, tracking.place)
                continue
            }
            var line: SourcePlace { tracking.place(of: "event") }
            guard let availability = VASTEvents.availability(of: name) else {
                if let suggestion = VASTEvents.spelling(of: name)
                    ?? log.suggestion(for: name, as: .event, among: VASTEvents.names)
                {
                    log.add(.eventMisspelt, line, "the event \(name.quoted) must be \(suggestion)")
                } else {
                    log.add(.eventUnknown, line, "VAST has no event \(name.quoted)")
                }
                continue
            }
            if self.isMisplaced(name, in: place, of: tracking.release) {
                log.add(.eventMisplaced, line, "the event \(name) is in <\(place)>")
                continue
            }
            guard let release = tracking.release else { continue }
            if availability.since > release {
                log.add(
                    .eventNotYet,
                    line,
                    "the event \(name) was added in \(availability.since.text), the document declares \(release.text)"
                )
            } else if let until = availability.until, until <= release {
                log.add(
                    .eventNoMore,
                    line,
                    "the event \(name) was removed in \(until.text), the document declares \(release.text)"
                )
            }
        }
    }

    private static func isMisplaced(_ event: String, in place: String, of release: VASTRelease?) -> Bool {
        switch place {
        case "Companion": event != "creativeView"
        case "Verification": event != "verificationNotExecuted"
        case "Linear":
            ["adExpand", "adCollapse", "minimize", "overlayViewDuration", "verificationNotExecuted"].contains(event)
                // Before VAST 4.0 all creatives had the same events; since then linear ads have closeLinear instead.
                || (["close", "acceptInvitation"].contains(event) && release.map { $0 >= .v40 } ?? false)
        case "NonLinearAds": ["skip", "verificationNotExecuted", "closeLinear"].contains(event)
        default: false
        }
    }
}
