import AdCore
import WebStage

/// Limits the number of messages that are read of each session, with a token bucket (`burst`, then `rate` per second).
///
/// A long message counts as several. Messages beyond the limit are dropped unread. The stage gets a report when a flood
/// starts, and one with the number of dropped messages when it persists or is over. A flood persists if a full second
/// after the first one has more than `rate` messages, so that the rest of a burst does not count.
struct FloodMeter: Sendable {
    typealias Instant = ContinuousClock.Instant

    enum Verdict: Hashable, Sendable {
        case read
        case drop
        /// Drop it, and report the flood.
        case report(EngineFlood)
        /// Report the flood, then read it.
        case readAfter(EngineFlood)
    }

    private struct Bucket {
        var tokens: Double
        var filled: Instant
        var dropped = 0
        /// The start of the flood; nil for none.
        var since: Instant?
        /// The current second of the flood, from 0, and the number of messages in it.
        var second = 0
        var load = 0.0
        var hasLasted = false
    }

    /// The capacity of a bucket; a creative with several hundred requests needs half of it.
    static let burst = 6_000.0
    /// The sustained number of messages per second.
    static let rate = Double(EngineFlood.rate)
    /// A message counts once more for each of this many bytes.
    static let bytes = 4_096
    /// The maximum size that counts for a message about a `data:` URL: the browser reports each inline image twice, and
    /// no machine handles that.
    static let inlineByteLimit = 64 << 10

    private static let least = 1_000
    /// The number of buckets from which full ones are removed.
    private var room = FloodMeter.least

    private var buckets: [DevToolsSession: Bucket] = [:]

    /// Decides on the next message of a session.
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
            return .report(.started)
        }
        // A session is read again only after it was quiet for a second.
        if bucket.tokens >= FloodMeter.rate {
            bucket.tokens -= min(price, bucket.tokens)
            (bucket.since, bucket.hasLasted) = (nil, false)
            return .readAfter(.ended(dropped: bucket.dropped))
        }
        bucket.tokens = max(0, bucket.tokens - price)
        bucket.dropped += 1
        let second = Int(min(max(0, (now - since) / .seconds(1)), 1e9))
        guard second > bucket.second else {
            bucket.load += price
            return .drop
        }
        // A second without messages in between ends the streak.
        let lasts = bucket.second > 0 && second == bucket.second + 1 && bucket.load > FloodMeter.rate
        (bucket.second, bucket.load) = (second, price)
        guard lasts, !bucket.hasLasted else { return .drop }
        bucket.hasLasted = true
        return .report(.persists(dropped: bucket.dropped))
    }

    /// Removes full buckets: a new one has as many tokens.
    private mutating func forgetFull(at now: Instant) {
        guard self.buckets.count >= self.room else { return }
        let filling = Duration.seconds(FloodMeter.burst / FloodMeter.rate)
        self.buckets = self.buckets.filter { $0.value.since != nil || now - $0.value.filled < filling }
        self.room = max(FloodMeter.least, 2 * self.buckets.count)
    }
}

extension EngineFlood {
    /// The name of the synthetic event that reports a flood, in order with the session's own events.
    static let method = "Yabbi.flood"

    /// The event for a session.
    func event(of session: DevToolsSession) -> DevToolsEvent {
        let params: AdJSON =
            switch self {
            case .started: ["kind": "began"]
            case .persists(let count): ["kind": "lasts", "dropped": .int(count)]
            case .ended(let count): ["kind": "passed", "dropped": .int(count)]
            }
        return DevToolsEvent(session: session, method: EngineFlood.method, params: params)
    }

    /// Reads a flood event; nil for other events.
    init?(_ event: DevToolsEvent) {
        guard event.method == EngineFlood.method else { return nil }
        let count = event.params["dropped"]?.number.flatMap(Int.init(exactly:)) ?? 0
        switch event.params["kind"]?.string {
        case "began": self = .started
        case "lasts": self = .persists(dropped: count)
        default: self = .ended(dropped: count)
        }
    }
}
