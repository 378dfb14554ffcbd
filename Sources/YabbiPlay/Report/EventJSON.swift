import AdCore
import AdRuntime

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

    private static func data(of event: AdEvent) -> [JSON.Member] {
        switch event {
        case .loadStarted, .loaded, .shown, .click, .skipAvailable, .skipped, .rewarded, .expired: return []
        case .loadFailed(let error), .showFailed(let error): return self.data(of: error)
        case .view(let policy): return [JSON.Member("policy", .string(policy.name))]
        case .linkOpened(let link, let opened):
            return [JSON.Member("url", .string(Redaction.address(link.text))), JSON.Member("opened", .bool(opened))]
        case .blocked(let attempt):
            return [
                JSON.Member("kind", .string(attempt.kind.rawValue)), JSON.Member("detail", .string(attempt.detail)),
            ]
        case .quartile(let percent, let spot):
            return [JSON.Member("q", .int(Int64(percent))), JSON.Member("spot", .int(Int64(spot + 1)))]
        case .closeAvailable(let rule): return [JSON.Member("rule", .string(rule.rawValue))]
        case .closed(let closing):
            return [
                JSON.Member("reason", .string(closing.reason.rawValue)),
                JSON.Member("rewarded", .bool(closing.rewarded)),
                JSON.Member("rule", .string(closing.rule.rawValue)),
            ]
        case .issue(let issue):
            return [
                JSON.Member("code", .string(issue.code)),
                JSON.Member("place", .string(issue.place.description)),
                JSON.Member("message", .string(issue.message)),
            ]
        case .beaconRecorded(let key, let address):
            return [
                JSON.Member("key", .string(key.text)),
                JSON.Member("url", .string(Redaction.address(address.text))),
            ]
        case .beaconDelivered(let key, let attempts):
            return [JSON.Member("key", .string(key.text)), JSON.Member("attempts", .int(attempts))]
        case .beaconUnconfirmed(let key, let reason), .beaconDead(let key, let reason):
            return [JSON.Member("key", .string(key.text)), JSON.Member("reason", .string(reason))]
        }
    }

    private static func data(of error: AdError) -> [JSON.Member] {
        [
            JSON.Member("code", .string(error.code.description)),
            JSON.Member("message", .string(error.message)),
            JSON.Member("url", .text(error.place.url)),
            JSON.Member("line", error.place.line.map { .int($0) } ?? .null),
            JSON.Member("vast", error.vastCode.map { .int($0) } ?? .null),
        ]
    }
}
