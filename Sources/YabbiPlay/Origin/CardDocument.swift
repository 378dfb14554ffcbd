import AdCore
import AdLint
import AdProviders

/// Reads the cards of an ad response that is in a file or was pasted.
///
/// The response does not name its server, so the card's view and click are recorded and can't be sent.
enum CardDocument {
    static func provider(of format: AdResponseFormat) -> ProviderName {
        switch format {
        case .activeAds: "activeads"
        case .ceedAds: "ceedads"
        case .attentionMarket: "attentionmarket"
        case .yabbi, .openRTB, .prebid, .smarticoMessage: "card"
        }
    }

    static func offers(in bytes: [UInt8], _ format: AdResponseFormat) throws(AdError) -> OfferBatch {
        switch format {
        case .activeAds:
            let json = try? AdJSON.reading(bytes).json
            let name = json?["ads"]?.array?.first?["format"]?.string
            return try ActiveAdsProvider.offers(
                in: bytes,
                for: name.flatMap { ActiveAdsPlacement(rawValue: $0) } ?? .feed
            )
        case .ceedAds:
            let provider = CeedAdsProvider(app: CeedAdsApp(appID: "document"))
            let placement = CeedAdsPlacement(conversationID: "document", messageID: "document", contextText: "")
            return try provider.offers(in: bytes, for: placement)
        case .attentionMarket:
            let keys = AttentionMarketKeys(apiKey: "document", agentID: "document", anonKey: "document")
            let provider = AttentionMarketProvider(keys: keys)
            return try provider.offers(in: bytes, for: AttentionMarketPlacement(userMessage: ""))
        case .yabbi, .openRTB, .prebid, .smarticoMessage:
            throw AdError(.unreadableResponse, "the ad response has no cards")
        }
    }
}
