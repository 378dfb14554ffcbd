import LoopbackServer

extension Endpoint {
    /// The page that lists all endpoints and scenarios.
    static let index = Endpoint(path: .exact("/"), methods: ["GET"], about: "this page") { _, state in
        var lines = ["A local ad server for tests. Endpoints:", ""]
        for endpoint in Endpoint.all {
            let path =
                switch endpoint.path {
                case .exact(let path): path
                case .prefix(let prefix): prefix + "…"
                }
            let methods = endpoint.methods.isEmpty ? "any method" : endpoint.methods.joined(separator: ", ")
            lines.append("\(path)  (\(methods))  \(endpoint.about)")
        }
        lines += ["", "Placements (unitID, or imp.tagid):", ""]
        lines += state.catalogue.creatives.map { "\($0.name)  \($0.about.isEmpty ? $0.title : $0.about)" }
        lines += Scenario.allCases.map { scenario in
            let only =
                scenario.isAvailable(for: .yabbi)
                ? (scenario.isAvailable(for: .openRTB) ? "" : " (YABBI only)") : " (OpenRTB only)"
            return "\(scenario.rawValue)  \(scenario.about)\(only)"
        }
        lines += Endpoint.bidders + Endpoint.cards + Endpoint.engagements
        lines += ["", "Faults: \(Sandbox.Fault.Kind.names.joined(separator: ", "))", ""]
        return .text(lines.joined(separator: "\n"), type: "text/plain; charset=utf-8")
    }

    /// The bidders, and what a Prebid Server has stored.
    private static var bidders: [String] {
        ["", "Bidders (\(Sandbox.bidderPath)NAME, or imp.ext.prebid.bidder):", ""]
            + SandboxBidder.allCases.map { "\($0.rawValue)  \($0.about)" }
            + ["", "Stored impressions and requests of the Prebid Server:", ""]
            + PrebidAuction.stored.map { "\($0.id)  \($0.bidders.map(\.rawValue).joined(separator: ", "))" }
    }

    /// The keywords and scenarios of the card servers.
    private static var cards: [String] {
        var lines = ["", "Cards, selected by a word of AttentionMarket's user_message or CeedAds' contextText:", ""]
        lines += AttentionCard.pool.map { "\($0.keywords.joined(separator: ", "))  \($0.sponsor) at AttentionMarket" }
        lines += CeedAd.pool.map { ad in
            "\(ad.tags.joined(separator: ", "))  \(ad.english.advertiser) at CeedAds, \(ad.format)"
        }
        lines += [
            "", "CeedAds knows some Japanese words. A text that is exactly one of these has no cooldown:", "",
        ]
        lines += CardScenario.allCases.map { scenario in
            let only =
                scenario.isAvailable(for: .ceedAds)
                ? (scenario.isAvailable(for: .attentionMarket) ? "" : " (CeedAds only)") : " (AttentionMarket only)"
            return "\(scenario.rawValue)  \(scenario.about)\(only)"
        }
        return lines + ["", "ActiveAds has no such texts; use faults."]
    }

    /// The engagements and socket faults.
    private static var engagements: [String] {
        let faults = Sandbox.SocketFault.allCases
        return ["", "Engagements, selected by a part of a Smartico user's id (POST /sandbox/push sends more):", ""]
            + PushScenario.allCases.map { "\($0.rawValue)  \($0.about)" }
            + faults.map { "\($0.rawValue)  \($0.about)" }
            + [
                "",
                "Smartico's label_key is \(Sandbox.TestKeys.smarticoLabelKey), its brand_key "
                    + "\(Sandbox.TestKeys.smarticoBrandKey) or null. As faults of \(Sandbox.socketPath) the last "
                    + "\(faults.count) act from the first message on.",
            ]
    }
}
