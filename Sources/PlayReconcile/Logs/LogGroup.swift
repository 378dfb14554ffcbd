import AdCore

/// The beacons and the requests with one key or URL, without their texts.
///
/// One URL may have millions of both, so each has only what decides which requests belong to which beacon.
struct LogGroup {
    private var beacons: [GroupedBeacon] = []
    private var requests: [GroupedRequest] = []
    /// For each request the next one of the same beacon, if there are several beacons.
    private var following: [Int32] = []
    /// How many further requests were only counted.
    private var uncollected = 0
    /// How many beacons were asked for their requests.
    private var asked = 0
    /// The checksum of the path of the first beacon.
    private var ownPath: UInt32?
    /// The key of all requests.
    private(set) var key: String?
    /// Those of the first request.
    private var (path, host): (String, String?) = ("", nil)

    var hasBeacons: Bool { !self.beacons.isEmpty }
    var hasRequests: Bool { !self.requests.isEmpty }

    /// Adds a beacon; all are added before the requests.
    mutating func add(_ line: LedgerLine, path: UInt32?) {
        if self.beacons.isEmpty { self.ownPath = path }
        self.beacons.append(GroupedBeacon(line))
    }

    mutating func add(_ request: LoggedRequest, number: Int) {
        if self.requests.isEmpty {
            self.key = request.key
            self.path = request.target
            self.host = request.host
        }
        // No beacon gets them, and no key tells which are steps of one request: they need only be counted.
        let isOnlyCounted = self.beacons.isEmpty && self.key == nil
        guard !isOnlyCounted || self.requests.count < Arrivals.maximumNumbers else {
            self.uncollected += 1
            return
        }
        let path = self.key == nil ? 0 : LogGroup.path(of: request.target[...])
        self.requests.append(GroupedRequest(request, number: number, path: path))
    }

    /// The checksum of a target's path.
    static func path(of target: Substring) -> UInt32 {
        UInt32(truncatingIfNeeded: Checksum.of(target.utf8.prefix { $0 != UInt8(ascii: "?") }))
    }

    /// Decides which requests belong to which beacon; called once, when all are added.
    mutating func assign() {
        self.requests.sort { ($0.time, $0.number) < ($1.time, $1.number) }
        self.removeOtherSteps()
        // Mostly there is one beacon, which gets all.
        guard self.beacons.count > 1, !self.requests.isEmpty else { return }
        self.following = Array(repeating: GroupedBeacon.none, count: self.requests.count)
        var assignment = LogAssignment(self.beacons)
        for index in self.requests.indices {
            let owner = assignment.owner(of: self.requests[index], among: self.beacons)
            let last = self.beacons[owner].last
            if last == GroupedBeacon.none {
                self.beacons[owner].first = Int32(index)
            } else {
                self.following[Int(last)] = Int32(index)
            }
            self.beacons[owner].last = Int32(index)
        }
    }

    /// Removes the other steps of redirected requests.
    ///
    /// A request is logged again, with its key, where it is redirected to. The beacon was sent at least as often as it
    /// was redirected from its own path, and as often as a redirect or it itself ended; the more frequent ones are
    /// kept.
    private mutating func removeOtherSteps() {
        guard self.key != nil, let first = self.requests.first(where: \.isRedirect) else { return }
        let start = self.ownPath ?? first.path
        let starts = self.requests.count { $0.isRedirect && $0.path == start }
        let ends = self.requests.count { $0.isCounted && !$0.isRedirect }
        let keepsEnds = ends >= starts
        self.requests.removeAll { request in
            guard request.isCounted else { return false }
            return keepsEnds ? request.isRedirect : !(request.isRedirect && request.path == start)
        }
    }

    /// The requests of the next beacon; the beacons come in the order in which they were added.
    mutating func nextArrivals() -> Arrivals {
        guard self.beacons.count > 1 else { return self.arrivals }
        var arrivals = Arrivals()
        guard self.asked < self.beacons.count else { return arrivals }
        var index = self.beacons[self.asked].first
        self.asked += 1
        while index != GroupedBeacon.none {
            arrivals.add(self.hit(self.requests[Int(index)]))
            index = self.following[Int(index)]
        }
        return arrivals
    }

    /// All requests, oldest first.
    var arrivals: Arrivals {
        var arrivals = Arrivals()
        for request in self.requests { arrivals.add(self.hit(request)) }
        arrivals.addUnlisted(self.uncollected)
        return arrivals
    }

    private func hit(_ request: GroupedRequest) -> ReceivedHit {
        ReceivedHit(
            n: request.number,
            at: request.time,
            key: self.key,
            path: self.path,
            host: self.host,
            fault: request.isCounted ? nil : "status \(request.status)",
            isCounted: request.isCounted
        )
    }
}
