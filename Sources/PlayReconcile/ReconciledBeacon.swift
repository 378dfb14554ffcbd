import AdCore

/// The verdict on a beacon, from the ledger's state and the server's hits; the worst first.
///
/// The raw values are those of `--json`.
enum BeaconVerdict: String, CaseIterable, Sendable {
    /// Delivered according to the ledger, but not counted by the server.
    case lost
    /// Delivered according to the ledger, to a server whose hits are not known.
    case elsewhere
    /// Counted more than once.
    case doubled
    /// Unconfirmed in the ledger.
    case unconfirmed
    /// Dead in the ledger.
    case dead
    /// Not delivered yet.
    case pending
    /// Received, but not in the ledger.
    case unknown
    /// Delivered, and counted more than once by key, by a server that ignores repeated keys.
    case repeated
    /// Delivered and counted once, but late.
    case late
    /// Delivered and counted once.
    case matched

    /// Whether it needs no attention.
    var isFine: Bool { self == .matched || self == .late || self == .repeated }

    /// The name in text: `duplicate` and `unmatched` are the words of the summary line.
    var text: String {
        switch self {
        case .doubled: "duplicate"
        case .unknown: "unmatched"
        case .lost, .elsewhere, .unconfirmed, .dead, .pending, .repeated, .late, .matched: self.rawValue
        }
    }
}

/// The verdict on a beacon, or on hits without a recorded beacon, with its cause.
struct ReconciledBeacon: Hashable, Sendable {
    /// The key; nil for a hit without one.
    let key: String?
    let event: String
    /// The redacted URL; for hits without a beacon the path.
    let url: String
    let isBilling: Bool
    let verdict: BeaconVerdict
    let cause: String
    /// The numbers of the hits; of very many only the first ones.
    let hits: [Int]
    /// How many hits there are.
    let hitCount: Int

    var json: String {
        AdJSON.object([
            .init("event", "reconciliation"), .init("key", .text(self.key)), .init("of", .string(self.event)),
            .init("verdict", .string(self.verdict.rawValue)), .init("cause", .string(self.cause)),
            .init("hits", .array(self.hits.map { .int($0) })), .init("url", .string(self.url)),
        ]).text()
    }
}
