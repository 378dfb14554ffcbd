package import AdCore

/// The first line of a trace.
package struct TraceHead: Hashable, Sendable {
    /// The format, which changes when what was written can't be read as before.
    package static let format = 1
    /// How each trace begins.
    package static let beginning = #"{"trace":"#

    package let version: String
    package let hidesSecrets: Bool

    package init(version: String, hidesSecrets: Bool) {
        self.version = version
        self.hidesSecrets = hidesSecrets
    }

    package var traced: AdJSON {
        .members([
            "trace": .int(TraceHead.format), "by": .string(self.version), "hidesSecrets": .bool(self.hidesSecrets),
        ])
    }
}

/// The lines of a trace.
package enum TraceLine {
    /// What happened to an ad, and what its lifecycle made of it.
    package static func life(
        _ input: AdInput,
        of ad: AdID,
        at now: Moment,
        _ verdict: AdInputResult,
        _ actions: [AdAction]
    )
        -> AdJSON
    {
        .members([
            "at": now.traced, "ad": .string(ad.rawValue), "in": input.traced, "verdict": verdict.traced,
            "out": .array(actions.map(\.traced)),
        ])
    }

    /// What an ad tells of.
    package static func event(
        _ event: AdEvent,
        of ad: AdID,
        _ provider: ProviderName,
        at now: Moment,
        _ detail: [AdJSON.Member]
    ) -> AdJSON {
        var members: [AdJSON.Member] = [
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
    package static func session(_ number: Int, of provider: ProviderName, seed: UInt64, _ machine: AdJSON) -> AdJSON {
        .members([
            "session": .int(number), "provider": .string(provider.rawValue), "seed": .string(String(seed)),
            "begins": machine,
        ])
    }

    /// What happened to a live session, and what it made of it; really, where what is written down is of another kind.
    package static func session(
        _ number: Int,
        _ input: AdJSON,
        at time: EngagementTime,
        _ out: [AdJSON],
        really: [String]?
    )
        -> AdJSON
    {
        .members([
            "session": .int(number), "at": time.now.traced, "wall": .int(time.wall.milliseconds),
            "behindUTC": .int(time.minutesBehindUTC), "in": input, "out": .array(out),
            "really": really.map { .array($0.map { .string($0) }) } ?? .null,
        ])
    }

    /// What the shell of a live session tells besides.
    package static func session(_ number: Int, _ issue: AdIssue, at now: Moment) -> AdJSON {
        .members([
            "session": .int(number), "at": now.traced, "issue": .object(AdEvent.issue(issue).members),
        ])
    }
}
