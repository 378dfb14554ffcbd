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

    static func attentionMarket(_ options: ProviderOptions, isBuiltIn: Bool) throws(UsageError) -> CardQuery {
        let values = options.parameters
        let placement = AttentionMarketPlacement(
            userMessage: try options.value("user_message", builtIn: isBuiltIn ? "which fern should I buy?" : nil),
            conversationHistory: values.all("conversation_history"),
            placement: values["placement"] ?? AttentionMarketPlacement.standardPlacement
        )
        let keys = AttentionMarketKeys(
            apiKey: try options.value("api_key", builtIn: isBuiltIn ? TestKeys.attentionMarketAPIKey : nil),
            agentID: try options.value("agent_id", builtIn: isBuiltIn ? TestKeys.attentionMarketAgentID : nil),
            anonKey: try options.value("anon_key", builtIn: isBuiltIn ? TestKeys.attentionMarketAnonKey : nil)
        )
        return .attentionMarket(keys, platform: values["platform"] ?? self.standardPlatform, placement)
    }

    static func ceedAds(_ options: ProviderOptions, isBuiltIn: Bool) throws(UsageError) -> CardQuery {
        let placement = CeedAdsPlacement(
            conversationID: try options.value("conversationId", builtIn: isBuiltIn ? "conversation-1" : nil),
            messageID: try options.value("messageId", builtIn: isBuiltIn ? "message-1" : nil),
            contextText: try options.value(
                "contextText",
                builtIn: isBuiltIn ? "I want to learn English before my journey" : nil
            ),
            language: options.parameters["language"],
            userID: options.parameters["userId"]
        )
        let appID = try options.value("appId", builtIn: isBuiltIn ? TestKeys.ceedAdsAppID : nil)
        return .ceedAds(CeedAdsApp(appID: appID), placement)
    }

    static func activeAds(_ options: ProviderOptions) throws(UsageError) -> CardQuery {
        let name = options.parameters["format"] ?? ActiveAdsPlacement.feed.rawValue
        guard let placement = ActiveAdsPlacement(rawValue: name) else {
            let known = ActiveAdsPlacement.allCases.map(\.rawValue).joined(separator: ", ")
            throw OptionValue.invalid(Style.printable(name), for: "--set format", expected: "one of \(known)")
        }
        return .activeAds(placement)
    }

    private static let standardPlatform = "ios"

    /// A user message of a conversation, with the built-in server's keys.
    static func testing(_ placement: AttentionMarketPlacement) -> CardQuery {
        let keys = AttentionMarketKeys(
            apiKey: TestKeys.attentionMarketAPIKey,
            agentID: TestKeys.attentionMarketAgentID,
            anonKey: TestKeys.attentionMarketAnonKey
        )
        return .attentionMarket(keys, platform: self.standardPlatform, placement)
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
