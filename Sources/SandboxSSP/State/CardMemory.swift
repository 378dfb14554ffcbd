import AdCore

/// What the servers of cards remember from one call to the next: never more than so many of each.
struct CardMemory: Sendable {
    /// AttentionMarket: the tracking tokens that were handed out.
    var tokens: BoundedMap<String, Void>
    /// CeedAds: the requests that were answered with an id.
    var requests: BoundedMap<String, Void>
    /// CeedAds: when a conversation last got an ad.
    var lastAds: BoundedMap<String, WallTime>

    init(most: Int = 10_000) {
        self.tokens = BoundedMap(most: most)
        self.requests = BoundedMap(most: most)
        self.lastAds = BoundedMap(most: most)
    }
}
