import AdCore
import WebStage

/// Bounds how many messages of each session are read: a token bucket for each (`burst`, then `rate` a second).
///
/// A long message counts as several. What passes the limit is dropped unread, and that is reported to the stage once when it
/// begins, and once with the count when it is over or goes on. It goes on where a whole second of it, later than the first,
/// has more than `rate`: what is only the rest of a burst is not.
struct FloodMeter: Sendable {
    typealias Instant = ContinuousClock.Instant

    enum Verdict: Hashable, Sendable {
        case read
        case drop
        /// Drops it, and reports that to the stage.
        case report(EngineFlood)
        /// Reads it, and reports to the stage first.
        case readAfter(EngineFlood)
    }

    private struct Bucket {
        var tokens: Double
        var filled: Instant
        var dropped = 0
        /// Since when messages are dropped; nil where none are.
        var since: Instant?
        /// The second of it that is counted, the first one being 0, and what came in that.
        var second = 0
        var load = 0.0
        var hasLasted = false
    }

    /// So many messages may come at once: a creative with several hundred requests makes half of that.
    static let burst = 6_000.0
    /// So many may come in a second for as long as they like.
    static let rate = Double(EngineFlood.rate)
    /// A message counts once more for each of these bytes.
    static let bytes = 4_096
    /// A message with an address of `data:` counts as if it had no more than this: the browser reports each picture
    /// in the markup itself twice, and no machine reads that.
    static let mostInline = 64 << 10

    private static let least = 1_000
    /// When there are so many buckets, those that are full are thrown away.
    private var room = FloodMeter.least

    private var buckets: [DevToolsSession: Bucket] = [:]

    /// Judges the next message of a session.
    mutating func admit(_ session: DevToolsSession, bytes: Int, at now: Instant) -> Verdict {
        if self.buckets[session] == nil { self.forgetFull(at: now) }
        var bucket = self.buckets[session] ?? Bucket(tokens: FloodMeter.burst, filled: now)
        defer { self.buckets[session] = bucket }
        let seconds = max(0, (now - bucket.filled) / .seconds(1))
        bucket.tokens = min(FloodMeter.burst, bucket.tokens + seconds * FloodMeter.rate)
        bucket.filled = now
        let price = 1 + Double(bytes / FloodMeter.bytes)
        guard let since = bucket.since else {
            guard bucket.tokens < price else {
                bucket.tokens -= price
                return .read
            }
            (bucket.since, bucket.second, bucket.load, bucket.dropped) = (now, 0, price, 1)
            return .report(.began)
        }
        // A session is read again when it was quiet for a while, and not at each token.
        if bucket.tokens >= FloodMeter.rate {
            bucket.tokens -= min(price, bucket.tokens)
            (bucket.since, bucket.hasLasted) = (nil, false)
            return .readAfter(.passed(dropped: bucket.dropped))
        }
        bucket.tokens = max(0, bucket.tokens - price)
        bucket.dropped += 1
        let second = Int(min(max(0, (now - since) / .seconds(1)), 1e9))
        guard second > bucket.second else {
            bucket.load += price
            return .drop
        }
        // Of a second in which nothing came, nothing is counted.
        let lasts = bucket.second > 0 && second == bucket.second + 1 && bucket.load > FloodMeter.rate
        (bucket.second, bucket.load) = (second, price)
        guard lasts, !bucket.hasLasted else { return .drop }
        bucket.hasLasted = true
        return .report(.lasts(dropped: bucket.dropped))
    }

    /// Forgets the sessions that have all of their tokens again: as new ones they have as many.
    private mutating func forgetFull(at now: Instant) {
        guard self.buckets.count >= self.room else { return }
        let filling = Duration.seconds(FloodMeter.burst / FloodMeter.rate)
        self.buckets = self.buckets.filter { $0.value.since != nil || now - $0.value.filled < filling }
        self.room = max(FloodMeter.least, 2 * self.buckets.count)
    }
}

extension EngineFlood {
    /// The event that reports a flood to a page: one of ours, in the order of the session's own events.
    static let method = "Yabbi.flood"

    /// The event for a session.
    func event(of session: DevToolsSession) -> DevToolsEvent {
        let params: AdJSON =
            switch self {
            case .began: ["kind": "began"]
            case .lasts(let count): ["kind": "lasts", "dropped": .int(count)]
            case .passed(let count): ["kind": "passed", "dropped": .int(count)]
            }
        return DevToolsEvent(session: session, method: EngineFlood.method, params: params)
    }

    /// Reads such an event; nil where it is another.
    init?(_ event: DevToolsEvent) {
        guard event.method == EngineFlood.method else { return nil }
        let count = event.params["dropped"]?.number.flatMap(Int.init(exactly:)) ?? 0
        switch event.params["kind"]?.string {
        case "began": self = .began
        case "lasts": self = .lasts(dropped: count)
        default: self = .passed(dropped: count)
        }
    }
}
