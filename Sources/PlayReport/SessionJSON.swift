import AdCore
import AdProviders
import AdRuntime
import YabbiAds

/// What happens to a live session as one JSON object: what scripts rely on.
enum SessionJSON {
    /// A record as a line; nil for what other lines tell better.
    static func line(_ record: SessionRecord) -> String? {
        switch record.event {
        case .connecting(let url):
            self.line(
                "socket",
                record.provider,
                record.at,
                [.init("state", "connecting"), .init("url", .string(Redaction.address(url.text)))]
            )
        case .opened:
            self.line("socket", record.provider, record.at, [.init("state", "connected"), .init("url", .null)])
        case .issue(let issue):
            // As an issue of an ad, but of none.
            AdJSON.object([
                .init("t", .int(record.at.sinceOrigin.wholeMilliseconds)), .init("ad", .null),
                .init("provider", .string(record.provider.rawValue)), .init("event", "issue"),
                .init("code", .string(issue.code)), .init("place", .string(issue.place.description)),
                .init("message", .string(issue.message)),
            ]).text()
        case .news(let news):
            (news as? SmarticoEvent).map { news in
                let (name, fields) = self.data(of: news)
                return self.line(name, record.provider, record.at, fields)
            }
        case .received, .closed: nil
        }
    }

    static func line(_ news: PageMessage, of ad: AdID, _ provider: ProviderName, at now: Moment) -> String {
        var members: [AdJSON.Member] = [
            .init("t", .int(now.sinceOrigin.wholeMilliseconds)), .init("ad", .string(ad.rawValue)),
            .init("provider", .string(provider.rawValue)),
        ]
        switch news {
        case .simulated(let host, let bytes):
            members += [.init("event", "simulated"), .init("host", .string(host)), .init("bytes", .int(bytes))]
        case .told(let told):
            members += [
                .init("event", "told"), .init("what", .string(told.what.rawValue)), .init("cid", .int(told.cid)),
                .init("uid", .text(told.uid)),
            ]
        }
        return AdJSON.object(members).text()
    }

    private static func line(
        _ name: String,
        _ provider: ProviderName,
        _ now: Moment,
        _ fields: [AdJSON.Member]
    ) -> String {
        let head: [AdJSON.Member] = [
            .init("t", .int(now.sinceOrigin.wholeMilliseconds)), .init("provider", .string(provider.rawValue)),
            .init("event", .string(name)),
        ]
        return AdJSON.object(head + fields).text()
    }

    private static func data(of news: SmarticoEvent) -> (name: String, fields: [AdJSON.Member]) {
        switch news {
        case .initialized(let settings):
            let products = settings.products.map { AdJSON.int($0) }
            return (
                "initialized",
                [.init("gamification", .bool(settings.hasGamification)), .init("products", .array(products))]
            )
        case .identified(let profile):
            return (
                "identified",
                [
                    .init("name", .text(profile.username)), .init("avatar", .text(profile.avatarID)),
                    .init("properties", profile.properties),
                ]
            )
        case .refused(let step, let verdict):
            return (
                "refused",
                [
                    .init("step", .string(step.rawValue)), .init("code", .int(verdict.code)),
                    .init("message", .text(verdict.message)),
                ]
            )
        case .disconnected(let end, let pause):
            return (
                "disconnected",
                [
                    .init("message", .string(end.message)),
                    .init("retryIn", pause.map { .int($0.wholeMilliseconds) } ?? .null),
                ]
            )
        case .pushTaken: return ("pushTaken", [])
        case .deepLink(let link): return ("deepLink", [.init("dp", .string(link))])
        case .publicProperties(let json): return ("publicProperties", [.init("properties", json)])
        case .gameOpening(let game):
            return (
                "gameOpening",
                [
                    .init("game", .text(game.smarticoID)), .init("providerGame", .text(game.providerID)),
                    .init("context", .text(game.context)), .init("meta", game.meta),
                ]
            )
        case .gamificationUnavailable(let why): return ("gamificationUnavailable", [.init("message", .string(why))])
        }
    }
}
