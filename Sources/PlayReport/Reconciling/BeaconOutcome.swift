import AdCore

/// What became of a beacon, by ledger and server together.
enum BeaconVerdict: String, CaseIterable, Sendable {
    /// Delivered by the ledger's word, and never counted.
    case lost
    /// Delivered by the ledger's word, to a server of which none of the hits is.
    case elsewhere
    /// Counted more than once.
    case doubled
    /// In doubt by the ledger's word.
    case unconfirmed
    /// Given up.
    case dead
    /// Neither sent to its end nor given up.
    case pending
    /// Arrived, and not in the ledger.
    case unknown
    /// Delivered, and sent more than once to a server that takes each key once.
    case repeated
    /// Delivered and counted once, long after it was recorded.
    case late
    /// Delivered and counted once.
    case matched

    /// Whether nothing is wrong with it.
    var isFine: Bool { self == .matched || self == .late || self == .repeated }
}

/// The verdict on one beacon, or on a call that is no recorded beacon's, and why.
struct BeaconOutcome: Hashable, Sendable {
    /// Nil where the call had none.
    let key: String?
    let event: String
    /// The URL without its secrets; the path where only the server knows it.
    let url: String
    let isBilling: Bool
    let verdict: BeaconVerdict
    let cause: String
    /// The numbers of its hits.
    let hits: [Int]

    var json: String {
        AdJSON.object([
            .init("event", "reconciliation"), .init("key", .text(self.key)), .init("of", .string(self.event)),
            .init("verdict", .string(self.verdict.rawValue)), .init("cause", .string(self.cause)),
            .init("hits", .array(self.hits.map { .int($0) })), .init("url", .string(self.url)),
        ]).text()
    }
}
