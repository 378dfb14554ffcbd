package import AdCore
import AdRuntime
package import PlayConsole

/// What fired, what did not, and why: the list at the end of every show.
package struct Verdict: Equatable, Sendable {
    /// What became of an event.
    enum Outcome: Equatable, Sendable {
        /// Its tracker was recorded.
        case fired
        /// It was counted, and the ad response has no tracker for it.
        case counted
        case notFired

        /// The outcome in a word or two.
        var words: String {
            switch self {
            case .fired: "fired"
            case .counted: "counted"
            case .notFired: "not fired"
            }
        }
    }

    package let event: String
    let outcome: Outcome
    package let reason: String

    init(event: String, _ outcome: Outcome, reason: String) {
        self.event = event
        self.outcome = outcome
        self.reason = reason
    }

    init(event: String, hasFired: Bool, reason: String) {
        self.init(event: event, hasFired ? .fired : .notFired, reason: reason)
    }

    /// Whether its tracker was recorded.
    package var hasFired: Bool { self.outcome == .fired }

    /// The verdicts on an ad, from everything that happened to it.
    ///
    /// `pending` tells of beacons that are still on their way, by their keys.
    /// `others` of those that came to their end elsewhere.
    package static func list(
        _ records: [AdRecord],
        offer: Offer?,
        pending: [String: String] = [:],
        others: [String: String] = [:]
    ) -> [Verdict] {
        let events = records.map(\.event)
        var verdicts: [Verdict] = []
        for event in [BeaconEvent.view, .click] {
            let count = offer?.beacons.filter { $0.event == event }.count ?? 0
            guard count > 0 else {
                verdicts.append(self.untracked(event, events, offer))
                continue
            }
            var fates = events.compactMap { self.fate($0, of: event) }
            fates += pending.filter { $0.key.contains("/\(event)/") }.map { "not delivered yet: \($0.value)" }
            fates += others.filter { $0.key.contains("/\(event)/") }.map(\.value)
            if fates.isEmpty {
                verdicts.append(Verdict(event: event.rawValue, hasFired: false, reason: self.whyNot(event, events)))
            } else {
                // What has no address that can be called was recorded, and is never sent.
                let faults = offer?.beacons.filter { $0.event == event }.compactMap(\.call.address.fault) ?? []
                let isSent = faults.count < count
                let reason = isSent ? fates.joined(separator: "; ") : "never sent: \(faults.joined(separator: "; "))"
                verdicts.append(Verdict(event: event.rawValue, hasFired: isSent, reason: reason))
            }
        }
        return verdicts + TrackerVerdicts(events, offer?.videoBeacons ?? VideoTrackers(), pending: pending).list
    }

    /// The verdicts on a page, which tells its server by itself what became of it.
    package static func list(_ records: [AdRecord], told: [PageServerMessage]) -> [Verdict] {
        let events = records.map(\.event)
        return [(BeaconEvent.view, PageServerMessage.What.impression), (.click, .action)].map { event, what in
            guard let told = told.first(where: { $0.what == what }) else {
                let silence = "the page tells its server by itself, and has told of no \(what.rawValue)"
                let reason = events.contains(.shown) ? silence : self.whyNot(event, events)
                return Verdict(event: event.rawValue, hasFired: false, reason: reason)
            }
            let reason = "sent by the page, over the socket: \(what.rawValue) of \(Style.printable(told.uid ?? "?"))"
            return Verdict(event: event.rawValue, hasFired: true, reason: reason)
        }
    }

    /// The verdict on an event for which the ad response has no tracker.
    private static func untracked(_ event: BeaconEvent, _ events: [AdEvent], _ offer: Offer?) -> Verdict {
        guard let offer else { return Verdict(event: event.rawValue, .notFired, reason: "there was no ad") }
        // VAST 4.3 §3.4.4 and §3.10: its impressions and clicks have trackers of their own, each with a verdict below.
        let own = event == .view ? "impressions" : "click trackers"
        let reason =
            offer.videoBeacons.all.isEmpty
            ? "the ad response has no tracker for it" : "the ad's \(own) are VAST's, listed below"
        guard events.contains(where: { $0.name == event.rawValue }) else {
            return Verdict(event: event.rawValue, .notFired, reason: "\(self.whyNot(event, events)); \(reason)")
        }
        return Verdict(event: event.rawValue, .counted, reason: reason)
    }

    static func fate(_ happened: AdEvent, of event: BeaconEvent) -> String? {
        switch happened {
        case .beaconRecorded(let key, _) where key.event == event: "recorded"
        case .beaconDelivered(let key, let attempts) where key.event == event:
            attempts == 1 ? "delivered" : "delivered at attempt \(attempts)"
        case .beaconUnconfirmed(let key, let reason) where key.event == event: "unconfirmed: \(reason)"
        case .beaconDead(let key, let reason) where key.event == event: "dead: \(reason)"
        default: nil
        }
    }

    private static func whyNot(_ event: BeaconEvent, _ events: [AdEvent]) -> String {
        guard events.contains(.shown) else {
            let failure = events.compactMap { event -> String? in
                switch event {
                case .loadFailed(let error): "the load failed (\(error.code))"
                case .showFailed(let error): "the show failed (\(error.code))"
                case .expired: "the ad expired before it was shown"
                default: nil
                }
            }
            return failure.first ?? "the ad was loaded and not shown, and loading counts nothing"
        }
        if event == .view {
            return events.contains { $0.name == "view" }
                ? "the ledger had counted it already"
                : "no pixel was on screen while the app was in front"
        }
        if events.contains(.click) { return "the ledger had counted it already" }
        let blocked = events.contains { event in
            if case .blocked(let attempt) = event { return attempt.kind == .click }
            return false
        }
        // What the user pressed comes before what the creative tried by itself.
        if let reason = self.whyNoClick(events) { return reason }
        return blocked ? "the creative clicked by itself, and only a user's click counts" : "nobody clicked"
    }

    /// Why the last tap was no click; nil where there was no tap.
    static func whyNoClick(_ events: [AdEvent]) -> String? {
        for case .tap(let tap) in events.reversed() {
            switch tap.outcome {
            case .click, .link: return nil
            case .creative(let did): return "the creative handled the tap: \(did)"
            case .nothing(let reason): return "the tap led nowhere: \(reason)"
            }
        }
        return nil
    }

    /// The verdict as a line for scripts.
    package func json(of ad: AdID, _ provider: ProviderName, at now: Moment) -> String {
        AdJSON.object([
            .init("t", .int(now.sinceOrigin.wholeMilliseconds)), .init("ad", .string(ad.rawValue)),
            .init("provider", .string(provider.rawValue)), .init("event", "verdict"),
            .init("of", .string(self.event)), .init("fired", .bool(self.hasFired)),
            .init("reason", .string(self.reason)),
        ]).text()
    }

    /// The verdicts as lines for people: those with the same reason together.
    package static func lines(_ verdicts: [Verdict], _ style: Style) -> [String] {
        var groups: [(verdict: Verdict, events: [String])] = []
        var places: [[String]: Int] = [:]
        for verdict in verdicts {
            // What is billed, or clicked, stands for itself.
            let stands = verdict.event == "view" || verdict.event == "click"
            let likeness = [verdict.outcome.words, verdict.reason]
            if !stands, let index = places[likeness] {
                groups[index].events.append(verdict.event)
            } else {
                if !stands { places[likeness] = groups.count }
                groups.append((verdict, [verdict.event]))
            }
        }
        return groups.map { group in
            let mark =
                switch group.verdict.outcome {
                case .fired: style.green("fired    ")
                case .counted: "counted  "
                case .notFired: style.yellow("not fired")
                }
            let events = Style.printable(group.events.joined(separator: ", "), upTo: 2000)
            return "  \(mark)  \(events)  \(Style.printable(group.verdict.reason, upTo: 400))"
        }
    }
}
