package import AdCore

/// The first line of a trace.
package struct TraceHead: Hashable, Sendable {
    /// The version of the format, which increases with every incompatible change.
    package static let format = 1
    /// The first characters of every trace.
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
    /// An input of an ad, and the actions of its lifecycle.
    package static func input(
        _ input: AdInput,
        of ad: AdID,
        at now: Moment,
        _ result: AdInputResult,
        _ actions: [AdAction]
    )
        -> AdJSON
    {
        .members([
            "at": now.traced, "ad": .string(ad.rawValue), "in": input.traced, "verdict": result.traced,
            "out": .array(actions.map(\.traced)),
        ])
    }

    /// An event that an ad reported.
    package static func event(
        _ event: AdEvent,
        of ad: AdID,
        _ provider: ProviderName,
        at now: Moment,
        _ detail: [AdJSON.Member]
    ) -> AdJSON {
        let row = event.row
        var members: [AdJSON.Member] = [
            .init("at", now.traced), .init("ad", .string(ad.rawValue)), .init("provider", .string(provider.rawValue)),
            .init("event", .string(row.name)),
        ]
        members += row.members.filter { $0.value != .null }
        if let key = row.beacon { members.append(.init("tells", .string(key.event.rawValue))) }
        // Details keep their null members, so that a reader gets the same list.
        if !detail.isEmpty { members.append(.init("detail", .object(detail))) }
        return .object(members)
    }

    /// An activity of a creative or a request, which no machine handles.
    package static func activity(_ row: EventRow, of ad: AdID?, _ provider: ProviderName, at now: Moment) -> AdJSON {
        let members: [AdJSON.Member] = [
            .init("at", now.traced), .init("ad", .text(ad?.rawValue)), .init("provider", .string(provider.rawValue)),
            .init("activity", .string(row.name)), .init("data", .object(row.members)),
        ]
        return .object(members)
    }

    /// The start of a live session.
    package static func session(_ number: Int, of provider: ProviderName, seed: UInt64, _ machine: AdJSON) -> AdJSON {
        .members([
            "session": .int(number), "provider": .string(provider.rawValue), "seed": .string(String(seed)),
            "begins": machine,
        ])
    }

    /// An input of a live session and its actions.
    ///
    /// `really` are the kinds of the actions that the real session executed, if the replica's kinds differ.
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

    /// An issue of a live session's shell.
    package static func session(_ number: Int, _ issue: AdIssue, at now: Moment) -> AdJSON {
        .members([
            "session": .int(number), "at": now.traced, "issue": .object(AdEvent.issue(issue).row.members),
        ])
    }
}
