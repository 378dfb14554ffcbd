import AdCore
import AdProviders
import PlayConsole
import SandboxSSP

/// The requested cards, with the keys of the provider's API.
enum CardQuery: Sendable {
    private typealias TestKeys = Sandbox.TestKeys

    /// A user message of a conversation.
    case attentionMarket(AttentionMarketKeys, platform: String, AttentionMarketPlacement)
    /// A message of a chat.
    case ceedAds(CeedAdsApp, CeedAdsPlacement)
    /// A placement for several cards.
    case activeAds(ActiveAdsPlacement)

    static func attentionMarket(_ options: ProviderOptions) throws(UsageError) -> CardQuery {
        let values = options.parameters
        let placement = AttentionMarketPlacement(
            userMessage: try options.value(AttentionMarketValue.userMessage, builtIn: "which fern should I buy?"),
            conversationHistory: values.all(AttentionMarketValue.history),
            placement: values[AttentionMarketValue.placement]
        )
        let keys = AttentionMarketKeys(
            apiKey: try options.value(AttentionMarketValue.apiKey, builtIn: TestKeys.attentionMarketAPIKey),
            agentID: try options.value(AttentionMarketValue.agentID, builtIn: TestKeys.attentionMarketAgentID),
            anonKey: try options.value(AttentionMarketValue.anonKey, builtIn: TestKeys.attentionMarketAnonKey)
        )
        return .attentionMarket(keys, platform: values[AttentionMarketValue.platform], placement)
    }

    static func ceedAds(_ options: ProviderOptions) throws(UsageError) -> CardQuery {
        let placement = CeedAdsPlacement(
            conversationID: try options.value(CeedAdsValue.conversationID, builtIn: "conversation-1"),
            messageID: try options.value(CeedAdsValue.messageID, builtIn: "message-1"),
            contextText: try options.value(
                CeedAdsValue.contextText,
                builtIn: "I want to learn English before my journey"
            ),
            language: options.parameters[CeedAdsValue.language],
            userID: options.parameters[CeedAdsValue.userID]
        )
        let appID = try options.value(CeedAdsValue.appID, builtIn: TestKeys.ceedAdsAppID)
        return .ceedAds(CeedAdsApp(appID: appID), placement)
    }

    static func activeAds(_ options: ProviderOptions) throws(UsageError) -> CardQuery {
        let name = options.parameters[ActiveAdsValue.format]
        guard let placement = ActiveAdsPlacement(rawValue: name) else {
            let known = ActiveAdsPlacement.allCases.map(\.rawValue).joined(separator: ", ")
            throw OptionValue.invalid(Style.printable(name), for: "--set format", expected: "one of \(known)")
        }
        return .activeAds(placement)
    }

    /// A user message of a conversation, with the built-in server's keys.
    static func testing(_ placement: AttentionMarketPlacement) -> CardQuery {
        let keys = AttentionMarketKeys(
            apiKey: TestKeys.attentionMarketAPIKey,
            agentID: TestKeys.attentionMarketAgentID,
            anonKey: TestKeys.attentionMarketAnonKey
        )
        return .attentionMarket(keys, platform: AttentionMarketValue.platform.standard, placement)
    }

    /// A message of a chat, with the built-in server's app.
    static func testing(_ placement: CeedAdsPlacement) -> CardQuery {
        .ceedAds(CeedAdsApp(appID: TestKeys.ceedAdsAppID), placement)
    }

    /// The path of the API at the built-in server; empty for the root.
    var path: String {
        switch self {
        case .attentionMarket, .activeAds: "/functions/v1"
        case .ceedAds: ""
        }
    }
}
