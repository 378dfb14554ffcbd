import AdCore

/// What the servers of cards remember from one call to the next: never more than so many of each.
struct CardMemory: Sendable {
    /// AttentionMarket: the tracking tokens that were handed out.
    var tokens: Recent<String, Void>
    /// CeedAds: the requests that were answered with an id.
    var requests: Recent<String, Void>
    /// CeedAds: when a conversation last got an ad.
    var lastAds: Recent<String, WallTime>

    init(most: Int = 10_000) {
        self.tokens = Recent(most: most)
        self.requests = Recent(most: most)
        self.lastAds = Recent(most: most)
    }
}
