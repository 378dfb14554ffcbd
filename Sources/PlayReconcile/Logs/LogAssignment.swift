import AdCore

/// A beacon of a group: what decides which requests are its own.
struct GroupedBeacon {
    /// How likely a beacon has arrived, by its state in the ledger; the most likely first.
    enum Rank: Int, CaseIterable {
        case delivered
        /// Unconfirmed, or not delivered yet.
        case open
        case dead
    }

    /// The index of no request.
    static let none: Int32 = -1

    let recorded: WallTime
    let attempts: Int32
    /// The indexes of its first and its last request.
    var first = GroupedBeacon.none
    var last = GroupedBeacon.none
    let rank: Rank

    init(_ line: LedgerLine) {
        self.recorded = line.recorded
        self.attempts = Int32(clamping: line.attempts)
        self.rank =
            switch line.state {
            case .delivered: .delivered
            case .unconfirmed, .pending: .open
            case .dead: .dead
            }
    }
}

/// A request of a group.
struct GroupedRequest {
    /// Zero if the log does not say.
    let time: WallTime
    let number: Int
    /// The checksum of its path, if it has a key.
    let path: UInt32
    let status: Int32

    init(_ request: LoggedRequest, number: Int, path: UInt32) {
        self.time = request.time ?? WallTime(milliseconds: 0)
        self.number = number
        self.path = path
        self.status = Int32(clamping: request.status)
    }

    var isCounted: Bool { LoggedRequest.isCounted(Int(self.status)) }
    var isRedirect: Bool { [301, 302, 303, 307, 308].contains(self.status) }

    /// How much earlier than its recording a request may be logged: clocks differ, and some logs have whole seconds.
    private static let tolerance = Duration.seconds(5)

    /// Whether it may be that of a beacon, by the time.
    func mayBe(of beacon: GroupedBeacon) -> Bool {
        self.time.milliseconds <= 0 || beacon.recorded <= self.time + GroupedRequest.tolerance
    }
}

/// Decides which of several beacons with one URL a request belongs to, request by request in the order of time.
///
/// A counted request is that of the oldest beacon that has none yet: of a delivered one, else of one whose outcome is
/// open, else of a dead one, which most likely did not arrive. A request that was not counted is that of the oldest
/// dead beacon with an attempt left for it, else that of the beacon that gets the next counted one.
struct LogAssignment {
    /// The indexes of the beacons of each rank, oldest first.
    private var waiting: [[Int32]] = Array(repeating: [], count: GroupedBeacon.Rank.allCases.count)
    /// How many beacons of each rank have a counted request.
    private var served: [Int] = Array(repeating: 0, count: GroupedBeacon.Rank.allCases.count)
    /// The beacon that got the last counted request; at first the oldest one.
    private var latest: Int32 = 0
    /// How many dead beacons have a request for each of their attempts.
    private var refused = 0
    /// How many requests the next dead beacon has.
    private var refusals: Int32 = 0

    init(_ beacons: [GroupedBeacon]) {
        for index in beacons.indices { self.waiting[beacons[index].rank.rawValue].append(Int32(index)) }
        for rank in self.waiting.indices {
            self.waiting[rank].sort { (beacons[Int($0)].recorded, $0) < (beacons[Int($1)].recorded, $1) }
        }
        let oldest = self.waiting.compactMap(\.first)
        self.latest = oldest.min { (beacons[Int($0)].recorded, $0) < (beacons[Int($1)].recorded, $1) } ?? 0
    }

    /// The index of the beacon that a request belongs to.
    mutating func owner(of request: GroupedRequest, among beacons: [GroupedBeacon]) -> Int {
        if !request.isCounted, let dead = self.refusing(request, beacons) { return dead }
        for rank in self.waiting.indices where self.served[rank] < self.waiting[rank].count {
            let index = self.waiting[rank][self.served[rank]]
            guard request.mayBe(of: beacons[Int(index)]) else { continue }
            if request.isCounted {
                self.served[rank] += 1
                self.latest = index
            }
            return Int(index)
        }
        // One more of a beacon that already has one.
        return Int(self.latest)
    }

    /// The index of the dead beacon whose attempt a request may be that was not counted.
    private mutating func refusing(_ request: GroupedRequest, _ beacons: [GroupedBeacon]) -> Int? {
        let rank = GroupedBeacon.Rank.dead.rawValue
        while self.refused < self.waiting[rank].count {
            let index = Int(self.waiting[rank][self.refused])
            if self.refusals < beacons[index].attempts {
                guard request.mayBe(of: beacons[index]) else { return nil }
                self.refusals += 1
                return index
            }
            self.refused += 1
            self.refusals = 0
        }
        return nil
    }
}
