import AdCore
import AdHTML
import AdMarkup

/// Looks at what is counted in one ad: events, and addresses that are called twice.
enum TrackingLint {
    private static let mostImpressions = 10
    private static let mostTrackers = 100

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
                    "\(address.quotedAddress) is an impression on line \(line) already"
                )
            } else {
                billing[address] = impression.textLine
            }
        }
        if impressions.count > self.mostImpressions {
            log.add(
                .impressionMany,
                impressions[self.mostImpressions].place,
                "there are \(impressions.count) impressions"
            )
        }
        var trackers = 0
        var seen: [Key: Int] = [:]
        for element in body.all("Tracking", "ClickTracking", "Error", "CustomClick") where !element.isForeign {
            trackers += 1
            let address = element.text
            guard !address.isEmpty, let parent = element.parent else { continue }
            if element.name == "Tracking", let line = billing[address] {
                let event = (element.attribute("event") ?? "").excerpt()
                log.add(
                    .impressionAlsoEvent,
                    element.textPlace,
                    "\(address.quotedAddress) is the impression of line \(line), and is called for \(event) too"
                )
            }
            let detail =
                (element.attribute("event") ?? "") + "\n" + (element.attribute("offset") ?? "") + "\n"
                + (element.attribute("id") ?? "")
            let key = Key(parent: parent.index, name: element.name, detail: detail, address: address)
            if let line = seen[key] {
                log.add(
                    .trackerTwice,
                    element.textPlace,
                    "\(address.quotedAddress) stands on line \(line) for the same"
                )
            } else {
                seen[key] = element.textLine
            }
        }
        if trackers + impressions.count > self.mostTrackers {
            log.add(.trackerMany, body.place, "the ad has \(trackers + impressions.count) trackers")
        }
        for group in body.all("TrackingEvents") where !group.isForeign { self.events(in: group, &log) }
    }

    private struct Key: Hashable {
        let parent: Int
        let name: String
        let detail: String
        let address: String
    }

    private static func events(in group: LintElement, _ log: inout LintLog) {
        let place = group.parent?.name ?? ""
        for tracking in group.children("Tracking") {
            guard let name = tracking.attribute("event")?.trimmed, !name.isEmpty else {
                log.add(.eventMissing, tracking.place, "<Tracking> has no event")
                continue
            }
            let line = tracking.place(of: "event")
            guard let life = VASTEvents.life(of: name) else {
                if let meant = VASTEvents.spelling(of: name) ?? log.meant(by: name, as: .event, among: VASTEvents.names)
                {
                    log.add(.eventMisspelt, line, "the event \(name.quoted) must be \(meant)")
                } else {
                    log.add(.eventUnknown, line, "VAST knows no event \(name.quoted)")
                }
                continue
            }
            if self.isMisplaced(name, in: place, of: tracking.release) {
                log.add(.eventMisplaced, line, "the event \(name) stands in <\(place)>")
                continue
            }
            guard let release = tracking.release else { continue }
            if life.since > release {
                log.add(
                    .eventNotYet,
                    line,
                    "the event \(name) came with \(life.since.text), and the document says \(release.text)"
                )
            } else if let until = life.until, until <= release {
                log.add(
                    .eventNoMore,
                    line,
                    "the event \(name) went with \(until.text), and the document says \(release.text)"
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
                // Before 4.0 all creatives had the same events; since then a video has closeLinear.
                || (["close", "acceptInvitation"].contains(event) && release.map { $0 >= .v40 } ?? false)
        case "NonLinearAds": ["skip", "verificationNotExecuted", "closeLinear"].contains(event)
        default: false
        }
    }
}
