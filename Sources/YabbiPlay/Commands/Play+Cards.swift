import AdCore
import AdRuntime
import SandboxSSP
import YabbiAds

/// The providers of cards, as the command line asks them.
extension Play {
    /// What the command line asks for.
    func wish() throws(PlayError) -> Wish {
        switch self.settings.provider {
        case .yabbi, .openrtb: return try self.wish(unit: try self.unit(), provider: self.settings.provider)
        case .attentionmarket:
            return try self.attentionMarket(
                AttentionMarketPlacement(
                    userMessage: try self.parameter("user_message", else: "which fern should I buy?"),
                    conversationHistory: self.settings.parameters.all("conversation_history"),
                    placement: self.settings.parameters["placement"] ?? AttentionMarketPlacement.standardPlacement
                )
            )
        case .ceedads:
            return try self.ceedAds(
                CeedAdsPlacement(
                    conversationID: try self.parameter("conversationId", else: "conversation-1"),
                    messageID: try self.parameter("messageId", else: "message-1"),
                    contextText: try self.parameter("contextText", else: "I want to learn English before my journey"),
                    language: self.settings.parameters["language"],
                    userID: self.settings.parameters["userId"]
                )
            )
        case .activeads:
            let name = self.settings.parameters["format"] ?? ActiveAdsPlacement.feed.rawValue
            guard let placement = ActiveAdsPlacement(rawValue: name) else {
                let known = ActiveAdsPlacement.allCases.map(\.rawValue).joined(separator: ", ")
                throw PlayError(
                    .usage,
                    "activeads has the formats \(known), not \u{201C}\(Style.printable(name))\u{201D}"
                )
            }
            return try self.activeAds(placement)
        case .smartico: preconditionFailure("What is pushed is not asked for.")
        }
    }

    /// A moment of a conversation.
    func attentionMarket(_ placement: AttentionMarketPlacement) throws(PlayError) -> Wish {
        let keys = AttentionMarketKeys(
            apiKey: try self.parameter("api_key", else: Sandbox.TestKeys.attentionMarketAPIKey),
            agentID: try self.parameter("agent_id", else: Sandbox.TestKeys.attentionMarketAgentID),
            anonKey: try self.parameter("anon_key", else: Sandbox.TestKeys.attentionMarketAnonKey)
        )
        let provider = AttentionMarketProvider(
            keys: keys,
            base: try self.base(AttentionMarketProvider.standardBase, "/functions/v1"),
            device: AttentionMarketDevice(platform: self.settings.parameters["platform"] ?? "ios"),
            doubt: self.doubt
        )
        return Wish("card", AdLoader(provider, services: self.services), placement)
    }

    /// A message of a chat.
    func ceedAds(_ placement: CeedAdsPlacement) throws(PlayError) -> Wish {
        let app = CeedAdsApp(appID: try self.parameter("appId", else: Sandbox.TestKeys.ceedAdsAppID))
        let provider = CeedAdsProvider(
            app: app,
            base: try self.base(CeedAdsProvider.standardBase, ""),
            doubt: self.doubt
        )
        return Wish("card", AdLoader(provider, services: self.services), placement)
    }

    /// A place for campaigns, and all that are served there at once.
    func activeAds(_ placement: ActiveAdsPlacement) throws(PlayError) -> Wish {
        let provider = ActiveAdsProvider(base: try self.base(nil, "/functions/v1"), doubt: self.doubt)
        return Wish(placement.rawValue, AdLoader(provider, services: self.services), placement, all: true)
    }

    /// What was said by `--set`; the built-in server is content with less than others.
    func parameter(_ name: String, else own: String) throws(PlayError) -> String {
        if let value = self.settings.parameters[name] { return value }
        guard self.sandbox == nil else { return own }
        let provider = self.settings.provider
        let missing = Parameters.needed[provider, default: []].filter { self.settings.parameters[$0] == nil }
        throw PlayError(
            .usage,
            "\(provider.rawValue) needs " + missing.map { "--set \($0)=…" }.joined(separator: " ")
        )
    }

    /// Where the API is: as the command line says, at the built-in server, or where the provider has it.
    private func base(_ standard: HTTPURL?, _ path: String) throws(PlayError) -> HTTPURL {
        if let endpoint = self.settings.endpoint { return endpoint }
        if let sandbox { return path.isEmpty ? sandbox.baseURL : sandbox.url(path) ?? sandbox.baseURL }
        guard let standard else { throw PlayError(.usage, "say where the server is: --endpoint URL") }
        return standard
    }
}
