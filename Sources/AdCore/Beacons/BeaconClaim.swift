/// A request to claim beacons for delivery.
public struct ClaimRequest: Hashable, Sendable {
    /// The maximum number of beacons.
    public var limit: Int
    /// The maximum number for each origin that is not in `limits`.
    public var each: Int
    /// The maximum numbers for single origins; 0 for none.
    public var limits: [String: Int]
    /// The current time.
    public var now: WallTime
    /// How long the claim is exclusive.
    public var lease: Duration

    /// Creates a claim request.
    public init(
        limit: Int,
        each: Int = 1,
        limits: [String: Int] = [:],
        at now: WallTime,
        lease: Duration = .seconds(60)
    ) {
        self.limit = limit
        self.each = each
        self.limits = limits
        self.now = now
        self.lease = lease
    }

    /// The maximum number for an origin.
    package func limit(for origin: String) -> Int { max(0, self.limits[origin] ?? self.each) }
}

/// The claimed beacons.
public struct BeaconClaim: Hashable, Sendable {
    /// The beacons.
    public let beacons: [ClaimedBeacon]
    /// When the next beacon is due or the next lease ends, among the origins below their maximum.
    ///
    /// It is nil if nothing waits there, and if the limit was reached.
    public let next: WallTime?

    /// Creates a claim.
    public init(_ beacons: [ClaimedBeacon], next: WallTime?) {
        self.beacons = beacons
        self.next = next
    }
}

/// A beacon claimed for one delivery attempt.
public struct ClaimedBeacon: Hashable, Sendable {
    /// The beacon.
    public let beacon: Beacon
    /// The number of this attempt, from 1.
    public let attempt: Int
    /// When it was recorded.
    public let recorded: WallTime
    /// Whether an earlier claim ended without an outcome, so the server may have received it.
    public let wasInterrupted: Bool

    /// Creates a claimed beacon.
    public init(_ beacon: Beacon, attempt: Int, recorded: WallTime, wasInterrupted: Bool = false) {
        self.beacon = beacon
        self.attempt = attempt
        self.recorded = recorded
        self.wasInterrupted = wasInterrupted
    }

    /// The reason of a beacon whose claim ended without an outcome.
    package static let leaseExpiredReason = "it was being sent, and its outcome was not recorded"

    /// Whether it is recorded as unconfirmed instead of being sent: the server may have received it already.
    package var isExpiredAtMostOnce: Bool { self.wasInterrupted && self.beacon.call.guarantee.isFinal }

    /// The number of attempts to record with this outcome.
    package func attempts(after outcome: DeliveryOutcome) -> Int {
        if self.isExpiredAtMostOnce, case .unconfirmed = outcome { return max(0, self.attempt - 1) }
        return self.attempt
    }

    /// The origin that the beacon goes to.
    package var origin: String { self.beacon.call.address.origin }
}

/// A claimed beacon with the outcome of its attempt.
package struct SettledBeacon: Hashable, Sendable {
    /// The beacon.
    package let claimed: ClaimedBeacon
    /// The outcome of its attempt.
    package let outcome: DeliveryOutcome

    /// Creates a settled beacon.
    package init(_ claimed: ClaimedBeacon, _ outcome: DeliveryOutcome) {
        self.claimed = claimed
        self.outcome = outcome
    }
}
