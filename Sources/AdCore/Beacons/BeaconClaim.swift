/// Which beacons somebody wants to deliver, and for how long they are then his.
public struct ClaimRequest: Hashable, Sendable {
    /// How many at most.
    public var limit: Int
    /// How many of one origin that is not listed in `room`.
    public var each: Int
    /// How many of the origins that are listed; 0 for none.
    public var room: [String: Int]
    /// The present.
    public var now: WallTime
    /// How long they are in the hands of whoever asks.
    public var lease: Duration

    /// Terms.
    public init(limit: Int, each: Int = 1, room: [String: Int] = [:], at now: WallTime, lease: Duration = .seconds(60))
    {
        self.limit = limit
        self.each = each
        self.room = room
        self.now = now
        self.lease = lease
    }

    /// How many of an origin may be taken.
    package func room(of origin: String) -> Int { max(0, self.room[origin] ?? self.each) }
}

/// What somebody got who wanted to deliver beacons.
public struct BeaconClaim: Hashable, Sendable {
    /// The beacons.
    public let beacons: [ClaimedBeacon]
    /// When it is worth asking again: the first time at which something is due, or a lease is over, of the origins that
    /// have room left; nil where nothing waits there, and where the limit was reached.
    public let next: WallTime?

    /// A claim.
    public init(_ beacons: [ClaimedBeacon], next: WallTime?) {
        self.beacons = beacons
        self.next = next
    }
}

/// A beacon in the hands of the one who delivers it.
public struct ClaimedBeacon: Hashable, Sendable {
    /// The beacon.
    public let beacon: Beacon
    /// Which attempt this is, counted from 1.
    public let attempt: Int
    /// When it was recorded.
    public let recorded: WallTime
    /// Whether an earlier claim ran out without being settled: it may have arrived.
    public let isInDoubt: Bool

    /// A claimed beacon.
    public init(_ beacon: Beacon, attempt: Int, recorded: WallTime, isInDoubt: Bool = false) {
        self.beacon = beacon
        self.attempt = attempt
        self.recorded = recorded
        self.isInDoubt = isInDoubt
    }

    /// Why a beacon is in doubt whose claim ran out.
    package static let leaseOver = "it was being sent, and nobody wrote down what became of it"

    /// Whether it is not sent, only written down as unconfirmed: it may have arrived, and is not to be sent twice.
    package var isOnlyJudged: Bool { self.isInDoubt && self.beacon.call.guarantee.isFinal }

    /// How often it was sent where this outcome is written down.
    package func attempts(after outcome: DeliveryOutcome) -> Int {
        if self.isOnlyJudged, case .unconfirmed = outcome { return max(0, self.attempt - 1) }
        return self.attempt
    }

    /// Whom the beacon goes to.
    package var origin: String { self.beacon.call.address.origin }
}
