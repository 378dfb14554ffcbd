import AdCore

/// The newest hits, bounded in number and memory.
struct HitLog {
    /// How much is kept.
    struct Limits: Hashable, Sendable {
        var hits = 200_000
        var bytes = 128 << 20
    }

    private let limits: Limits
    private var kept: [Sandbox.Hit] = []
    /// Where the oldest hit stands in `kept`; what lies before it has been given up and waits to be removed.
    private var start = 0
    private var cost = 0
    private var last = 0

    init(limits: Limits = Limits()) { self.limits = limits }

    /// How many hits were given up for newer ones.
    private(set) var dropped = 0

    /// The hits that are kept, oldest first.
    var hits: ArraySlice<Sandbox.Hit> { self.kept[self.start...] }

    /// Adds what arrived, and gives up the oldest hits where there are too many.
    mutating func record(
        _ request: SandboxRequest,
        at: WallTime,
        fault: String?,
        isCounted: Bool,
        isAdRequest: Bool,
        billed: BilledCall? = nil
    ) {
        self.last += 1
        let hit = Sandbox.Hit(
            request,
            n: self.last,
            at: at,
            fault: fault,
            isCounted: isCounted,
            isAdRequest: isAdRequest,
            billed: billed
        )
        self.kept.append(hit)
        self.cost += hit.cost
        while self.hits.count > self.limits.hits || self.cost > self.limits.bytes, let oldest = self.hits.first {
            self.cost -= oldest.cost
            self.start += 1
            self.dropped += 1
        }
        // At most as many are moved as were given up since the last time: a constant share for each hit.
        if self.start * 2 > self.kept.count {
            self.kept.removeFirst(self.start)
            self.start = 0
        }
    }

    /// Forgets everything; counting begins anew.
    mutating func reset() { self = HitLog(limits: self.limits) }
}
