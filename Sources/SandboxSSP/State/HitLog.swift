import AdCore
import LoopbackServer

/// The newest hits, limited in number and memory.
struct HitLog {
    /// The limits of the log.
    struct Limits: Hashable, Sendable {
        var hits = 200_000
        var bytes = 128 << 20
    }

    private let limits: Limits
    private var stored: [Sandbox.Hit] = []
    /// The index of the oldest hit in `stored`; the hits before it are dropped and not yet removed.
    private var start = 0
    private var cost = 0
    private var last = 0

    init(limits: Limits = Limits()) { self.limits = limits }

    /// The number of hits that were dropped for newer ones.
    private(set) var dropped = 0

    /// The stored hits, oldest first.
    var hits: ArraySlice<Sandbox.Hit> { self.stored[self.start...] }

    /// Records a request and drops the oldest hits when the log is full.
    mutating func record(
        _ request: ServerRequest,
        at: WallTime,
        fault: String?,
        isCounted: Bool,
        isAdRequest: Bool,
        billed: BillableCall? = nil
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
        self.stored.append(hit)
        self.cost += hit.cost
        while self.hits.count > self.limits.hits || self.cost > self.limits.bytes, let oldest = self.hits.first {
            self.cost -= oldest.cost
            self.start += 1
            self.dropped += 1
        }
        // Moves at most as many hits as were dropped since the last time, so the cost per hit is constant.
        if self.start * 2 > self.stored.count {
            self.stored.removeFirst(self.start)
            self.start = 0
        }
    }

    /// Removes all hits and restarts the numbering.
    mutating func reset() { self = HitLog(limits: self.limits) }
}
