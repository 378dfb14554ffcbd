package import AdCore

/// A request that a server received: a hit of a sandbox in this process, or of the hit list of another one.
package struct ReceivedHit: Hashable, Sendable {
    /// The number of the hit.
    let n: Int
    let at: WallTime
    /// The `Idempotency-Key`; nil if it is missing or empty.
    let key: String?
    let path: String
    /// The `Host` header.
    let host: String?
    /// The kind of the fault that the server simulated.
    let fault: String?
    /// Whether the server counted it, whatever happened to the response.
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

    /// The event that it reports: that of the key, or else the last part of the path.
    var event: String {
        self.key.flatMap { BeaconKey.Parts($0)?.event }
            ?? self.path.prefix { $0 != "?" }.split(separator: "/").last.map(String.init) ?? self.path
    }

    /// Whether it is a beacon: a tracker's path, or any path with a key.
    ///
    /// A beacon can be redirected to any path, and keeps its key.
    var isBeacon: Bool { self.key != nil || self.path.hasPrefix("/t/") }
}

/// The beacons that a server received, oldest first.
package struct HitList: Sendable {
    let arrivals: [ReceivedHit]
    /// How many hits the server dropped: a missing beacon may be among them.
    let dropped: Int

    /// How many hits were sent by creatives; the ledger does not have them.
    let creatives: Int

    /// Creates a list without the requests that creatives in a browser sent, which are counted by path.
    package init(_ arrivals: [ReceivedHit], dropped: Int, sentByCreatives: [String: Int] = [:]) {
        var creativeRequests = sentByCreatives
        let beacons = arrivals.filter(\.isBeacon)
        self.arrivals = beacons.filter { arrival in
            guard arrival.key == nil, let left = creativeRequests[arrival.path], left > 0 else { return true }
            creativeRequests[arrival.path] = left - 1
            return false
        }
        self.creatives = beacons.count - self.arrivals.count
        self.dropped = dropped
    }
}
