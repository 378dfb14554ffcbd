import AdCore
import AdRuntime
import YabbiAds

/// The calls of Smartico's that need no socket: a push token that is registered, and what became of push notifications
/// (source "Registering tokens for push notifications over API", and the events of notifications).
struct EngagementCalls: Sendable {
    private let templates: [BeaconTemplate]

    /// The calls that the command line asks for; throws where something of them is missing.
    init(_ plan: EngagementPlan, _ play: Play) throws(PlayError) {
        let values = play.settings.parameters
        var random = SplitMix(seed: play.services.random())
        let now = play.clock.wallTime
        var templates: [BeaconTemplate] = []
        do throws(AdError) {
            if let way = values["register"] {
                let token = plan.push?.token ?? ""
                templates.append(
                    try plan.app.register(
                        token: token,
                        plan.push?.platform ?? .other,
                        for: plan.user.id,
                        by: way == "get" ? .get : .post,
                        at: now,
                        uuid: RandomUUID.text(&random)
                    )
                )
            }
            for name in values.all("report") {
                guard let report = SmarticoPushReport(rawValue: name) else { continue }
                let message = SmarticoPushMessage(
                    userID: plan.user.id,
                    engagementUID: values["engagement_uid"] ?? "",
                    messageID: values["message_id"].flatMap { Int64($0) } ?? 0,
                    action: values["action"]
                )
                templates.append(try plan.app.report(report, of: message, at: now, uuid: RandomUUID.text(&random)))
            }
        } catch {
            throw PlayError(.usage, error.description)
        }
        self.templates = templates
    }

    /// Refuses what can't be meant; tokens are registered so for iOS and Android alone.
    static func check(_ values: Parameters) throws(UsageError) {
        if let way = values["register"] {
            guard ["post", "get"].contains(way) else {
                throw UsageError("smartico's register is post or get, not \u{201C}\(Style.printable(way))\u{201D}")
            }
            guard values["token"] != nil else {
                throw UsageError("--set register=\(way) registers a token; say --set token=…")
            }
            let isApp = ["6", "7"].contains(values["platform"]) || values["platform"] == nil && values.isOfPhone
            guard isApp else {
                throw UsageError("--set register=\(way) is for apps; say --set platform=6 for iOS or 7 for Android")
            }
        }
        let known = SmarticoPushReport.allCases.map(\.rawValue)
        for report in values.all("report") where !known.contains(report) {
            throw UsageError(
                "smartico's report is one of \(known.joined(separator: ", ")), not \u{201C}\(Style.printable(report))\u{201D}"
            )
        }
        let hasReport = values["report"] != nil
        for name in ["engagement_uid", "message_id"] where hasReport && values[name] == nil {
            throw UsageError("--set report=… tells of a notification; say --set \(name)=… as well")
        }
        if let number = values["message_id"], Int64(number) == nil {
            throw UsageError("--set message_id=… takes a whole number, not \u{201C}\(Style.printable(number))\u{201D}")
        }
    }

    /// Sends them, and says which did not arrive in time; nil where all did.
    func send(_ play: Play) async -> PlayError? {
        guard !self.templates.isEmpty else { return nil }
        let beacons = play.services.beacons
        var keys: Set<BeaconKey> = []
        for template in self.templates {
            let key = template.key(of: AdID(bits: play.services.random()), index: 0)
            keys.insert(key)
            await beacons.tell([Beacon(key, template.call, of: SmarticoSession.provider)])
        }
        await beacons.settle(within: play.settings.timeout)
        let entries = (try? await beacons.entries(after: play.mark)) ?? []
        let delivered = entries.filter { keys.contains($0.beacon.key) && $0.standing == .delivered }
        guard delivered.count < keys.count else { return nil }
        let reasons = entries.filter { keys.contains($0.beacon.key) }.compactMap { entry -> String? in
            switch entry.standing {
            case .unconfirmed(let reason), .dead(let reason): "\(entry.beacon.key.event): \(reason)"
            case .recorded(_, let reason): "\(entry.beacon.key.event): \(reason ?? "it waits for its turn")"
            case .inFlight: "\(entry.beacon.key.event): it is being sent"
            case .delivered: nil
            }
        }
        return PlayError(
            .beacons,
            Style.printable("smartico was not told; \(reasons.joined(separator: "; "))", upTo: 300)
        )
    }
}

extension Parameters {
    /// Whether the operating system is one of phones.
    fileprivate var isOfPhone: Bool { ["ios", "android"].contains(self["os"]?.lowercased()) }
}
