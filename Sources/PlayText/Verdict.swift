package import AdCore
import AdRuntime
package import PlayConsole

/// Whether an event's tracker fired, and why: the list at the end of every show.
package struct Verdict: Equatable, Sendable {
    package enum Outcome: String, Sendable {
        /// Its tracker was recorded.
        case fired
        /// The event was counted, but the ad response has no tracker for it.
        case counted
        /// Its tracker was recorded, and the run withholds beacons.
        case withheld
        case notFired
        /// A vendor's script was told of the ad's session and impression.
        case measured
        /// It was not.
        case notMeasured

        package var text: String {
            switch self {
            case .fired: "fired"
            case .counted: "counted"
            case .withheld: "withheld"
            case .notFired: "not fired"
            case .measured: "measured"
            case .notMeasured: "not measured"
            }
        }
    }

    package let event: String
    package let outcome: Outcome
    package let reason: String

    init(event: String, _ outcome: Outcome, reason: String) {
        self.event = event
        self.outcome = outcome
        self.reason = reason
    }

    init(event: String, hasFired: Bool, reason: String) {
        self.init(event: event, hasFired ? .fired : .notFired, reason: reason)
    }

    /// Whether it is about a tracker, and not about a measurement.
    package var isOfTracker: Bool { self.outcome != .measured && self.outcome != .notMeasured }

    /// Whether its tracker was recorded.
    package var hasFired: Bool { self.outcome == .fired }

    /// The verdicts on an ad.
    ///
    /// - Parameters:
    ///   - records: All events of the ad.
    ///   - offer: The ad; nil if none was loaded.
    ///   - pending: The reasons of beacons that are not delivered yet, by key.
    ///   - others: The outcomes of beacons that are not in the events, by key.
    ///   - activities: What the creative did.
    /// - Returns: The verdicts on the view, the click, each VAST tracker, and each vendor that measures.
    package static func list(
        _ records: [AdRecord],
        offer: Offer?,
        pending: [String: String] = [:],
        others: [String: String] = [:],
        activities: [ActivityRecord] = []
    ) -> [Verdict] {
        let events = records.map(\.event)
        let beacons = BeaconHistory.all(in: records)
        var verdicts: [Verdict] = []
        for event in [BeaconEvent.view, .click] {
            let count = offer?.beacons.filter { $0.event == event }.count ?? 0
            guard count > 0 else {
                verdicts.append(self.untracked(event, events, offer))
                continue
            }
            var steps = self.steps(of: event, beacons)
            steps += pending.filter { $0.key.contains("/\(event)/") }.map { self.notDelivered + $0.value }
            steps += others.filter { $0.key.contains("/\(event)/") }.map(\.value)
            if steps.isEmpty {
                let reason = self.reasonNotFired(event, events)
                verdicts.append(Verdict(event: event.rawValue, hasFired: false, reason: reason))
            } else {
                // A beacon whose URL can't be called is recorded, but never sent.
                let calls = offer?.beacons.filter { $0.event == event }.map(\.call) ?? []
                let problems = calls.compactMap(\.address.uncallableReason)
                if beacons.contains(where: { $0.key.event == event && $0.outcome == .withheld }) {
                    verdicts.append(Verdict(event: event.rawValue, .withheld, reason: Verdict.withheldReason))
                    continue
                }
                let isSent = problems.count < count
                let reason = isSent ? steps.joined(separator: "; ") : "never sent: \(problems.joined(separator: "; "))"
                verdicts.append(Verdict(event: event.rawValue, hasFired: isSent, reason: reason))
            }
        }
        verdicts += [BeaconEvent.win, .loss].compactMap { self.notices($0, beacons) }
        let trackers = offer?.videoBeacons ?? VideoTrackers()
        return verdicts + TrackerVerdicts(events, beacons, trackers, pending: pending).list
            + MeasurementVerdicts(events, offer, activities).list
    }

    /// The verdict on the notices of an auction; nil if there are none.
    private static func notices(_ event: BeaconEvent, _ beacons: [BeaconHistory]) -> Verdict? {
        let own = beacons.filter { $0.key.event == event }
        if own.contains(where: { $0.outcome == .withheld }) {
            return Verdict(event: event.rawValue, .withheld, reason: self.withheldReason)
        }
        guard own.count > 1 else {
            guard !own.isEmpty else { return nil }
            let steps = self.steps(of: event, beacons).joined(separator: "; ")
            return Verdict(event: event.rawValue, hasFired: own.contains(where: \.isSent), reason: steps)
        }
        var outcomes: [(text: String, count: Int)] = []
        for text in own.map(\.outcome.text) {
            if let index = outcomes.firstIndex(where: { $0.text == text }) {
                outcomes[index].count += 1
            } else {
                outcomes.append((text, 1))
            }
        }
        let counts = outcomes.map { "\($0.count) \($0.text)" }
        let reason = (["\(own.count) recorded"] + counts).joined(separator: "; ")
        return Verdict(event: event.rawValue, hasFired: own.contains(where: \.isSent), reason: reason)
    }

    /// The verdicts on the page of an engagement, which reports to its server itself.
    package static func list(_ records: [AdRecord], pageMessages messages: [PageServerMessage]) -> [Verdict] {
        let events = records.map(\.event)
        return [(BeaconEvent.view, PageServerMessage.What.impression), (.click, .action)].map { event, what in
            guard let message = messages.first(where: { $0.what == what }) else {
                let missing = "the page reports to its server itself, and sent no \(what.rawValue)"
                let reason = events.contains(.shown) ? missing : self.reasonNotFired(event, events)
                return Verdict(event: event.rawValue, hasFired: false, reason: reason)
            }
            let uid = Style.printable(message.uid ?? "?")
            let reason = "sent by the page over its WebSocket: \(what.rawValue) of \(uid)"
            return Verdict(event: event.rawValue, hasFired: true, reason: reason)
        }
    }

    /// The verdict on an event for which the ad response has no tracker.
    private static func untracked(_ event: BeaconEvent, _ events: [AdEvent], _ offer: Offer?) -> Verdict {
        guard let offer else { return Verdict(event: event.rawValue, .notFired, reason: "there was no ad") }
        let isCounted = events.contains { $0.name == event.rawValue }
        // VAST 4.3 §3.4.4 and §3.10: its impressions and clicks have trackers of their own, each with a verdict below.
        let trackers = event == .view ? "impressions" : "click trackers"
        let reason =
            offer.videoBeacons.all.isEmpty
            ? (isCounted ? "counted, but nothing sent: " : "") + "the ad response has no \(event) tracker"
            : "the VAST \(trackers) are listed one by one"
        guard isCounted else {
            let notFired = self.reasonNotFired(event, events)
            return Verdict(event: event.rawValue, .notFired, reason: "\(notFired); \(reason)")
        }
        return Verdict(event: event.rawValue, .counted, reason: reason)
    }

    /// Why a beacon was not delivered by the end of the run; nil for others.
    package var undeliveredReason: String? {
        self.reason.firstRange(of: Verdict.notDelivered).map { String(self.reason[$0.lowerBound...]) }
    }

    /// The beginning of the reason of a beacon that is pending at the end of the run.
    static let notDelivered = "not delivered yet: "

    /// The reason of a verdict on an event whose beacons are withheld.
    static let withheldReason = "recorded; not sent: this run sends no beacons"

    /// What happened to the beacons of an event: the records, then the outcomes in the order in which they were reported.
    private static func steps(of event: BeaconEvent, _ beacons: [BeaconHistory]) -> [String] {
        let own = beacons.filter { $0.key.event == event }
        let settled = own.compactMap { beacon in beacon.settled.map { (at: $0, text: beacon.outcome.text) } }
        return own.compactMap { $0.record.map { _ in "recorded" } } + settled.sorted { $0.at < $1.at }.map(\.text)
    }

    private static func reasonNotFired(_ event: BeaconEvent, _ events: [AdEvent]) -> String {
        guard events.contains(.shown) else {
            let failure = events.compactMap { event -> String? in
                switch event {
                case .loadFailed(let error): "the load failed (\(error.code))"
                case .showFailed(let error): "the show failed (\(error.code))"
                case .expired: "the ad expired before it was shown"
                default: nil
                }
            }
            return failure.first ?? "the ad was loaded but not shown"
        }
        if event == .view {
            return events.contains { $0.name == "view" }
                ? "already recorded in the ledger"
                : "the ad was never in view while the app was in the foreground"
        }
        if events.contains(.click) { return "already recorded in the ledger" }
        let blocked = events.contains { event in
            if case .blocked(let attempt) = event { return attempt.kind == .click }
            return false
        }
        // A tap of the user is the better reason than an attempt of the creative.
        if let reason = self.reasonForNoClick(events) { return reason }
        return blocked ? "the creative clicked without user interaction" : "the user did not click"
    }

    /// Why the last tap was not a click; nil if there was no tap, or it was one.
    static func reasonForNoClick(_ events: [AdEvent]) -> String? {
        for case .tap(let tap) in events.reversed() {
            switch tap.outcome {
            case .click, .link: return nil
            case .creative(let did): return "the creative handled the tap: \(did)"
            case .nothing(let reason): return "the tap opened nothing: \(reason)"
            }
        }
        return nil
    }

    /// The verdict as `--json` prints it.
    package func json(of ad: AdID, _ provider: ProviderName, at now: Moment) -> String {
        AdJSON.object([
            .init("t", .int(now.sinceOrigin.wholeMilliseconds)), .init("ad", .string(ad.rawValue)),
            .init("provider", .string(provider.rawValue)), .init("event", "verdict"),
            .init("of", .string(self.event)), .init("outcome", .string(self.outcome.rawValue)),
            .init("fired", .bool(self.hasFired)),
            .init("reason", .string(self.reason)),
        ]).text()
    }

    /// The verdicts as lines of text; events with the same reason share a line.
    package static func lines(_ verdicts: [Verdict], _ style: Style) -> [String] {
        var groups: [(verdict: Verdict, events: [String])] = []
        var indices: [[String]: Int] = [:]
        for verdict in verdicts {
            // The view and the click always have lines of their own.
            let isSeparate = verdict.event == "view" || verdict.event == "click"
            let key = [verdict.outcome.text, verdict.reason]
            if !isSeparate, let index = indices[key] {
                groups[index].events.append(verdict.event)
            } else {
                if !isSeparate { indices[key] = groups.count }
                groups.append((verdict, [verdict.event]))
            }
        }
        return groups.map { group in
            let outcome =
                switch group.verdict.outcome {
                case .fired: style.green("fired    ")
                case .counted: "counted  "
                case .withheld: "withheld "
                case .notFired: style.yellow("not fired")
                case .measured: style.green("measured ")
                case .notMeasured: style.yellow("not measured")
                }
            let events = Style.printable(group.events.joined(separator: ", "), upTo: 2000)
            return "  \(outcome)  \(events)  \(Style.printable(group.verdict.reason, upTo: 400))"
        }
    }
}
