import AdCore
import AdRuntime
import AdTrace

/// One event as one JSON object: what scripts rely on.
enum EventJSON {
    static func line(_ record: AdRecord) -> String {
        var members = [
            JSON.Member("t", .int(record.at.sinceOrigin.wholeMilliseconds)),
            JSON.Member("ad", .string(record.ad.rawValue)),
            JSON.Member("provider", .string(record.provider.rawValue)),
            JSON.Member("event", .string(record.event.name)),
        ]
        members += self.data(of: record.event)
        members += record.detail
        return JSON.object(members).text()
    }

    /// What an event says of itself, without whose it is and when.
    static func fields(_ record: AdRecord) -> String {
        (self.data(of: record.event) + record.detail).filter { $0.value != .null }.map { member in
            "\(member.name)=\(member.value.string ?? member.value.text())"
        }.joined(separator: "  ")
    }

    static func line(_ notice: AdNotice) -> String {
        JSON.object([
            JSON.Member("t", .int(notice.at.sinceOrigin.wholeMilliseconds)),
            JSON.Member("ad", .string(notice.ad.rawValue)),
            JSON.Member("provider", .string(notice.provider.rawValue)),
            JSON.Member("event", "ignored"),
            JSON.Member("input", .string(notice.input)),
            JSON.Member("reason", .string(notice.reason)),
        ]).text()
    }

    /// What an event says, its addresses without secrets.
    private static func data(of event: AdEvent) -> [JSON.Member] {
        event.members.map { member in
            guard member.name == "url", let address = member.value.string else { return member }
            return JSON.Member("url", .string(Redaction.address(address)))
        }
    }
}
