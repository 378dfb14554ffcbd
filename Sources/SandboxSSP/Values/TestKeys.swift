extension Sandbox {
    /// The keys that the sandbox takes; anybody else's are refused as the real servers refuse them.
    public enum TestKeys {
        /// AttentionMarket's API key for development.
        public static let attentionMarketAPIKey = "am_test_abc123xyz"
        /// AttentionMarket's agent for development.
        public static let attentionMarketAgentID = "agt_test_demo"
        /// What stands in `apikey`.
        public static let attentionMarketAnonKey = "anon_test_sandbox"
        /// CeedAds' app for development.
        public static let ceedAdsAppID = "app_test_demo"
    }
}
