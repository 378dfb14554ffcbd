import AdCore

/// The first line of a trace.
struct TraceHead: Hashable, Sendable {
    /// The format, which changes when what was written can't be read as before.
    static let format = 1
    /// How each trace begins.
    static let beginning = #"{"trace":"#

    let version: String
    let hidesSecrets: Bool

    init(version: String, hidesSecrets: Bool) {
        self.version = version
        self.hidesSecrets = hidesSecrets
    }

    var traced: JSON {
        .members([
            "trace": .int(TraceHead.format), "by": .string(self.version), "hidesSecrets": .bool(self.hidesSecrets),
        ])
    }
}

/// The lines of a trace.
enum TraceLine {
    /// What happened to an ad, and what its lifecycle made of it.
    static func life(_ input: AdInput, of ad: AdID, at now: Moment, _ verdict: AdVerdict, _ actions: [AdAction]) -> JSON
    {
        .members([
            "at": now.traced, "ad": .string(ad.rawValue), "in": input.traced, "verdict": verdict.traced,
            "out": .array(actions.map(\.traced)),
        ])
    }

    /// What an ad tells of.
    static func event(
        _ event: AdEvent,
        of ad: AdID,
        _ provider: ProviderName,
        at now: Moment,
        _ detail: [JSON.Member]
    ) -> JSON {
        var members: [JSON.Member] = [
            .init("at", now.traced), .init("ad", .string(ad.rawValue)), .init("provider", .string(provider.rawValue)),
            .init("event", .string(event.name)),
        ]
        members += event.members.filter { $0.value != .null }
        switch event {
        case .beaconRecorded(let key, _), .beaconDelivered(let key, _), .beaconUnconfirmed(let key, _),
            .beaconDead(let key, _):
            members.append(.init("tells", .string(key.event.rawValue)))
        default: break
        }
        // Absent is null where a member says so: whoever reads gets what was written.
        if !detail.isEmpty { members.append(.init("detail", .object(detail))) }
        return .object(members)
    }

    /// A live session begins.
    static func session(_ number: Int, of provider: ProviderName, seed: UInt64, _ machine: JSON) -> JSON {
        .members([
            "session": .int(number), "provider": .string(provider.rawValue), "seed": .string(String(seed)),
            "begins": machine,
        ])
    }

    /// What happened to a live session, and what it made of it; really, where what is written down is of another kind.
    static func session(_ number: Int, _ input: JSON, at time: EngagementTime, _ out: [JSON], really: [String]?) -> JSON
    {
        .members([
            "session": .int(number), "at": time.now.traced, "wall": .int(time.wall.milliseconds),
            "behindUTC": .int(time.minutesBehindUTC), "in": input, "out": .array(out),
            "really": really.map { .array($0.map { .string($0) }) } ?? .null,
        ])
    }

    /// What the shell of a live session tells besides.
    static func session(_ number: Int, _ issue: Issue, at now: Moment) -> JSON {
        .members([
            "session": .int(number), "at": now.traced, "issue": .object(AdEvent.issue(issue).members),
        ])
    }
}
