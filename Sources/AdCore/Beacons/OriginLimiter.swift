/// Limits the parallel requests to each origin, and pauses origins that fail.
struct OriginLimiter: Sendable {
    private struct Origin {
        var inFlight = 0
        /// The maximum number of requests in flight.
        var limit: Int
        /// The number of failures in a row.
        var failures = 0
        /// The end of its pause.
        var pausedUntil: Moment?
        /// Whether the last connection failed.
        var isUnreachable = false
    }

    /// The origin's condition after an attempt, independent of the beacon's outcome.
    private enum Condition {
        case good
        /// It answered with a temporary error or not at all; the duration is its `Retry-After`.
        case troubled(Duration?)
        /// The connection failed.
        case unreachable
        /// The attempt is no evidence of the origin's condition.
        case unknown
    }

    /// The maximum pause by `Retry-After`.
    private static let maximumRetryAfter = Duration.seconds(3600)

    private let limits: BeaconScheduler.Limits
    private var origins: [String: Origin] = [:]

    init(_ limits: BeaconScheduler.Limits) { self.limits = limits }

    /// How many more requests each origin may get now, without the origins that may get `perOrigin.lowerBound`.
    func limits(at now: Moment) -> [String: Int] {
        var result: [String: Int] = [:]
        for (name, origin) in self.origins {
            let isPaused = origin.pausedUntil.map { now < $0 } ?? false
            let left = isPaused ? 0 : max(0, origin.limit - origin.inFlight)
            if left != self.limits.perOrigin.lowerBound { result[name] = left }
        }
        return result
    }

    /// The end of the first pause.
    func nextPauseEnd(after now: Moment) -> Moment? {
        self.origins.values.lazy.compactMap(\.pausedUntil).filter { $0 > now }.min()
    }

    mutating func start(_ name: String) {
        if self.origins[name] == nil { self.evict() }
        self.origins[name, default: Origin(limit: self.limits.perOrigin.lowerBound)].inFlight += 1
    }

    mutating func finish(_ name: String) {
        guard var origin = self.origins[name] else { return }
        origin.inFlight -= 1
        self.origins[name] = origin
    }

    /// Ends the pauses of unreachable origins.
    mutating func resumeUnreachable() {
        for (name, origin) in self.origins where origin.isUnreachable {
            self.origins[name] = Origin(inFlight: origin.inFlight, limit: origin.limit)
        }
    }

    /// Updates an origin after an attempt.
    mutating func record(
        _ outcome: Result<AdHTTPResponse, TransportError>,
        of name: String,
        at now: BeaconScheduler.Present,
        bits: UInt64
    ) {
        guard !self.limits.triesOnce, var origin = self.origins[name] else { return }
        switch OriginLimiter.condition(outcome, at: now.wallTime) {
        case .unknown: return
        case .good:
            let limit = min(origin.limit + 1, self.limits.perOrigin.upperBound)
            origin = Origin(inFlight: origin.inFlight, limit: limit)
        case .troubled(let retryAfter):
            // The first failure may be the beacon's own; the second one, or a `Retry-After`, pauses the origin.
            self.fail(&origin, minimumFailures: 2, retryAfter, at: now.moment, bits: bits)
            origin.isUnreachable = false
        case .unreachable:
            self.fail(&origin, minimumFailures: 1, nil, at: now.moment, bits: bits)
            origin.isUnreachable = true
        }
        self.origins[name] = origin
    }

    private func fail(
        _ origin: inout Origin,
        minimumFailures: Int,
        _ retryAfter: Duration?,
        at now: Moment,
        bits: UInt64
    ) {
        origin.limit = 1
        var end = retryAfter.map { now + min($0, OriginLimiter.maximumRetryAfter) }
        if let paused = origin.pausedUntil, paused > now {
            // The request was sent before the pause began.
            end = max(end ?? paused, paused)
        } else {
            origin.failures += 1
            if origin.failures >= minimumFailures {
                let attempt = origin.failures - minimumFailures + 1
                let pause = min(DeliveryOutcome.backoff(attempt: attempt, bits: bits), self.limits.maximumPause)
                end = max(end ?? now, now + pause)
            }
        }
        origin.pausedUntil = end
    }

    private static func condition(_ outcome: Result<AdHTTPResponse, TransportError>, at now: WallTime) -> Condition {
        switch outcome {
        case .success(let response):
            // After a redirect it is the status of another origin.
            guard response.redirects == 0, response.status == 408 || response.status == 429 || response.status >= 500
            else {
                return .good
            }
            let retryAfter = DeliveryOutcome.retryAfter(response.headers, now: now)
            return .troubled(retryAfter > .zero ? retryAfter : nil)
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

    /// At the limit of origins, removes the idle ones without failures.
    ///
    /// If there are none, it removes a quarter of the limit, those first whose pauses end first.
    private mutating func evict() {
        guard self.origins.count >= self.limits.origins else { return }
        let idle = self.origins.filter { $0.value.inFlight == 0 }
        let healthy = idle.filter { $0.value.failures == 0 && $0.value.pausedUntil == nil }
        if !healthy.isEmpty {
            for name in healthy.keys { self.origins[name] = nil }
        } else {
            let ends = idle.sorted { ($0.value.pausedUntil ?? .origin) < ($1.value.pausedUntil ?? .origin) }
            for entry in ends.prefix(max(1, self.limits.origins / 4)) { self.origins[entry.key] = nil }
        }
    }
}
