import AdCore
import AdRuntime

/// What fired, what did not, and why: the list at the end of every show.
struct Verdict: Equatable, Sendable {
    let event: String
    let hasFired: Bool
    let reason: String

    /// The verdicts on an ad, from everything that happened to it.
    ///
    /// `pending` tells of beacons that are still on their way, by their keys.
    static func list(_ records: [AdRecord], offer: Offer?, pending: [String: String] = [:]) -> [Verdict] {
        let events = records.map(\.event)
        var verdicts: [Verdict] = []
        for event in [BeaconEvent.view, .click] {
            let count = offer?.beacons.filter { $0.event == event }.count ?? 0
            guard count > 0 else {
                let reason = offer == nil ? "there was no ad" : "the offer names no tracker for it"
                verdicts.append(Verdict(event: event.rawValue, hasFired: false, reason: reason))
                continue
            }
            var fates = events.compactMap { self.fate($0, of: event) }
            fates += pending.filter { $0.key.contains("/\(event)/") }.map { "not delivered yet: \($0.value)" }
            if fates.isEmpty {
                verdicts.append(Verdict(event: event.rawValue, hasFired: false, reason: self.whyNot(event, events)))
            } else {
                verdicts.append(Verdict(event: event.rawValue, hasFired: true, reason: fates.joined(separator: "; ")))
            }
        }
        return verdicts
    }

    private static func fate(_ happened: AdEvent, of event: BeaconEvent) -> String? {
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
        let blocked = events.contains { event in
            if case .blocked(let attempt) = event { return attempt.kind == .click }
            return false
        }
        return blocked ? "the creative clicked by itself, and only a user's click counts" : "nobody clicked"
    }

    /// The verdict as a line for scripts.
    func json(of ad: AdID, _ provider: ProviderName, at now: Moment) -> String {
        JSON.object([
            .init("t", .int(now.sinceOrigin.wholeMilliseconds)), .init("ad", .string(ad.rawValue)),
            .init("provider", .string(provider.rawValue)), .init("event", "verdict"),
            .init("of", .string(self.event)), .init("fired", .bool(self.hasFired)),
            .init("reason", .string(self.reason)),
        ]).text()
    }

    /// The verdict as a line for people.
    func line(_ style: Style) -> String {
        let mark = self.hasFired ? style.green("fired    ") : style.yellow("not fired")
        return "  \(mark)  \(self.event)  \(Style.printable(self.reason, upTo: 400))"
    }
}
