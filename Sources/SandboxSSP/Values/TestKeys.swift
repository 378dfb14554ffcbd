extension Sandbox {
    /// The keys that the sandbox takes; anybody else's are refused as the real servers refuse them.
    package enum TestKeys {
        /// AttentionMarket's API key for development.
        package static let attentionMarketAPIKey = "am_test_abc123xyz"
        /// AttentionMarket's agent for development.
        package static let attentionMarketAgentID = "agt_test_demo"
        /// What stands in `apikey`.
        package static let attentionMarketAnonKey = "anon_test_sandbox"
        /// CeedAds' app for development.
        package static let ceedAdsAppID = "app_test_demo"
        /// Smartico's label for development, with its environment at the end.
        package static let smarticoLabelKey = "3b8e5d17-60c4-4a2f-9be1-7f0a2c94d6e8-2"
        /// A brand of that label.
        package static let smarticoBrandKey = "f20b71c6"
        /// A user of that brand; any other id is a user too.
        package static let smarticoUserID = "malva-71"
    }
}
