import AdCore

/// What the card servers store between requests, limited in number.
struct CardState: Sendable {
    /// AttentionMarket: the tracking tokens that were issued.
    var tokens: BoundedMap<String, Void>
    /// CeedAds: the ids of the requests that were answered.
    var requests: BoundedMap<String, Void>
    /// CeedAds: when each conversation last got an ad.
    var lastAds: BoundedMap<String, WallTime>

    init(limit: Int = 10_000) {
        self.tokens = BoundedMap(limit: limit)
        self.requests = BoundedMap(limit: limit)
        self.lastAds = BoundedMap(limit: limit)
    }
}
