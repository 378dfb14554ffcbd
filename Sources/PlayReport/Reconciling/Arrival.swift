package import AdCore
package import SandboxSSP

/// A hit as a reconciliation sees it, from a sandbox in this process or from what another one told.
package struct Arrival: Hashable, Sendable {
    /// Its number.
    let n: Int
    let at: WallTime
    /// The `Idempotency-Key`; an empty one is none.
    let key: String?
    let path: String
    /// The server as the caller named it.
    let host: String?
    /// The kind of the fault that it met.
    let fault: String?
    /// Whether the server took it, whatever became of its answer.
    let isCounted: Bool

    package init(n: Int, at: WallTime, key: String?, path: String, host: String?, fault: String?, isCounted: Bool) {
        self.n = n
        self.at = at
        self.key = key.flatMap { $0.isEmpty ? nil : $0 }
        self.path = path
        self.host = host
        self.fault = fault
        self.isCounted = isCounted
    }

    init(_ hit: Sandbox.Hit) {
        self.init(
            n: hit.n,
            at: hit.at,
            key: hit.key,
            path: hit.path,
            host: hit.headers["host"],
            fault: hit.fault,
            isCounted: hit.isCounted
        )
    }

    /// Whether it tells of an ad: trackers do, and so does whatever has a key.
    ///
    /// A beacon's redirect may lead anywhere, and takes its key along.
    var isBeacon: Bool { self.key != nil || self.path.hasPrefix("/t/") }
}

/// What a server saw, oldest first.
package struct ArrivalList: Sendable {
    let arrivals: [Arrival]
    /// How many it gave up: what is not found may be one of them.
    let dropped: Int

    /// How many requests creatives sent by themselves; none was recorded.
    let creatives: Int

    /// What a server saw, without what creatives in a browser are known to have asked for, by its path.
    package init(_ arrivals: [Arrival], dropped: Int, askedByCreatives: [String: Int] = [:]) {
        var asked = askedByCreatives
        let beacons = arrivals.filter(\.isBeacon)
        self.arrivals = beacons.filter { arrival in
            guard arrival.key == nil, let left = asked[arrival.path], left > 0 else { return true }
            asked[arrival.path] = left - 1
            return false
        }
        self.creatives = beacons.count - self.arrivals.count
        self.dropped = dropped
    }

    /// What a sandbox in this process saw.
    package init(_ sandbox: Sandbox, askedByCreatives: [String: Int] = [:]) {
        let hits = sandbox.hits()
        // Asked last: rather a hit too many that may be missing than one that is missing untold.
        self.init(hits.map(Arrival.init), dropped: sandbox.droppedHits, askedByCreatives: askedByCreatives)
    }
}
