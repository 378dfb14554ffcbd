import AdCore
package import AdRuntime
import AdTrace

/// One event as one JSON object: what scripts rely on.
package enum EventJSON {
    package static func line(_ record: AdRecord) -> String {
        var members = [
            AdJSON.Member("t", .int(record.at.sinceOrigin.wholeMilliseconds)),
            AdJSON.Member("ad", .string(record.ad.rawValue)),
            AdJSON.Member("provider", .string(record.provider.rawValue)),
            AdJSON.Member("event", .string(record.event.name)),
        ]
        members += self.data(of: record.event)
        members += record.detail
        return AdJSON.object(members).text()
    }

    /// What an event says of itself, without whose it is and when.
    static func fields(_ record: AdRecord) -> String {
        (self.data(of: record.event) + record.detail).filter { $0.value != .null }.map { member in
            "\(member.name)=\(member.value.string ?? member.value.text())"
        }.joined(separator: "  ")
    }

    static func line(_ notice: IgnoredInput) -> String {
        AdJSON.object([
            AdJSON.Member("t", .int(notice.at.sinceOrigin.wholeMilliseconds)),
            AdJSON.Member("ad", .string(notice.ad.rawValue)),
            AdJSON.Member("provider", .string(notice.provider.rawValue)),
            AdJSON.Member("event", "ignored"),
            AdJSON.Member("input", .string(notice.input)),
            AdJSON.Member("reason", .string(notice.reason)),
        ]).text()
    }

    /// What an event says, its addresses without secrets.
    private static func data(of event: AdEvent) -> [AdJSON.Member] {
        event.members.map { member in
            guard member.name == "url", let address = member.value.string else { return member }
            return AdJSON.Member("url", .string(Redaction.address(address)))
        }
    }
}
