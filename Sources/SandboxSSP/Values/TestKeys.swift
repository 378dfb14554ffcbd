extension Sandbox {
    /// The credentials that the sandbox accepts; all others are refused, as by the real servers.
    package enum TestKeys {
        /// AttentionMarket's test API key.
        package static let attentionMarketAPIKey = "am_test_abc123xyz"
        /// AttentionMarket's test agent id.
        package static let attentionMarketAgentID = "agt_test_demo"
        /// AttentionMarket's anonymous key (header `apikey`).
        package static let attentionMarketAnonKey = "anon_test_sandbox"
        /// CeedAds' test app id.
        package static let ceedAdsAppID = "app_test_demo"
        /// Smartico's test label, with its environment as the suffix.
        package static let smarticoLabelKey = "3b8e5d17-60c4-4a2f-9be1-7f0a2c94d6e8-2"
        /// A brand of that label.
        package static let smarticoBrandKey = "f20b71c6"
        /// A user of that brand; every other id is accepted, too.
        package static let smarticoUserID = "malva-71"
    }
}
