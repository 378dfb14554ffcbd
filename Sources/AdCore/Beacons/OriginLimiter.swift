/// What is known of the origins that beacons go to: how many are on their way there, and who is in trouble.
struct OriginLimiter: Sendable {
    private struct Origin {
        var inHand = 0
        /// How many may be on their way at once.
        var width: Int
        /// How often in a row it was in trouble.
        var failures = 0
        /// Until when it is left in peace.
        var pausedUntil: Moment?
        /// Whether it could not even be reached.
        var isUnreachable = false
    }

    /// What an attempt says of the origin, whatever it means for the beacon.
    private enum Condition {
        case good
        /// It answered that it is in trouble, or not at all; it may have said for how long.
        case troubled(Duration?)
        /// It could not be reached.
        case unreachable
        /// Nothing.
        case unknown
    }

    /// The longest that an origin is left in peace because it asked for it.
    private static let longestWish = Duration.seconds(3600)

    private let limits: BeaconScheduler.Limits
    private var origins: [String: Origin] = [:]

    init(_ limits: BeaconScheduler.Limits) { self.limits = limits }

    /// How many more each origin may get, where that is not what all others may get.
    func room(at now: Moment) -> [String: Int] {
        var room: [String: Int] = [:]
        for (name, origin) in self.origins {
            let isPaused = origin.pausedUntil.map { now < $0 } ?? false
            let left = isPaused ? 0 : max(0, origin.width - origin.inHand)
            if left != self.limits.perOrigin.lowerBound { room[name] = left }
        }
        return room
    }

    /// When the first of those that are left in peace may be asked again.
    func nextEnd(after now: Moment) -> Moment? {
        self.origins.values.lazy.compactMap(\.pausedUntil).filter { $0 > now }.min()
    }

    mutating func take(_ name: String) {
        if self.origins[name] == nil { self.makeRoom() }
        self.origins[name, default: Origin(width: self.limits.perOrigin.lowerBound)].inHand += 1
    }

    mutating func give(_ name: String) {
        guard var origin = self.origins[name] else { return }
        origin.inHand -= 1
        self.origins[name] = origin
    }

    /// Whoever could not be reached is tried again at once.
    mutating func forgetUnreachable() {
        for (name, origin) in self.origins where origin.isUnreachable {
            self.origins[name] = Origin(inHand: origin.inHand, width: origin.width)
        }
    }

    /// Learns from an attempt.
    mutating func note(
        _ outcome: Result<AdHTTPResponse, TransportError>,
        of name: String,
        at now: BeaconScheduler.Present,
        bits: UInt64
    ) {
        guard !self.limits.triesOnce, var origin = self.origins[name] else { return }
        switch OriginLimiter.condition(outcome, at: now.wallTime) {
        case .unknown: return
        case .good:
            let width = min(origin.width + 1, self.limits.perOrigin.upperBound)
            origin = Origin(inHand: origin.inHand, width: width)
        case .troubled(let wish):
            // A single beacon may be at fault: the origin is, where it happens again or where it says so.
            self.fail(&origin, leastFailures: 2, wish, at: now.moment, bits: bits)
            origin.isUnreachable = false
        case .unreachable:
            self.fail(&origin, leastFailures: 1, nil, at: now.moment, bits: bits)
            origin.isUnreachable = true
        }
        self.origins[name] = origin
    }

    private func fail(_ origin: inout Origin, leastFailures: Int, _ wish: Duration?, at now: Moment, bits: UInt64) {
        origin.width = 1
        var end = wish.map { now + min($0, OriginLimiter.longestWish) }
        if let paused = origin.pausedUntil, paused > now {
            // It was on its way already when the origin got into trouble.
            end = max(end ?? paused, paused)
        } else {
            origin.failures += 1
            if origin.failures >= leastFailures {
                let attempt = origin.failures - leastFailures + 1
                let pause = min(DeliveryOutcome.backoff(attempt: attempt, bits: bits), self.limits.longestPause)
                end = max(end ?? now, now + pause)
            }
        }
        origin.pausedUntil = end
    }

    private static func condition(_ outcome: Result<AdHTTPResponse, TransportError>, at now: WallTime) -> Condition {
        switch outcome {
        case .success(let answer):
            // Behind a redirect it is another's trouble.
            guard answer.redirects == 0, answer.status == 408 || answer.status == 429 || answer.status >= 500 else {
                return .good
            }
            let wish = DeliveryOutcome.retryAfter(answer.headers, now: now)
            return .troubled(wish > .zero ? wish : nil)
        case .failure(let error):
            switch error.phase {
            case .notSent(.missingCredential), .cancelled: return .unknown
            case .notSent: return .unreachable
            case .ambiguous(let reason):
                switch reason {
                case .tooManyRedirects, .badRedirect, .undecodable: return .good
                default: return .troubled(nil)
                }
            case .tooLarge: return .good
            }
        }
    }

    /// Forgets those of whom there is nothing to remember, then those whose rest is over soonest.
    private mutating func makeRoom() {
        guard self.origins.count >= self.limits.origins else { return }
        let idle = self.origins.filter { $0.value.inHand == 0 }
        let healthy = idle.filter { $0.value.failures == 0 && $0.value.pausedUntil == nil }
        if !healthy.isEmpty {
            for name in healthy.keys { self.origins[name] = nil }
        } else {
            let ends = idle.sorted { ($0.value.pausedUntil ?? .origin) < ($1.value.pausedUntil ?? .origin) }
            for entry in ends.prefix(max(1, self.limits.origins / 4)) { self.origins[entry.key] = nil }
        }
    }
}
